/**
 * `node .ci/build.mjs` makes all that ships: the command line, the docs page's assets, the library.
 * `node .ci/build.mjs cli` makes only what `npm start` needs.
 * `node .ci/build.mjs unchecked` makes all and leaves the types to `npm run check`, for tests while code is written.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cliBundle, root } from './bundle.mjs';

const task = process.argv[2];
const require = createRequire(import.meta.url);
const at = (...parts) => join(root, ...parts);

const assets = {
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css': 'swagger-ui.css',
  LICENSE: 'swagger-ui.LICENSE.txt',
  NOTICE: 'swagger-ui.NOTICE.txt',
};

/** Writes beside and renames, so that a process started meanwhile never reads half a file. */
async function write(path, content, mode = 0o644) {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, content, { mode });
  await rename(unfinished, path);
}

async function bundleCli() {
  const { build } = await import('esbuild');
  const result = await build({ ...cliBundle, write: false, metafile: true });
  await write(at('dist', 'cli.cjs'), result.outputFiles[0].contents, 0o755);
  await write(
    at('dist', 'cli.LICENSES.txt'),
    await licencesOf(Object.keys(result.metafile.inputs)),
  );
}

/** The bundle carries other people's code, whose licences ask that they travel with it. */
async function licencesOf(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  const entries = await Promise.all(
    [...folders].toSorted().map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(at(folder, 'package.json')));
      const file = (await readdir(at(folder))).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
      const text = file === undefined ? '' : await readFile(at(folder, file), 'utf8');
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  return entries.join(`\n${'-'.repeat(80)}\n\n`);
}

async function copyAssets() {
  const from = dirname(require.resolve('swagger-ui-dist/package.json'));
  await Promise.all(
    Object.entries(assets).map(async ([source, target]) =>
      write(at('dist', 'assets', target), await readFile(join(from, source))),
    ),
  );
}

function compileLibrary() {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const flags = task === 'unchecked' ? ['--noCheck'] : [];
  const run = spawnSync(process.execPath, [tsc, '-p', '.ci/tsconfig.build.json', ...flags], {
    cwd: root,
    stdio: 'inherit',
  });
  if (run.status !== 0) throw new Error('tsc found the errors above');
}

/** Whatever is older than this build is left from a source that is gone, and must not ship. */
async function removeLeftovers(builtSinceMs) {
  const entries = await readdir(at('dist'), { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        // A build that runs at the same time may have renamed it meanwhile.
        const file = await stat(path).catch(() => undefined);
        if (file !== undefined && file.mtimeMs < builtSinceMs) await rm(path, { force: true });
      }),
  );
}

async function step(name, run) {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`build: ${name} failed: ${error.message}\n`);
    process.exit(1);
  }
}

function refuseWithoutTools() {
  if (existsSync(at('node_modules', 'esbuild'))) return;
  if (existsSync(at('dist', 'cli.cjs'))) {
    process.stdout.write('build: esbuild is not installed, so dist is used as it is.\n');
    process.exit(0);
  }
  process.stderr.write('build: esbuild is not installed. Run `npm ci` first, with dev packages.\n');
  process.exit(1);
}

const startedMs = Date.now();
refuseWithoutTools();
await step('bundling the command line', bundleCli);
await step('copying the docs assets', copyAssets);
if (task !== 'cli') {
  await step('compiling the library', compileLibrary);
  // A second of room for file systems that keep coarse times.
  await step('removing leftovers', () => removeLeftovers(startedMs - 1000));
}
process.stdout.write(`build: dist is ready (${Date.now() - startedMs} ms)\n`);
