/** `--ready-file` holds the address while the sandbox listens. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CliProcess, runCli } from '../cli-process.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-ready-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

it('--ready-file holds the address while the sandbox listens', async () => {
  const file = join(newFolder(), 'ready');
  const cli = new CliProcess(['--port', '0', '--ready-file', file, '--log-level', 'debug']);
  const url = await cli.url();
  await cli.printed(/"settings"/);
  expect(readFileSync(file, 'utf8')).toBe(`${url}\n`);
  expect((await cli.stop()).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

it('removes an old ready file if the sandbox cannot listen', async () => {
  const file = join(newFolder(), 'ready');
  const first = new CliProcess(['--port', '0']);
  const { port } = new URL(await first.url());
  writeFileSync(file, 'http://127.0.0.1:1\n');
  const ended = await runCli(['--port', port, '--ready-file', file]);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use') });
  expect(existsSync(file)).toBe(false);
});

it('keeps a ready file that another process wrote meanwhile', async () => {
  const file = join(newFolder(), 'ready');
  const cli = new CliProcess(['--port', '0', '--ready-file', file, '--log-level', 'debug']);
  await cli.printed(/"settings"/);
  writeFileSync(file, 'http://127.0.0.1:1\n');
  await cli.stop();
  expect(readFileSync(file, 'utf8')).toBe('http://127.0.0.1:1\n');
});

it('refuses a ready file that it cannot write', async () => {
  const file = join(newFolder(), 'no', 'such', 'folder', 'ready');
  const ended = await runCli(['--port', '0', '--ready-file', file]);
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `card-vault-sandbox: Cannot write the ready file "${file}" (ENOENT). Name a file in an existing, writable folder, such as a mounted folder or a tmpfs.\n`,
  });
});

it('keeps the ready file of another sandbox that still listens', async () => {
  const file = join(newFolder(), 'ready');
  const first = new CliProcess(['--port', '0', '--ready-file', file]);
  const url = await first.url();
  const { port } = new URL(url);
  await expect.poll(() => existsSync(file)).toBe(true);
  const ended = await runCli(['--port', port, '--ready-file', file]);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use') });
  expect(readFileSync(file, 'utf8')).toBe(`${url}\n`);
});

it.each<[string, (path: string) => void, string]>([
  ['a folder', (path) => mkdirSync(path), 'it is a folder'],
  [
    'a symbolic link to a file',
    (path) => symlinkSync('/etc/hostname', path),
    'it is a symbolic link',
  ],
  ['a symbolic link to nothing', (path) => symlinkSync('/no/such', path), 'it is a symbolic link'],
  [
    'a file of someone else',
    (path) => writeFileSync(path, 'my notes\n'),
    'it holds something other',
  ],
])('refuses %s in the place of a ready file, and leaves it', async (_, make, words) => {
  const folder = newFolder();
  const file = join(folder, 'ready');
  make(file);
  const before = lstatSync(file);
  const { code, stdout, stderr } = await runCli(['--port', '0', '--ready-file', file]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`Cannot write the ready file "${file}": ${words}`);
  expect(lstatSync(file)).toMatchObject({ ino: before.ino, size: before.size });
  expect(readdirSync(folder)).toEqual(['ready']);
});

it('refuses a device as a ready file', async () => {
  const { code, stderr } = await runCli(['--port', '0', '--ready-file', '/dev/null']);
  expect(code).toBe(2);
  expect(stderr).toContain('Cannot write the ready file "/dev/null": it is no regular file.');
});

it('writes the address of https below that of http', async () => {
  const folder = newFolder();
  const [file, caFile] = [join(folder, 'ready'), join(folder, 'ca.pem')];
  const cli = new CliProcess(['--port', '0', '--tls-ca-file', caFile, '--ready-file', file]);
  const [, url, tlsUrl] = await cli.printed(/"url":"([^"]+)","tlsUrl":"([^"]+)"/);
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(`${url}\n${tlsUrl}\n`);
  expect(tlsUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await runCli(['wait', '--ready-file', file])).toMatchObject({
    code: 0,
    stdout: `${url} is ready.\n`,
  });
  const health = await runCli(['health', `${tlsUrl}`], { env: { NODE_EXTRA_CA_CERTS: caFile } });
  expect(health).toMatchObject({ code: 0, stdout: `${tlsUrl} is ready.\n` });
  expect((await cli.stop()).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

describe('wait --ready-file', () => {
  it.each([[[]], [['--control-port', '0']]])(
    'returns once a sandbox has written the file and listens: %s',
    async (more) => {
      const file = join(newFolder(), 'ready');
      const waiting = new CliProcess(['wait', '--ready-file', file]);
      const cli = new CliProcess(['--port', '0', '--ready-file', file, ...more]);
      const [, url] = await cli.printed(/"url":"([^"]+)"/);
      expect(await waiting.ended).toEqual({ code: 0, stdout: `${url} is ready.\n`, stderr: '' });
    },
  );

  it('does not trust a file that a killed sandbox left behind', async () => {
    const file = join(newFolder(), 'ready');
    writeFileSync(file, 'http://127.0.0.1:1\n');
    const ended = await runCli(['wait', '--ready-file', file, '--timeout', '200ms']);
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: 'card-vault-sandbox: Nothing answers at http://127.0.0.1:1. Waited 200ms.\n',
    });
  });

  it('reports a file that never appeared', async () => {
    const file = join(newFolder(), 'ready');
    const ended = await runCli(['wait', '--ready-file', file, '--timeout', '200ms']);
    expect(ended).toMatchObject({
      code: 1,
      stderr: `card-vault-sandbox: ${file} has no address yet. Waited 200ms.\n`,
    });
  });

  it('refuses an address in addition', async () => {
    const ended = await runCli(['wait', 'http://127.0.0.1:3000', '--ready-file', 'ready']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') });
  });
});
