/** The commands beside `serve`: what each is called with, and what it runs. */
import type { Command } from 'commander';
import type { CoverageFlags } from './coverage.ts';
import { declareFlag } from '../settings/declare-flag.ts';
import { runFlags } from '../settings/flags.ts';
import type { WaitFlags } from './health.ts';
import type { RunFlags } from './run.ts';
import { isFlag, programName, refuseUnknown, seeHelp } from '../errors/suggestions.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { ShownFlags } from './verdict.ts';

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

/** Declares all of them but `help`. What each of them needs is loaded when it is called. */
export function declareTools(program: Command, args: readonly string[]): void {
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
      const { probe } = await import('./health.ts');
      await probe(url, process);
    },
    (health) => health.addHelpText('after', addressHelp),
  );
  const wait = tool(
    'wait [url]',
    'Wait until a sandbox is ready; exit code 1 if none comes.',
    async ([url]) => {
      const { waitUntilReady } = await import('./health.ts');
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
        throw new UsageError(
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
