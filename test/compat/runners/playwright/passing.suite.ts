/** Run by `playwright.test.ts` in a Playwright of its own: all of it passes. */
import { expect } from '@playwright/test';
import { sandboxTest } from '../../../../src/playwright/index.ts';
import { openShop } from '../shop.ts';

const test = sandboxTest({ sandbox: { seed: 'runners', fixtures: 'empty' } });

test('pays once though the answer is lost', async ({ sandbox, merchant }) => {
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
});

test('pays over a socket', async ({ sandboxUrl, merchant }) => {
  const shop = openShop({ fetch, baseUrl: sandboxUrl, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
});

test('suppresses findings', async ({ sandbox, merchant }) => {
  for (const rule of ['double-charge', 'orphaned-charge', 'new-key-on-retry'] as const) {
    merchant.atEnd({ suppress: [{ rule, reason: 'this test shows it' }] });
  }
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: false });
  await shop.buy('order-1');
});

test('deletes the merchants of passed tests', ({ sandbox }) => {
  expect(sandbox.merchants()).toEqual([]);
});

const testThere = sandboxTest({ url: process.env['SANDBOX_URL'] ?? '', prefix: 'ci', keep: true });

testThere('drives a sandbox that runs elsewhere', async ({ sandboxUrl, merchant }) => {
  const shop = openShop({ fetch, baseUrl: sandboxUrl, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
});
