/** A session at a shell, as it really runs: what was typed, and what came back. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/shared/package-root.ts';

/** One thing that was typed. */
export interface Step {
  /** Without the prompt. Lines that begin with `#` are said, not run. */
  readonly typed: string;
  readonly printed: string;
}

/** What separates the output of one command from the next. */
const mark = '\u001E';
const usualPort = '3000';

/** Settings that make each run print the same. They are environment, so the commands stay as a person types them. */
const settings = {
  CARD_VAULT_SEED: 'picture',
  CARD_VAULT_FIXTURES: 'empty',
  CARD_VAULT_CLOCK_START: '2030-01-02T03:04:05Z',
  CARD_VAULT_CLOCK_FROZEN: 'true',
  // Log lines are for other pictures.
  CARD_VAULT_LOG_LEVEL: 'error',
};

/**
 * Runs these commands one after the other in one shell, at a port that is free; what they print is given with the
 * usual port in its place. Commands left in the background are ended.
 */
export async function runSession(commands: readonly string[]): Promise<Step[]> {
  const port = String(await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-picture-'));
  symlinkSync(join(packageRoot(), 'dist', 'cli.cjs'), join(folder, 'card-vault-sandbox'));
  const script = [
    'exec 2>&1',
    // The last command may say no by its exit code; what matters is what it prints.
    "trap 'kill $(jobs -p); wait; exit 0' EXIT",
    ...commands.flatMap((command) => [
      `printf '${mark}'`,
      command.replaceAll(`localhost:${usualPort}`, `localhost:${port}`),
    ]),
  ].join('\n');
  try {
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: join(packageRoot(), 'test', 'docs', 'picture'),
      env: {
        ...process.env,
        ...settings,
        PORT: port,
        PATH: [folder, process.env['PATH']].join(delimiter),
      },
    });
    const [, ...printed] = stdout.replaceAll(`:${port}`, `:${usualPort}`).split(mark);
    return commands.map((typed, at) => ({ typed, printed: (printed[at] ?? '').trimEnd() }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
