/** What esbuild bundles, and how. `npm run build`, `npm run dev` and the tests share it. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

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

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  outdir: 'dist',
  external,
  legalComments: 'none',
  // Names stay, so that stack traces can be read. Node prints the line that an uncaught error came from.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 120,
};

/**
 * The library and the command. What several entries need is in chunks of its own, so each class exists once, whichever
 * entry a program imports.
 * @type {import('esbuild').BuildOptions}
 */
export const programBundle = {
  ...common,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  get plugins() {
    return [ownZod, shippedDocuments, lazyPackages];
  },
};

export const commandEntries = { cli: 'src/cli/main.ts' };

/**
 * The health check of the image: one small file.
 * @type {import('esbuild').BuildOptions}
 */
export const healthCheckBundle = {
  ...common,
  format: 'cjs',
  entryPoints: { 'health-check': 'src/cli/health-check.ts' },
  outExtension: { '.js': '.cjs' },
};

/**
 * Keeps zod to itself: it stores settings and named schemas on the global object, where a program that imports this
 * package stores its own. The messages of zod in other languages, a quarter of the bundle, stay out.
 * @type {import('esbuild').Plugin}
 */
const ownZod = {
  name: 'own-zod',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/](?:core|registries)\.js$/ }, (file) =>
      replaced(file, 'globalThis', 'ownGlobal', 'const ownGlobal = {};\n'),
    );
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * The documents in `fixtures/` and `scenarios/` as JSON. A start then parses no YAML, and a program that bundles this
 * package needs no files beside it.
 * @type {import('esbuild').Plugin}
 */
const shippedDocuments = {
  name: 'shipped-documents',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]documents[\\/]shipped-documents\.ts$/ }, async () => {
      const documents = {
        fixtures: await documentsIn('fixtures'),
        scenarios: await documentsIn('scenarios'),
      };
      return {
        contents: `
          const documents = ${JSON.stringify(documents)};
          export const shippedNames = (folder) => Object.keys(documents[folder]);
          export const shippedDocument = (folder, name) => JSON.parse(documents[folder][name]);`,
      };
    });
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
 * Sources load some packages when they are first needed, by `createRequire`. esbuild includes what `require` loads, and
 * the bundle too runs it only then.
 * @type {import('esbuild').Plugin}
 */
const lazyPackages = {
  name: 'lazy-packages',
  setup(build) {
    const loaders = /[\\/](?:documents[\\/]yaml-parser|rules[\\/]pattern-engine)\.ts$/;
    build.onLoad({ filter: loaders }, (file) =>
      replaced(file, 'createRequire(import.meta.url)', 'require'),
    );
  },
};

/** A file with one text in the place of another. It fails where there is none, as after an update of a package. */
async function replaced({ path }, before, after, start = '') {
  const text = await readFile(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${path} has no "${before}" to replace.`);
  const loader = path.endsWith('.ts') ? 'ts' : 'js';
  return { contents: start + text.replaceAll(before, after), loader };
}
