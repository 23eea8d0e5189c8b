/** Test a decline: for the next payment, or for a card that is always declined. */
import { expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

const sandbox = createSandbox({ fixtures: 'empty' });
const shop = openShop(sandbox.fetch, 'default');

it('declines the next payment only', async () => {
  sandbox.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
  expect(await shop.pay({ id: 'INV-1', total: '30.11' })).toBe('declined');
  expect(await shop.pay({ id: 'INV-2', total: '30.11' })).toBe('paid');
});

it('declines a card', async () => {
  const [card] = sandbox.generateCards({ outcome: 'decline-lost-or-stolen' });
  expect(await shop.pay({ id: 'INV-3', total: '30.11', card: card?.number ?? '' })).toBe(
    'declined',
  );
  expect(sandbox.ledger().transfers).toHaveLength(1); // INV-2
});
