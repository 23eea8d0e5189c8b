/** Declares the commands other than `serve` and `help`: their arguments, options and implementation. */
import type { Command } from 'commander';
import { isFlag, rejectUnknown, seeHelp } from '../errors/suggestions.ts';
import { UsageError } from '../errors/usage-error.ts';
import { addressNotes, exitCodeNotes, programName, tokenNotes } from '../output/help-text.ts';
import { declareFlag } from '../settings/declare-flag.ts';
import { runFlags } from '../settings/flags.ts';
import type { CoverageFlags } from './coverage.ts';
import type { WaitFlags } from './health.ts';
import type { PlayFlags } from './play.ts';
import type { OutcomesFlags } from './outcomes.ts';
import type { InitFlags } from './init.ts';
import type { RunFlags } from './run.ts';
import type { VerdictCommandFlags } from './verdict.ts';

/** Declares the options and notes of a command. It runs only when that command is called, which keeps starts short. */
type DeclareOptions = (command: Command) => void;

interface CommandRow {
  readonly name: string;
  /** The arguments, as commander reads them. */
  readonly words: string;
  /** The arguments, as help shows them. */
  readonly usage: string;
  readonly summary: string;
  readonly options: DeclareOptions;
  readonly run: (words: readonly string[], command: Command) => Promise<void>;
}

const commands: readonly CommandRow[] = [
  {
    name: 'verdict',
    words: '[address]',
    usage: '[address]',
    summary: 'Judge what happened to the money',
    options: (command) => {
      command.option('--format <format>', 'Output: text, json, junit, sarif or github.', 'text');
      declareVerdictOptions(command)
        .addHelpText('after', addressNotes)
        .addHelpText('after', tokenNotes)
        .addHelpText(
          'after',
          exitCodeNotes(
            '0 if every merchant passed, 1 if one failed, 2 if the sandbox could not be',
            'reached or a report could not be written.',
          ),
        );
    },
    run: async ([url], command) => {
      const { showVerdict } = await import('./verdict.ts');
      await showVerdict(url, command.opts<VerdictCommandFlags>(), process);
    },
  },
  {
    name: 'coverage',
    words: '[files-or-address...]',
    usage: '[files]',
    summary: 'Report which outcomes were tried, and what to try next',
    options: (command) =>
      command
        .option(
          '--url <address>',
          'Sandbox to read. Default, without files: the one on this machine.',
        )
        .option('--prefix <text>', 'Only count merchants whose id starts with this prefix.')
        .option('--min <percent>', 'Fail below this percentage.')
        .option('--out <file>', 'Write the merged coverage to this file.')
        .addHelpText(
          'after',
          '\nAn argument is a coverage file, or the address of a running sandbox.',
        )
        .addHelpText('after', tokenNotes)
        .addHelpText(
          'after',
          exitCodeNotes(
            '0, 1 if less was tried than --min requires or no merchant has the prefix, 2 if',
            'a file could not be read or written, or the sandbox could not be reached.',
          ),
        ),
    run: async (words, command) => {
      const { showCoverage } = await import('./coverage.ts');
      await showCoverage(words, command.opts<CoverageFlags>(), process);
    },
  },
  {
    name: 'play',
    words: '[scenario] [address]',
    usage: '<scenario> [address]',
    summary: 'Play a scenario on a running sandbox',
    options: (command) =>
      command
        .option('--merchant <id>', 'Merchant that plays it; repeatable. Default: default.', collect)
        .option('--all', 'Every merchant that the sandbox knows plays it.')
        .addHelpText('after', '\nA scenario is a file, or the name of one that the sandbox knows.')
        .addHelpText('after', addressNotes)
        .addHelpText('after', tokenNotes)
        .addHelpText('after', exitCodeNotes('0, or 2 if the scenario or the sandbox is wrong.')),
    run: async ([scenario, address], command) => {
      const { playScenarioOn } = await import('./play.ts');
      await playScenarioOn(scenario, address, command.opts<PlayFlags>(), process);
    },
  },
  {
    name: 'check',
    words: '[files...]',
    usage: '<files>',
    summary: 'Validate scenario files',
    options: (command) =>
      command.addHelpText(
        'after',
        exitCodeNotes('0 if every file is valid, 1 if one is not. A folder means its files.'),
      ),
    run: async (words) => {
      const { checkScenarios } = await import('./check.ts');
      checkScenarios(words, process);
    },
  },
  {
    name: 'init',
    words: '[folder]',
    usage: '[folder]',
    summary: 'Write fixtures, a scenario and a first test',
    options: (command) =>
      command
        .option(
          '--runner <name>',
          'Runner of the first test: vitest, jest, playwright, node, pytest or curl. Default: the one of the project.',
        )
        .addHelpText('after', '\nThe default folder is card-vault. Files that exist are kept.')
        .addHelpText('after', exitCodeNotes('0, or 2 if a file could not be written.')),
    run: async ([folder], command) => {
      const { initProject } = await import('./init.ts');
      initProject(folder, command.opts<InitFlags>(), process);
    },
  },
  {
    name: 'outcomes',
    words: '[id]',
    usage: '[id]',
    summary: 'List what can be forced, or describe one outcome',
    options: (command) =>
      command
        .option('--operation <name>', 'Only list those of an operation, or of a resource: card.*.')
        .option('--tier <number>', 'Only list those of this tier: 1, 2 or 3.')
        .addHelpText('after', exitCodeNotes('0, or 2 if an outcome or an operation is unknown.')),
    run: async ([id], command) => {
      const { showOutcomes } = await import('./outcomes.ts');
      showOutcomes(id, command.opts<OutcomesFlags>(), process);
    },
  },
  {
    name: 'health',
    words: '[address]',
    usage: '[address]',
    summary: 'Report whether a sandbox is ready',
    options: (command) =>
      command
        .addHelpText('after', addressNotes)
        .addHelpText('after', exitCodeNotes('0 if the sandbox is ready, 1 if it is not.')),
    run: async ([url]) => {
      const { showHealth } = await import('./health.ts');
      await showHealth(url, process);
    },
  },
  {
    name: 'wait',
    words: '[address]',
    usage: '[address]',
    summary: 'Wait until a sandbox is ready',
    options: (command) =>
      command
        .option('--timeout <duration>', 'Longest wait, such as 30s or 2m.', '30s')
        .option('--ready-file <path>', 'Read the address from the file of "serve --ready-file".')
        .addHelpText('after', addressNotes)
        .addHelpText('after', exitCodeNotes('0 once the sandbox is ready, 1 after the timeout.')),
    run: async ([url], command) => {
      const { waitUntilReady } = await import('./health.ts');
      await waitUntilReady(url, command.opts<WaitFlags>(), process);
    },
  },
];

