/** What `init` writes: in a project of each runner, its first test passes as printed, and no file is overwritten. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../support/repository/source-files.ts';
import { runNode } from './child.ts';

const cli = join(root, 'dist', 'cli.cjs');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const init = (...args: readonly string[]) => runNode([cli, 'init', ...args], folder);

/** A Node project with these packages, and with this package installed. */
function writePackage(packages: readonly string[], more: object = {}): void {
  const devDependencies = Object.fromEntries(packages.map((name) => [name, '*']));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ devDependencies, ...more }));
  mkdirSync(join(folder, 'node_modules', '@playwright'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'card-vault-sandbox'), 'junction');
  for (const name of packages) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  }
}

const files = () =>
  readdirSync(join(folder, 'card-vault'), { recursive: true })
    .map(String)
    .filter((path) => path.includes('.'))
    .toSorted();

const commonFiles = [
  'compose.yaml',
  join('fixtures', 'cards.yaml'),
  join('scenarios', 'lost-answer.yaml'),
];

describe('init', () => {
  it.each([
    ['vitest', ['vitest'], 'pays-once.test.mjs', ['vitest/vitest.mjs', 'run']],
    ['playwright', ['@playwright/test'], 'pays-once.spec.mjs', ['@playwright/test/cli.js', 'test']],
    ['node', [], 'pays-once.test.mjs', undefined],
  ] as const)('writes a first test for %s that passes', async (name, packages, file, runner) => {
    writePackage(packages);
    const { code, stdout, stderr } = await init();
    expect([code, stderr]).toEqual([0, '']);
    expect(files()).toEqual([...commonFiles, file].toSorted());
    expect(stdout).toContain(`a first test for ${name}`);
    const test = `card-vault/${file}`;
    const args =
      runner === undefined
        ? ['--test', test]
        : [join(root, 'node_modules', runner[0]), runner[1], test];
    const ran = await runNode(args, folder, { NO_COLOR: undefined });
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/1 passed|pass 1/);
  });

  it.each([
    ['curl', 'pays-once.sh', 'curl', ['./card-vault/pays-once.sh']],
    [
      'pytest',
      'test_pays_once.py',
      'python3',
      ['python3', '-c', 'import test_pays_once as t; t.test_pays_once_though_the_answer_is_lost()'],
    ],
  ] as const)(
    'writes a first test for %s that passes against a sandbox',
    async (name, file, program, command) => {
      if (name === 'pytest') writeFileSync(join(folder, 'pyproject.toml'), '');
      const { code, stdout, stderr } = await init();
      expect([code, stderr]).toEqual([0, '']);
      expect(files()).toEqual([...commonFiles, file].toSorted());
      expect(stdout).toContain(`a first test for ${name}`);
      if (spawnSync(program, ['--version']).error !== undefined) {
        process.stdout.write(`The first test for ${name} was not run: no ${program}.\n`);
        return;
      }
      const run = await runNode([cli, 'run', '--', ...command], folder, {
        PYTHONPATH: join(folder, 'card-vault'),
        PYTHONDONTWRITEBYTECODE: '1',
      });
      expect(run.code, run.stdout + run.stderr).toBe(0);
      expect(run.stderr).toContain('PASSED pays-once');
    },
  );

  it.each([
    ['a CommonJS project', {}, 'pays-once.test.js'],
    ['an ES module project', { type: 'module' }, 'pays-once.test.cjs'],
  ])('writes a test for Jest in %s', async (_what, manifest, file) => {
    writePackage([], { devDependencies: { jest: '30' }, ...manifest });
    const { stdout } = await init();
    expect(files()).toContain(file);
    expect(stdout).toContain(`npx jest card-vault/${file}`);
    // Jest is no package of this project: the globals that the file uses stand in for it.
    const globals = `
      const tests = []; const ends = [];
      Object.assign(globalThis, {
        test: (name, run) => tests.push(run),
        afterAll: (end) => ends.push(end),
        expect: (value) => ({ toBe: (other) => require('node:assert').equal(value, other) }),
      });
      require('./card-vault/${file}');
      (async () => { for (const run of [...tests, ...ends]) await run(); console.log(tests.length); })();
    `;
    const ran = await runNode(['--eval', globals], folder);
    expect(ran).toMatchObject({ code: 0, stdout: '1\n' });
  });

  it('keeps every file that exists', async () => {
    mkdirSync(join(folder, 'card-vault', 'fixtures'), { recursive: true });
    writeFileSync(join(folder, 'card-vault', 'fixtures', 'cards.yaml'), 'cards: []\n');
    const first = await init();
    expect(first.stdout).toContain('fixtures/cards.yaml         kept: it exists already');
    expect(first.stdout).toMatch(/compose\.yaml {2,}the sandbox as a container/);
    expect(readFileSync(join(folder, 'card-vault', 'fixtures', 'cards.yaml'), 'utf8')).toBe(
      'cards: []\n',
    );
    const second = await init();
    expect(second.code).toBe(0);
    expect(second.stdout.match(/kept/g)).toHaveLength(4);
  });

  it('writes documents that are valid and that name their schema below node_modules', async () => {
    writePackage([]);
    await init('tests/payments');
    const text = readFileSync(
      join(folder, 'tests', 'payments', 'scenarios', 'lost-answer.yaml'),
      'utf8',
    );
    const [, schema = ''] = /\$schema=(\S+)/.exec(text) ?? [];
    expect(existsSync(join(folder, 'tests', 'payments', 'scenarios', schema))).toBe(true);
    const checked = await runNode([cli, 'check', 'tests/payments/scenarios'], folder);
    expect(checked).toMatchObject({ code: 0, stdout: '1 file is valid.\n' });
  });

  it('takes the runner that is named, and suggests the nearest for a mistyped one', async () => {
    writePackage(['vitest']);
    expect((await init('--runner', 'node')).stdout).toContain('a first test for node');
    expect(await init('--runner', 'vitst')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--runner must be one of vitest, jest, playwright, node, pytest, curl, got "vitst". Did you mean "vitest"?',
      ),
    });
  });

  it('names a package.json that is not valid', async () => {
    writeFileSync(join(folder, 'package.json'), '{');
    expect(await init()).toMatchObject({
      code: 2,
      stderr: 'card-vault-sandbox: package.json is not valid JSON.\n',
    });
  });

  it('names the file that cannot be written', async () => {
    writeFileSync(join(folder, 'taken'), '');
    const { code, stderr } = await init('taken');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^card-vault-sandbox: Cannot write taken/),
    ]);
  });

  it('tells what to install', async () => {
    writePackage([], { devDependencies: { vitest: '4' } });
    expect((await init()).stdout).toContain('npm install --save-dev card-vault-sandbox\n');
  });
});
