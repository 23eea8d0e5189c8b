/** What Node compiles of the command is kept for the next start where Node can, and is missed by nobody where it cannot. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../support/source-files.ts';
import { nodesToTry } from './nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-kept-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Prints the version, with these variables; gives all that was written. */
function version(node: string, env: Readonly<Record<string, string>>) {
  const cli = join(root, 'dist', 'cli.cjs');
  const { status, stdout, stderr } = spawnSync(node, [cli, '--version'], { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

describe.each(nodesToTry())('on Node $version', ({ version: name, path }) => {
  const place = (kind: string) => join(folder, `${name.split(',')[0] ?? name}-${kind}`);
  const asked = ['-p', "typeof require('node:module').enableCompileCache"];
  const canKeep = spawnSync(path, asked, { encoding: 'utf8' }).stdout === 'function\n';
  const plain = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' };

  it('the second start reads what the first has compiled, if this Node can', () => {
    const env = { NODE_COMPILE_CACHE: place('folder') };
    expect(version(path, env)).toEqual(plain);
    const { status, stderr } = version(path, { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    expect(status).toBe(0);
    expect(/command\.cjs was accepted/.test(stderr)).toBe(canKeep);
  });

  it('keeps it among the temporary files where nothing is said', () => {
    const TMPDIR = place('temporary');
    mkdirSync(TMPDIR);
    expect(version(path, { TMPDIR, TEMP: TMPDIR, TMP: TMPDIR })).toEqual(plain);
    expect(readdirSync(TMPDIR)).toEqual(canKeep ? ['node-compile-cache'] : []);
  });

  it('runs where there is no such folder, and where it is not wanted', () => {
    const file = place('file');
    writeFileSync(file, '');
    expect(version(path, { NODE_COMPILE_CACHE: file })).toEqual(plain);
    const unwanted = { NODE_COMPILE_CACHE: place('unwanted'), NODE_DISABLE_COMPILE_CACHE: '1' };
    expect(version(path, unwanted)).toEqual(plain);
    expect(readdirSync(folder)).not.toContain(place('unwanted').slice(folder.length + 1));
  });
});
