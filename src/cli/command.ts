/** The command line: which commands and flags there are, and what becomes of a mistake. */
import { Command, CommanderError, Help } from 'commander';
import { didYouMean } from '../nearest.ts';
import { packageVersion } from '../package-root.ts';
import { declareFlag } from './declare-flag.ts';
import { flags, flagWord, runFlags } from './flags.ts';
import { epilogue, prologue } from './help-text.ts';
import type { CoverageFlags } from './coverage.ts';
import type { WaitFlags } from './probe.ts';
import type { RunFlags } from './run.ts';
import { withoutCardNumbers } from '../redaction/redact.ts';
import { onUnwritten, tellListeners } from './unwritten.ts';
import { UsageMistake } from './usage-mistake.ts';
import type { ShownFlags } from './verdict.ts';

const programName = 'card-vault-sandbox';
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
  if (error instanceof UsageMistake) return error.message;
  throw error;
}

/** Where the flags are listed: those of the command that was called, or of the program. */
function seeHelp(command?: Command): string {
  const named = command === undefined || command.name() === 'serve' ? '' : ` ${command.name()}`;
  return `All flags: ${programName}${named} --help`;
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
      const { serveSandbox } = await import('./serve.ts');
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

/** Declares a command that ends by itself. */
type Tool = (
  words: string,
  summary: string,
  run: (args: readonly string[]) => Promise<void>,
  declareRest?: DeclareRest,
) => Command;

/**
 * Declares the flags of a command, and what else its help tells: where its name stands among the arguments, for nobody else
 * asks. All of them take 3 ms of a start.
 */
type DeclareRest = (command: Command) => void;

/** Commands that end by themselves. What each of them needs is loaded when it is called. */
function declareTools(program: Command, args: readonly string[]): void {
  const tool: Tool = (words, summary, run, declareRest) => {
    const command = program.command(words).summary(summary).description(summary);
    if (args.includes(command.name())) declareRest?.(command);
    return command
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async () => {
        const most = command.registeredArguments.length;
        const isList = command.registeredArguments.some(({ variadic }) => variadic);
        const unread = isList ? command.args.filter(isFlag) : [...command.args].splice(most);
        refuseUnknown(program, command, [...command.args.filter(isFlag), ...unread]);
        await run(command.args);
      });
  };
  tool(
    'check [files...]',
    'Say what is wrong with scenario files, or with those in a folder; exit code 1 if anything is.',
    async (files) => {
      const { checkScenarios } = await import('./check.ts');
      checkScenarios(files, process);
    },
  );
  tool(
    'outcomes [id]',
    'List the outcomes that can be forced, or tell all of one.',
    async ([id]) => {
      const { showOutcomes } = await import('./outcomes.ts');
      showOutcomes(id, process);
    },
  );
  tool(
    'health [url]',
    'Say whether a sandbox is ready; exit code 0 if it is.',
    async ([url]) => {
      const { probe } = await import('./probe.ts');
      await probe(url, process);
    },
    (health) => health.addHelpText('after', addressHelp),
  );
  const wait = tool(
    'wait [url]',
    'Wait until a sandbox is ready; exit code 1 if none comes.',
    async ([url]) => {
      const { waitUntilReady } = await import('./probe.ts');
      await waitUntilReady(url, wait.opts<WaitFlags>(), process);
    },
    (command) =>
      command
        .option('--timeout <span>', 'For how long, such as 30s or 2m.', '30s')
        .option('--ready-file <path>', 'Wait for the file that "serve --ready-file" writes.')
        .addHelpText('after', addressHelp),
  );
  declareJudges(tool);
  declareRun(program, args);
}

/** Nobody sees it from the flags. */
const addressHelp = `
Without a URL, it asks where a sandbox with the same environment variables would
listen, and in a container where its own one does.`;

/** Secrets stand in no argument: other users of a machine can read those. */
const tokenHelp = `
A sandbox with a control token is asked with the one in
CARD_VAULT_CONTROL_TOKEN, or in the file that CARD_VAULT_CONTROL_TOKEN_FILE
names.`;

/** Commands that judge what a client did with a running sandbox. */
function declareJudges(tool: Tool): void {
  const verdict = tool(
    'verdict [url]',
    'Judge what happened to the money; exit code 0 if nothing is wrong, 1 if something is, 2 if it could not be asked or a report not be written.',
    async ([url]) => {
      const { showVerdict } = await import('./verdict.ts');
      await showVerdict(url, verdict.opts<ShownFlags>(), process);
    },
    (command) => {
      command.option(
        '--format <format>',
        'What to print: text, json, junit, sarif or github.',
        'text',
      );
      declareJudging(command).addHelpText('after', addressHelp).addHelpText('after', tokenHelp);
    },
  );
  const coverage = tool(
    'coverage [files-or-url...]',
    'Say which outcomes were tried, in files or at a running sandbox, and what to try next.',
    async (files) => {
      const { showCoverage } = await import('./coverage.ts');
      await showCoverage(files, coverage.opts<CoverageFlags>(), process);
    },
    (command) =>
      command
        .option(
          '--url <url>',
          'The sandbox to ask; where nothing is named, the one on this machine.',
        )
        .option('--prefix <text>', 'Of sandboxes, count what those tried whose names begin so.')
        .option('--min <percent>', 'Exit code 1 where less was tried.')
        .option('--out <file>', 'Write what was merged there.')
        .addHelpText('after', tokenHelp),
  );
}

