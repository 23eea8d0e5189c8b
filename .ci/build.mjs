/**
 * Builds `dist`: the command line, the library for `import` and for `require` with its types, and the assets of the docs
 * page. `node .ci/build.mjs cli` leaves the library out; `unchecked` leaves out the type check, which `npm run check`
 * makes. Where the packages that build are missing, as in an installed package, a `dist` that is there is kept.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { entries } from './entries.mjs';
import { entryTexts } from './entry-texts.mjs';

const task = process.argv[2];
const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..');
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

/** Makes these bundles; gives the paths of what went into them, and what each of them exports by the path of its entry. */
async function bundle(bundles) {
  const { build } = await import('esbuild');
  const made = await Promise.all(
    bundles.map((options) => build({ ...options, write: false, metafile: true })),
  );
  await Promise.all(
    made
      .flatMap(({ outputFiles }) => outputFiles)
      .map(({ path, contents }) =>
        write(path, contents, basename(path) === 'cli.cjs' ? 0o755 : 0o644),
      ),
  );
  const outputs = made.flatMap(({ metafile }) => Object.values(metafile.outputs));
  return {
    inputs: made.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
    exported: new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports])),
  };
}

/** The library, in the ways that it can be loaded; gives the paths of what went into it. */
async function bundleLibrary() {
  const { coreBundle, entryBundle, keptBundle, moduleBundle, sharedBundle } =
    await import('./bundle.mjs');
  const shared = await sourcesOf(entries.client, moduleBundle);
  const { inputs, exported } = await bundle([
    moduleBundle,
    sharedBundle(shared),
    coreBundle(shared),
    keptBundle,
    entryBundle,
  ]);
  const texts = entryTexts(exported, shared);
  await Promise.all(Object.entries(texts).map(([name, text]) => write(at('dist', name), text)));
  return inputs;
}

/** Our own sources that an entry leads to. */
async function sourcesOf(entry, { entryPoints: _all, splitting: _split, ...options }) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    ...options,
    entryPoints: [entry],
    write: false,
    metafile: true,
  });
  return Object.keys(metafile.inputs).filter((path) => /^src\/.*\.ts$/.test(path));
}

async function writeTypes() {
  const { bundleTypes } = await import('./types.mjs');
  const { files, inputs } = await bundleTypes({ unchecked: task === 'unchecked' });
  await Promise.all(files.map(([name, text]) => write(at('dist', name), text)));
  return inputs;
}

/** The bundles carry other people's code, whose licences ask that they travel with it. */
async function writeLicences(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  const texts = await Promise.all([...folders].toSorted().map(licenceIn));
  await write(at('dist', 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

async function licenceIn(folder) {
  const { name, version, license } = JSON.parse(await readFile(at(folder, 'package.json')));
  const file = (await readdir(at(folder))).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file === undefined ? '' : await readFile(at(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

async function copyAssets() {
  const from = dirname(require.resolve('swagger-ui-dist/package.json'));
  await Promise.all(
    Object.entries(assets).map(async ([source, target]) =>
      write(at('dist', 'assets', target), await readFile(join(from, source))),
    ),
  );
}

/** Whatever is older than this build is left from a source that is gone, and must not ship. */
async function removeLeftovers(builtSinceMs) {
  const found = await readdir(at('dist'), { recursive: true, withFileTypes: true });
  await Promise.all(
    found
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
    return await run();
  } catch (error) {
    process.stderr.write(`build: ${name} failed: ${error.message}\n`);
    return process.exit(1);
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
const { cliBundle, lateBundle } = await import('./bundle.mjs');
const { inputs } = await step('bundling', () => bundle([cliBundle, lateBundle]));
if (task !== 'cli') inputs.push(...(await step('bundling the library', bundleLibrary)));
await step('copying the docs assets', copyAssets);
if (task !== 'cli') inputs.push(...(await step('bundling the types', writeTypes)));
await step('collecting licences', () => writeLicences(inputs));
// A second of room for file systems that keep coarse times.
if (task !== 'cli') await step('removing leftovers', () => removeLeftovers(startedMs - 1000));
process.stdout.write(`build: dist is ready (${Date.now() - startedMs} ms)\n`);
