/** Run by `playwright.test.ts` in a Playwright of its own: every test of it fails, each for another reason. */
import { expect } from '@playwright/test';
import { sandboxTest } from '../../../../src/playwright/index.ts';
import { openShop } from '../shop.ts';

const test = sandboxTest({ sandbox: { seed: 'runners', fixtures: 'empty' } });

test('pays twice', async ({ sandbox, merchant }) => {
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: false });
  // Green without the verdict: the shop knows nothing of the first charge.
  expect(await shop.buy('order-1')).toBe('completed');
});

test('sends no requests', ({ merchant }) => {
  expect(merchant.ledger().transfers).toEqual([]);
});

test('expects another state', async ({ sandbox, merchant }) => {
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('pending');
});

const testNowhere = sandboxTest({ url: 'http://127.0.0.1:9' });

testNowhere('finds no sandbox', ({ merchant }) => {
  expect(merchant.id).toContain('finds-no-sandbox');
});
