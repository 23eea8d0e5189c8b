/** Cases that were refunded again in another way, while the client could not know of the first refund. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import {
  authorize,
  capture,
  dayMs,
  hourMs,
  pay,
  saleOf,
  sell,
  storeCard,
} from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const surely = 'high double-refund';
const maybe = 'medium double-refund';
const minuteMs = 60_000;

type Kind = 'sale' | 'capture';

/** What is refunded, and how it was charged. */
interface Charge {
  readonly id: string;
  readonly kind: Kind;
  readonly paymentId: string;
}

/** What the client reads. A refund is the only one so far. */
type Look = 'refund' | 'charge' | 'payment' | 'list';

interface Refund {
  /** Which charge it returns. */
  readonly of?: number;
  readonly total?: string;
  readonly note?: string;
  readonly reason?: string;
  readonly invoice?: string;
  readonly key?: string;
  /** How long the client waits before it. */
  readonly afterMs?: number;
  readonly outcome?: OutcomeId | { readonly outcome: OutcomeId; readonly and: OutcomeId };
  /** What the client reads after it. */
  readonly look?: Look;
}

const lost = 'reset-after-commit';

/** A payment of 100 dollars that was captured in two parts. */
async function twoCaptures(shop: Shop, totals = ['60.00', '40.00']): Promise<Charge[]> {
  const { id, parent_payment: paymentId } = await authorize(shop, {
    total: '100.00',
    transaction: { custom: 'order-1301' },
  });
  const charges: Charge[] = [];
  for (const total of totals) {
    charges.push({ id: (await capture(shop, id, total)).id, kind: 'capture', paymentId });
  }
  return charges;
}

interface Sales {
  readonly customs?: readonly string[];
  readonly totals?: readonly string[];
  /** Whether both are paid by one card. */
  readonly areOfOneCard?: boolean;
}

/** Two sales of one order, unless the names or cards differ. */
async function twoSales(shop: Shop, sales: Sales = {}): Promise<Charge[]> {
  const { customs = ['order-1301', 'order-1301'], totals = ['100.00', '50.00'] } = sales;
  const cardId = await storeCard(shop);
  const charges: Charge[] = [];
  for (const [at, custom] of customs.entries()) {
    const transaction = { custom, description: `Part ${at}` };
    const card = sales.areOfOneCard === false ? {} : { cardId };
    const payment = await pay(shop, { total: totals[at] ?? '', transaction, ...card });
    charges.push({ id: saleOf(payment).id, kind: 'sale', paymentId: payment.id });
  }
  return charges;
}

async function oneSale(shop: Shop): Promise<Charge[]> {
  const { id, parent_payment: paymentId } = await sell(shop, {
    total: '100.00',
    transaction: { custom: 'order-1301' },
  });
  return [{ id, kind: 'sale', paymentId }];
}

let keys = 0;

/** Refunds 25 dollars of each charge for one case, unless a refund says otherwise. */
async function refund(
  shop: Shop,
  charges: readonly Charge[],
  refunds: readonly Refund[],
): Promise<void> {
  for (const one of refunds) {
    shop.merchant.clock.advance(one.afterMs ?? minuteMs);
    await refundOne(shop, charges, one);
  }
}

async function refundOne(shop: Shop, charges: readonly Charge[], one: Refund): Promise<void> {
  const { of = 0, total = '25.00', note = 'RMA-9', reason, invoice, outcome, look } = one;
  const charge = charges[of];
  if (charge === undefined) throw new Error('There is no such charge.');
  const op = `${charge.kind}.refund` as const;
  if (outcome !== undefined) shop.merchant.force({ op, outcome });
  const body = {
    amount: { total, currency: 'USD' },
    ...(note !== '' && { description: note }),
    ...(reason !== undefined && { reason }),
    ...(invoice !== undefined && { invoice_number: invoice }),
  };
  const path = `/v1/payments/${charge.kind}/${charge.id}/refund`;
  await see(shop, op, { path, body, headers: keyed(one.key ?? `refund-${++keys}`) });
  if (look !== undefined) await lookAt(shop, charge, look);
}

async function lookAt(shop: Shop, charge: Charge, look: Look): Promise<void> {
  if (look === 'list') await shop.ask('payment.list', 200, {});
  else if (look === 'payment') {
    await shop.ask('payment.get', 200, { params: { payment_id: charge.paymentId } });
  } else if (look === 'charge') {
    await see(shop, `${charge.kind}.get`, { path: `/v1/payments/${charge.kind}/${charge.id}` });
  } else {
    const { entries } = shop.merchant.journal({ operation: `${charge.kind}.refund` });
    const id = entries.find(({ subject }) => subject !== undefined)?.subject ?? '';
    await shop.ask('refund.get', 200, { params: { refund_id: id } });
  }
}

/** All double refunds, once the client has looked at everything. */
async function foundAt(shop: Shop): Promise<string[]> {
  shop.merchant.clock.advance(dayMs);
  await shop.ask('payment.list', 200, {});
  return (await foundIn(shop)).filter((name) => name.endsWith('double-refund'));
}

