/** Test that you never charge twice: the money is taken, the answer is lost in four ways, and the buyer pays once. */
import { expect, it } from 'vitest';
import { createSandbox } from 'card-vault-sandbox';
import { openShop } from './shop.ts';

it.each([
  'reset-after-commit',
  'close-after-commit',
  'error-500-after-commit',
  'error-502-after-commit',
])('charges once: %s', async (outcome) => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const shop = openShop(sandbox.fetch, 'default');
  sandbox.force({ op: 'payment.create', outcome });

  expect(await shop.pay({ id: 'INV-7', total: '30.11' })).toBe('paid');

  expect(sandbox.ledger().transfers).toHaveLength(1);
  // Judges every purchase, and fails a rule that never fired: such a test would have proved nothing.
  const { reasons } = await sandbox.verdict({ beliefs: { 'INV-7': 'paid' } });
  expect(reasons).toEqual([]);
});
