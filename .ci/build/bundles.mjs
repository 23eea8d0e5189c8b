/** What is bundled, and how. `npm run build`, `npm run dev` and the tests share it. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The public entries, by the names of their files in `dist`. Each is a subpath of `exports` in package.json. */
export const entries = {
  index: 'src/index.ts',
  client: 'src/client/connect.ts',
  vitest: 'src/vitest/index.ts',
  playwright: 'src/playwright/index.ts',
};

/** Entries that `require` finds too: vitest itself cannot be required. */
export const { vitest: _, ...requiredEntries } = entries;

/** Packages that the importing program provides. */
export const external = ['vitest', '@playwright/test'];

/** Packages that the program loads on first use. Each is a file of its own, beside those that load it. */
const lazyPackages = ['yaml', 're2js'];

/** Files that share no code with others: those packages, and the health check of the image. */
export const aloneEntries = {
  'health-check': 'src/cli/health-check.ts',
  ...Object.fromEntries(lazyPackages.map((name) => [name, name])),
};

/** The oldest Node that runs the code, as esbuild and rolldown name it. */
export const target = 'node20.19';

export const commandEntry = { cli: 'src/cli/main.ts' };

/** What the vitest entry uses of the library, by the name of its file in `dist`. */
export const vitestParts = { 'vitest-parts': 'src/vitest/parts.ts' };

/** Where the code lies. A program that bundles this package as an ES module cannot tell. */
const ownFolder = 'typeof __dirname === "string" ? __dirname : process.cwd()';

/** Options of rolldown for the code that `input` leads to. */
export const inputOptions = (input) => ({
  cwd: root,
  input,
  platform: 'node',
  external,
  transform: { target, define: { 'import.meta.dirname': ownFolder } },
  plugins: [ownZod, shippedDocuments, packagesBeside],
});

/**
 * Options of rolldown for its output, CommonJS. What several entries need is in files of its own, so each class exists
 * once, whichever entry a program imports. What the client needs is one of them.
 */
export const outputOptions = {
  format: 'cjs',
  strict: true,
  esModule: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  codeSplitting: { groups: [{ name: 'client', test: /[\\/]src[\\/]client[\\/]connect\.ts$/ }] },
  minifyInternalExports: false,
  // `import()` becomes `require`, so that each file is loaded once.
  dynamicImportInCjs: false,
  comments: false,
};

/**
 * Keeps zod to itself: it stores settings and named schemas on the global object, where a program that imports this
 * package stores its own. The messages of zod in other languages, a quarter of the bundle, stay out.
 * @type {import('rolldown').Plugin}
 */
const ownZod = {
  name: 'own-zod',
  transform: {
    filter: { id: /[\\/]zod[\\/]v4[\\/](?:core[\\/](?:core|registries)|locales[\\/]index)\.js$/ },
    handler: (code, id) =>
      id.includes('locales')
        ? { code: "export { default as en } from './en.js';", map: null }
        : replaced(code, id, 'globalThis', 'ownGlobal', 'const ownGlobal = {};'),
  },
};

/**
 * The documents in `fixtures/` and `scenarios/` as JSON. A start then parses no YAML, and a program that bundles this
 * package needs no files beside it.
 * @type {import('rolldown').Plugin}
 */
const shippedDocuments = {
  name: 'shipped-documents',
  load: {
    filter: { id: /[\\/]src[\\/]documents[\\/]shipped-documents\.ts$/ },
    handler: async () => {
      const documents = {
        fixtures: await documentsIn('fixtures'),
        scenarios: await documentsIn('scenarios'),
      };
      const code = `
        const documents = ${JSON.stringify(documents)};
        export const shippedNames = (folder) => Object.keys(documents[folder]);
        export const shippedDocument = (folder, name) => JSON.parse(documents[folder][name]);`;
      return { code, moduleType: 'js' };
    },
  },
};

/** By name, each as JSON text. */
async function documentsIn(folder) {
  const { parse } = await import('yaml');
  const files = (await readdir(join(root, folder))).filter((file) => extname(file) === '.yaml');
  const documents = await Promise.all(
    files.toSorted().map(async (file) => {
      const document = parse(await readFile(join(root, folder, file), 'utf8')) ?? {};
      return [basename(file, '.yaml'), JSON.stringify(document)];
    }),
  );
  return Object.fromEntries(documents);
}

/**
 * Sources load lazy packages by `createRequire`, which finds them in `node_modules`. The built package has them beside.
 * @type {import('rolldown').Plugin}
 */
const packagesBeside = {
  name: 'packages-beside',
  transform: {
    filter: { id: /[\\/](?:documents[\\/]yaml-parser|rules[\\/]pattern-engine)\.ts$/ },
    handler: (code, id) => replaced(code, id, 'createRequire(import.meta.url)', 'require'),
  },
  resolveId: {
    filter: { id: new RegExp(`^(?:${lazyPackages.join('|')})$`) },
    handler: (name, importer) =>
      importer === undefined ? null : { id: `./${name}.cjs`, external: true },
  },
};

/** Code with one text in the place of another. It fails where there is none, as after an update of a package. */
function replaced(code, id, before, after, start = '') {
  if (!code.includes(before)) throw new Error(`${id} has no "${before}" to replace.`);
  return { code: start + code.replaceAll(before, after), map: null };
}
