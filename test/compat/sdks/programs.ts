/** Runs programs that may be missing on a machine. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';

/** A program, and arguments with which it succeeds if it can do what a test needs. */
export interface Program {
  readonly command: string;
  readonly probe: readonly string[];
  readonly needs: string;
}

/** A script next to this file. */
export function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Working folder and environment of a program. */
export interface Surroundings {
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns its output. If the machine does not have it, prints that and skips the test. */
export async function runOrSkip(
  { skip, task }: Pick<TestContext, 'skip' | 'task'>,
  { command, probe, needs }: Program,
  args: readonly string[],
  { cwd, env }: Surroundings = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  if (spawnSync(command, probe, { stdio: 'ignore' }).status !== 0) {
    const note = `this machine has no ${needs}`;
    process.stderr.write(`"${task.name}" did not run: ${note}.\n`);
    skip(note);
  }
  return promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env } });
}
