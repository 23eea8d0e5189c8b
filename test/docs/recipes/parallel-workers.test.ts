/** Parallel workers: one sandbox for all tests, and an isolated merchant for each. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

const sandbox = createSandbox({ fixtures: 'empty' });

describe.concurrent('side by side', () => {
  it.each(['one', 'two', 'three', 'four'])('test %s', async (name) => {
    const merchant = sandbox.merchant(`orders-${name}`);
    const shop = openShop(sandbox.fetch, merchant.id);
    merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    // The same order in each test: order numbers, request ids and rules belong to the merchant.
    expect(await shop.pay({ id: 'INV-7', total: '30.11' })).toBe('paid');
    expect(merchant.ledger().transfers).toHaveLength(1);
    expect(merchant.unfired()).toEqual([]);
  });
});
