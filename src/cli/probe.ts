/** `health` and `wait`: ask a running sandbox whether it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, SandboxError } from '../client/connect.ts';
import { readSpanMs } from '../outcomes/span.ts';
import { addressOf } from './address.ts';
import { UsageMistake } from './usage-mistake.ts';

const againMs = 100;

/** Health is answered at once or not at all. */
const answerMs = 2_000;

/** What is known of a sandbox: nothing where it is ready, else why it is not. */
type Doubt = string | undefined;

/** Prints whether it is ready; exit code 1 where it is not. */
export async function probe(url: string | undefined, program: NodeJS.Process): Promise<void> {
  const address = addressOf(url, program.env);
  tell(address, await doubtAbout(address, answerMs), program);
}

/** Returns once it is ready, or when the time is over; exit code 1 then. */
export async function waitUntilReady(
  url: string | undefined,
  timeout: string,
  program: NodeJS.Process,
): Promise<void> {
  const address = addressOf(url, program.env);
  const timeoutMs = readSpanMs(timeout);
  if (timeoutMs === undefined) {
    throw new UsageMistake(
      `--timeout must be a span of time such as 30s, 2m or 1500ms, not ${JSON.stringify(timeout)}.`,
    );
  }
  const doubt = await lastDoubt(address, performance.now() + timeoutMs);
  tell(address, doubt && `${doubt} Waited ${timeout}.`, program);
}

/** Looks again and again until it is ready or the time is over. */
async function lastDoubt(address: string, endMs: number): Promise<Doubt> {
  const leftMs = endMs - performance.now();
  const doubt = await doubtAbout(address, Math.max(againMs, Math.min(answerMs, leftMs)));
  if (doubt === undefined || performance.now() + againMs >= endMs) return doubt;
  await sleep(againMs);
  return lastDoubt(address, endMs);
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
    return error.message;
  }
}
