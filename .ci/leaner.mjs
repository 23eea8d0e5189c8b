/** Leaves out of the bundles what no start needs, and what would reach into the program that imports them. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedModule } from './shipped.mjs';

/** Packages in files of their own. A source of the same name loads each. */
export const late = ['yaml', 'prom-client'];

/** @type {import('esbuild').Plugin} */
const leavesOut = {
  name: 'leaves-out',
  setup(build) {
    // Messages are written by us, in English; the other languages would be a quarter of the bundle.
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    // It makes schemas of JSON Schema, which nobody asks for here, and gathers all that zod exports for it at each start.
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/ }, () => ({
      contents: 'export const fromJSONSchema = undefined;',
    }));
    // It keeps its settings and its named schemas on the global object, where those of the program that imports us are.
    build.onLoad(
      { filter: /[\\/]zod[\\/]v4[\\/]core[\\/](?:core|registries)\.js$/ },
      async ({ path }) => ({
        contents: `const ownGlobal = {};\n${exchange(await readFile(path, 'utf8'), 'globalThis', 'ownGlobal')}`,
      }),
    );
    // The adapter asks whether a request came by HTTP/2. No door speaks it, and loading it takes 15 ms.
    build.onResolve({ filter: /^node:http2$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /^node:http2$/, namespace: 'absent' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {};',
    }));
    // It could run commands that lie in files of their own. None of ours does, and no start needs what starts processes.
    build.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'absent' } : undefined,
    );
    build.onLoad({ filter: /^node:child_process$/, namespace: 'absent' }, () => ({ contents: '' }));
    // Logs are written in this process; what writes them in a worker would load Node's own workers at every start.
    build.onResolve({ filter: /^thread-stream$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /^thread-stream$/, namespace: 'absent' }, () => ({ contents: '' }));
    // What ships is read when the bundle is made.
    build.onLoad({ filter: /[\\/]src[\\/]documents[\\/]shipped-documents\.ts$/ }, async () => ({
      contents: await shippedModule(),
      loader: 'ts',
    }));
  },
};

/**
 * Where those packages lie, seen from the bundle.
 * @type {(folder: string) => import('esbuild').Plugin}
 */
export const lateFrom = (folder) => ({
  name: 'late',
  setup(build) {
    for (const name of late) {
      build.onLoad(
        { filter: new RegExp(`[\\\\/]src[\\\\/].*[\\\\/]${name}\\.ts$`) },
        async ({ path }) => ({
          contents: exchange(
            await readFile(path, 'utf8'),
            `('${name}')`,
            `('${folder}/${name}.cjs')`,
          ),
          loader: 'ts',
        }),
      );
    }
  },
});

/** @type {Pick<import('esbuild').BuildOptions, 'plugins' | 'inject' | 'define'>} */
export const leaner = {
  // The first who gives a file's contents wins.
  plugins: [leavesOut, lateFrom('.')],
  // The adapter takes the classes of Node's `fetch` at once, to build its own on them. Loading those takes 25 ms, and an
  // answer that a door writes itself never needs them.
  inject: [fileURLToPath(new URL('late-fetch.mjs', import.meta.url))],
  define: {
    'global.Request': 'LateRequest',
    'global.Response': 'LateResponse',
    'globalThis.Headers': 'LateHeaders',
    // They come with those classes. No door speaks WebSocket, and the adapter brings its own where there are none.
    'globalThis.CloseEvent': 'undefined',
    'globalThis.ErrorEvent': 'undefined',
  },
};

/**
 * For ES modules: asks Node for `node:http` in place of importing it. An import reads every export, also those that are
 * loaded when they are read: there is a WebSocket among them, with which Node 22 and later load all of their `fetch`.
 * @type {import('esbuild').Plugin}
 */
export const asksForHttp = {
  name: 'asks-for-http',
  setup(build) {
    build.onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'http', namespace: 'asked' }));
    build.onLoad({ filter: /./, namespace: 'asked' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http');",
    }));
  },
};

/**
 * For ES modules: what an import of this entry loads at once lies in one file. esbuild parts files by who of its entries
 * reaches what is in them, and whatever is imported late is one of those: a start lay in two dozen files, which took an
 * import ten milliseconds more. Here each of them reaches all of the entry, so that none tells a part of it from another.
 * @type {(entry: string) => import('esbuild').Plugin}
 */
export const togetherWith = (entry) => ({
  name: 'together',
  setup(build) {
    const { absWorkingDir } = build.initialOptions;
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: resolve(resolveDir, path), namespace: 'late' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: `import './${entry}'; export * from ${JSON.stringify(path)};`,
      resolveDir: absWorkingDir,
    }));
    // It says that an import of what does nothing by itself is left out: it is followed, which is all that it is for.
    build.initialOptions.logOverride = {
      ...build.initialOptions.logOverride,
      'ignored-bare-import': 'silent',
    };
  },
});

/**
 * Takes these sources from a bundle that has them already, in which each goes by its place among them.
 * @type {(bundle: string, sources: readonly string[]) => import('esbuild').Plugin}
 */
export const takesFrom = (bundle, sources) => ({
  name: 'takes-from',
  setup(build) {
    const { absWorkingDir } = build.initialOptions;
    const places = new Map(sources.map((source, at) => [resolve(absWorkingDir, source), at]));
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
      const at = places.get(resolve(resolveDir, path));
      return at === undefined ? undefined : { path: `part${at}`, namespace: 'taken' };
    });
    build.onLoad({ filter: /./, namespace: 'taken' }, ({ path }) => ({
      contents: `module.exports = require('${bundle}').${path};`,
    }));
  },
});

/**
 * What the entry for vitest takes of the library lies in a file beside it.
 * @type {import('esbuild').Plugin}
 */
export const takesParts = {
  name: 'takes-parts',
  setup(build) {
    build.onResolve({ filter: /^\.\/library-parts\.ts$/ }, () => ({
      path: './parts.js',
      external: true,
    }));
  },
};

function exchange(text, before, after) {
  if (!text.includes(before)) throw new Error(`There is no ${before} to exchange.`);
  return text.replaceAll(before, after);
}
