/**
 * Builds `dist`, the part of the package that is not written by hand:
 *
 *   *.cjs                  the library and the command, each part once (build/code.mjs)
 *   *.js                   the ES modules that `import` finds; they lead to the same code
 *   *.d.cts, *.d.ts        their types (build/types.mjs)
 *   *openapi.json          the documents of both APIs
 *   llms-full.txt          the pages of the documentation as one text (build/llms.mjs)
 *   assets/                Swagger UI, for the docs page
 *   LICENSES.txt           the licences of all that is bundled
 *
 *   node .ci/build.mjs            builds all of it, and checks the types
 *   node .ci/build.mjs unchecked  builds all of it; `npm run check` checks the types
 *   node .ci/build.mjs untyped    builds all but the types, which take most of the time, for `npm test`
 *   node .ci/build.mjs command    builds what `npm start` and the image need: the command, assets and licences
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build/bundles.mjs';

const [, , task] = process.argv;
const isCommandOnly = task === 'command';
const dist = join(root, 'dist');

/** Paths of the files that this build wrote. */
const written = new Set();
/** Paths of the sources and packages that went into them. */
const inputs = new Set();

async function bundleCode() {
  const code = await import('./build/code.mjs');
  await writeBundle(await code.bundleCode({ isCommandOnly }));
}

async function bundleTypes() {
  const types = await import('./build/types.mjs');
  await writeBundle(await types.bundleTypes({ unchecked: task === 'unchecked' }));
}

async function writeBundle(bundle) {
  for (const path of bundle.inputs) inputs.add(path);
  await Promise.all(bundle.files.map(([name, content]) => write(name, content)));
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
  const require = createRequire(import.meta.url);
  const from = dirname(require.resolve('swagger-ui-dist/package.json'));
  const copies = Object.entries(assets).map(async ([source, name]) =>
    write(join('assets', name), await readFile(join(from, source))),
  );
  await Promise.all(copies);
}

/** Both documents, as the library that was just built serves them on its default port. */
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

async function writeDocumentation() {
  const { llmsFull } = await import('./build/llms.mjs');
  await write('llms-full.txt', llmsFull());
}

/** The bundles contain other people's code, whose licences must travel with it. */
async function collectLicences() {
  const packages = [...inputs].flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  const texts = await Promise.all([...new Set(packages)].toSorted().map(licenceOf));
  await write('LICENSES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}

async function licenceOf(folder) {
  const at = join(root, folder);
  const { name, version, license } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'));
  const file = (await readdir(at)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file === undefined ? '' : await readFile(join(at, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/**
 * Files of earlier builds must not ship. What does not ship keeps their code, because a sandbox that `npm start` started
 * loads parts of it later, such as the verdict, while `npm test` builds again.
 */
async function removeLeftovers() {
  const ships = task !== 'untyped' && task !== 'command';
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const leftovers = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.unfinished'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !written.has(path) && (ships || !path.endsWith('.cjs')));
  await Promise.all(leftovers.map((path) => rm(path, { force: true })));
}

/** Writes beside the file and renames, so that a process that starts now never reads half of it. */
async function write(name, content) {
  const path = join(dist, name);
  const unfinished = `${path}.${process.pid}.unfinished`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, content, { mode: name === 'cli.cjs' ? 0o755 : 0o644 });
  await rename(unfinished, path);
  written.add(path);
}

async function step(run) {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`build: ${run.name} failed: ${error.message}\n`);
    process.exit(1);
  }
}

// Where the package is installed, there is nothing to build with. The `dist` that it came with is kept.
if (!existsSync(join(root, 'node_modules', 'rolldown'))) {
  const isBuilt = existsSync(join(dist, 'cli.cjs'));
  const advice = isBuilt ? 'dist is used as it is' : 'run `npm ci` first, with dev packages';
  process.stderr.write(`build: rolldown is not installed: ${advice}.\n`);
  process.exit(isBuilt ? 0 : 1);
}

// Each step needs what those before it wrote.
const startedMs = Date.now();
await step(bundleCode);
await step(copyAssets);
if (!isCommandOnly) {
  if (task !== 'untyped') await step(bundleTypes);
  await step(writeOpenApi);
  await step(writeDocumentation);
}
await step(collectLicences);
if (!isCommandOnly) await step(removeLeftovers);
process.stdout.write(`build: dist is ready (${Date.now() - startedMs} ms)\n`);