onEveryTransport(
  'a case that is refunded again from another charge',
  (transport) => {
    it('is reported for another capture of the payment, with amounts and times', async () => {
      const shop = transport.shop();
      const charges = await twoCaptures(shop);
      await refund(shop, charges, [{ outcome: lost }, { of: 1 }]);
      expect(await foundAt(shop)).toEqual([surely]);
      const verdict = await shop.merchant.verdict();
      const { what, remedy, confidence } = findingOf(verdict, 'double-refund');
      expect(confidence).toBe('likely');
      expect(what).toMatch(
        /^One case was refunded twice, from capture \w+ \(purchase "order-1301"\) and from capture \w+ \(.+\): 25\.00 USD at 07:09:09 and 25\.00 USD at 07:10:09\. The first answer was lost, and the client refunded the same case again before it knew of the first refund\.$/,
      );
      expect(remedy).toMatch(/^Repeat a lost refund as it was/);
      expect(verdict.totals[0]?.excessRefunded).toBe('25.00');
    });

    it('is reported for another sale of the order', async () => {
      const shop = transport.shop();
      await refund(shop, await twoSales(shop), [{ outcome: lost }, { of: 1 }]);
      expect(await foundAt(shop)).toEqual([surely]);
    });

    it.each<readonly [string, Sales]>([
      ['order', { customs: ['order-1301', 'order-1302'] }],
      ['card', { areOfOneCard: false }],
    ])('is not reported for a sale of another %s', async (_, sales) => {
      const shop = transport.shop();
      await refund(shop, await twoSales(shop, sales), [{ outcome: lost }, { of: 1 }]);
      expect(await foundAt(shop)).toEqual([]);
    });

    it.each<readonly [string, readonly Refund[]]>([
      [
        'if the second note has more words',
        [{ outcome: lost }, { of: 1, note: 'Refund for RMA-9, box open' }],
      ],
      [
        'if an invoice number names the case',
        [
          { note: '', invoice: 'CN-7', outcome: lost },
          { of: 1, note: '', invoice: 'cn 7' },
        ],
      ],
      ['three days later', [{ outcome: lost }, { of: 1, afterMs: 3 * dayMs }]],
      ['after a read that came too late', [{ outcome: lost }, { of: 1, look: 'payment' }]],
      ['if the first answer was cut short', [{ outcome: 'truncated-body' }, { of: 1 }]],
      [
        'after a repeat that failed',
        [{ outcome: lost, key: 'a' }, { outcome: 'error-503-before-commit', key: 'a' }, { of: 1 }],
      ],
    ])('is reported %s', async (_, refunds) => {
      const shop = transport.shop();
      await refund(shop, await twoCaptures(shop), refunds);
      expect(await foundAt(shop)).toEqual([surely]);
    });

    it.each<readonly [string, readonly Refund[]]>([
      ['both answers arrived', [{}, { of: 1 }]],
      ['the first refund was not made', [{ outcome: 'reset-before-commit' }, { of: 1 }]],
      [
        'the first refund failed later',
        [{ outcome: { outcome: 'refund-failed-later', and: lost } }, { of: 1, afterMs: 3 * dayMs }],
      ],
      ['a repeat showed the first refund', [{ outcome: lost, key: 'a' }, { key: 'a' }, { of: 1 }]],
      ['it repeats the first one later', [{ outcome: lost, key: 'a' }, { of: 1 }, { key: 'a' }]],
      ['the cases differ', [{ outcome: lost }, { of: 1, note: 'RMA-10' }]],
      ['the notes differ in an item', [{ outcome: lost }, { of: 1, note: 'RMA-9 item 2' }]],
      [
        'the invoice numbers differ',
        [
          { invoice: 'CN-7', outcome: lost },
          { of: 1, invoice: 'CN-8' },
        ],
      ],
      [
        'one invoice number stands for two items',
        [
          { note: 'Shirt', invoice: 'CN-7', outcome: lost },
          { of: 1, note: 'Shoes', invoice: 'CN-7' },
        ],
      ],
      [
        'the notes name no case',
        [
          { note: 'Goodwill', outcome: lost },
          { of: 1, note: 'Goodwill', afterMs: hourMs },
        ],
      ],
      ['the amounts differ', [{ outcome: lost }, { of: 1, total: '25.50' }]],
      ['it comes a week later', [{ outcome: lost }, { of: 1, afterMs: 7 * dayMs }]],
      [
        'their request ids number the items',
        [
          { outcome: lost, key: 'rma-9-item-1' },
          { of: 1, key: 'rma-9-item-2' },
        ],
      ],
    ])('is not reported if %s', async (_, refunds) => {
      const shop = transport.shop();
      await refund(shop, await twoCaptures(shop), refunds);
      expect(await foundAt(shop)).toEqual([]);
    });

    it.each<Look>(['refund', 'charge', 'payment', 'list'])(
      'is not reported if the client read the %s before',
      async (look) => {
        const shop = transport.shop();
        await refund(shop, await twoCaptures(shop), [{ outcome: lost, look }, { of: 1 }]);
        expect(await foundAt(shop)).toEqual([]);
      },
    );

    it('is not reported if the client refunds both at once', async () => {
      const shop = transport.shop();
      const charges = await twoCaptures(shop);
      shop.merchant.force({ op: 'capture.refund', outcome: lost });
      await Promise.all([0, 1].map((of) => refundOne(shop, charges, { of })));
      expect(await foundAt(shop)).toEqual([]);
    });

    it('is not reported for a charge that was made later', async () => {
      const shop = transport.shop();
      const [sale, laterSale] = [{ custom: 'order-1301' }, { custom: 'order-1301' }];
      const cardId = await storeCard(shop);
      const charges: Charge[] = [];
      for (const [of, transaction] of [sale, laterSale].entries()) {
        const total = `${100 - of}.00`;
        const payment = await pay(shop, { cardId, total, transaction });
        charges.push({ id: saleOf(payment).id, kind: 'sale', paymentId: payment.id });
        await refund(shop, charges, [of === 0 ? { outcome: lost } : { of }]);
      }
      expect(await foundAt(shop)).toEqual([]);
    });

    it.each<readonly [string, readonly Refund[]]>([
      ['a third charge was refunded, too', [{ outcome: lost }, { of: 1 }, { of: 2 }]],
      ['another item had been refunded before', [{ of: 2 }, { outcome: lost }, { of: 1 }]],
      [
        'its notes name only the order and a reason',
        [
          { note: 'T-88 hotel not available', outcome: lost },
          { of: 1, note: 'T-88 hotel not available' },
        ],
      ],
    ])('may be two items if %s', async (_, refunds) => {
      const shop = transport.shop();
      const charges = await twoCaptures(shop, ['40.00', '30.00', '30.00']);
      await refund(shop, charges, refunds);
      expect(await foundAt(shop)).toEqual([maybe]);
      const { remedy } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(remedy).toMatch(/^If both were wanted/);
    });

    it.each<readonly [string, readonly string[], string]>([
      ['may be two items if both charges were refunded as a whole', ['25.00', '25.00'], maybe],
      ['is reported if only one charge was refunded as a whole', ['25.00', '40.00'], surely],
    ])('%s', async (_, totals, found) => {
      const shop = transport.shop();
      await refund(shop, await twoCaptures(shop, [...totals]), [{ outcome: lost }, { of: 1 }]);
      expect(await foundAt(shop)).toEqual([found]);
    });

    it('is reported once if two of its refunds were lost', async () => {
      const shop = transport.shop();
      await refund(shop, await twoCaptures(shop), [
        { outcome: lost, key: 'one' },
        { outcome: lost, key: 'two' },
        { of: 1 },
      ]);
      const verdict = await shop.merchant.verdict();
      const found = verdict.findings.filter(({ rule }) => rule === 'double-refund');
      expect(found.map(({ severity }) => severity)).toEqual(['critical', 'high']);
      expect(verdict.totals[0]?.excessRefunded).toBe('50.00');
    });
  },
  onTestTime,
);

