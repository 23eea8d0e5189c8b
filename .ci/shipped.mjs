/** What takes the place of `src/documents/shipped-documents.ts` in a build: the documents that ship, read and checked. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles that are made at the same time share one reading; a later one, of `npm run dev`, reads anew. */
let underWay;

/** The module as text. Reads with the sources' own loaders, so that a document which is wrong fails the build. */
export function shippedModule() {
  underWay ??= writeModule().finally(() => (underWay = undefined));
  return underWay;
}

async function writeModule() {
  const documents = await readDocuments();
  return [
    `const documents = ${JSON.stringify(documents)};`,
    'export const shippedNames = (folder) => Object.keys(documents[folder]);',
    // Read anew each time, so that nobody gets what somebody else may have changed.
    'export const readyDocument = (folder, name) => JSON.parse(documents[folder][name]);',
  ].join('\n');
}

const texts = (names, read) => Object.fromEntries(names.map((name) => [name, text(read(name))]));

/** By folder and name, each as JSON text. */
async function readDocuments() {
  const { loadFixtures, shippedFixtures, loadScenario, shippedScenarioNames } = await loaders();
  return {
    fixtures: texts(shippedFixtures(), (name) => loadFixtures(name).parts[0].document),
    scenarios: texts(shippedScenarioNames(), (name) => loadScenario(name).document),
  };
}

/** JSON says all that a document holds, which `test/compat/package/shipped.test.ts` makes sure of. */
const text = (document) => JSON.stringify(document);

async function loaders() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: [
        "export { loadFixtures, shippedFixtures } from './src/fixtures/load.ts';",
        "export { loadScenario, shippedScenarioNames } from './src/scenarios/load.ts';",
      ].join('\n'),
      resolveDir: root,
    },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  // Inside the repository, where its packages are found, and not among the sources, which would then be newer than dist.
  const path = join(root, 'dist', `.shipped-${process.pid}.mjs`);
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(path, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(path).href);
  } finally {
    await rm(path);
  }
}
