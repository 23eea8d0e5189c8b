/** The packed package, installed by a stranger and used on this Node. `npm run test:package` does it on every LTS line. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumers, type Project } from './consumer.ts';
import { nodesToTry } from './nodes.ts';
import { cjsProgram, compilers, esmProgram, typedProgram, walked } from './programs.ts';

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

const consumers = new Consumers();
afterAll(() => {
  consumers.remove();
});

let project: Project;
beforeAll(() => {
  project = consumers.project('stranger', {
    'package.json': '{ "private": true }',
    'main.mjs': esmProgram,
    'main.cjs': cjsProgram,
    ...Object.fromEntries(compilers.map(({ file }) => [file, typedProgram])),
  });
});

describe.each(nodesToTry(consumers.folder))('on Node $version', ({ path }) => {
  it.each(['main.mjs', 'main.cjs'])('%s stores, pays, listens and connects', async (file) => {
    const ran = await project.run(['--no-warnings', file], path);
    expect(ran).toEqual({ code: 0, stdout: walked, stderr: '' });
  });

  it('the command starts, says so, and ends with 0', async () => {
    const bin = join(project.folder, 'node_modules', 'card-vault-sandbox', 'dist', 'cli.cjs');
    const server = spawn(path, [bin, '--port', '0'], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line.split('\n')[0] ?? '') as { url: string };
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});

describe('types', () => {
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
          noEmit: true,
        },
        files: [file],
      }),
    );
    const ran = await project.run([tsc, '-p', config]);
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('are found by every way of resolving that is not of the past', async () => {
    const tarball = createPackageFromTarballData(readFileSync(consumers.tarball));
    const analysis = await checkPackage(tarball);
    if (analysis.types === false) throw new Error('The package has no types.');
    const problems = analysis.problems.filter(
      // Compilers that know no `exports` are of the past: TypeScript 7 has no such mode.
      (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    );
    expect(problems).toEqual([]);
  });
});

it('has no dependencies', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(project.folder, 'node_modules/card-vault-sandbox/package.json'), 'utf8'),
  );
  expect(manifest).not.toHaveProperty('dependencies');
});

it('starts by npm exec from the tarball', () => {
  const args = ['exec', '--offline', '--yes', '--package', consumers.tarball, '--'];
  const version = execFileSync('npm', [...args, 'card-vault-sandbox', '--version'], {
    cwd: consumers.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});
