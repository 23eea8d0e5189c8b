/** The code of the package: everything once, as CommonJS, and for `import` ES modules that re-export it. */
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import {
  aloneEntries,
  commandEntry,
  entries,
  inputOptions,
  outputOptions,
  requiredEntries,
  root,
  target,
  vitestParts,
} from './bundles.mjs';

/** Bundles. Gives the files by name, and the paths of what went into them. */
export async function bundleCode({ isCommandOnly }) {
  const ofLibrary = isCommandOnly ? {} : { ...requiredEntries, ...vitestParts };
  const bundles = await Promise.all([
    bundle({ ...ofLibrary, ...commandEntry }),
    ...Object.entries(aloneEntries).map(([name, source]) => bundle({ [name]: source })),
  ]);
  const outputs = bundles.flat();
  const files = await Promise.all(
    outputs.map(async ({ name, fileName, code }) => [
      fileName,
      // The command tells an old Node, which cannot do without, that it is too old.
      await compact(name === 'cli' ? code : withoutRequire(code)),
    ]),
  );
  if (!isCommandOnly) files.push(...modulesFor(outputs), await vitestModule());
  const inputs = outputs.flatMap(({ modules }) => Object.keys(modules));
  return { files, inputs: inputs.map((path) => relative(root, path).replaceAll('\\', '/')) };
}

async function bundle(input, options = {}, output = {}) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({ ...inputOptions(input), ...options });
  return (await bundled.generate({ ...outputOptions, ...output })).output;
}

/** Takes Node's own modules from the process. Where a program bundles this package as an ES module, there is no `require`. */
const withoutRequire = (code) =>
  code.replaceAll(/\brequire\("([^"]+)"\)/g, (call, name) =>
    isBuiltin(name) ? `globalThis.process.getBuiltinModule("${name}")` : call,
  );

/**
 * Without white space, in short lines, since Node prints the line that an error came from, and in ASCII, since Node stores
 * other files at twice the size. Names stay, so that stack traces can be read.
 */
async function compact(text) {
  const { transform } = await import('esbuild');
  const minify = { minifyWhitespace: true, minifySyntax: true, legalComments: 'none' };
  const { code } = await transform(text, { ...minify, target, lineLimit: 120 });
  return code;
}

/** For each entry, the ES module for `import`. It names the exports, as not every bundler finds them in CommonJS. */
const modulesFor = (outputs) =>
  outputs
    .filter(
      ({ name, fileName }) => Object.hasOwn(requiredEntries, name) && fileName === `${name}.cjs`,
    )
    .map(({ name, exports }) => [
      `${name}.js`,
      `export { ${exports.join(', ')} } from './${name}.cjs';\n`,
    ]);

/** The vitest entry, an ES module, imports what it uses of the library from CommonJS. */
async function vitestModule() {
  const [parts] = Object.keys(vitestParts);
  const partsBeside = {
    name: 'parts-beside',
    resolveId: {
      filter: { id: /^\.\/parts\.ts$/ },
      handler: () => ({ id: `./${parts}.cjs`, external: true }),
    },
  };
  const options = { plugins: [partsBeside] };
  const [{ code }] = await bundle({ vitest: entries.vitest }, options, { format: 'es' });
  return ['vitest.js', code];
}
