/** Money that changes after the response: on time, by the right amount, once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestTransport, onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import {
  dayMs,
  hourMs,
  merchantBalanceMinor,
  saleOf,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { booksOf, expectBalanced } from '../books.ts';
import { at, see } from '../tolerant-client.ts';
import { runs } from '../../../support/vitest/runs.ts';

type Outcome = NonNullable<Parameters<Shop['merchant']['force']>[0]['outcome']>;

/** Makes a sale of 10.00 with an outcome. */
async function sell(shop: Shop, outcome: Outcome) {
  const cardId = await storeCard(shop);
  shop.merchant.force({ op: 'payment.create', outcome });
  const body = paymentBody({ cardId, total: '10.00' });
  return saleOf(await shop.ask('payment.create', 201, { body }));
}

async function saleNow(shop: Shop, id: string) {
  return shop.ask('sale.get', 200, { params: { sale_id: id } });
}

const refund = (id: string, total?: string) => ({
  params: { sale_id: id },
  body: total === undefined ? {} : { amount: { total, currency: 'USD' } },
});

/** The transfers of this shop: kind, amount and time. */
const movements = (shop: Shop) =>
  shop.merchant
    .ledger()
    .transfers.map(({ cause, debit, amount, atMs }) => [cause, debit, amount.minor, atMs]);

onEveryTransport('a pending sale', (transport) => {
  it.each([
    ['sale-pending-then-completed', 'completed', 1000],
    ['sale-pending-then-denied', 'denied', 0],
  ] as const)('settles exactly on time: %s', async (outcome, state, balanceMinor) => {
    const shop = transport.shop();
    const sale = await sell(shop, { outcome, with: { settleAfter: 'PT36H' } });
    expect([sale.state, sale.reason_code]).toEqual(['pending', 'PAYMENT_REVIEW']);
    shop.merchant.clock.advance(36 * hourMs - 1);
    expect(await saleNow(shop, sale.id)).toEqual(sale);
    expect(movements(shop)).toEqual([]);
    shop.merchant.clock.advance(1);
    const settled = await saleNow(shop, sale.id);
    const dueMs = Date.parse(sale.create_time) + 36 * hourMs;
    expect([settled.state, settled.reason_code, Date.parse(settled.update_time)]).toEqual([
      state,
      undefined,
      dueMs,
    ]);
    expect(movements(shop)).toEqual(
      balanceMinor === 0 ? [] : [['sale', 'cardholders', balanceMinor, dueMs]],
    );
  });

  it('settles at its own time even if the clock jumps further', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, 'sale-pending-then-completed');
    shop.merchant.clock.advance(400 * dayMs);
    const dueMs = Date.parse(sale.create_time) + 2 * dayMs;
    expect(Date.parse((await saleNow(shop, sale.id)).update_time)).toBe(dueMs);
    expect(movements(shop)).toEqual([['sale', 'cardholders', 1000, dueMs]]);
  });

  it('stays pending if the review never ends', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, {
      outcome: 'sale-pending-forever',
      with: { reasonCode: 'RISK_REVIEW' },
    });
    shop.merchant.clock.advance(1000 * dayMs);
    expect(await saleNow(shop, sale.id)).toMatchObject({
      state: 'pending',
      reason_code: 'RISK_REVIEW',
    });
    expect(movements(shop)).toEqual([]);
  });

  it.each([
    'sale-pending-then-completed',
    'sale-pending-then-denied',
    'declined-inside-201',
  ] as const)('has no money to refund: %s', async (outcome) => {
    const shop = transport.shop();
    const sale = await sell(shop, outcome);
    const refused = await shop.ask('sale.refund', 400, refund(sale.id));
    expect(refused.name).toBe('TRANSACTION_REFUSED');
    shop.merchant.clock.advance(3 * dayMs);
    const status = outcome === 'sale-pending-then-completed' ? 201 : 400;
    await shop.ask('sale.refund', status, refund(sale.id));
    expect(merchantBalanceMinor(shop)).toBe(0);
  });

  it('settles before a request that arrives at the same time', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, 'sale-pending-then-completed');
    shop.merchant.clock.advance(2 * dayMs);
    await shop.ask('sale.refund', 201, refund(sale.id));
    expect(movements(shop).map(([cause]) => cause)).toEqual(['sale', 'refund']);
  });
});

