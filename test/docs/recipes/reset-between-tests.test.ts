/** Reset between tests: return to the initial state, or to a state that took long to set up. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

const sandbox = createSandbox({ fixtures: 'empty' });
const shop = openShop(sandbox.fetch, 'default');

describe('from an empty world', () => {
  beforeEach(() => {
    sandbox.reset(); // takes the same time for any amount of data; tokens stay valid
  });

  it.each(['first', 'second'])('%s test', async () => {
    await shop.pay({ id: 'INV-1', total: '30.11' });
    expect(sandbox.ledger().transfers).toHaveLength(1);
  });
});

describe('from a world that was set up once', () => {
  beforeAll(async () => {
    sandbox.reset();
    await Promise.all(['A', 'B', 'C'].map((id) => shop.pay({ id, total: '10.00' })));
    sandbox.snapshot('three-orders');
  });
  beforeEach(() => {
    sandbox.restore('three-orders');
  });

  it.each(['first', 'second'])('%s test', async () => {
    await shop.pay({ id: 'INV-1', total: '30.11' });
    expect(sandbox.ledger().transfers).toHaveLength(4);
  });
});
