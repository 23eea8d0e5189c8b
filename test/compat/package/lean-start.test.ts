/** What of Node a start loads: nothing that its first answers can do without. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../support/source-files.ts';
import { nodesToTry } from './nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-lean-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Says at the end which of Node's own modules were loaded. */
const probe = join(folder, 'probe.cjs');
writeFileSync(
  probe,
  "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')));",
);
const dist = (file: string) => join(root, 'dist', file);
const cli = dist('cli.cjs');

const fetchOfNode = 'NativeModule internal/deps/undici/undici';
const http2 = 'NativeModule http2';
const http = 'NativeModule http';

/** Each costs an import half a millisecond. */
const fewFiles = 5;

/** The modules that are loaded with this one. */
function loadedWith(entry: string): ReadonlySet<string> {
  const files = new Set([entry]);
  // A set is walked on into what is added to it.
  for (const file of files) {
    const imports = readFileSync(dist(join('modules', file)), 'utf8').matchAll(
      /\b(?:from|import)\s*"\.\/([^"]+)"/g,
    );
    for (const [, imported = ''] of imports) files.add(imported);
  }
  return files;
}

it.each(['index.js', 'client.js'])('an import of the module %s reads few files', (entry) => {
  const files = loadedWith(entry);
  expect(files.size).toBeGreaterThan(1);
  expect([...files].slice(fewFiles)).toEqual([]);
});

describe.each(nodesToTry())('on Node $version', ({ path: node }) => {
  /** What a server has loaded by its end, after these calls to it; each is to be answered with 200. */
  async function loadedAfter(paths: readonly string[]): Promise<string[]> {
    const server = spawn(node, ['--require', probe, cli, '--port', '0', '--log-format', 'json'], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let loaded = '';
    server.stderr.setEncoding('utf8').on('data', (part: string) => {
      loaded += part;
    });
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line.split('\n')[0] ?? '') as { url: string };
    for (const path of paths) {
      const answer = await fetch(url + path, {
        headers: { Authorization: 'Bearer sandbox.shop', Connection: 'close' },
      });
      expect(answer.status, await answer.text()).toBe(200);
    }
    server.kill('SIGTERM');
    await once(server, 'close');
    return loaded.split('\n');
  }

  it('health and the service are answered without its fetch', async () => {
    const loaded = await loadedAfter(['/_sandbox/health', '/v1/vault/credit-cards']);
    expect(loaded).toContain(http);
    expect(loaded).not.toContain(fetchOfNode);
    expect(loaded).not.toContain(http2);
  });

  it.each([
    ['import', `import(${JSON.stringify(pathToFileURL(dist('index.js')).href)})`],
    ['require', `Promise.resolve(require(${JSON.stringify(dist('index.cjs'))}))`],
  ])('%s and a sandbox do without its fetch and its server', async (_by, library) => {
    const script = `${library}.then(({ createSandbox }) => createSandbox())`;
    const program = spawn(node, ['--require', probe, '--eval', script], {
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const parts: string[] = [];
    program.stderr.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    const [code] = (await once(program, 'close')) as [number | null];
    expect(code, parts.join('')).toBe(0);
    const loaded = parts.join('').split('\n');
    expect(loaded).toContain('NativeModule fs');
    expect(loaded).not.toContain(http);
    expect(loaded).not.toContain(fetchOfNode);
  });

  it('what needs its fetch has it loaded', async () => {
    expect(await loadedAfter(['/_sandbox/about', '/docs'])).toContain(fetchOfNode);
  });
});