onEveryTransport(
  'a case that is refunded again with another amount',
  (transport) => {
    it.each([
      ['31.00', minuteMs],
      ['35.00', minuteMs],
      ['22.50', minuteMs],
      ['30.50', hourMs],
    ])('is reported for %s instead of 30.00 after %i ms', async (total, afterMs) => {
      const shop = transport.shop();
      const sale = await oneSale(shop);
      await refund(shop, sale, [
        { total: '30.00', outcome: lost },
        { total, afterMs },
      ]);
      expect(await foundAt(shop)).toEqual([surely]);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(what).toContain(' was refunded twice for one case, with another amount: 30.00 USD at');
      expect(what).toContain(` and ${total} USD at`);
    });

    it('is reported once if the amount is almost the same', async () => {
      const shop = transport.shop();
      await refund(shop, await oneSale(shop), [
        { total: '30.00', outcome: lost },
        { total: '30.50' },
      ]);
      expect(await foundAt(shop)).toEqual([surely]);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(what).toContain('with almost the same amount');
    });

    it.each<readonly [string, readonly Refund[]]>([
      ['both answers arrived', [{ total: '30.00' }, { total: '35.00' }]],
      ['a read showed the first refund', [{ total: '30.00', look: 'charge' }, { total: '35.00' }]],
      [
        'the first refund was not made',
        [{ total: '30.00', outcome: 'reset-before-commit' }, { total: '35.00' }],
      ],
      [
        'the case differs',
        [
          { total: '30.00', outcome: lost },
          { total: '35.00', note: 'RMA-10' },
        ],
      ],
      [
        'the amount is another one altogether',
        [{ total: '30.00', outcome: lost }, { total: '5.00' }],
      ],
    ])('is not reported if %s', async (_, refunds) => {
      const shop = transport.shop();
      await refund(shop, await oneSale(shop), refunds);
      expect(await foundAt(shop)).toEqual([]);
    });
  },
  onTestTime,
);
