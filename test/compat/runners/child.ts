/** Runs a test runner as its users do, and keeps what it printed. */
import { spawn } from 'node:child_process';
import { root } from '../../support/repository/source-files.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ends with the program, whatever its exit code. */
export async function runNode(
  args: readonly string[],
  cwd = root,
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const child = spawn(process.execPath, args, { cwd, env: { ...quietEnv(), ...env } });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  return { code, ...texts };
}

/** A runner that finds itself inside another one, or on a CI machine, prints something else. */
function quietEnv(): NodeJS.ProcessEnv {
  const own = /^(?:VITEST|NODE_TEST|JEST|GITHUB_|CI$|FORCE_COLOR|TEST$|NODE_ENV|NODE_OPTIONS)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
