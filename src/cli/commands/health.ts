/** `health` and `wait`: report whether a running sandbox is ready. */
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../client/call.ts';
import { connect, SandboxError } from '../../client/connect.ts';
import { durationForms, readDurationMs } from '../../domain/duration.ts';
import { resolveAddress } from '../settings/address.ts';
import { readReadyFile } from '../process/ready-file.ts';
import { UsageError } from '../errors/usage-error.ts';

const retryMs = 100;
const answerTimeoutMs = 2_000;

/** Why a sandbox is not ready; `undefined` if it is. */
type Problem = string | undefined;

/** Prints whether a sandbox is ready. The exit code is 1 if it is not. */
export async function showHealth(url: string | undefined, program: NodeJS.Process): Promise<void> {
  const address = resolveAddress(url, program);
  report({ address, problem: await healthProblem(address, answerTimeoutMs) }, program);
}

/** The options of `wait`. */
export interface WaitFlags {
  readonly timeout: string;
  /** The file that `serve --ready-file` writes. */
  readonly readyFile?: string;
}

/** Waits until a sandbox is ready. The exit code is 1 after the timeout. */
export async function waitUntilReady(
  url: string | undefined,
  { timeout, readyFile }: WaitFlags,
  program: NodeJS.Process,
): Promise<void> {
  const timeoutMs = readDurationMs(timeout);
  if (timeoutMs === undefined) {
    throw new UsageError(
      `--timeout must be a duration, got ${JSON.stringify(timeout)}. Write ${durationForms}.`,
    );
  }
  if (readyFile !== undefined && url !== undefined) {
    throw new UsageError('Pass an address or --ready-file, not both.');
  }
  const probe: Probe =
    readyFile === undefined ? probeAddress(resolveAddress(url, program)) : probeFile(readyFile);
  const result = await probeUntilReady(probe, performance.now() + timeoutMs);
  const problem = result.problem && `${result.problem} Waited ${timeout}.`;
  report({ ...result, problem }, program);
}

interface ProbeResult {
  readonly address: string;
  readonly problem: Problem;
}

/** Looks once, for at most this time. */
type Probe = (timeoutMs: number) => Promise<ProbeResult>;

const probeAddress =
  (address: string): Probe =>
  async (timeoutMs) => ({ address, problem: await healthProblem(address, timeoutMs) });

const probeFile =
  (file: string): Probe =>
  async (timeoutMs) => {
    const address = readReadyFile(file);
    if (address === undefined) return { address: file, problem: `${file} has no address yet.` };
    return { address, problem: await connectionProblem(address, timeoutMs) };
  };

async function probeUntilReady(probe: Probe, endMs: number): Promise<ProbeResult> {
  const leftMs = endMs - performance.now();
  const result = await probe(Math.max(retryMs, Math.min(answerTimeoutMs, leftMs)));
  if (result.problem === undefined || performance.now() + retryMs >= endMs) return result;
  await sleep(retryMs);
  return probeUntilReady(probe, endMs);
}

/** Accepts any answer: with a control port, the address in the file does not serve health. */
async function connectionProblem(address: string, timeoutMs: number): Promise<Problem> {
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) });
    return undefined;
  } catch {
    return `Nothing answers at ${address}.`;
  }
}

function report({ address, problem }: ProbeResult, program: NodeJS.Process): void {
  if (problem === undefined) {
    program.stdout.write(`${address} is ready.\n`);
  } else {
    program.stderr.write(`card-vault-sandbox: ${problem}\n`);
    program.exitCode = 1;
  }
}

async function healthProblem(address: string, timeoutMs: number): Promise<Problem> {
  try {
    const { status } = await connect(address, { timeoutMs }).health();
    return status === 'ready' ? undefined : `${address} is stopping.`;
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    // The client's own message advises to run this very command.
    return error.code === 'unreachable'
      ? `Nothing answers at ${address} (${reasonOf(error.cause)}).`
      : error.message;
  }
}
