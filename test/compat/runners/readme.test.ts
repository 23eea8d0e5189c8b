/** The guides' examples for test runners, run by those runners: once with a shop that is right, once with one that is not. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { exampleOf } from '../../support/repository/documentation.ts';
import { shopFiles } from '../../support/shop-files.ts';
import { root } from '../../support/repository/source-files.ts';
import { runNode } from './child.ts';

const modules = join(root, 'node_modules');

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const found = existsSync(executablePath);
if (!found) {
  process.stdout.write(
    `The guide's example for Playwright was not run: no Chromium at ${executablePath}. ` +
      'Install one (Debian: apt-get install chromium) or name it in CHROMIUM.\n',
  );
}

const playwrightConfig = `export default ${JSON.stringify({
  testDir: '.',
  testMatch: 'playwright.spec.mjs',
  reporter: 'line',
  timeout: 120_000,
  expect: { timeout: 60_000 },
  use: { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] } },
})};\n`;

// Time for a machine that has much else to do.
const vitestConfig = 'export default { test: { testTimeout: 60_000, hookTimeout: 60_000 } };\n';

interface Runner {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const vitest = [join(modules, 'vitest', 'vitest.mjs'), 'run'];
const runners: Readonly<Record<string, Runner>> = {
  vitest: { file: 'vitest.test.mjs', args: [...vitest, 'vitest.test.mjs'] },
  'gates in vitest': { file: 'gates.test.mjs', args: [...vitest, 'gates.test.mjs'] },
  msw: {
    file: 'msw.test.mjs',
    args: [...vitest, 'msw.test.mjs'],
    // MSW looks whether there is a localStorage, and a later Node warns of the look.
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
  },
  'node-test': { file: 'node-test.mjs', args: ['--test', '--test-reporter=spec', 'node-test.mjs'] },
  ...(found && {
    playwright: {
      file: 'playwright.spec.mjs',
      args: [join(modules, '@playwright', 'test', 'cli.js'), 'test'],
      // It sets FORCE_COLOR for its workers, and a later Node warns of both.
      env: { NO_COLOR: undefined },
    },
  }),
};

describe('the guides for test runners', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-runners-'));
    mkdirSync(join(folder, 'node_modules', '@playwright'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules', 'card-vault-sandbox'), 'junction');
    for (const name of ['vitest', 'msw', '@playwright/test']) {
      symlinkSync(join(modules, name), join(folder, 'node_modules', name), 'junction');
    }
    writeFileSync(join(folder, 'playwright.config.mjs'), playwrightConfig);
    writeFileSync(join(folder, 'vitest.config.mjs'), vitestConfig);
    for (const [mark, { file }] of Object.entries(runners)) {
      writeFileSync(join(folder, file), exampleOf(mark));
    }
  });

  /** Writes the shop that the examples import. */
  function writeShop(careless: boolean): void {
    for (const [name, code] of Object.entries(shopFiles({ careless }))) {
      // Jest's file is not a module.
      if (name.endsWith('.mjs')) writeFileSync(join(folder, name), code);
    }
  }

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.entries(runners))('%s passes for a correct shop', async (_mark, { args, env }) => {
    writeShop(false);
    const { code, stdout, stderr } = await runNode(args, folder, env);
    expect([code, stderr], stdout).toEqual([0, '']);
    expect(stdout).toMatch(/pass(?:ed)? \d|[12] passed/);
  });

  // What MSW shows of such a shop, test/compat/http-clients holds. The example of gates loses no answer.
  it.each(Object.entries(runners).filter(([mark]) => !/msw|gates/.test(mark)))(
    '%s fails for a shop that retries with a new request id, and shows what happened to the money',
    async (_mark, { args, env }) => {
      writeShop(true);
      const { code, stdout, stderr } = await runNode(args, folder, env);
      expect(code, stderr).toBe(1);
      const output = stdout + stderr;
      expect(output).toMatch(/VerdictError.*: FAILED \S+ {2}2 requests, 1 purchase/);
      expect(output).toMatch(
        /Purchase "INV-7" was charged twice: 30\.11 USD at [\d:]{8} and 30\.11 USD at [\d:]{8}\./,
      );
      expect(output).toMatch(/completed, 30\.11 of 30\.11 USD kept; the client never knew/);
    },
  );

  it('write the page of a verdict', async () => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ port: 0 });
    const [, ...words] = exampleOf('html report').trim().split(' ');
    const args = words.slice(1).map((word) => (word.startsWith('http') ? url : word));
    const { code } = await runNode([join(root, 'dist', 'cli.cjs'), ...args], folder);
    expect(code).toBe(1);
    const page = readFileSync(join(folder, 'verdict.html'), 'utf8');
    expect(page).toMatch(/<title>my-shop: verdict[\s\S]+nothing was tested/);
  });
});
