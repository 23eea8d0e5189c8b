/** The command line: declares the commands and reports usage errors. */
import { Command, CommanderError, type Help } from 'commander';
import { withPaths } from '../documents/file-url.ts';
import { packageVersion } from '../shared/package-root.ts';
import { hideCardNumbers } from '../redaction/hide-card-numbers.ts';
import { declareCommands } from './commands/commands.ts';
import { rejectMissingValues } from './errors/missing-values.ts';
import { rejectCommand, rejectUnknown, seeHelp } from './errors/suggestions.ts';
import { emitWriteErrors, onWriteError } from './errors/stdout-errors.ts';
import { UsageError } from './errors/usage-error.ts';
import { commandHelp, programHelp, programName, serveNotes } from './output/help-text.ts';
import { declareFlag } from './settings/declare-flag.ts';
import { flags } from './settings/flags.ts';

/** Runs the command line. A usage error or a full disk is one message on stderr and exit code 2. */
export async function runCommand(given: readonly string[]): Promise<void> {
  const args = wordsOf(given);
  const { stdout, stderr } = process;
  emitWriteErrors(stdout);
  emitWriteErrors(stderr);
  // An error of stderr has no other place to be reported.
  stderr.on('error', () => undefined);
  stdout.on(
    'error',
    onWriteError((why) => {
      stderr.write(`${programName}: Cannot write to stdout (${why}).\n`);
      process.exitCode = 2;
    }),
  );
  const program = createProgram(args);
  const commandNamed = (name: string | undefined): Command | undefined =>
    program.commands.find((command) => command.name() === name);
  const called = commandNamed(args[0]);
  try {
    rejectMissingValues(called ?? commandNamed('serve'), args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const message = usageMessage(error, called);
    if (message === undefined) return;
    // The message quotes the command line, which may hold a card number by mistake.
    stderr.write(`${programName}: ${hideCardNumbers(message)}\n`);
    process.exitCode = 2;
  }
}

/** Every file may be named by a file URL. The words after "--" belong to another command. */
function wordsOf(given: readonly string[]): string[] {
  const dashesAt = given.includes('--') ? given.indexOf('--') : given.length;
  return [...withPaths(given.slice(0, dashesAt)), ...given.slice(dashesAt)];
}

/** The message for the user; `undefined` for help and version. Throws errors that are bugs of the sandbox. */
function usageMessage(error: unknown, called: Command | undefined): string | undefined {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? undefined : `${commanderMessage(error)} ${seeHelp(called)}`;
  }
  if (error instanceof UsageError) return error.message;
  throw error;
}

/** Commander quotes the declaration: "option '--port <number>' argument missing". */
function commanderMessage(error: CommanderError): string {
  const [, declaration] = /'(.+)'/.exec(error.message) ?? [];
  return error.code === 'commander.optionMissingArgument' && declaration !== undefined
    ? `${declaration.split(' ')[0]} needs a value: ${declaration}.`
    : error.message;
}

/** Declares the program and its commands. Only the commands in `args` declare their options. */
export function createProgram(args: readonly string[]): Command {
  const program = new Command(programName)
    .version(packageVersion(), '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand(false)
    .exitOverride()
    // runCommand prints errors, once.
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ formatHelp });
  const serve = program
    .command('serve', { isDefault: true })
    .summary('Start the sandbox (default)')
    .usage('[options]')
    // rejectUnknown reports both with the nearest match.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', serveNotes)
    .action(async () => {
      rejectUnknown(program, serve, serve.args);
      const { serveSandbox } = await import('./commands/serve.ts');
      await serveSandbox(serve.opts(), process);
    });
  for (const flag of flags) declareFlag(serve, flag);
  declareCommands(program, args);
  // Commander's own help command answers a mistyped name with the help of the program.
  program
    .command('help')
    .argument('[command]')
    .summary('Print the help of a command')
    .usage('[command]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name?: string) => {
      const named = program.commands.find((command) => command.name() === name);
      if (named === undefined && name !== undefined) rejectCommand(program, name);
      (named ?? program).outputHelp();
    });
  return program;
}

function formatHelp(command: Command, help: Help): string {
  return command.parent === null ? programHelp(command, help) : commandHelp(command, help);
}
