/** What a stranger gets who installs the package. */
import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { z } from 'zod';
import { entries, external, requiredEntries } from '../../../.ci/build/bundles.mjs';
import { linksOf } from '../../support/repository/documentation.ts';
import { readText, root } from '../../support/repository/source-files.ts';

const PackReport = z
  .tuple([z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) })])
  .transform(([{ size, files }]) => ({ size, paths: files.map(({ path }) => path) }));

const Manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  exports: z.record(z.string(), z.unknown()),
  bin: z.record(z.string(), z.string()),
});

const OpenApi = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) });

/** What would be packed: its size in bytes and its paths. */
function packedFiles() {
  // npm is a script on Windows, which only a shell starts.
  const windows = process.platform === 'win32';
  const report = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    shell: windows,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return PackReport.parse(JSON.parse(report));
}

const Loaded = z.array(z.string());

/** The files of the package that this file loads at once, and itself. */
function filesOf(entry: string): readonly string[] {
  const program = `require(${JSON.stringify(join(root, entry))}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const printed = execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
  return Loaded.parse(JSON.parse(printed));
}

/** The modules that a file names, whenever it loads them. Long texts have line breaks. */
function modulesIn(path: string): readonly string[] {
  const text = readText(path).replaceAll('\\\n', '');
  const named = path.endsWith('.cjs') ? /\brequire\("([^"]+)"\)/g : /\bfrom ["']([^"']+)["']/g;
  return [...text.matchAll(named)].map(([, name = '']) =>
    name.startsWith('.') ? posix.join('dist', name) : name,
  );
}

describe('the package', () => {
  const packed = packedFiles();
  const { paths } = packed;
  const manifest = Manifest.parse(JSON.parse(readText('package.json')));
  const code = paths.filter((path) => /^dist\/[^/]+\.c?js$/.test(path));

  it('contains the build, fixtures, scenarios, licence and documents, and nothing else', () => {
    const meant =
      /^(?:dist|docs|fixtures|scenarios)\/|^(?:README|CHANGELOG|CONTRIBUTING|test\/README)\.md$|^(?:LICENSE|package\.json)$/;
    expect(paths.filter((path) => !meant.test(path))).toEqual([]);
  });

  it('contains every file that its documents link to', () => {
    const documents = paths.filter((path) => path.endsWith('.md'));
    expect(documents).toContain('docs/how-to.md');
    const missing = documents
      .flatMap(linksOf)
      // A link may also name a folder.
      .filter(
        ({ target }) => !paths.some((path) => `${path}/`.startsWith(posix.join(target, '/'))),
      );
    expect(missing).toEqual([]);
  });

  it('takes at most 2 MB', () => {
    expect(packed.size).toBeLessThanOrEqual(2_000_000);
  });

  it('has short lines, because Node prints the line of an error', () => {
    expect(code).toContain('dist/index.js');
    const longest = code.map((path) =>
      Math.max(
        ...readText(path)
          .split('\n')
          .map((line) => line.length),
      ),
    );
    expect(Math.max(...longest)).toBeLessThan(5_000);
  });

  it('has code in Latin-1 letters, because Node stores other files at twice the size', () => {
    expect(code).toContain('dist/cli.cjs');
    expect(code.filter((path) => /[^\0-\x7f]/.test(readText(path)))).toEqual([]);
  });

  it('contains every module that it loads, except those of the importing program', () => {
    const named = code.flatMap(modulesIn);
    expect(named).toContain('dist/yaml.cjs');
    const others = named.filter((name) => !paths.includes(name) && !isBuiltin(name));
    expect(new Set(others)).toEqual(new Set(external));
  });

  it('contains each part of its code once', () => {
    const modules = code.filter((path) => path.endsWith('.js'));
    expect(modules).toHaveLength(Object.keys(entries).length);
    const bytes = modules.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
    expect(bytes).toBeLessThan(5_000);
  });

  it('loads the YAML parser and the engine of regular expressions on first use', () => {
    const names = filesOf('dist/index.cjs').map((path) => basename(path));
    expect(names).toContain('index.cjs');
    expect(names).not.toContain('yaml.cjs');
    expect(names).not.toContain('re2js.cjs');
  });

  it('has a client as small as the documentation states', () => {
    const [, most] =
      /\| `connect` alone: no server, under (\d+) KB /.exec(readText('docs/guides/install.md')) ??
      [];
    const sizes = filesOf('dist/client.cjs').map((file) => statSync(file).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(Number(most) * 1_000);
  });

  it('contains the files that users open', () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        'dist/cli.cjs',
        'dist/health-check.cjs',
        'dist/LICENSES.txt',
        'dist/yaml.cjs',
        'dist/re2js.cjs',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/index.cjs',
        'dist/index.d.cts',
        'dist/client.js',
        'dist/client.d.cts',
        'dist/vitest.js',
        'dist/vitest.d.ts',
        'dist/playwright.js',
        'dist/playwright.cjs',
        'dist/playwright.d.cts',
        'docs/llms.txt',
        'dist/llms-full.txt',
        'dist/openapi.json',
        'dist/control-openapi.json',
        'dist/assets/swagger-ui-bundle.js',
        'dist/assets/swagger-ui.css',
        'dist/assets/swagger-ui.LICENSE.txt',
        'fixtures/default.yaml',
      ]),
    );
  });

  it.each(Object.keys(entries))('resolves the entry %s for importers', (entry) => {
    const types = `./dist/${entry}.d.ts`;
    const files = { types, default: `./dist/${entry}.js` };
    const required = { types: `./dist/${entry}.d.cts`, default: `./dist/${entry}.cjs` };
    expect(manifest.exports[entry === 'index' ? '.' : `./${entry}`]).toEqual(
      Object.hasOwn(requiredEntries, entry) ? { import: files, require: required } : files,
    );
  });

  it.each([
    ['./openapi.json', '/v1/payments/payment'],
    ['./control-openapi.json', '/_sandbox/rules'],
  ])('contains the OpenAPI document %s', (subpath, path) => {
    const file = z.string().parse(manifest.exports[subpath]);
    const { openapi, paths: described } = OpenApi.parse(JSON.parse(readText(file)));
    expect(openapi).toMatch(/^3\./);
    expect(Object.keys(described)).toContain(path);
  });

  it('has entry points for every kind of module resolution', async () => {
    const { messages } = await publint({ pkgDir: root, pack: 'npm', strict: true });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it.each(Object.entries(manifest.bin))('has a command %s that runs', (_name, path) => {
    const run = spawnSync(process.execPath, [join(root, path), '--version'], { encoding: 'utf8' });
    expect(run).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  });

  it('has a command that tells an old Node which one it needs', () => {
    const old = `
      delete process.getBuiltinModule;
      Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });
      require(${JSON.stringify(join(root, 'dist', 'cli.cjs'))});`;
    const run = spawnSync(process.execPath, ['--eval', old], { encoding: 'utf8' });
    expect(run.stderr).toMatch(/^card-vault-sandbox: Node 18\.20\.8 is too old\./);
    expect(run.status).toBe(2);
  });
});
