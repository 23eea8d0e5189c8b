/** The suite of each language passes, and the ledger confirms what it did. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestTransport } from '../../support/transports.ts';
import { expectPart, table } from '../../support/repository/documentation.ts';
import { runOrSkip } from './programs.ts';
import { suites, suitesFolder } from './suites.ts';

let transport: TestTransport;
beforeEach(async () => {
  transport = new TestTransport('socket', {});
  await transport.open();
});
afterEach(() => transport.close());

/** One payment, one decline, one lost answer with its retry, one payment of another merchant. */
function expectFourTests(): void {
  const { operations, tried } = transport.sandbox.all.coverage();
  expect(operations['payment.create']).toBe(5);
  expect(tried).toEqual({
    'payment.create': { 'decline-insufficient-funds': 1, 'reset-after-commit': 1 },
  });
  const charges = transport.sandbox
    .merchants()
    .flatMap((merchant) => transport.sandbox.merchant(merchant).ledger().transfers);
  expect(charges.map(({ amount }) => amount.minor)).toEqual([3011, 3011, 3011]);
}

describe('the suite of a shop', () => {
  it.for(suites)('passes in $language', async (suite, context) => {
    const built = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-suite-'));
    onTestFinished(() => rmSync(built, { recursive: true, force: true }));
    const { stdout, stderr } = await runOrSkip(context, suite, suite.args, {
      cwd: dirname(join(suitesFolder, suite.file)),
      env: { VAULT_URL: transport.base, BUILT: built, GOPROXY: 'off', GOFLAGS: '' },
    });
    expect(stdout + stderr).toMatch(suite.proof);
    expectFourTests();
  });
});

it('every suite is listed in the README of the suites (UPDATE_DOCS=1 writes the table)', () => {
  const rows = suites.map(({ language, file, runner, line }) => [
    language,
    `[\`${file}\`](${file})`,
    runner,
    `\`${line}\``,
  ]);
  expectPart(
    join(suitesFolder, 'README.md'),
    'suites',
    table(
      ['Language', 'Tests', 'By', 'Run them with'],
      rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    ),
  );
});
