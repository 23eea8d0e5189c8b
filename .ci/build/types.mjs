/** The types of the public entries: all that they lead to in a few files, so that an importer needs no other package. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { entries, external, root } from './bundles.mjs';

const require = createRequire(import.meta.url);

/** Compiles, then bundles. Gives the files by name, and the paths of what went into them. */
export async function bundleTypes({ unchecked }) {
  const folder = await mkdtemp(join(root, 'dist', '.types-'));
  try {
    compile(folder, unchecked);
    return await bundle(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function compile(outDir, unchecked) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const flags = ['-p', '.ci/build/tsconfig.build.json', '--outDir', outDir];
  const run = spawnSync(process.execPath, [tsc, ...flags, ...(unchecked ? ['--noCheck'] : [])], {
    cwd: root,
    stdio: 'inherit',
  });
  if (run.status !== 0) throw new Error('tsc found the errors above');
}

async function bundle(folder) {
  const [{ rolldown }, { dts }] = await Promise.all([
    import('rolldown'),
    import('rolldown-plugin-dts'),
  ]);
  const declaration = (source) => join(folder, relative('src', source).replace(/\.ts$/, '.d.ts'));
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      Object.entries(entries).map(([name, source]) => [name, declaration(source)]),
    ),
    plugins: [dts({ dtsInput: true, tsconfig: false, resolve: true })],
    external: [/^node:/, ...external],
  });
  const { output } = await bundled.generate({
    format: 'es',
    minifyInternalExports: false,
    chunkFileNames: 'shared-[hash].d.ts',
  });
  const files = output.flatMap(({ name, fileName, code, isEntry }) => {
    const text = forCommonJs(withoutHeadings(withOptionalDispose(code)));
    if (name === 'vitest') return [[fileName, text]];
    const required = fileName.replace(/\.ts$/, '.cts');
    const imported = [fileName, `export * from './${name}.cjs';\n`];
    return [[required, text], ...(isEntry ? [imported] : [])];
  });
  return { files, inputs: output.flatMap(({ modules }) => Object.keys(modules)).map(fromRoot) };
}

/** Compilers without the library esnext.disposable do not know this symbol. */
const withOptionalDispose = (text) =>
  text.replaceAll(
    /^ *\[Symbol\.asyncDispose\]/gm,
    '  // @ts-ignore: needs the library esnext.disposable\n$&',
  );

/** Removes comments about modules: before the comment of the first declaration, and the names of compiled files. */
const withoutHeadings = (text) =>
  text
    .replaceAll(/^\/\/ dist\/.*\n/gm, '')
    .replaceAll(/^\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=\/\*\*)/gm, '');

/** The files are those of CommonJS, once for `import` and `require`: the code is the same. */
const forCommonJs = (text) => text.replace(/(from "\.\/[^"]+)\.js"/g, '$1.cjs"');

const fromRoot = (path) => relative(root, path).replaceAll('\\', '/');
