/** The command line: which commands and flags there are, and what becomes of a mistake. */
import { Command, CommanderError, Help } from 'commander';
import { packageVersion } from '../shared/package-root.ts';
import { declareFlag } from './settings/declare-flag.ts';
import { flags } from './settings/flags.ts';
import { epilogue, prologue } from './output/help-text.ts';
import { withoutCardNumbers } from '../redaction/redact.ts';
import { declareTools } from './commands/commands.ts';
import { programName, refuseUnknown, refuseWord, seeHelp } from './errors/suggestions.ts';
import { onUnwritten, tellListeners } from './errors/stdout-errors.ts';
import { UsageError } from './errors/usage-error.ts';

const helpSummary = 'Print the help of a command.';

/**
 * Runs the command. A mistake in how it was called is one message on stderr, and exit code 2; so is a disk that is too
 * full for what it prints.
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  const { stdout, stderr } = process;
  tellListeners(stdout);
  tellListeners(stderr);
  // Nobody is left to be told.
  stderr.on('error', () => undefined);
  stdout.on(
    'error',
    onUnwritten((why) => {
      stderr.write(`${programName}: What it prints cannot be written (${why}).\n`);
      process.exitCode = 2;
    }),
  );
  const program = createProgram(args);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const [first] = args;
    const message = mistakeOf(
      error,
      program.commands.find((command) => command.name() === first),
    );
    if (message === undefined) return;
    // What was typed into the wrong place is quoted, and the logs of pipelines keep it.
    stderr.write(`${programName}: ${withoutCardNumbers(message)}\n`);
    process.exitCode = 2;
  }
}

/** Nothing for help and version, which commander throws too. Throws what is a bug of ours. */
function mistakeOf(error: unknown, called: Command | undefined): string | undefined {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? undefined : `${wordsOf(error)} ${seeHelp(called)}`;
  }
  if (error instanceof UsageError) return error.message;
  throw error;
}

/** Commander names the flag as it is declared: "option '--port <number>' argument missing". */
function wordsOf(error: CommanderError): string {
  const [, declared] = /'(.+)'/.exec(error.message) ?? [];
  return error.code === 'commander.optionMissingArgument' && declared !== undefined
    ? `${declared.split(' ')[0]} needs a value: ${declared}.`
    : error.message;
}

function createProgram(args: readonly string[]): Command {
  const program = new Command(programName)
    .description(prologue)
    .optionsGroup('Other:')
    .version(packageVersion(), '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this.')
    .helpCommand(false)
    .usage('[command] [flags]')
    .exitOverride()
    // Mistakes are told once, by runCommand.
    .configureOutput({ outputError: () => undefined });
  const serve = program
    .command('serve', { isDefault: true })
    .description(prologue)
    .summary('Start the sandbox. Without a command, this is what is done.')
    .usage('[flags]')
    // Both are told with the nearest match, by refuseUnknown.
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      refuseUnknown(program, serve, serve.args);
      const { serveSandbox } = await import('./commands/serve.ts');
      await serveSandbox(serve.opts(), process);
    });
  for (const flag of flags) declareFlag(serve, flag);
  declareTools(program, args);
  // Commander's own would answer a mistyped command with the help of the program.
  program
    .command('help')
    .argument('[command]')
    .summary(helpSummary)
    .description(helpSummary)
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name?: string) => {
      const named = program.commands.find((command) => command.name() === name);
      if (named === undefined && name !== undefined) refuseWord(program, name);
      (named ?? program).outputHelp();
    });
  const help = new Help();
  program.configureHelp({
    subcommandTerm: (command) => command.name(),
    // Whoever asks the program for help wants to see what it does without a command.
    visibleOptions: (command) => [
      ...(command === program ? serve.options.filter((option) => !option.hidden) : []),
      ...help.visibleOptions(command),
    ],
    // In the order that they are listed in above.
    groupItems: (_declared, visible, groupOf) => help.groupItems([], visible, groupOf),
  });
  for (const one of [program, serve]) one.addHelpText('after', epilogue(programName));
  return program;
}
