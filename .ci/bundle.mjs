/** What is bundled, and how: esbuild's options, shared by the build and by `npm run dev`. */
import { fileURLToPath } from 'node:url';
import { entries, left, moduleEntries } from './entries.mjs';
import { asksForHttp, late, leaner, togetherWith } from './leaner.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const plain = {
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
};

/** @type {import('esbuild').BuildOptions} */
const common = { ...plain, ...leaner };

/** CommonJS has no import.meta.url, and bundles find fixtures and assets from where they lie. */
const commonJs = {
  ...common,
  format: 'cjs',
  define: { ...leaner.define, 'import.meta.url': 'bundleUrl' },
};
const bundleUrl = "const bundleUrl = require('node:url').pathToFileURL(__filename).href;";
// esbuild's own directive would come after the next line, where it has no effect.
const strict = "'use strict';";

/** The command's entry loads the command, which lies beside it, and keeps what was compiled of it. */
/** @type {import('esbuild').BuildOptions} */
export const cliBundle = {
  ...commonJs,
  entryPoints: { cli: 'src/cli/main.ts', command: 'src/cli/command.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  banner: { js: [strict, bundleUrl].join('\n') },
  // What is loaded late is required: the loader of modules would be one more thing to start.
  supported: { 'dynamic-import': false },
};

/** The library for `import`: what entries share is in files of its own. */
/** @type {import('esbuild').BuildOptions} */
export const moduleBundle = {
  ...common,
  plugins: [...leaner.plugins, asksForHttp, togetherWith(moduleEntries.index)],
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
  ...plain,
  entryPoints: Object.fromEntries(late.map((name) => [name, name])),
  outdir: 'dist',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
};
