/** Starts servers as users start them, each in its own process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readProcess, type ProcessReading } from './process-reading.ts';
import { freePort } from '../../support/free-port.ts';

export interface Running {
  readonly url: string;
  /** From the start of the process to its first answer. */
  readonly startedInMs: number;
  read(): ProcessReading;
  stop(): Promise<void>;
}

const pollMs = 1;
const patienceMs = 20_000;

/** Starts the built command with defaults, but without a log line for each exchange. */
export function startOurs(
  flags: readonly string[] = ['--quiet'],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  return start(join('dist', 'cli.cjs'), (port) => ['--port', String(port), ...flags], env);
}

export interface Probed extends Running {
  /** Size of the heap after garbage collection. */
  heapBytes(): Promise<number>;
}

/** Starts the built command with a probe in its process that reports the heap. */
export async function startProbed(flags: readonly string[] = ['--quiet']): Promise<Probed> {
  const probe = pathToFileURL(join(import.meta.dirname, 'heap-probe.mjs')).href;
  const { child, running } = await startProcess(
    ['--expose-gc', '--import', probe, join('dist', 'cli.cjs')],
    (port) => ['--port', String(port), ...flags],
    ['ipc'],
  );
  return {
    ...running,
    heapBytes: async () => {
      child.send('heap');
      const [bytes] = (await once(child, 'message')) as [number]; // The probe sends nothing else.
      return bytes;
    },
  };
}

/** Starts the floor: the same work on plain `node:http`. */
export function startFloor(): Promise<Running> {
  return start(join(import.meta.dirname, 'floor.mjs'), (port) => [String(port)]);
}

async function start(
  script: string,
  argsFor: (port: number) => string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  return (await startProcess([script], argsFor, [], env)).running;
}

async function startProcess(
  program: readonly string[],
  argsFor: (port: number) => string[],
  channel: readonly 'ipc'[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly child: ChildProcess; readonly running: Running }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...program, ...argsFor(port)], {
    stdio: ['ignore', 'ignore', 'inherit', ...channel],
    env: { ...process.env, ...env },
  });
  endWithUs(child);
  const gone = once(child, 'exit');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program.join(' ')} could not be started.`);
  const ended = gone.then(() => {
    throw new Error(`${program.at(-1)} ended before it answered; is it built?`);
  });
  await Promise.race([untilAnswered(url, startedMs + patienceMs), ended]);
  ended.catch(() => undefined); // From here on it ends because it is stopped.
  const running = {
    url,
    startedInMs: performance.now() - startedMs,
    read: () => readProcess(pid),
    stop: async () => {
      child.kill();
      await gone;
    },
  };
  return { child, running };
}

/** Stops the server when this process exits. */
function endWithUs(child: ChildProcess): void {
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

/** Waits until a server answers. Fails after the deadline. */
export async function untilAnswered(url: string, endMs: number): Promise<void> {
  while (!(await answers(url))) {
    if (performance.now() > endMs) throw new Error(`Nothing answered at ${url} in time.`);
    await sleep(pollMs);
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(`${url}/_sandbox/health`, { agent: false }, (response) => {
      response.resume();
      resolve(true);
    });
    probe.once('error', () => {
      resolve(false);
    });
    probe.end();
  });
}
