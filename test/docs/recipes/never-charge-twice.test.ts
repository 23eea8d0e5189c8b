/** Test that you never charge twice: the card is charged, the answer is lost in four ways, and the customer pays once. */
import { expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

it.each([
  'reset-after-commit',
  'close-after-commit',
  'error-500-after-commit',
  'error-502-after-commit',
] as const)('charges once: %s', async (outcome) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const shop = openShop(sandbox.fetch, 'default');
  sandbox.force({ op: 'payment.create', outcome });

  expect(await shop.pay({ id: 'INV-7', total: '30.11' })).toBe('paid');

  expect(sandbox.ledger().transfers).toHaveLength(1);
  // The verdict judges every purchase, and fails if the rule never fired.
  const { reasons } = await sandbox.verdict({ beliefs: { 'INV-7': 'paid' } });
  expect(reasons).toEqual([]);
});
