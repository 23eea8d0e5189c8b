/** `health` and `wait`: ask a running sandbox whether it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../client/call.ts';
import { connect, SandboxError } from '../../client/connect.ts';
import { readDurationMs } from '../../outcomes/duration.ts';
import { addressOf } from '../settings/address.ts';
import { readReadyFile } from '../process/ready-file.ts';
import { UsageError } from '../errors/usage-error.ts';

const againMs = 100;

/** Health is answered at once or not at all. */
const answerMs = 2_000;

/** What is known of a sandbox: nothing where it is ready, else why it is not. */
type Doubt = string | undefined;

/** Prints whether it is ready; exit code 1 where it is not. */
export async function probe(url: string | undefined, program: NodeJS.Process): Promise<void> {
  const address = addressOf(url, program);
  tell(address, await doubtAbout(address, answerMs), program);
}

/** What `wait` was told. */
export interface WaitFlags {
  readonly timeout: string;
  /** The file that `serve --ready-file` writes. */
  readonly readyFile?: string;
}

/** Returns once it is ready, or when the time is over; exit code 1 then. */
export async function waitUntilReady(
  url: string | undefined,
  { timeout, readyFile }: WaitFlags,
  program: NodeJS.Process,
): Promise<void> {
  const timeoutMs = readDurationMs(timeout);
  if (timeoutMs === undefined) {
    throw new UsageError(
      `--timeout must be a span of time such as 30s, 2m or 1500ms, not ${JSON.stringify(timeout)}.`,
    );
  }
  if (readyFile !== undefined && url !== undefined) {
    throw new UsageError('Name either an address or a --ready-file, which holds one.');
  }
  const look: Look = readyFile === undefined ? lookAt(addressOf(url, program)) : lookIn(readyFile);
  const seen = await lastSeen(look, performance.now() + timeoutMs);
  tell(seen.address, seen.doubt && `${seen.doubt} Waited ${timeout}.`, program);
}

interface Seen {
  readonly address: string;
  readonly doubt: Doubt;
}

/** Looks once, for so long at most. */
type Look = (timeoutMs: number) => Promise<Seen>;

const lookAt =
  (address: string): Look =>
  async (timeoutMs) => ({ address, doubt: await doubtAbout(address, timeoutMs) });

const lookIn =
  (file: string): Look =>
  async (timeoutMs) => {
    const address = readReadyFile(file);
    if (address === undefined) return { address: file, doubt: `${file} holds no address yet.` };
    return { address, doubt: await doubtThatListens(address, timeoutMs) };
  };

/** Looks again and again until it is ready or the time is over. */
async function lastSeen(look: Look, endMs: number): Promise<Seen> {
  const leftMs = endMs - performance.now();
  const seen = await look(Math.max(againMs, Math.min(answerMs, leftMs)));
  if (seen.doubt === undefined || performance.now() + againMs >= endMs) return seen;
  await sleep(againMs);
  return lastSeen(look, endMs);
}

/** Any answer will do: with a control port of its own, health is not answered at the address in the file. */
async function doubtThatListens(address: string, timeoutMs: number): Promise<Doubt> {
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) });
    return undefined;
  } catch {
    return `Nothing answers at ${address}.`;
  }
}

function tell(address: string, doubt: Doubt, program: NodeJS.Process): void {
  if (doubt === undefined) {
    program.stdout.write(`${address} is ready.\n`);
  } else {
    program.stderr.write(`card-vault-sandbox: ${doubt}\n`);
    program.exitCode = 1;
  }
}

async function doubtAbout(address: string, timeoutMs: number): Promise<Doubt> {
  try {
    const { status } = await connect(address, { timeoutMs }).health();
    return status === 'ready' ? undefined : `${address} is stopping.`;
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    // What the client advises is to ask by this very command.
    return error.kind === 'unreachable'
      ? `Nothing answers at ${address} (${reasonOf(error.cause)}).`
      : error.message;
  }
}
