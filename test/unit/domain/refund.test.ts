import { describe, expect, it } from 'vitest';
import { captureAuthorization } from '../../../src/domain/payment/authorization.ts';
import { dayMs } from '../../../src/domain/calendar.ts';
import {
  findRefund,
  refundCapture,
  refundSale,
  refundWindowDays,
  type RefundDraft,
} from '../../../src/domain/payment/refund.ts';
import { refundableState } from '../../../src/domain/payment/sale.ts';
import type { World } from '../../../src/world/world.ts';
import { commit, openTill, payInto, refusalKind } from '../../support/worlds/till.ts';

function draft(total?: string, currency = 'USD'): RefundDraft {
  return {
    amount: total === undefined ? undefined : { total, currency },
    description: undefined,
    reason: undefined,
    invoiceNumber: undefined,
  };
}

const full = draft();

/** A sale and a capture of 30.11 USD. */
const sources = [
  {
    kind: 'sale',
    make: (world: World) => payInto(world, 'sale', '30.11'),
    refund: refundSale,
    find: (world: World, id: string) => world.sales.get(id),
  },
  {
    kind: 'capture',
    make: (world: World) =>
      commit(
        world,
        captureAuthorization(world, payInto(world, 'authorize', '30.11'), {
          amount: { total: '30.11', currency: 'USD' },
          isFinal: true,
          invoiceNumber: undefined,
        }),
      ),
    refund: refundCapture,
    find: (world: World, id: string) => world.captures.get(id),
  },
] as const;

describe.each(sources)('refund of a $kind', ({ kind, make, refund, find }) => {
  it('refunds the full amount if it names none', () => {
    const world = openTill();
    const id = make(world);
    const refundId = commit(world, refund(world, id, full));
    expect(findRefund(world, refundId)).toMatchObject({
      value: { of: { kind, id }, amount: { minor: 3011, currency: 'USD' } },
    });
    expect(find(world, id)).toMatchObject({ refundedMinor: 3011 });
    expect(find(world, id)?.refundIds.toArray()).toEqual([refundId]);
    expect(world.balances().get('USD')).toEqual({ cardholders: 0, merchant: 0 });
  });

  it('refunds parts until nothing is left', () => {
    const world = openTill();
    const id = make(world);
    const states = ['30.10', '0.01'].map((total) => {
      commit(world, refund(world, id, draft(total)));
      const from = find(world, id);
      return from && refundableState(from);
    });
    expect(states).toEqual(['partially_refunded', 'refunded']);
    expect(find(world, id)?.refundIds).toHaveLength(2);
  });

  it('plans a change without writing anything', () => {
    const world = openTill();
    const id = make(world);
    const before = find(world, id);
    expect(refund(world, id, full).ok).toBe(true);
    expect(find(world, id)).toBe(before);
    expect(world.balances().get('USD')?.merchant).toBe(3011);
  });

  it("adds the refund to the payment's related resources", () => {
    const world = openTill();
    const id = make(world);
    const refundId = commit(world, refund(world, id, full));
    const payment = world.payments.get(find(world, id)?.paymentId ?? '');
    expect(payment?.related.toArray().at(-1)).toEqual({ kind: 'refund', id: refundId });
  });

  it('is possible for 180 days, to the millisecond', () => {
    const world = openTill();
    const id = make(world);
    world.clock.advance(refundWindowDays * dayMs);
    expect(refund(world, id, full).ok).toBe(true);
    world.clock.advance(1);
    expect(refusalKind(refund(world, id, full))).toBe('refund-too-late');
  });

  it.each([
    ['more than the whole', [], draft('30.12'), 'refund-exceeds-transaction'],
    ['more than is left', ['10.00'], draft('20.12'), 'refund-exceeds-transaction'],
    ['in full after a part', ['10.00'], full, 'full-refund-after-partial'],
    ['in full again', ['30.11'], full, 'already-refunded'],
    ['a part of nothing', ['30.11'], draft('0.01'), 'already-refunded'],
    ['another currency', [], draft('1.00', 'EUR'), 'currency-mismatch'],
    ['another currency of nothing', ['30.11'], draft('1.00', 'EUR'), 'currency-mismatch'],
    ['zero', [], draft('0.00'), 'invalid-fields'],
    ['less than zero', [], draft('-1.00'), 'invalid-fields'],
    ['half cents', [], draft('1.005'), 'invalid-fields'],
  ] as const)('refuses %s', (_, refunded, wanted, reason) => {
    const world = openTill();
    const id = make(world);
    for (const total of refunded) commit(world, refund(world, id, draft(total)));
    const before = find(world, id);
    expect(refusalKind(refund(world, id, wanted))).toBe(reason);
    expect(find(world, id)).toBe(before);
  });

  it('gives the remaining amount in the private reason', () => {
    const world = openTill();
    const id = make(world);
    commit(world, refund(world, id, draft('10.00')));
    for (const wanted of [full, draft('20.12')]) {
      const result = refund(world, id, wanted);
      expect(result.ok ? '' : result.refusal.reason).toContain('20.11 USD');
    }
  });

  it('refuses an unknown id', () => {
    expect(refusalKind(refund(openTill(), 'none', full))).toBe('not-found');
  });
});

describe('refund', () => {
  it('refuses the id of a sale as a capture, and the reverse', () => {
    const world = openTill();
    const sale = payInto(world, 'sale', '30.11');
    expect(refusalKind(refundCapture(world, sale, full))).toBe('not-found');
    expect(refusalKind(findRefund(world, sale))).toBe('not-found');
  });

  it('uses whole units for yen', () => {
    const world = openTill();
    const sale = payInto(world, 'sale', '1500', 'JPY');
    expect(refusalKind(refundSale(world, sale, draft('500.00', 'JPY')))).toBe('invalid-fields');
    commit(world, refundSale(world, sale, draft('500', 'JPY')));
    expect(world.balances().get('JPY')).toEqual({ cardholders: -1000, merchant: 1000 });
  });
});