/** Declares every command but `serve` and `help`. The implementation is loaded when a command is called. */
export function declareCommands(program: Command, args: readonly string[]): void {
  declareRun(program, args);
  for (const { name, words, usage, summary, options, run } of commands) {
    const command = program.command(`${name} ${words}`);
    command
      .summary(summary)
      .usage(`${usage} [options]`)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async () => {
        const isList = command.registeredArguments.some(({ variadic }) => variadic);
        const most = command.registeredArguments.length;
        const excess = isList ? [] : command.args.slice(most);
        rejectUnknown(program, command, [...command.args.filter(isFlag), ...excess]);
        await run(command.args, command);
      });
    if (args.includes(name)) options(command);
  }
}

/** Declares the options of every command that judges. */
function declareVerdictOptions(command: Command): Command {
  return command
    .option('--merchant <id>', 'Merchant to check; repeatable. Default: all merchants.', collect)
    .option('--prefix <text>', 'Only check merchants whose id starts with this prefix.')
    .option('--fail-on <severity>', 'Lowest severity that fails: critical, high, medium.', 'high')
    .option('--suppress <rule=reason>', 'Finding to accept, and the reason; repeatable.', collect)
    .option('--suppressions <file>', 'YAML or JSON file of findings to accept.')
    .option(
      '--allow-unfired',
      'Do not fail on rules that never fired, gates that did not fill or timeline events without effect.',
    )
    .option('--allow-dropped', 'Do not fail if the journal has dropped entries.')
    .option('--allow-no-requests', 'Do not fail if no request arrived.')
    .option('--wait <duration>', 'Longest wait for requests in progress.', '500ms')
    .option('--service-time <duration>', 'Assumed time of the real service for a payment.', '1s')
    .option('--settle <duration>', 'How far ahead pending money is settled; 0s for none.', 'P3D')
    .option('--json <file>', 'Also write the verdicts as JSON.')
    .option('--junit <file>', 'Also write JUnit XML.')
    .option('--sarif <file>', 'Also write SARIF, for code scanning.')
    .option('--coverage <file>', 'Also write what was tried, for the command coverage.')
    .option('--html <file>', 'Also write a page: each purchase as a timeline, and what was tried.');
}

/** Declares `run`, whose own words end at "--". */
function declareRun(program: Command, args: readonly string[]): void {
  const run = program
    .command('run')
    .summary('Run your tests against a fresh sandbox and judge the result')
    .usage('[options] -- <command>')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const dashesAt = args.indexOf('--');
      const words = dashesAt === -1 ? [] : args.slice(dashesAt + 1);
      const ours = run.args.slice(0, run.args.length - words.length);
      if (dashesAt === -1 && ours.some((word) => !isFlag(word))) {
        throw new UsageError(
          `Put "--" before the command to run: ${programName} run -- ${ours.join(' ')}. ${seeHelp(run)}`,
        );
      }
      rejectUnknown(program, run, ours);
      const { runWithSandbox } = await import('./run.ts');
      await runWithSandbox(words, run.opts<RunFlags>(), process);
    });
  if (args.includes(run.name())) declareRunOptions(run);
}

const declareRunOptions: DeclareOptions = (run) => {
  run
    .option('--url-in <name>', 'Variable for the address besides VAULT_URL; repeatable.', collect)
    .option('--port <number>', 'Port of the sandbox. Default: a free one.')
    .option('--host <address>', 'Address of the sandbox. Default: 127.0.0.1.');
  declareVerdictOptions(run);
  for (const flag of runFlags) declareFlag(run, flag);
  run.addHelpText(
    'after',
    exitCodeNotes(
      "The command's exit code, or 128 plus the number of the signal that ended it.",
      'If that is 0: 1 if a verdict failed, otherwise 0. 2 if an option is wrong or a',
      'report could not be written. 127 if the command was not found, 126 if it could',
      'not be started.',
    ),
  );
};

/** Commander's own lists would take every word that follows, the address included. */
const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
