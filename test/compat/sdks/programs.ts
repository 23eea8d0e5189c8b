/** Runs programs that a machine may or may not have. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';

/** A program, and arguments with which it ends well where it can do what a test needs of it. */
export interface Program {
  readonly command: string;
  readonly probe: readonly string[];
  readonly needs: string;
}

/** A script next to this file. */
export function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Where a program runs, if not here. */
export interface Surroundings {
  readonly cwd?: string;
  /** Beside what this process has. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and gives what it printed; skips the test, and says so, where the machine lacks it. */
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
