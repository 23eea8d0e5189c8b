/** The types of the packed package, as a stranger's compiler takes them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entries, requiredEntries } from '../../../.ci/build/bundles.mjs';
import { readText, root } from '../../support/repository/source-files.ts';
import { Consumers, type Project } from './consumer.ts';
import { oldCompilersToTry } from './nodes.ts';
import { compilers, typedProgram } from './programs.ts';

const require = createRequire(import.meta.url);
const ours = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

const consumers = new Consumers();
afterAll(() => {
  consumers.remove();
});

let project: Project;
beforeAll(() => {
  project = consumers.project('typed', {
    'package.json': '{ "private": true }',
    ...Object.fromEntries(compilers.map(({ file }) => [file, typedProgram])),
  });
});

describe.each([
  { by: 'our compiler', tsc: ours },
  ...oldCompilersToTry().map((tsc) => ({ by: 'an old one', tsc })),
])('the types, read by $by', ({ tsc }) => {
  it.each(compilers)('compile with every library checked: $name', async (compiler) => {
    const { file, module, moduleResolution } = compiler;
    const config = `tsconfig.${file}.json`;
    writeFileSync(
      join(project.folder, config),
      JSON.stringify({
        compilerOptions: {
          module,
          moduleResolution,
          target: 'es2022',
          lib: ['es2022', 'dom'],
          types: [],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          declaration: true,
          outDir: `out-${file}`,
        },
        files: [file],
      }),
    );
    const ran = await project.run([tsc, '-p', config]);
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

/** All declarations, by file name. Those for `import` lead to those for `require`. */
const declarations = readdirSync(join(root, 'dist'))
  .filter((file) => /\.d\.c?ts$/.test(file))
  .map((file) => ({ file, text: readText(`dist/${file}`) }));

/** Keys of an interface without a doc comment before them. */
function undocumentedKeys(name: string): readonly string[] {
  const [, body = ''] =
    declarations
      .map(({ text }) => new RegExp(`^interface ${name}\\b[^{]*\\{\n([^]*?)^\\}`, 'm').exec(text))
      .find((found) => found !== null) ?? [];
  expect(body, name).not.toBe('');
  const lines = body.split('\n');
  return lines.flatMap((line, at) => {
    const [, key] = /^ {2}(?:readonly )?(\w+)\??[:(]/.exec(line) ?? [];
    return key === undefined || lines[at - 1]?.trimEnd().endsWith('*/') ? [] : [key];
  });
}

describe('the types', () => {
  it('contain no type of zod', () => {
    expect(declarations.filter(({ text }) => /zod/i.test(text)).map(({ file }) => file)).toEqual(
      [],
    );
  });

  it('are 120 KB at most, all together', () => {
    const bytes = declarations.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThanOrEqual(120 * 1024);
  });

  it.each(['SandboxOptions', 'RuleDocument', 'VerdictOptions', 'ExpectationsDocument'])(
    'document every key of %s',
    (name) => {
      expect(undocumentedKeys(name)).toEqual([]);
    },
  );

  it('take the compiler of a consumer little work', async () => {
    writeFileSync(
      join(project.folder, 'one.mts'),
      "import { createSandbox } from 'card-vault-sandbox';\nexport const sandbox = createSandbox();\n",
    );
    writeFileSync(join(project.folder, 'none.mts'), 'export const none = 1;\n');
    const options =
      '--noEmit --strict --module node16 --target es2022 --lib es2022,dom --skipLibCheck false --diagnostics';
    const workFor = async (file: string) => {
      const { stdout } = await project.run([ours, ...options.split(' '), file]);
      return ['Types', 'Instantiations'].map((name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)$`, 'm').exec(stdout)?.[1]),
      );
    };
    const [[types = NaN, instantiations = NaN], [ownTypes = NaN, ownInstantiations = NaN]] = [
      await workFor('one.mts'),
      await workFor('none.mts'),
    ];
    // The compiler counts its work the same on every machine. A second of it is about 30,000 types.
    expect(types - ownTypes).toBeLessThan(5_000);
    expect(instantiations - ownInstantiations).toBeLessThan(5_000);
  });

  it('are found by every current way of module resolution', async () => {
    const tarball = createPackageFromTarballData(readFileSync(consumers.tarball));
    const analysis = await checkPackage(tarball);
    if (analysis.types === false) throw new Error('The package has no types.');
    const problems = analysis.problems.filter(
      // Compilers that know no `exports` are of the past: TypeScript 7 has no such mode.
      (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    const importOnly = Object.keys(entries).filter((name) => !Object.hasOwn(requiredEntries, name));
    expect(problems).toEqual(
      importOnly.map((name) => ({
        kind: 'CJSResolvesToESM',
        entrypoint: `./${name}`,
        resolutionKind: 'node16-cjs',
      })),
    );
  });
});
