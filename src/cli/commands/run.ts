/** `run`: runs another command with a sandbox of its own, then prints the verdict. */
import { SandboxError } from '../../shared/sandbox-error.ts';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { allPassed } from '../../report/verdicts.ts';
import type { UnreadableRequestListener } from '../../transport-port/request-refusal.ts';
import { runFlags } from '../settings/flags.ts';
import { homeOptions } from '../settings/home.ts';
import { createLog, logSettings } from '../output/log.ts';
import { createFromSettings, listenWithSettings, reachableUrl } from './create.ts';
import { writeReports } from '../output/report-files.ts';
import { readSettings, type ReadSettings } from '../settings/settings.ts';
import { UsageError } from '../errors/usage-error.ts';
import { judge, printVerdicts, reportsOf, verdictInput, type VerdictFlags } from './verdict.ts';
import { checkMerchantFlags } from '../settings/merchant-selection.ts';

/** The options of `run`: those of `verdict`, and some of `serve`. */
export interface RunFlags extends VerdictFlags {
  /** Variables that hold the address in addition to `VAULT_URL`. */
  readonly urlIn?: readonly string[];
}

const urlVariable = 'VAULT_URL';

/**
 * Starts a sandbox, runs the command with the address in its environment, and judges the result. The exit code is the one
 * of the command. If that is 0 and a verdict failed, it is 1. All messages go to stderr: stdout belongs to the command.
 *
 * @throws {UsageError} If an option is wrong; the command has not run then.
 */
export async function runWithSandbox(
  words: readonly string[],
  flags: RunFlags,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stderr } = program;
  const [file, ...args] = words;
  if (file === undefined) {
    throw new UsageError('Name the command to run after "--": card-vault-sandbox run -- npm test.');
  }
  const input = verdictInput(flags);
  checkMerchantFlags(flags);
  const variables = [urlVariable, ...(flags.urlIn ?? []).map(checkVariableName)];
  const read = readRunSettings(flags, env);
  const log = await createLog(logSettings(read.settings, { stream: stderr, env }));
  const print = (text: string): void => void stderr.write(`card-vault-sandbox: ${text}\n`);
  const { exchange, controlFailure } = log;
  const unreadable = reportUnreadableOnce(print);
  const sandbox = createFromSettings(read, homeOptions(read), {
    exchange,
    controlFailure,
    unreadable,
  });
  const url = reachableUrl(await listenWithSettings(sandbox, read));
  const quiet = read.settings.quiet === true;
  for (const warning of read.warnings) print(warning);
  if (!quiet)
    print(`Listening at ${url}. The command finds the address in ${variables.join(', ')}.`);

  const addressVariables = Object.fromEntries(variables.map((name) => [name, url]));
  try {
    const code = await spawnCommand(file, args, { program, env: { ...env, ...addressVariables } });
    const judgement = await judge(sandbox, flags, input);
    const { verdicts } = judgement;
    const passed = allPassed(verdicts);
    if (!passed || !quiet) printVerdicts(verdicts, 'text', { stream: stderr, env });
    await writeReports(reportsOf(judgement, flags));
    if (code === 0 && !passed) print('The command passed, but the verdict failed. Exit code: 1.');
    program.exitCode = code === 0 && !passed ? 1 : code;
  } catch (error) {
    if (!(error instanceof CommandStartError)) throw error;
    print(error.message);
    program.exitCode = error.exitCode;
  } finally {
    await sandbox.close();
  }
}

/** Reports each reason once: the log prints only errors by default. */
function reportUnreadableOnce(print: (text: string) => void): UnreadableRequestListener {
  const reported = new Set<string>();
  return ({ reason }) => {
    if (reported.has(reason)) return;
    reported.add(reason);
    print(`Received data that is not an HTTP request. ${reason}`);
  };
}

/** Takes port and host from options only: a PORT in the environment is more likely meant for the program under test. */
function readRunSettings(flags: RunFlags, env: NodeJS.ProcessEnv): ReadSettings {
  const wanted = ['port', 'host', ...runFlags.map(({ name }) => name)] as const;
  const read = readSettings({ port: '0', host: '127.0.0.1', ...flags }, env, wanted);
  return { ...read, settings: { ...read.settings, logLevel: read.settings.logLevel ?? 'error' } };
}

function checkVariableName(name: string): string {
  if (/^[a-z_][a-z0-9_]*$/i.test(name)) return name;
  throw new UsageError(
    `--url-in must be the name of an environment variable, such as PAYPAL_BASE_URL, got ${JSON.stringify(name)}.`,
  );
}

/** The command does not exist or is not executable. The exit codes are those of a shell. */
class CommandStartError extends SandboxError {
  override readonly name = 'CommandStartError';
  readonly exitCode: 126 | 127;

  constructor(file: string, why: NodeJS.ErrnoException) {
    super(
      'command-not-started',
      `Cannot run ${JSON.stringify(file)} (${why.code ?? why.message}).`,
    );
    this.exitCode = why.code === 'ENOENT' ? 127 : 126;
  }
}

interface SpawnContext {
  readonly program: NodeJS.Process;
  readonly env: NodeJS.ProcessEnv;
}

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the command on this terminal. Returns its exit code, or 128 plus the signal number, as shells do. */
function spawnCommand(
  file: string,
  args: readonly string[],
  { program, env }: SpawnContext,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env });
    const forward = (signal: NodeJS.Signals): void => {
      // A terminal sends Ctrl-C to every process that runs on it, so the child already has it.
      if (signal !== 'SIGINT' || !program.stdin.isTTY) child.kill(signal);
    };
    for (const signal of forwardedSignals) program.on(signal, forward);
    // After the command has ended, a signal ends this process again.
    child.once('close', () => {
      for (const signal of forwardedSignals) program.off(signal, forward);
    });
    child.once('error', (why) => {
      reject(new CommandStartError(file, why));
    });
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}
