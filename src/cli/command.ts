/** The command line: which commands and flags there are, and what becomes of a mistake. */
import { Command, CommanderError, Help, Option } from 'commander';
import { didYouMean } from '../nearest.ts';
import { packageVersion } from '../package-root.ts';
import { flags, flagWord, type Flag } from './flags.ts';
import { describe, epilogue, prologue } from './help-text.ts';
import { UsageMistake } from './usage-mistake.ts';

const programName = 'card-vault-sandbox';

/** Runs the command. A mistake in how it was called is one message on stderr, and exit code 2. */
export async function runCommand(args: readonly string[]): Promise<void> {
  process.stdout.on('error', leaveQuietly);
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    const message = mistakeOf(error);
    if (message === undefined) return;
    process.stderr.write(`${programName}: ${message}\n`);
    process.exitCode = 2;
  }
}

/** Whoever reads our output may have seen enough: `card-vault-sandbox --help | head`. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Nothing for help and version, which commander throws too. Throws what is a bug of ours. */
function mistakeOf(error: unknown): string | undefined {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? undefined : `${wordsOf(error)} ${seeHelp}`;
  }
  if (error instanceof UsageMistake) return error.message;
  throw error;
}

const seeHelp = `All flags: ${programName} --help`;

/** Commander names the flag as it is declared: "option '--port <number>' argument missing". */
function wordsOf(error: CommanderError): string {
  const [, declared] = /'(.+)'/.exec(error.message) ?? [];
  return error.code === 'commander.optionMissingArgument' && declared !== undefined
    ? `${declared.split(' ')[0]} needs a value: ${declared}.`
    : error.message;
}

function createProgram(): Command {
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
      refuseUnknown(program, serve);
      const { serveSandbox } = await import('./serve.ts');
      await serveSandbox(serve.opts(), process);
    });
  for (const flag of flags) declare(serve, flag);
  // Commander's own would answer a mistyped command with the help of the program.
  program
    .command('help')
    .argument('[command]')
    .summary('Print the help of a command.')
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
  program.addHelpText('afterAll', epilogue(programName));
  return program;
}

function declare(command: Command, flag: Flag): void {
  const word = flagWord(flag.name);
  const written = flag.value === undefined ? word : `${word} ${flag.value}`;
  command.addOption(new Option(written, describe(flag)).helpGroup(flag.group));
  // Switches off what the environment switched on.
  if (flag.value === undefined) command.addOption(new Option(`--no-${word.slice(2)}`).hideHelp());
}

/** Whatever commander could not place is left in the command's arguments. */
function refuseUnknown(program: Command, serve: Command): void {
  const flag = serve.args.find((arg) => arg.startsWith('-'));
  if (flag !== undefined) {
    const known = [...serve.options, ...program.options].flatMap(({ long }) => long ?? []);
    throw new UsageMistake(`${flagFault(flag, [...known, '--help'])} ${seeHelp}`);
  }
  const [word] = serve.args;
  if (word !== undefined) refuseWord(program, word);
}

function flagFault(arg: string, known: readonly string[]): string {
  if (known.includes(arg)) return `The flag ${arg} must come before "--".`;
  const [word = arg] = arg.split('=');
  return known.includes(word)
    ? `The flag ${word} is a switch and takes no value.`
    : `There is no flag "${word}".${didYouMean(word, known)}`;
}

function refuseWord(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const fault = commands.includes(word)
    ? `The command "${word}" must come before all flags.`
    : `There is no command "${word}".${didYouMean(word, commands)} Commands: ${commands.join(', ')}.`;
  throw new UsageMistake(`${fault} ${seeHelp}`);
}
