/** How the command line becomes one file: esbuild's options, shared by the build and by `npm run dev`. */
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
export const cliBundle = {
  absWorkingDir: root,
  entryPoints: ['src/cli/main.ts'],
  outfile: 'dist/cli.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  // CommonJS has no import.meta.url, and the bundle finds fixtures and assets from where it lies.
  define: { 'import.meta.url': 'bundleUrl' },
  banner: {
    js: [
      '#!/usr/bin/env node',
      // esbuild's own directive would come after the next line, where it has no effect.
      "'use strict';",
      "const bundleUrl = require('node:url').pathToFileURL(__filename).href;",
    ].join('\n'),
  },
};
