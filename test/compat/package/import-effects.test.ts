/** What an import does to the program that imports the package: nothing but define what it exports. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../support/repository/source-files.ts';
import { nodesToTry } from './nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-import-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dist = (file: string) => JSON.stringify(join(root, 'dist', file));
const distUrl = (file: string) => JSON.stringify(pathToFileURL(join(root, 'dist', file)).href);

/** Prints the names of the variables that are read while `load` runs. */
const programOf = (load: string) => `
  const names = [];
  // Node reads these itself: its loader the first for each module, and from Node 22 on \`import('node:http')\` the second.
  const ownOfNode = ['WATCH_REPORT_DEPENDENCIES', 'FORCE_COLOR'];
  const isOurs = (name) => typeof name === 'string' && !ownOfNode.includes(name);
  const note = (name) => void (isOurs(name) && names.push(name));
  process.env = new Proxy(process.env, {
    get: (env, name) => (note(name), env[name]),
    has: (env, name) => (note(name), name in env),
    ownKeys: (env) => (note('all'), Reflect.ownKeys(env)),
  });
  Promise.resolve(${load}).then(() => process.stdout.write(JSON.stringify(names)));
`;

const ways = [
  ['import of the library', `import(${distUrl('index.js')})`],
  ['import of the client', `import(${distUrl('client.js')})`],
  ['require of the library', `require(${dist('index.cjs')})`],
  ['require of the client', `require(${dist('client.cjs')})`],
] as const;

describe.each(nodesToTry())('on Node $version', ({ version, path: node }) => {
  function run(flags: readonly string[], program: string, cwd: string) {
    const { status, stdout, stderr } = spawnSync(node, [...flags, '--eval', program], {
      cwd,
      encoding: 'utf8',
      env: { HOME: cwd, TMPDIR: cwd, TEMP: cwd, TMP: cwd },
    });
    return { status, stdout, stderr };
  }

  describe.each(ways)('%s', (way, load) => {
    it('reads no environment variable and writes no file', () => {
      const cwd = join(folder, `${version}-${way}`.replaceAll(/\W+/g, '-'));
      mkdirSync(cwd);
      const listing = () => readdirSync(join(root, 'dist'), { recursive: true }).toSorted();
      const before = listing();
      expect(run([], programOf(load), cwd)).toEqual({ status: 0, stdout: '[]', stderr: '' });
      expect(readdirSync(cwd)).toEqual([]);
      expect(listing()).toEqual(before);
    });

    it('works on a file system that is read-only', () => {
      const permission =
        Number.parseInt(version) < 22 ? '--experimental-permission' : '--permission';
      const flags = [permission, '--allow-fs-read=*', '--no-warnings'];
      expect(run(flags, programOf(load), folder)).toEqual({ status: 0, stdout: '[]', stderr: '' });
    });
  });
});
