/** `run`: runs another command with a sandbox of its own, and says at its end what happened to the money. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { allPassed } from '../../report/verdicts.ts';
import type { UnreadableRequestListener } from '../../transport-port/unreadable-request.ts';
import { runFlags } from '../settings/flags.ts';
import { homeOptions } from '../settings/home.ts';
import { createLog, logSettings } from '../output/log.ts';
import { makeSandbox, openDoor, reachableUrl } from './create.ts';
import { writeReports } from '../output/report-files.ts';
import { readSettings, type ReadSettings } from '../settings/settings.ts';
import { UsageError } from '../errors/usage-error.ts';
import { judge, orderOf, printVerdicts, reportsOf, type VerdictFlags } from './verdict.ts';
import { checkWhom } from '../settings/merchant-selection.ts';

/** Flags as they were given: those of `verdict`, and beside them those of `serve`. */
export interface RunFlags extends VerdictFlags {
  /** Variables that hold the address, beside the one that always does. */
  readonly urlIn?: readonly string[];
}

const urlVariable = 'VAULT_URL';

/**
 * Serves, runs the command with the address in its environment, and judges. The exit code is that of the command; where
 * that is 0, it is 1 if a verdict did not pass. Throws a `UsageError` before anything is run where a flag is wrong.
 * What it says is on stderr: stdout is the command's.
 */
export async function runBeside(
  words: readonly string[],
  flags: RunFlags,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stderr } = program;
  const [file, ...args] = words;
  if (file === undefined) {
    throw new UsageError(
      'Name the command to run behind two dashes: card-vault-sandbox run -- npm test.',
    );
  }
  const order = orderOf(flags);
  checkWhom(flags);
  const variables = [urlVariable, ...(flags.urlIn ?? []).map(variableOf)];
  const read = settingsOf(flags, env);
  const log = await createLog(logSettings(read.settings, { stream: stderr, env }));
  const say = (text: string): void => void stderr.write(`card-vault-sandbox: ${text}\n`);
  const { exchange, controlFailure } = log;
  const unreadable = tellOnce(say);
  const sandbox = makeSandbox(read, homeOptions(read), { exchange, controlFailure, unreadable });
  const door = await openDoor(sandbox, read);
  const url = reachableUrl(door);
  const quiet = read.settings.quiet === true;
  for (const doubt of read.doubts) say(doubt);
  if (!quiet) say(`listening at ${url}, which the command finds in ${variables.join(', ')}.`);

  const named = Object.fromEntries(variables.map((name) => [name, url]));
  try {
    const code = await codeOf(file, args, { program, env: { ...env, ...named } });
    const judgement = await judge(sandbox, flags, order);
    const { verdicts } = judgement;
    const passed = allPassed(verdicts);
    if (!passed || !quiet) printVerdicts(verdicts, 'text', { stream: stderr, env });
    if (code === 0 && !passed) say('the command ended with 0, and the verdict with 1.');
    program.exitCode = code === 0 && !passed ? 1 : code;
    await writeReports(reportsOf(judgement, flags));
  } catch (error) {
    if (!(error instanceof ProgramStartError)) throw error;
    say(error.message);
    program.exitCode = error.code;
  } finally {
    await sandbox.close();
  }
}

/** Says why what the command sends is none, once for each reason: the log is silent unless it is asked for more. */
function tellOnce(say: (text: string) => void): UnreadableRequestListener {
  const said = new Set<string>();
  return ({ reason }) => {
    if (said.has(reason)) return;
    said.add(reason);
    say(`what came was no HTTP request. ${reason}`);
  };
}

/** Where it listens is said by flags alone: a port that the environment names is more likely meant for what is tested. */
function settingsOf(flags: RunFlags, env: NodeJS.ProcessEnv): ReadSettings {
  const wanted = ['port', 'host', ...runFlags.map(({ name }) => name)] as const;
  const read = readSettings({ port: '0', host: '127.0.0.1', ...flags }, env, wanted);
  return { ...read, settings: { ...read.settings, logLevel: read.settings.logLevel ?? 'error' } };
}

function variableOf(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/i.test(name)) return name;
  throw new UsageError(
    `--url-in must be the name of an environment variable, such as PAYPAL_BASE_URL, not ${JSON.stringify(name)}.`,
  );
}

/** The command was not found or may not be run; the codes are those of a shell. */
class ProgramStartError extends Error {
  readonly code: 126 | 127;

  constructor(file: string, why: NodeJS.ErrnoException) {
    super(`${JSON.stringify(file)} cannot be run (${why.code ?? why.message}).`);
    this.code = why.code === 'ENOENT' ? 127 : 126;
  }
}

interface Surroundings {
  readonly program: NodeJS.Process;
  readonly env: NodeJS.ProcessEnv;
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs it on this terminal. Gives its exit code, or as shells do 128 and the number of the signal that ended it. */
function codeOf(
  file: string,
  args: readonly string[],
  { program, env }: Surroundings,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env });
    const passOn = (signal: NodeJS.Signals): void => {
      // A terminal tells everyone who runs on it, and twice is more than once.
      if (signal !== 'SIGINT' || !program.stdin.isTTY) child.kill(signal);
    };
    for (const signal of passedOn) program.on(signal, passOn);
    // From then on a signal ends this process, whatever it still does.
    child.once('close', () => {
      for (const signal of passedOn) program.off(signal, passOn);
    });
    child.once('error', (why) => {
      reject(new ProgramStartError(file, why));
    });
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}
