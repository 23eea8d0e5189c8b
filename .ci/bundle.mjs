/** What is bundled, and how: esbuild's options, shared by the build and by `npm run dev`. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entries, left, moduleEntries } from './entries.mjs';
import { late, leaner } from './leaner.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: left,
  // Names stay, so that stacks can be read; the rest is a third less to scan at every start.
  minifyWhitespace: true,
  // Node prints the whole line that an uncaught error came from.
  lineLimit: 120,
  minifySyntax: true,
  legalComments: 'none',
  plugins: [leaner],
};

/** CommonJS has no import.meta.url, and bundles find fixtures and assets from where they lie. */
const commonJs = {
  ...common,
  format: 'cjs',
  define: { 'import.meta.url': 'bundleUrl' },
};
const bundleUrl = "const bundleUrl = require('node:url').pathToFileURL(__filename).href;";
// esbuild's own directive would come after the next line, where it has no effect.
const strict = "'use strict';";

/**
 * The command's entry stays apart from the command: it turns on what Node keeps of what it compiles, and only what is
 * loaded afterwards is kept.
 * @type {import('esbuild').Plugin}
 */
export const entryApart = {
  name: 'entry-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/command\.ts$/ }, ({ importer }) =>
      basename(importer) === 'main.ts' ? { path: './command.cjs', external: true } : undefined,
    );
  },
};

/** @type {import('esbuild').BuildOptions} */
export const cliBundle = {
  ...commonJs,
  entryPoints: { cli: 'src/cli/main.ts', command: 'src/cli/command.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  banner: { js: [strict, bundleUrl].join('\n') },
  // The entry loads the command with require: the loader of modules would be one more thing to start.
  supported: { 'dynamic-import': false },
  plugins: [entryApart, leaner],
};

/** The library for `import`: what entries share is in files of its own. */
/** @type {import('esbuild').BuildOptions} */
export const moduleBundle = {
  ...common,
  entryPoints: moduleEntries,
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  chunkNames: 'shared-[hash]',
};

/** The library for `require`, which Jest and older programs use. */
/** @type {import('esbuild').BuildOptions} */
export const commonJsBundle = {
  ...commonJs,
  entryPoints: entries,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  banner: { js: [strict, bundleUrl].join('\n') },
};

/** Packages that are loaded by the first who needs them: YAML by the first such text, metrics by the first scrape. */
/** @type {import('esbuild').BuildOptions} */
export const lateBundle = {
  ...common,
  entryPoints: Object.fromEntries(late.map((name) => [name, name])),
  outdir: 'dist',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  plugins: [],
};
