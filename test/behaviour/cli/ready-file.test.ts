/** A file says that the sandbox listens, and is gone when it does not. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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

describe('wait --ready-file', () => {
  it.each([[[]], [['--control-port', '0']]])(
    'returns once a sandbox has written it and listens there: %s',
    async (more) => {
      const file = join(newFolder(), 'ready');
      const waiting = new CliProcess(['wait', '--ready-file', file]);
      const cli = new CliProcess(['--port', '0', '--ready-file', file, ...more]);
      const [, url] = await cli.printed(/"url":"([^"]+)"/);
      expect(await waiting.ended).toEqual({ code: 0, stdout: `${url} is ready.\n`, stderr: '' });
    },
  );

  it('does not believe a file that a killed sandbox has left', async () => {
    const file = join(newFolder(), 'ready');
    writeFileSync(file, 'http://127.0.0.1:1\n');
    const ended = await runCli(['wait', '--ready-file', file, '--timeout', '200ms']);
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: 'card-vault-sandbox: Nothing answers at http://127.0.0.1:1. Waited 200ms.\n',
    });
  });

  it('says that the file never came', async () => {
    const file = join(newFolder(), 'ready');
    const ended = await runCli(['wait', '--ready-file', file, '--timeout', '200ms']);
    expect(ended).toMatchObject({
      code: 1,
      stderr: `card-vault-sandbox: ${file} holds no address yet. Waited 200ms.\n`,
    });
  });

  it('does not take an address as well', async () => {
    const ended = await runCli(['wait', 'http://127.0.0.1:3000', '--ready-file', 'ready']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('Name either') });
  });
});
