/** How much of the money that a merchant keeps, or refunds, is too much. Each amount is worked out by hand. */
import { expect, it } from 'vitest';
import type { OutcomeIdOrOk } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import {
  authorizationOf,
  capture,
  dayMs,
  pay,
  saleOf,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { onEveryTransport, type Request, type Shop } from '../../../support/transports.ts';
import { verdictText } from '../../../../src/report/text.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const minuteMs = 60_000;

const lostAnswer: OutcomeIdOrOk = 'reset-after-commit';
const pending: OutcomeIdOrOk = 'sale-pending-then-completed';

type Order = Partial<PaymentParts> & { readonly custom?: string; readonly invoice?: string };

/** Pays an order with each of these parts, one after the other. The first answers are lost. */
async function payAgain(shop: Shop, orders: readonly Order[], lost = orders.length - 1) {
  const cardId = await storeCard(shop);
  if (lost > 0) {
    shop.merchant.force({
      op: 'payment.create',
      per: 'merchant',
      outcome: 'reset-after-commit',
      times: lost,
    });
  }
  for (const { custom, invoice, ...parts } of orders) {
    const transaction = {
      ...(custom !== undefined && { custom }),
      ...(invoice !== undefined && { invoice_number: invoice }),
    };
    const body = paymentBody({ cardId, ...parts, transaction });
    await see(shop, 'payment.create', { body, headers: keyed(crypto.randomUUID()) });
  }
}

function refund(shop: Shop, at: number, change: Request['body'] = {}) {
  const sales = shop.merchant.ledger().transfers.filter(({ cause }) => cause === 'sale');
  const params = { sale_id: sales[at]?.subject ?? '' };
  return shop.ask('sale.refund', 201, { params, body: change });
}

/** Currency, what is kept, and how much of it is too much. */
async function keptIn({ merchant }: Shop, options = {}) {
  const { totals } = await merchant.verdict(options);
  return totals.map(({ currency, net, excess }) => [currency, net, excess]);
}

/** Sells, and returns the id of the sale. */
async function sellFor(shop: Shop, parts: Partial<PaymentParts> = {}): Promise<string> {
  return saleOf(await pay(shop, parts)).id;
}

/** Requests a refund with a new request id, and takes whatever comes. */
async function refundPart(shop: Shop, saleId: string, total: string, change = {}) {
  const body = { amount: { total, currency: 'USD', ...change } };
  const headers = keyed(crypto.randomUUID());
  await see(shop, 'sale.refund', { path: `/v1/payments/sale/${saleId}/refund`, body, headers });
}

/** Currency, what is kept, and how much was refunded too much. */
async function refundedIn({ merchant }: Shop, options = {}) {
  const { totals } = await merchant.verdict(options);
  return totals.map(({ currency, net, excessRefunded }) => [currency, net, excessRefunded]);
}

async function namesIn({ merchant }: Shop) {
  const { findings } = await merchant.verdict();
  return findings.map(({ rule }) => rule).filter((rule) => rule === 'double-charge');
}

onEveryTransport(
  'money that is too much',
  (transport) => {
    it('is what an order paid three times holds beyond its amount', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }, { custom: 'A-7' }]);
      expect(await keptIn(shop)).toEqual([['USD', '90.33', '60.22']]);
    });

    it.each<[string, readonly OutcomeIdOrOk[], Order, string]>([
      ['one of five is lost', ['ok', 'ok', lostAnswer, 'ok', 'ok'], {}, '30.11'],
      ['a sale under a shared name is pending', ['ok', pending, 'ok'], { custom: 'web' }, '30.11'],
      ['two are lost in turn', ['ok', lostAnswer, lostAnswer, 'ok'], { custom: 'web' }, '60.22'],
      [
        'two are lost apart',
        [lostAnswer, 'ok', 'ok', lostAnswer, 'ok'],
        { custom: 'web' },
        '60.22',
      ],
      ['an order is paid each time', [lostAnswer, 'ok', 'ok'], { custom: 'order-7' }, '60.22'],
    ])('holds only what may have been repeated if %s', async (_, sequence, parts, excess) => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', per: 'merchant', sequence });
      await payAgain(
        shop,
        sequence.map(() => parts),
        0,
      );
      shop.merchant.clock.advance(10 * dayMs);
      const [[, , found] = []] = await keptIn(shop);
      expect(found).toBe(excess);
    });

    it('is counted for each currency, with its decimals', async () => {
      const shop = transport.shop();
      const yen: Order = { custom: 'J-1', total: '500', currency: 'JPY' };
      await payAgain(shop, [yen, yen]);
      await payAgain(shop, [{ custom: 'U-1' }, { custom: 'U-1' }]);
      await payAgain(shop, [{ custom: 'E-1', currency: 'EUR' }]);
      expect(await keptIn(shop)).toEqual([
        ['JPY', '1000', '500'],
        ['USD', '60.22', '30.11'],
        ['EUR', '30.11', undefined],
      ]);
    });

    it('is less after a refund of a part, and nothing after a refund of one payment', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }]);
      await refund(shop, 1, { amount: { total: '10.00', currency: 'USD' } });
      expect(await keptIn(shop)).toEqual([['USD', '50.22', '20.11']]);
      await refund(shop, 0, { amount: { total: '20.11', currency: 'USD' } });
      expect(await keptIn(shop)).toEqual([['USD', '30.11', undefined]]);
    });

    it('is the second payment if it has another amount or currency', async () => {
      const shop = transport.shop();
      await payAgain(shop, [
        { custom: 'A-7', total: '38.50' },
        { custom: 'A-7', total: '20.00' },
      ]);
      expect(await keptIn(shop)).toEqual([['USD', '58.50', '20.00']]);
      shop.merchant.reset();
      await payAgain(shop, [
        { custom: 'A-7', total: '30.00' },
        { custom: 'A-7', total: '27.00', currency: 'EUR' },
      ]);
      await refund(shop, 0, { amount: { total: '10.00', currency: 'USD' } });
      expect(await keptIn(shop)).toEqual([
        ['USD', '20.00', undefined],
        ['EUR', '27.00', '27.00'],
      ]);
    });

    it('is counted once for an order about which two findings say so', async () => {
      const shop = transport.shop();
      const totals = ['38.50', '20.00', '38.50'];
      await payAgain(
        shop,
        totals.map((total) => ({ custom: 'A-7', total })),
      );
      expect(await namesIn(shop)).toEqual(['double-charge', 'double-charge']);
      expect(await keptIn(shop)).toEqual([['USD', '97.00', '58.50']]);
    });

    it('is the payment under a changed invoice number', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ invoice: 'INV-5' }, { invoice: 'INV-5' }, { invoice: 'INV-5-2' }], 1);
      expect(await keptIn(shop)).toEqual([['USD', '60.22', '30.11']]);
    });

    it('is the second run of a job', async () => {
      const shop = transport.shop();
      const orders: Order[] = ['ada', 'bob', 'eve'].map((name, at) => ({
        custom: `sub-${name}`,
        total: `${at + 1}0.00`,
      }));
      const cardId = await storeCard(shop);
      for (let run = 0; run < 2; run++) {
        await payAgain(
          shop,
          orders.map((order) => ({ ...order, cardId })),
          0,
        );
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await keptIn(shop)).toEqual([['USD', '120.00', '60.00']]);
    });

    it('is a capture that was made again after a lost answer', async () => {
      const shop = transport.shop();
      const payment = await pay(shop, { intent: 'authorize', total: '100.00' });
      const path = `/v1/payments/authorization/${authorizationOf(payment).id}/capture`;
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      for (const key of ['a', 'b']) {
        const body = { amount: { total: '30.11', currency: 'USD' } };
        await see(shop, 'auth.capture', { path, body, headers: keyed(key) });
      }
      expect(await keptIn(shop)).toEqual([['USD', '60.22', '30.11']]);
    });

    it('is the second run of a shipping job', async () => {
      const shop = transport.shop();
      const holds: string[] = [];
      for (const custom of ['a', 'b', 'c']) {
        const parts = { intent: 'authorize', total: '100.00', transaction: { custom } } as const;
        holds.push(authorizationOf(await pay(shop, parts)).id);
      }
      for (let run = 0; run < 2; run++) {
        for (const authorization_id of holds) {
          const body = { amount: { total: '20.00', currency: 'USD' } };
          const headers = keyed(crypto.randomUUID());
          await shop.ask('auth.capture', 200, { params: { authorization_id }, body, headers });
        }
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await keptIn(shop)).toEqual([['USD', '120.00', '60.00']]);
    });

    it('is not claimed if the buyer may have wanted both, or the finding is suppressed', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'till' }, { custom: 'till' }], 0);
      expect(await keptIn(shop, { serviceTimeMs: 0 })).toEqual([['USD', '60.22', undefined]]);
      shop.merchant.reset();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }]);
      const suppress = [{ rule: 'double-charge', reason: 'both were wanted' }];
      expect(await keptIn(shop, { suppress })).toEqual([['USD', '60.22', undefined]]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'money that was refunded too much',
  (transport) => {
    const loseAnswers = (shop: Shop, times: number) =>
      shop.merchant.force({
        op: ['sale.refund', 'capture.refund'],
        outcome: 'reset-after-commit',
        times,
      });

    it.each([
      ['twice', 2, '10.11', '10.00'],
      ['three times', 3, '0.11', '20.00'],
    ])('is all but one of equal refunds after lost answers: %s', async (_, times, net, excess) => {
      const shop = transport.shop();
      const sale = await sellFor(shop);
      loseAnswers(shop, times - 1);
      for (let sent = 0; sent < times; sent++) await refundPart(shop, sale, '10.00');
      expect(await refundedIn(shop)).toEqual([['USD', net, excess]]);
      expect(await keptIn(shop)).toEqual([['USD', net, undefined]]);
    });

    it('is counted for each currency, with its decimals', async () => {
      const shop = transport.shop();
      for (const [currency, total, part] of [
        ['JPY', '5000', '700'],
        ['USD', '30.11', '10.00'],
      ] as const) {
        const sale = await sellFor(shop, { currency, total });
        loseAnswers(shop, 1);
        for (let sent = 0; sent < 2; sent++) await refundPart(shop, sale, part, { currency });
      }
      expect(await refundedIn(shop)).toEqual([
        ['JPY', '3600', '700'],
        ['USD', '10.11', '10.00'],
      ]);
    });

    it('is a refund with almost the same amount after a lost answer', async () => {
      const shop = transport.shop();
      const sale = await sellFor(shop);
      loseAnswers(shop, 1);
      for (const total of ['10.00', '10.10']) await refundPart(shop, sale, total);
      expect(await refundedIn(shop)).toEqual([['USD', '10.01', '10.10']]);
    });

    it('is a refund of a capture that was made again', async () => {
      const shop = transport.shop();
      const payment = await pay(shop, { intent: 'authorize', total: '100.00' });
      const { id } = await capture(shop, authorizationOf(payment).id, '100.00');
      loseAnswers(shop, 1);
      for (const key of ['a', 'b']) {
        const path = `/v1/payments/capture/${id}/refund`;
        const body = { amount: { total: '40.00', currency: 'USD' } };
        await see(shop, 'capture.refund', { path, body, headers: keyed(key) });
      }
      expect(await refundedIn(shop)).toEqual([['USD', '20.00', '40.00']]);
    });

    it('is the second run of a job that refunds', async () => {
      const shop = transport.shop();
      const sales: string[] = [];
      for (const custom of ['a', 'b', 'c']) {
        sales.push(await sellFor(shop, { total: '100.00', transaction: { custom } }));
      }
      for (let run = 0; run < 2; run++) {
        for (const [at, sale] of sales.entries()) await refundPart(shop, sale, `${at + 1}0.00`);
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await refundedIn(shop)).toEqual([['USD', '180.00', '60.00']]);
    });

    it.each([
      ['one refund', 1, '10.00'],
      ['two refunds, of which two findings name one', 2, '20.00'],
    ])(
      'is what a sale returned after a dispute that the client had seen: %s',
      async (_, times, excess) => {
        const shop = transport.shop();
        const disputed = 'chargeback-opened-won-lost';
        const outcome = { outcome: disputed, with: { outcome: 'lost' } } as const;
        shop.merchant.force({ op: 'payment.create', outcome });
        const sale = await sellFor(shop);
        shop.merchant.clock.advance(40 * dayMs);
        await shop.ask('sale.get', 200, { params: { sale_id: sale } });
        if (times > 1) loseAnswers(shop, times - 1);
        for (let sent = 0; sent < times; sent++) await refundPart(shop, sale, '10.00');
        expect(await refundedIn(shop)).toEqual([['USD', `-${excess}`, excess]]);
      },
    );

    it('is no second refund of an order that was paid twice and is still paid too much', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }]);
      const [sale] = shop.merchant.ledger().transfers;
      loseAnswers(shop, 1);
      for (let sent = 0; sent < 2; sent++) await refundPart(shop, sale?.subject ?? '', '10.00');
      const { totals, findings } = await shop.merchant.verdict();
      expect(findings.map(({ rule }) => rule)).toContain('double-refund');
      expect(totals).toEqual([
        { currency: 'USD', charged: '60.22', returned: '20.00', net: '40.22', excess: '10.11' },
      ]);
    });

    it('is no refund that failed', async () => {
      const shop = transport.shop();
      const sale = await sellFor(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'refund-failed-later' });
      await refundPart(shop, sale, '10.00');
      shop.merchant.clock.advance(30 * dayMs);
      await refundPart(shop, sale, '10.00');
      expect(await refundedIn(shop)).toEqual([['USD', '20.11', undefined]]);
    });

    it('is not claimed if both refunds may have been wanted, or the finding is suppressed', async () => {
      const shop = transport.shop();
      const sale = await sellFor(shop);
      for (let sent = 0; sent < 2; sent++) await refundPart(shop, sale, '10.00');
      expect(await refundedIn(shop, { serviceTimeMs: 0 })).toEqual([['USD', '10.11', undefined]]);
      shop.merchant.reset();
      const other = await sellFor(shop);
      loseAnswers(shop, 1);
      for (let sent = 0; sent < 2; sent++) await refundPart(shop, other, '10.00');
      const suppress = [{ rule: 'double-refund', reason: 'both were wanted' }];
      expect(await refundedIn(shop, { suppress })).toEqual([['USD', '10.11', undefined]]);
    });

    it('stands beside what was charged too much, in the text and on the page', async () => {
      const shop = transport.shop();
      const sale = await sellFor(shop, { transaction: { custom: 'A-6' } });
      loseAnswers(shop, 1);
      for (let sent = 0; sent < 2; sent++) await refundPart(shop, sale, '10.00');
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }]);
      const verdict = await shop.merchant.verdict();
      expect(verdictText([verdict])).toContain(
        '\n  USD: 90.33 charged, 20.00 returned, 70.33 kept, 30.11 more than ordered, 10.00\n    refunded too much\n',
      );
      const page = (await shop.merchant.verdictPage()).replaceAll(/\s+/g, ' ');
      expect(page).toContain(
        '<small class="bad">30.11 USD more than ordered, 10.00 USD refunded too much</small>',
      );
      expect(page).toContain('70.33 kept, 30.11 more than ordered, 10.00 refunded too much.');
    });
  },
  onTestTime,
);
