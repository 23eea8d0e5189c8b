/** What is bundled, and how: esbuild's options, shared by the build and by `npm run dev`. */
import { fileURLToPath } from 'node:url';
import { entries, left, moduleEntries, parts } from './entries.mjs';
import {
  asksForHttp,
  late,
  lateFrom,
  leaner,
  takesFrom,
  takesParts,
  togetherWith,
} from './leaner.mjs';

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

/**
 * The library as modules: for bundlers, and for test frameworks that run tests among globals of their own. What entries
 * share is in files of its own.
 */
/** @type {import('esbuild').BuildOptions} */
export const moduleBundle = {
  ...common,
  plugins: [lateFrom('..'), ...leaner.plugins, asksForHttp, togetherWith(entries.index)],
  entryPoints: { ...entries, parts },
  outdir: 'dist/modules',
  format: 'esm',
  splitting: true,
  chunkNames: 'shared-[hash]',
};

/** What the client and the library share, the client itself among it, so that there is one of each class in a process. */
/** @type {(sources: readonly string[]) => import('esbuild').BuildOptions} */
export const sharedBundle = (sources) => ({
  ...commonJs,
  stdin: {
    contents: sources.map((path, at) => `export * as part${at} from './${path}';`).join('\n'),
    resolveDir: root,
  },
  outfile: 'dist/shared.cjs',
  banner: { js: [strict, bundleUrl].join('\n') },
});

/** The library in one file, of which V8 keeps what it has compiled. */
/** @type {(shared: readonly string[]) => import('esbuild').BuildOptions} */
export const coreBundle = (shared) => ({
  ...commonJs,
  plugins: [takesFrom('./shared.cjs', shared), ...leaner.plugins],
  stdin: {
    contents: [
      `export * as main from './${entries.index}';`,
      "export { onMilestone } from './src/shared/milestones.ts';",
      // Only vitest asks for them.
      `export const parts = () => require('./${parts}');`,
    ].join('\n'),
    resolveDir: root,
  },
  outfile: 'dist/core.cjs',
  external: ['./shared.cjs'],
  banner: { js: [strict, bundleUrl].join('\n') },
});

/** What loads that file, with what is kept of it. */
/** @type {import('esbuild').BuildOptions} */
export const keptBundle = {
  ...plain,
  entryPoints: { kept: 'src/compiled/kept-library.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: [strict, bundleUrl].join('\n') },
};

/** Entries that are modules: the one for vitest, and what tells whether kept code may run. */
/** @type {import('esbuild').BuildOptions} */
export const entryBundle = {
  ...plain,
  entryPoints: { vitest: moduleEntries.vitest, realm: 'src/compiled/realm.ts' },
  outdir: 'dist',
  format: 'esm',
  plugins: [takesParts],
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
