/** What was compiled of the command, and of the library, is kept for the next process, and missed by nobody where it cannot be. */
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
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../support/source-files.ts';
import { nodesToTry } from './nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-kept-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dist = (file: string) => join(root, 'dist', file);
const user = process.getuid?.() ?? 'user';

/** Makes a sandbox by way of this import, and judges it. */
const judging = (library: string) =>
  `(async () => {
    const { createSandbox } = await ${library};
    console.log((await createSandbox().verdict({ allowNoRequests: true })).passed);
  })()`;
const imported = `import(${JSON.stringify(pathToFileURL(dist('index.js')).href)})`;
const required = `require(${JSON.stringify(dist('index.cjs'))})`;

/** What is run, and what it keeps is called by. */
const runs = [
  { what: 'the command', name: 'outcomes', args: [dist('cli.cjs'), 'outcomes'] },
  { what: 'the library', name: 'library', args: ['--eval', judging(imported)] },
] as const;
const [command, library] = runs;

describe.each(nodesToTry())('on Node $version', ({ version, path: node }) => {
  const place = (kind: string) => join(folder, `${version.split(',')[0] ?? version}-${kind}`);

  /** Runs Node with these variables and no others; gives all that was written. */
  function run(args: readonly string[], env: Readonly<Record<string, string>>) {
    const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', env });
    return { status, stdout, stderr };
  }

  /** The one file that is kept there. */
  function keptIn(at: string, name: string) {
    const ours = readdirSync(at).filter((file) => file.startsWith('card-vault-sandbox-'));
    expect(ours).toEqual([expect.stringMatching(`^card-vault-sandbox-${name}-[\\da-f]+$`)]);
    const file = join(at, ours[0] ?? '');
    const { mode, mtimeNs, size } = statSync(file, { bigint: true });
    expect(mode & 0o777n).toBe(0o600n);
    return { file, writtenAt: mtimeNs, size: Number(size) };
  }

  describe.each(runs)('of $what', ({ name, args }) => {
    const plain = run(args, { NODE_DISABLE_COMPILE_CACHE: '1' });

    it('the second run reads what the first has compiled', () => {
      const at = place(`${name}-folder`);
      const env = { NODE_COMPILE_CACHE: at };
      expect(plain).toMatchObject({ status: 0, stderr: '' });
      expect(run(args, env)).toEqual(plain);
      const kept = keptIn(at, name);
      expect(kept.size).toBeGreaterThan(100_000);
      expect(run(args, env)).toEqual(plain);
      expect(keptIn(at, name)).toEqual(kept);
    });

    it.each([
      ['of another source', (kept: Buffer) => kept.fill(0, 0, 4)],
      ['that was spoilt', (kept: Buffer) => kept.fill(0, 100)],
      ['that breaks off', (kept: Buffer) => kept.subarray(0, 5_000)],
      ['that has only a head', (kept: Buffer) => kept.subarray(0, 8)],
      ['that is empty', () => Buffer.alloc(0)],
    ])('takes nothing %s, and writes it anew', (_what, spoil) => {
      const at = place(`${name}-spoilt`);
      rmSync(at, { recursive: true, force: true });
      const env = { NODE_COMPILE_CACHE: at };
      run(args, env);
      const { file } = keptIn(at, name);
      writeFileSync(file, spoil(readFileSync(file)));
      const spoilt = keptIn(at, name);
      expect(run(args, env)).toEqual(plain);
      const anew = keptIn(at, name);
      expect(anew.file).toBe(file);
      expect(anew.writtenAt).toBeGreaterThan(spoilt.writtenAt);
      expect(anew.size).toBeGreaterThan(100_000);
      expect(run(args, env)).toEqual(plain);
    });

    it('keeps it among the temporary files where nothing is said, for this user alone', () => {
      const TMPDIR = place(`${name}-temporary`);
      mkdirSync(TMPDIR);
      const env = { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR };
      expect(run(args, env)).toEqual(plain);
      const own = `card-vault-sandbox-compiled-${user}`;
      expect(readdirSync(TMPDIR)).toEqual([own]);
      expect(statSync(join(TMPDIR, own)).mode & 0o777).toBe(0o700);
      expect(keptIn(join(TMPDIR, own), name).size).toBeGreaterThan(100_000);
    });

    it('reads no code from a folder that others can write to', () => {
      const TMPDIR = place(`${name}-shared`);
      const own = join(TMPDIR, `card-vault-sandbox-compiled-${user}`);
      mkdirSync(own, { recursive: true });
      chmodSync(own, 0o777);
      expect(run(args, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR })).toEqual(plain);
      expect(readdirSync(own)).toEqual([]);
    });

    it.each([
      ['read anything else', `${root}/*`],
      ['write anything', '*'],
    ])('runs where it may not %s', (_what, readable) => {
      const permission =
        Number.parseInt(version) < 22 ? '--experimental-permission' : '--permission';
      const restricted = [permission, `--allow-fs-read=${readable}`, '--no-warnings'];
      const env = { NODE_COMPILE_CACHE: place(`${name}-folder`) };
      expect(run([...restricted, ...args], env)).toEqual(plain);
      expect(run([...restricted, ...args], {})).toEqual(plain);
    });

    it('runs where there is no such folder, and where it is not wanted', () => {
      const file = place(`${name}-file`);
      writeFileSync(file, '');
      expect(run(args, { NODE_COMPILE_CACHE: file })).toEqual(plain);
      const unwanted = {
        NODE_COMPILE_CACHE: place(`${name}-unwanted`),
        NODE_DISABLE_COMPILE_CACHE: '1',
      };
      expect(run(args, unwanted)).toEqual(plain);
      expect(existsSync(unwanted.NODE_COMPILE_CACHE)).toBe(false);
    });
  });

  it('of the library the same is read by import and by require', () => {
    const at = place('both-ways');
    const env = { NODE_COMPILE_CACHE: at };
    const plain = run(library.args, env);
    const kept = keptIn(at, library.name);
    expect(run(['--eval', judging(required)], env)).toEqual(plain);
    expect(keptIn(at, library.name)).toEqual(kept);
  });

  it('of the library it is kept once a sandbox is made, and once more with a verdict', () => {
    /** A worker of tests is often ended without a word. */
    const ended = (after: string) =>
      `const { createSandbox } = ${required};
      const sandbox = createSandbox();
      (async () => {
        ${after}
        setImmediate(() => setImmediate(() => process.kill(process.pid, 'SIGKILL')));
      })()`;
    const sizeAfter = (program: string, at: string) => {
      expect(run(['--eval', program], { NODE_COMPILE_CACHE: at }).status).toBeNull();
      return keptIn(at, library.name).size;
    };
    const at = place('stages');
    const made = sizeAfter(ended(''), at);
    expect(sizeAfter(ended(''), at)).toBe(made);
    const judged = sizeAfter(ended('await sandbox.verdict();'), at);
    expect(judged).toBeGreaterThan(made);
    expect(sizeAfter(ended('await sandbox.verdict();'), at)).toBe(judged);
    expect(sizeAfter(ended(''), at)).toBe(judged);
  });

  it('makes no folder for temporary files where there is none', () => {
    const TMPDIR = place('missing');
    expect(run(command.args, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR }).status).toBe(0);
    expect(existsSync(TMPDIR)).toBe(false);
  });

  it('reads none through a link that stands in its place', () => {
    const TMPDIR = place('linked');
    mkdirSync(TMPDIR);
    const elsewhere = place('elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(TMPDIR, `card-vault-sandbox-compiled-${user}`));
    expect(run(command.args, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR }).status).toBe(0);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('keeps what a start has compiled while the server goes on', async () => {
    const at = place('serving');
    const args = [dist('cli.cjs'), '--quiet', '--port', '0'];
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
    const runCommand = (words: readonly string[]) => run([dist('cli.cjs'), ...words], env);
    expect(runCommand(['--version'])).toMatchObject({ status: 0, stderr: '' });
    expect(runCommand(['outcomes', '--help'])).toMatchObject({ status: 0, stderr: '' });
    expect(runCommand(['outcome'])).toMatchObject({ status: 2 });
    const kept = readdirSync(env.NODE_COMPILE_CACHE);
    expect(kept.filter((file) => file.startsWith('card-vault-sandbox-'))).toEqual([]);
  });
});
