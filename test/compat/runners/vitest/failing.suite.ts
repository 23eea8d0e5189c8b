/** Run by `vitest.test.ts` in a vitest of its own: every test of it fails, each for a reason of its own. */
import { expect } from 'vitest';
import { sandboxTest } from '../../../../src/vitest/index.ts';
import { openShop } from '../shop.ts';
import { asRule } from '../../../support/requests/unchecked-input.ts';

const test = sandboxTest({ sandbox: { seed: 'runners', fixtures: 'empty' } });

test('pays twice', async ({ sandbox, merchant }) => {
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: false });
  // Green without the verdict: the shop knows nothing of the first charge.
  expect(await shop.buy('order-1')).toBe('completed');
});

test('arms a rule that never fires', async ({ sandbox, merchant }) => {
  merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  await shop.buy('order-1');
});

test('fails before it asks anything', ({ merchant }) => {
  merchant.force(asRule({ op: 'payment.create', outcome: 'no such outcome' }));
});

test('asks nothing', ({ merchant }) => {
  expect(merchant.ledger().transfers).toEqual([]);
});

test('fails of itself, and the money is right', async ({ sandbox, merchant }) => {
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('pending');
});

test('judges a promise', ({ merchant }) => {
  merchant.atEnd({ judge: false });
  expect(merchant.verdict()).toPass();
});

test('expects a bad verdict of good money', async ({ sandbox, merchant }) => {
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  await shop.buy('order-1');
  expect(await merchant.verdict()).not.toPass();
});

test('asks for its verdict in a wrong way', async ({ sandbox, merchant }) => {
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  await shop.buy('order-1');
  // @ts-expect-error: there is no such finding; a caller without types gets an error here.
  merchant.atEnd({ suppress: [{ rule: 'double-chrge', reason: 'a slip' }] });
});

const nowhere = sandboxTest({ url: 'http://127.0.0.1:9' });

nowhere('finds no sandbox', ({ merchant }) => {
  expect(merchant.id).toContain('finds-no-sandbox');
});