/** What every command takes that judges money. */
function declareJudging(command: Command): Command {
  return command
    .option('--merchant <id>', 'Whom to judge, again for each; all, where none is named.', oneMore)
    .option('--prefix <text>', 'Judge all whose names begin so.')
    .option('--fail-on <severity>', 'The least that fails: critical, high or medium.', 'high')
    .option('--suppress <rule=reason>', 'A finding to live with, and why; again for each.', oneMore)
    .option(
      '--suppressions <file>',
      'More of them, in YAML or JSON, each until a day if it says so.',
    )
    .option('--allow-unfired', 'Pass although a rule never fired or an event befell nothing.')
    .option('--allow-dropped', 'Pass although the journal has dropped exchanges.')
    .option('--allow-no-requests', 'Pass although nobody asked anything.')
    .option('--wait <span>', 'How long exchanges under way may take to end.', '500ms')
    .option('--json <file>', 'Write the verdicts there too, as JSON.')
    .option('--junit <file>', 'The same as JUnit XML.')
    .option('--sarif <file>', 'The same as SARIF, for code scanning.')
    .option('--html <file>', 'A page to look at: the story of each purchase, and what was tried.');
}

/** The one command that runs another, whose words are behind two dashes and none of ours. */
function declareRun(program: Command, args: readonly string[]): void {
  const summary =
    'Run a command, such as your tests, with a sandbox of its own, and judge it; exit code that of the command, or else 1 if something is wrong.';
  const run = program
    .command('run')
    .summary(summary)
    .description(summary)
    .usage('[flags] -- <command>')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const dashesAt = args.indexOf('--');
      const words = dashesAt === -1 ? [] : args.slice(dashesAt + 1);
      const ours = run.args.slice(0, run.args.length - words.length);
      if (dashesAt === -1 && ours.some((word) => !isFlag(word))) {
        throw new UsageMistake(
          `The command to run stands behind two dashes: ${programName} run -- ${ours.join(' ')}. ${seeHelp(run)}`,
        );
      }
      refuseUnknown(program, run, ours);
      const { runBeside } = await import('./run.ts');
      await runBeside(words, run.opts<RunFlags>(), process);
    });
  if (args.includes(run.name())) declareRunFlags(run);
}

const declareRunFlags: DeclareRest = (run) => {
  run
    .option(
      '--url-in <name>',
      'Variable for its address, beside VAULT_URL; again for each.',
      oneMore,
    )
    .option('--port <number>', 'Port; without it, any free one, whatever the environment says.')
    .option('--host <address>', 'Address; without it, 127.0.0.1.');
  declareJudging(run);
  for (const flag of runFlags) declareFlag(run, flag);
};

/** One value each time: a flag that takes all that follow would take the address as well. */
const oneMore = (value: string, before: readonly string[] = []): string[] => [...before, value];

const isFlag = (arg: string): boolean => arg.startsWith('-');

/** Whatever commander could not place is left in the command's arguments. */
function refuseUnknown(program: Command, command: Command, unknown: readonly string[]): void {
  const flag = unknown.find(isFlag);
  if (command.name() === 'serve') refuseLateCommand(program, unknown);
  if (flag !== undefined) {
    const known = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
    const fault = flagFault(flag, [...known, '--help'], command);
    throw new UsageMistake(`${fault} ${seeHelp(command)}`);
  }
  const [word] = unknown;
  if (word === undefined) return;
  if (command.name() === 'serve') refuseWord(program, word);
  throw new UsageMistake(
    `"${word}" is one word too many: ${programName} ${command.name()} ${command.usage()}. ${seeHelp(command)}`,
  );
}

/** A flag that follows it may well be its own, so the command's place is the mistake. */
function refuseLateCommand(program: Command, unknown: readonly string[]): void {
  const [word] = unknown;
  if (program.commands.some((command) => command.name() === word))
    refuseWord(program, String(word));
}

function flagFault(arg: string, known: readonly string[], command: Command): string {
  if (known.includes(arg)) return `The flag ${arg} must come before "--".`;
  const [word = arg] = arg.split('=');
  if (known.includes(word)) return `The flag ${word} is a switch and takes no value.`;
  return `There is no flag "${word}".${addressHint(word, command) || didYouMean(word, known)}`;
}

/** Flags that whoever has a sandbox to name would try. */
const addressFlags: ReadonlySet<string> = new Set([
  '--url',
  '--uri',
  '--address',
  ...(['baseUrl', 'host', 'port', 'controlHost', 'controlPort'] as const).map(flagWord),
]);

/** Where the address stands; empty for another flag, and for a command that takes none. */
function addressHint(word: string, command: Command): string {
  const takesOne = command.registeredArguments.some((argument) => argument.name().endsWith('url'));
  return takesOne && addressFlags.has(word)
    ? ` The address needs none: ${programName} ${command.name()} http://127.0.0.1:3000.`
    : '';
}

function refuseWord(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const fault = commands.includes(word)
    ? `The command "${word}" must come before all flags.`
    : `There is no command "${word}".${didYouMean(word, commands)} Commands: ${commands.join(', ')}.`;
  throw new UsageMistake(`${fault} ${seeHelp()}`);
}