onEveryTransport('a pending refund', (transport) => {
  it.each([
    ['refund-pending-then-completed', 'completed', 600],
    ['refund-failed-later', 'failed', 1000],
  ] as const)('ends exactly on time: %s', async (outcome, state, balanceMinor) => {
    const shop = transport.shop();
    const sale = await sell(shop, 'ok');
    shop.merchant.force({ op: 'sale.refund', outcome: { outcome, with: { after: 'P3D' } } });
    const made = await shop.ask('sale.refund', 201, refund(sale.id, '4.00'));
    expect(made.state).toBe('pending');
    expect((await saleNow(shop, sale.id)).state).toBe('partially_refunded');
    shop.merchant.clock.advance(3 * dayMs - 1);
    const params = { refund_id: made.id };
    expect((await shop.ask('refund.get', 200, { params })).state).toBe('pending');
    expect(merchantBalanceMinor(shop)).toBe(1000);
    shop.merchant.clock.advance(1);
    expect((await shop.ask('refund.get', 200, { params })).state).toBe(state);
    expect(merchantBalanceMinor(shop)).toBe(balanceMinor);
  });

  it('restores the refundable amount when it fails, and no more', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, 'ok');
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-failed-later' });
    await shop.ask('sale.refund', 201, refund(sale.id, '4.00'));
    await shop.ask('sale.refund', 400, refund(sale.id, '6.01'));
    shop.merchant.clock.advance(3 * dayMs);
    expect((await saleNow(shop, sale.id)).state).toBe('completed');
    await shop.ask('sale.refund', 400, refund(sale.id, '10.01'));
    await shop.ask('sale.refund', 201, refund(sale.id));
    expect((await saleNow(shop, sale.id)).state).toBe('refunded');
    expect(merchantBalanceMinor(shop)).toBe(0);
  });

  it('can be triggered by the card of the payment', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { number: '4000000000005126' });
    const body = paymentBody({ cardId, total: '10.00' });
    const sale = saleOf(await shop.ask('payment.create', 201, { body }));
    const made = await shop.reply('sale.refund', 201, refund(sale.id));
    expect(made.body.state).toBe('pending');
    expect(made.headers.get('sandbox-outcome')).toBe('refund-failed-later; by=card');
    shop.merchant.clock.advance(3 * dayMs);
    expect(movements(shop).map(([cause]) => cause)).toEqual(['sale']);
  });
});

onEveryTransport('money of a completed sale that is taken back', (transport) => {
  it('returns to the cardholder when the sale is reversed', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, 'sale-reversed-later');
    const soldMs = Date.parse(sale.create_time);
    shop.merchant.clock.advance(3 * dayMs);
    expect((await saleNow(shop, sale.id)).state).toBe('reversed');
    expect(movements(shop)).toEqual([
      ['sale', 'cardholders', 1000, soldMs],
      ['reversal', 'merchant', 1000, soldMs + 3 * dayMs],
    ]);
    await shop.ask('sale.refund', 400, refund(sale.id));
  });

  it.each([
    ['lost', 0],
    ['won', 1000],
  ])('is disputed and %s, each exactly on time', async (outcome, balanceMinor) => {
    const shop = transport.shop();
    const sale = await sell(shop, {
      outcome: 'chargeback-opened-won-lost',
      with: { after: 'P20D', resolveAfter: 'P10D', outcome },
    });
    const soldMs = Date.parse(sale.create_time);
    shop.merchant.clock.advance(20 * dayMs);
    const opened = [
      ['sale', 'cardholders', 1000, soldMs],
      ['chargeback', 'merchant', 1000, soldMs + 20 * dayMs],
    ];
    expect(movements(shop)).toEqual(opened);
    shop.merchant.clock.advance(10 * dayMs - 1);
    expect(movements(shop)).toEqual(opened);
    shop.merchant.clock.advance(1);
    expect(movements(shop)).toEqual([
      ...opened,
      ...(outcome === 'won' ? [['chargeback-won', 'cardholders', 1000, soldMs + 30 * dayMs]] : []),
    ]);
    expect(merchantBalanceMinor(shop)).toBe(balanceMinor);
    expectBalanced(shop);
  });

  it('is paid twice by a merchant that refunds a disputed sale', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, 'chargeback-opened-won-lost');
    shop.merchant.clock.advance(20 * dayMs);
    await shop.ask('sale.refund', 201, refund(sale.id));
    shop.merchant.clock.advance(30 * dayMs);
    expect(merchantBalanceMinor(shop)).toBe(-1000);
    expectBalanced(shop);
  });

  it('belongs to the last, the first or every sale, as the timeline says', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario({
      scenario: 'takes-back',
      version: 1,
      about: 'Sales are reversed by the clock.',
      timeline: [
        { at: '+P1D', event: 'sale-reversed-later' },
        { at: '+P2D', event: 'sale-reversed-later', sale: 'first' },
        { at: '+P3D', event: 'sale-reversed-later', sale: 'every' },
      ],
    });
    const cardId = await storeCard(shop);
    const ids = await inOrder(['1.00', '2.00', '4.00', '8.00'], async (total) => {
      const body = paymentBody({ cardId, total });
      return saleOf(await shop.ask('payment.create', 201, { body })).id;
    });
    const reversed = async () => {
      const sales = await inOrder(ids, (id) => saleNow(shop, id));
      return sales.filter(({ state }) => state === 'reversed').map(({ amount }) => amount.total);
    };
    expect(await reversed()).toEqual([]);
    shop.merchant.clock.advance(dayMs);
    expect(await reversed()).toEqual(['8.00']);
    shop.merchant.clock.advance(dayMs);
    expect(await reversed()).toEqual(['1.00', '8.00']);
    shop.merchant.clock.advance(dayMs);
    expect(await reversed()).toEqual(['1.00', '2.00', '4.00', '8.00']);
    expect(merchantBalanceMinor(shop)).toBe(0);
  });

  it('belongs to the sales of one card if the timeline names its id', async () => {
    const shop = transport.shop();
    const ids = ['CARD-VISA0000000000001EXAMPLE', 'CARD-MASTERCARD0000001EXAMPLE'];
    const [card] = ids;
    shop.merchant.playScenario({
      scenario: 'takes-back-of-one',
      version: 1,
      about: 'Sales with one card are reversed by the clock.',
      fixtures: 'default',
      timeline: [{ at: '+P1D', event: 'sale-reversed-later', sale: 'every', card }],
    });
    const sold = await inOrder(ids, async (cardId) => {
      const body = paymentBody({ cardId });
      return saleOf(await shop.ask('payment.create', 201, { body })).id;
    });
    shop.merchant.clock.advance(dayMs);
    const sales = await inOrder(sold, (id) => saleNow(shop, id));
    expect(sales.map(({ state }) => state)).toEqual(['reversed', 'completed']);
  });
});

