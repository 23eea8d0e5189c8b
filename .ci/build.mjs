/**
 * Builds `dist`: the library for `import` and for `require`, its types, the OpenAPI documents, the command,
 * and the assets of the docs page.
 *
 *   node .ci/build.mjs            all of it, and checks the types
 *   node .ci/build.mjs unchecked  all of it, without the type check, which `npm run check` makes
 *   node .ci/build.mjs untyped    all of it but the types, which take most of the time, as `npm test` needs it
 *   node .ci/build.mjs command    the command and the assets, as `npm start` and the image need them
 *
 * An installed package has no esbuild. There the `dist` that it came with is kept.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bundles.mjs';
import { llmsFull } from './llms.mjs';

const task = process.argv[2];
const isCommandOnly = task === 'command';
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);

/** Paths of all files that this build wrote. */
const written = new Set();
/** Paths of the sources and packages that went into them. */
const inputs = new Set();

/** Writes beside the file and renames, so that a process that starts now never reads half of it. */
async function write(name, content) {
  const path = join(dist, name);
  const unfinished = `${path}.${process.pid}.unfinished`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, content, { mode: basename(path) === 'cli.cjs' ? 0o755 : 0o644 });
  await rename(unfinished, path);
  written.add(path);
}

async function buildCode() {
  const { bundleCode } = await import('./code.mjs');
  await writeAll(await bundleCode({ isCommandOnly }));
}

async function buildTypes() {
  const { bundleTypes } = await import('./types.mjs');
  await writeAll(await bundleTypes({ unchecked: task === 'unchecked' }));
}

async function writeAll({ files, inputs: sources }) {
  for (const path of sources) inputs.add(path);
  await Promise.all(files.map(([name, content]) => write(name, content)));
}

/** The docs page of the sandbox needs Swagger UI, which must not come from another host. */
async function copyAssets() {
  const assets = {
    'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css': 'swagger-ui.css',
    LICENSE: 'swagger-ui.LICENSE.txt',
    NOTICE: 'swagger-ui.NOTICE.txt',
  };
  const from = dirname(require.resolve('swagger-ui-dist/package.json'));
  await Promise.all(
    Object.entries(assets).map(async ([source, target]) =>
      write(join('assets', target), await readFile(join(from, source))),
    ),
  );
}

/** Both OpenAPI documents, as the library that was just built serves them on its default port. */
async function writeOpenApi() {
  const { createSandbox } = await import(pathToFileURL(join(dist, 'index.js')).href);
  const sandbox = createSandbox({ baseUrl: 'http://localhost:3000' });
  const documents = { openapi: '/openapi.json', 'control-openapi': '/_sandbox/openapi.json' };
  const files = Object.entries(documents).map(async ([name, path]) => {
    const response = await sandbox.request(path);
    await write(`${name}.json`, `${JSON.stringify(await response.json(), null, 2)}\n`);
  });
  await Promise.all(files);
  await sandbox.close();
}

/** The text of all pages in one file, in the form of https://llmstxt.org. Its index is in `docs/`. */
async function writeDocumentation() {
  await write('llms-full.txt', llmsFull());
}

/** The bundles contain other people's code, whose licences must travel with it. */
async function writeLicences() {
  const folders = new Set(
    [...inputs].flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []),
  );
  const texts = await Promise.all([...folders].toSorted().map(licenceIn));
  await write('LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}

async function licenceIn(folder) {
  const at = join(root, folder);
  const { name, version, license } = JSON.parse(await readFile(join(at, 'package.json')));
  const file = (await readdir(at)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file === undefined ? '' : await readFile(join(at, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** Files of earlier builds must not ship. */
async function removeLeftovers() {
  const found = await readdir(dist, { recursive: true, withFileTypes: true });
  await Promise.all(
    found
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.unfinished'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !written.has(path))
      .map((path) => rm(path, { force: true })),
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

if (!existsSync(join(root, 'node_modules', 'esbuild'))) {
  if (existsSync(join(dist, 'cli.cjs'))) {
    process.stdout.write('build: esbuild is not installed, so dist is used as it is.\n');
    process.exit(0);
  }
  process.stderr.write('build: esbuild is not installed. Run `npm ci` first, with dev packages.\n');
  process.exit(1);
}
const startedMs = Date.now();
await step('bundling the code', buildCode);
await step('copying the docs assets', copyAssets);
if (!isCommandOnly && task !== 'untyped') await step('bundling the types', buildTypes);
if (!isCommandOnly) await step('writing the OpenAPI documents', writeOpenApi);
if (!isCommandOnly) await step('writing the documentation', writeDocumentation);
await step('collecting licences', writeLicences);
if (!isCommandOnly) await step('removing leftovers', removeLeftovers);
process.stdout.write(`build: dist is ready (${Date.now() - startedMs} ms)\n`);
