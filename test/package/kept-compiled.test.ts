/** What was compiled of the command is kept for the next start, and is missed by nobody where it cannot be. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../support/source-files.ts';
import { nodesToTry } from './nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-kept-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const cli = join(root, 'dist', 'cli.cjs');
const user = process.getuid?.() ?? 'user';

describe.each(nodesToTry())('on Node $version', ({ version: name, path: node }) => {
  const place = (kind: string) => join(folder, `${name.split(',')[0] ?? name}-${kind}`);

  /** Runs the command with these variables and no others; gives all that was written. */
  function run(args: readonly string[], env: Readonly<Record<string, string>>) {
    const { status, stdout, stderr } = spawnSync(node, [cli, ...args], { encoding: 'utf8', env });
    return { status, stdout, stderr };
  }
  const list = ['outcomes'];
  const plain = run(list, { NODE_DISABLE_COMPILE_CACHE: '1' });

  /** The one file that is kept there. Whoever writes it anew makes another file of it. */
  function keptIn(at: string) {
    const ours = readdirSync(at).filter((file) => file.startsWith('card-vault-sandbox-'));
    expect(ours).toEqual([expect.stringMatching(/^card-vault-sandbox-outcomes-[\da-f]+$/)]);
    const file = join(at, ours[0] ?? '');
    const { ino, mode, size } = statSync(file);
    expect(mode & 0o777).toBe(0o600);
    return { file, ino, size };
  }

  it('the second run reads what the first has compiled', () => {
    const at = place('folder');
    const env = { NODE_COMPILE_CACHE: at };
    expect(plain).toMatchObject({ status: 0, stderr: '' });
    expect(run(list, env)).toEqual(plain);
    const kept = keptIn(at);
    expect(kept.size).toBeGreaterThan(100_000);
    expect(run(list, env)).toEqual(plain);
    expect(keptIn(at)).toEqual(kept);
  });

  it.each([
    ['of another source', (kept: Buffer) => kept.fill(0, 0, 4)],
    ['that was spoilt', (kept: Buffer) => kept.fill(0, 100)],
    ['that breaks off', (kept: Buffer) => kept.subarray(0, 5_000)],
    ['that has only a head', (kept: Buffer) => kept.subarray(0, 8)],
    ['that is empty', () => Buffer.alloc(0)],
  ])('takes nothing %s, and writes it anew', (_what, spoil) => {
    const at = place('spoilt');
    rmSync(at, { recursive: true, force: true });
    const env = { NODE_COMPILE_CACHE: at };
    run(list, env);
    const kept = keptIn(at);
    writeFileSync(kept.file, spoil(readFileSync(kept.file)));
    expect(run(list, env)).toEqual(plain);
    expect(keptIn(at)).toEqual({ ...kept, ino: expect.any(Number), size: expect.any(Number) });
    expect(keptIn(at).ino).not.toBe(kept.ino);
    expect(run(list, env)).toEqual(plain);
  });

  it('keeps it among the temporary files where nothing is said, for this user alone', () => {
    const TMPDIR = place('temporary');
    mkdirSync(TMPDIR);
    const env = { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR };
    expect(run(list, env)).toEqual(plain);
    const own = `card-vault-sandbox-compiled-${user}`;
    expect(readdirSync(TMPDIR)).toEqual([own]);
    expect(statSync(join(TMPDIR, own)).mode & 0o777).toBe(0o700);
    expect(keptIn(join(TMPDIR, own)).size).toBeGreaterThan(100_000);
  });

  it('makes no folder for temporary files where there is none', () => {
    const TMPDIR = place('missing');
    expect(run(list, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR })).toEqual(plain);
    expect(existsSync(TMPDIR)).toBe(false);
  });

  it('reads no code from a folder that others can write to', () => {
    const TMPDIR = place('shared');
    const own = join(TMPDIR, `card-vault-sandbox-compiled-${user}`);
    mkdirSync(own, { recursive: true });
    chmodSync(own, 0o777);
    expect(run(list, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR })).toEqual(plain);
    expect(readdirSync(own)).toEqual([]);
  });

  it('reads none through a link that stands in its place', () => {
    const TMPDIR = place('linked');
    mkdirSync(TMPDIR);
    const elsewhere = place('elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(TMPDIR, `card-vault-sandbox-compiled-${user}`));
    expect(run(list, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR })).toEqual(plain);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('keeps what a start has compiled while the server goes on', async () => {
    const at = place('serving');
    const args = [cli, '--quiet', '--port', '0'];
    const server = spawn(node, args, { env: { NODE_COMPILE_CACHE: at }, stdio: 'ignore' });
    const kept = () =>
      existsSync(at) && readdirSync(at).some((file) => /-serve-[\da-f]+$/.test(file));
    while (!kept()) {
      expect(server.exitCode).toBeNull();
      await nextTurn();
    }
    const files = readdirSync(at);
    server.kill();
    expect(await once(server, 'exit')).toEqual([0, null]);
    expect(readdirSync(at)).toEqual(files);
  });

  it('keeps nothing of a question for help, nor of a mistake', () => {
    const env = { NODE_COMPILE_CACHE: place('untypical') };
    expect(run(['--version'], env)).toMatchObject({ status: 0, stderr: '' });
    expect(run(['outcomes', '--help'], env)).toMatchObject({ status: 0, stderr: '' });
    expect(run(['outcome'], env)).toMatchObject({ status: 2 });
    const kept = readdirSync(env.NODE_COMPILE_CACHE);
    expect(kept.filter((file) => file.startsWith('card-vault-sandbox-'))).toEqual([]);
  });

  it('runs where there is no such folder, and where it is not wanted', () => {
    const file = place('file');
    writeFileSync(file, '');
    expect(run(list, { NODE_COMPILE_CACHE: file })).toEqual(plain);
    const unwanted = { NODE_COMPILE_CACHE: place('unwanted'), NODE_DISABLE_COMPILE_CACHE: '1' };
    expect(run(list, unwanted)).toEqual(plain);
    expect(readdirSync(folder)).not.toContain(place('unwanted').slice(folder.length + 1));
  });
});
