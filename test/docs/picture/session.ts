/** Runs a shell session, and returns each command with its output. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { freePort } from '../../support/free-port.ts';

/** One command and its output. */
export interface Step {
  /** Without the prompt. Lines that start with `#` are comments. */
  readonly typed: string;
  readonly printed: string;
}

/** What separates the output of one command from the next. */
const mark = '\u001E';
const usualPort = '3000';

/** Settings that make each run print the same text. They are environment variables, so that the commands stay short. */
const settings = {
  CARD_VAULT_SEED: 'picture',
  CARD_VAULT_FIXTURES: 'empty',
  CARD_VAULT_CLOCK_START: '2030-01-02T03:04:05Z',
  CARD_VAULT_CLOCK_FROZEN: 'true',
  // The picture shows no log lines.
  CARD_VAULT_LOG_LEVEL: 'error',
};

/**
 * Runs the commands in one shell, with a sandbox on a free port. The output shows the usual port instead. Background
 * commands are ended.
 */
export async function runSession(commands: readonly string[]): Promise<Step[]> {
  const port = String(await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-picture-'));
  symlinkSync(join(packageRoot(), 'dist', 'cli.cjs'), join(folder, 'card-vault-sandbox'));
  const script = [
    'exec 2>&1',
    // The last command may fail by its exit code; only its output matters.
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
