/** Test a slow provider: the answer arrives after your client stopped waiting, but the card was charged. */
import { expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

it('retries after its timeout, and pays once', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const shop = openShop(sandbox.fetch, 'default', 250);
  sandbox.force({ op: 'payment.create', outcome: 'hang-after-commit', params: { cap: '10s' } });

  expect(await shop.pay({ id: 'INV-7', total: '30.11' })).toBe('paid');

  const { entries: requests } = sandbox.journal({ operation: 'payment.create' });
  expect(requests.at(0)?.delivery.state).toBe('lost');
  expect(requests.at(-1)).toMatchObject({ status: 201, replayed: true });
  expect(sandbox.ledger().transfers).toHaveLength(1);
});
