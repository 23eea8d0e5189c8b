/** The types of the packed package, as a stranger's compiler takes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entries, requiredEntries } from '../../../.ci/bundles.mjs';
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
])('types, read by $by', ({ tsc }) => {
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

describe('types', () => {
  it('are found by every way of resolving that is not of the past', async () => {
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
