/** Parallel workers: one sandbox for all tests, and a merchant for each, so that none sees another. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

const sandbox = createSandbox({ fixtures: 'empty' });

describe.concurrent('side by side', () => {
  it.each(['one', 'two', 'three', 'four'])('test %s', async (name) => {
    const merchant = sandbox.merchant(`orders-${name}`);
    const shop = openShop(sandbox.fetch, merchant.id);
    merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    // The same order in each of them: order numbers, request ids and rules are the merchant's own.
    expect(await shop.pay({ id: 'INV-7', total: '30.11' })).toBe('paid');
    expect(merchant.ledger().transfers).toHaveLength(1);
    expect(merchant.unfired()).toEqual([]);
  });
});
