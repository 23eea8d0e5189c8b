import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/domain/payment/overrides.ts';
import { planEvent } from '../../../src/domain/payment/settlement-events.ts';
import { refundSale } from '../../../src/domain/payment/refund.ts';
import type { World } from '../../../src/world/world.ts';
import { commit, openTill, payInto } from '../../support/worlds/till.ts';

/** Plans and commits these events on a record, and returns for each whether it changed anything. */
function changedBy(
  world: World,
  subject: string,
  kinds: readonly RecordEvent['kind'][],
): boolean[] {
  return kinds.map((kind) => {
    const change = planEvent(world, { kind, subject });
    if (change !== undefined) world.commit(change);
    return change !== undefined;
  });
}

describe('settlement events', () => {
  it.each<[string, readonly RecordEvent['kind'][]]>([
    ['open one dispute of a sale', ['chargeback-opens', 'chargeback-opens']],
    ['win a dispute once', ['chargeback-opens', 'chargeback-is-won', 'chargeback-is-won']],
    ['do not win a lost dispute', ['chargeback-opens', 'chargeback-is-lost', 'chargeback-is-won']],
    ['do not lose a won dispute', ['chargeback-opens', 'chargeback-is-won', 'chargeback-is-lost']],
    [
      'do not open a won dispute again',
      ['chargeback-opens', 'chargeback-is-won', 'chargeback-opens'],
    ],
    ['create no second sale', ['sale-is-made']],
  ])('%s', (_, kinds) => {
    const world = openTill();
    const id = payInto(world, 'sale', '30.11');
    const subject = kinds.includes('sale-is-made') ? (world.sales.get(id)?.paymentId ?? '') : id;
    const changed = changedBy(world, subject, kinds);
    expect(changed.at(-1)).toBe(false);
    expect(changed.slice(0, -1)).not.toContain(false);
  });

  it.each([
    [['refund-completes', 'refund-completes'], 2011],
    [['refund-completes', 'refund-fails'], 2011],
    [['refund-fails', 'refund-fails'], 3011],
    [['refund-fails', 'refund-completes'], 3011],
  ] as const)('settle a refund only once: %j', (kinds, leftMinor) => {
    const world = openTill();
    const sale = payInto(world, 'sale', '30.11');
    const part = {
      amount: { total: '10.00', currency: 'USD' },
      description: undefined,
      reason: undefined,
      invoiceNumber: undefined,
    };
    const refund = commit(world, refundSale(world, sale, part, { refund: 'pending' }));
    expect(changedBy(world, refund, kinds)).toEqual([true, false]);
    const balances = new Map(world.balances());
    expect(balances.get('USD')?.merchant).toBe(leftMinor);
    expect(world.sales.get(sale)?.refundedMinor).toBe(3011 - leftMinor);
  });
});