/** What can happen to money, in any order. */
const deed = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    total: fc.constantFrom('1.00', '10.00', '99.99'),
    outcome: fc.constantFrom(
      'ok',
      'decline-generic',
      'declined-inside-201',
      'reset-after-commit',
      'error-500-before-commit',
      'executed-twice-by-proxy',
      'sale-pending-then-completed',
      'sale-pending-then-denied',
      'sale-reversed-later',
      'chargeback-opened-won-lost',
    ),
  }),
  fc.record({
    kind: fc.constant('refund' as const),
    pick: fc.nat({ max: 20 }),
    total: fc.constantFrom(undefined, '0.50', '1.00', '60.00'),
    outcome: fc.constantFrom(
      'ok',
      'reset-after-commit',
      'refund-failed-later',
      'refund-pending-then-completed',
      'executed-twice-by-proxy',
      'refund-insufficient-merchant-funds',
    ),
  }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(1, hourMs, dayMs, 3 * dayMs, 20 * dayMs),
  }),
);

/** The refunded amount of a sale, without failed refunds. */
function refundedMinor(payment: unknown): number {
  const related = at(payment, 'transactions', 0, 'related_resources');
  if (!Array.isArray(related)) return Number.NaN;
  return related
    .map((one: unknown) => at(one, 'refund'))
    .filter((one) => one !== undefined && at(one, 'state') !== 'failed')
    .reduce<number>((sum, one) => sum + Math.round(Number(at(one, 'amount', 'total')) * 100), 0);
}

describe('the ledger of a merchant', () => {
  it('stays balanced and refunds no more than was charged, whatever is forced', async () => {
    const transport = new TestTransport('in process', {});
    await transport.open();
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 15 }), async (deeds) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        await inOrder(deeds, async (one) => {
          if (one.kind === 'wait') shop.merchant.clock.advance(one.ms);
          else if (one.kind === 'pay') {
            shop.merchant.force({ op: 'payment.create', per: 'merchant', outcome: one.outcome });
            await see(shop, 'payment.create', { body: paymentBody({ cardId, total: one.total }) });
          } else {
            const { payments } = await booksOf(shop);
            const payment = payments[one.pick % Math.max(1, payments.length)];
            if (payment === undefined) return;
            const sale = at(payment, 'transactions', 0, 'related_resources', 0, 'sale', 'id');
            shop.merchant.force({ op: 'sale.refund', per: 'merchant', outcome: one.outcome });
            await see(shop, 'sale.refund', {
              path: `/v1/payments/sale/${String(sale)}/refund`,
              body: one.total === undefined ? {} : refund('', one.total).body,
            });
          }
          shop.merchant.clearRules();
          expectBalanced(shop);
        });
        const sums = async () => {
          const { payments } = await booksOf(shop);
          for (const payment of payments) {
            const total = at(payment, 'transactions', 0, 'amount', 'total');
            expect(refundedMinor(payment)).toBeLessThanOrEqual(Math.round(Number(total) * 100));
          }
        };
        await sums();
        shop.merchant.clock.advance(400 * dayMs);
        await sums();
        expectBalanced(shop);
        // No event is scheduled any more, so another year changes nothing.
        const settled = await booksOf(shop);
        shop.merchant.clock.advance(400 * dayMs);
        expect((await booksOf(shop)).transfers).toEqual(settled.transfers);
      }),
      { numRuns: runs(60) },
    );
    await transport.close();
  });
});
