/** A file says that the sandbox listens, and is gone when it does not. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CliProcess, runCli } from './cli-process.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-ready-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

it('holds the address while the sandbox listens', async () => {
  const file = join(newFolder(), 'ready');
  const cli = new CliProcess(['--port', '0', '--ready-file', file, '--log-level', 'debug']);
  const url = await cli.url();
  await cli.printed(/"settings"/);
  expect(readFileSync(file, 'utf8')).toBe(`${url}\n`);
  expect((await cli.stop()).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

it('that is left from before is gone when the sandbox cannot listen', async () => {
  const file = join(newFolder(), 'ready');
  const first = new CliProcess(['--port', '0']);
  const { port } = new URL(await first.url());
  writeFileSync(file, 'http://127.0.0.1:1\n');
  const ended = await runCli(['--port', port, '--ready-file', file]);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('is taken') });
  expect(existsSync(file)).toBe(false);
});

it('that somebody else wrote meanwhile is left alone', async () => {
  const file = join(newFolder(), 'ready');
  const cli = new CliProcess(['--port', '0', '--ready-file', file, '--log-level', 'debug']);
  await cli.printed(/"settings"/);
  writeFileSync(file, 'http://127.0.0.1:1\n');
  await cli.stop();
  expect(readFileSync(file, 'utf8')).toBe('http://127.0.0.1:1\n');
});

it('that cannot be written ends the command with one message', async () => {
  const file = join(newFolder(), 'no', 'such', 'folder', 'ready');
  const ended = await runCli(['--port', '0', '--ready-file', file]);
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `card-vault-sandbox: The ready file "${file}" cannot be written (ENOENT). Name a file in a folder that is there and can be written to, such as one in a mounted folder or on a tmpfs.\n`,
  });
});
