/** Orders, cases and parts that a client names in descriptions and notes, and names that count attempts. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import {
  authorizationOf,
  authorize,
  capture,
  dayMs,
  hourMs,
  saleOf,
  sell,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const minuteMs = 60_000;

let keys = 0;

interface Sent {
  readonly cardId: string;
  readonly customer?: string;
  readonly total?: string;
  readonly intent?: string;
  readonly [name: string]: string | undefined;
}

/** Pays with a new request id, and accepts any answer. */
function send(shop: Shop, { cardId, customer, total, intent, ...transaction }: Sent) {
  keys++;
  const body = paymentBody({
    cardId,
    transaction,
    ...(customer !== undefined && { externalCustomerId: customer }),
    ...(total !== undefined && { total }),
    ...(intent !== undefined && { intent }),
  });
  return see(shop, 'payment.create', { body, headers: keyed(`key-${keys}`) });
}

async function sendTwice(shop: Shop, words: Readonly<Record<string, string>>, afterMs: number) {
  const order = { cardId: await storeCard(shop), ...words };
  await send(shop, order);
  shop.merchant.clock.advance(afterMs);
  await send(shop, order);
}

const lose = (shop: Shop, outcome: OutcomeId = 'reset-after-commit'): void => {
  shop.merchant.force({ op: 'payment.create', outcome, times: 1 });
};

const isHigh = (name: string): boolean => /^(?:critical|high)/.test(name);

async function highIn(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter(isHigh);
}

/** Lists all payments, as a report does. */
async function report(shop: Shop): Promise<void> {
  shop.merchant.clock.advance(6 * hourMs);
  await shop.ask('payment.list', 200, { query: { count: '20' } });
}

onEveryTransport(
  'the number of an order outside of custom',
  (transport) => {
    it.each([
      { description: 'Order 1001' },
      { description: 'Order 7' },
      { description: 'Order 7 (shoes)' },
      { description: 'Your order no. 12 shoes' },
      { description: 'Order 12 at the shop' },
      { description: 'Order 1001 shoes' },
      { reference_id: 'order-1001' },
      { custom: 'till-1', description: 'Receipt 1041' },
      { custom: '{"order_id": "1001"}' },
    ])('names a purchase that is paid again ten minutes later: %j', async (words) => {
      const shop = transport.shop();
      await sendTwice(shop, words, 10 * minuteMs);
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });

    it.each([
      { description: 'Order 2 coffees' },
      { description: 'A test order' },
      { description: 'Standing order 7' },
      { reference_id: 'till-7' },
      { custom: 'web', description: 'Shoes' },
    ])('may be missing: %j', async (words) => {
      const shop = transport.shop();
      await sendTwice(shop, words, 10 * minuteMs);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('names a purchase that is paid twice at once', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), description: 'Order 1001' };
      await Promise.all([send(shop, order), send(shop, order)]);
      expect(await foundIn(shop)).toEqual(['high double-charge', 'high concurrent-duplicates']);
    });

    it('names a purchase that is paid with another card after a lost answer', async () => {
      const shop = transport.shop();
      const cards = [await storeCard(shop), await storeCard(shop, { expire_year: 2033 })];
      lose(shop);
      for (const cardId of cards) {
        await send(shop, { cardId, reference_id: 'order-1001' });
        shop.merchant.clock.advance(minuteMs);
      }
      await report(shop);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/^Purchase "order-1001" was charged twice: .* two different cards/);
    });

    it.each([
      ['Plan M 11/2026', true],
      ['Plan M, week 45 of 2026', true],
      ['Plan M, 2026-W45', true],
      ['Plan M', false],
    ])('may be a plan and its time for a customer: %s', async (description, isFound) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { external_customer_id: 'ada' });
      for (let times = 0; times < 2; times++) {
        await send(shop, { cardId, customer: 'ada', description });
        shop.merchant.clock.advance(hourMs);
      }
      expect(await foundIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
    });

    it('is missing in a plan and its time if no customer is named', async () => {
      const shop = transport.shop();
      await sendTwice(shop, { description: 'Plan M 11/2026' }, hourMs);
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a name or description that counts attempts',
  (transport) => {
    const payInTurn = async (
      shop: Shop,
      attempts: readonly Readonly<Record<string, string>>[],
      change: Readonly<Record<string, string>> = {},
    ): Promise<void> => {
      const cardId = await storeCard(shop);
      for (const [at, words] of attempts.entries()) {
        await send(shop, { cardId, ...words, ...(at > 0 && change) });
        shop.merchant.clock.advance(10_000);
      }
    };

    it.each([
      ['Shoes (attempt 1)', 'Shoes (attempt 2)'],
      ['Shoes at 12:00:01', 'Shoes at 12:00:11'],
    ])('does not tell payments of one order apart: %s', async (first, second) => {
      const shop = transport.shop();
      lose(shop);
      const custom = 'order-7';
      await payInTurn(shop, [
        { custom, description: first },
        { custom, description: second },
      ]);
      await report(shop);
      expect(await highIn(shop)).toContain('critical double-charge');
    });

    it('tells payments apart that have no number', async () => {
      const shop = transport.shop();
      await payInTurn(shop, [
        { custom: 'till-1', description: 'Coffee at 12:00:01' },
        { custom: 'till-1', description: 'Coffee at 12:00:11' },
      ]);
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['invoice_number', 'INV-7', 'INV-7-retry', 'Invoice INV-7 was charged twice'],
      ['invoice_number', 'INV-7', 'INV-7/b', 'had the invoice number INV-7/b, with the same'],
      ['custom', 'A-7', 'A-7-2', 'Purchase "A-7" was charged twice'],
      ['custom', 'A-7/attempt-1', 'A-7/attempt-2', 'had the `custom` A-7/attempt-2, with the same'],
    ])('pays again after a lost answer: %s %s, %s', async (field, first, second, text) => {
      const shop = transport.shop();
      lose(shop);
      await payInTurn(shop, [{ [field]: first }, { [field]: second }]);
      await report(shop);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain(text);
      expect(what).toContain('The first answer was lost.');
    });

    const pair = (field: string, first: string, second: string) =>
      [{ [field]: first }, { [field]: second }] as const;

    it.each([
      ['another number', pair('invoice_number', 'INV-7', 'INV-8'), {}],
      ['a longer number', pair('invoice_number', 'INV-7', 'INV-72'), {}],
      ['another field', [{ invoice_number: 'INV-7' }, { custom: 'INV-7-retry' }], {}],
      ['another sum', pair('invoice_number', 'INV-7', 'INV-7-retry'), { total: '4.00' }],
      ['other words', pair('invoice_number', 'INV-7', 'INV-7-b'), { description: 'Extras' }],
    ])('may be another order: %s', async (_, attempts, change) => {
      const shop = transport.shop();
      lose(shop);
      await payInTurn(shop, attempts, change);
      await report(shop);
      expect(await highIn(shop)).toEqual([]);
    });

    it('is a part of the order if the first answer arrived', async () => {
      const shop = transport.shop();
      await payInTurn(shop, pair('custom', 'A-7', 'A-7-2'));
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is a part of the order if both were sent at once', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop, 'error-500-after-commit');
      await Promise.all(['A-7', 'A-7-2'].map((custom) => send(shop, { cardId, custom })));
      await report(shop);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each(['a look at the list', 'a refund', 'a repeat later', 'a week'])(
      'is no retry after %s',
      async (what) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        lose(shop);
        await send(shop, { cardId, custom: 'A-7' });
        const firstKey = `key-${keys}`;
        if (what === 'a look at the list') await report(shop);
        if (what === 'a week') shop.merchant.clock.advance(7 * dayMs);
        if (what === 'a refund') {
          const { payments } = await shop.ask('payment.list', 200, {});
          const [payment] = payments;
          if (payment === undefined) throw new Error('The list is empty.');
          await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(payment).id }, body: {} });
        }
        await send(shop, { cardId, custom: 'A-7-2' });
        if (what === 'a repeat later') {
          const body = paymentBody({ cardId, transaction: { custom: 'A-7' } });
          await see(shop, 'payment.create', { body, headers: keyed(firstKey) });
        }
        await report(shop);
        expect(await highIn(shop)).toEqual([]);
      },
    );

    it.each([
      ['none', {}],
      ['another one', { invoice_number: 'INV-6' }],
    ])('is refused, and the order is paid with %s', async (_, change) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-5' };
      for (const invoice of [{ invoice_number: 'INV-5' }, { invoice_number: 'INV-5' }, change]) {
        await send(shop, { ...order, ...invoice });
        shop.merchant.clock.advance(minuteMs);
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('Invoice INV-5 was charged twice');
      expect(what).toContain(
        'invoice_number' in change
          ? 'The second payment had the invoice number INV-6,'
          : 'The second payment had no invoice number,',
      );
    });

    it('is refused, and another order is paid', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      for (const [custom, invoice_number] of [
        ['order-5', 'INV-5'],
        ['order-6', 'INV-5'],
        ['order-7', 'INV-6'],
        ['web', 'INV-6'],
        ['web', 'INV-7'],
      ] as const) {
        await send(shop, { cardId, custom, invoice_number });
      }
      expect(await highIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a refund or capture whose note names a case or part',
  (transport) => {
    const refundTwice = async (
      shop: Shop,
      note: Readonly<Record<string, string>>,
      afterMs: number,
      looks = false,
    ): Promise<void> => {
      const { id } = await sell(shop);
      const body = { amount: { total: '5.00', currency: 'USD' }, ...note };
      for (let times = 0; times < 2; times++) {
        keys++;
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body, headers: keyed(`key-${keys}`) });
        shop.merchant.clock.advance(afterMs);
        if (looks) await shop.ask('sale.get', 200, { params: { sale_id: id } });
      }
    };

    it.each([
      [{ description: 'Return RMA-77' }, 10_000],
      [{ description: 'Claim 12' }, hourMs],
      [{ reason: 'case 4711' }, 3 * dayMs],
    ])('is made again: %j, %i ms later', async (note, afterMs) => {
      const shop = transport.shop();
      await refundTwice(shop, note, afterMs);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(severity).toBe('high');
      expect(what).toContain('Both notes name the same case or part of the order.');
    });

    it.each([
      ['without a number', { description: 'A return' }, hourMs],
      ['with a number of things', { description: 'Return 2 shirts' }, hourMs],
      ['with the number of the order', { description: 'Order 1001' }, hourMs],
      ['a week later', { description: 'Return RMA-77' }, 7 * dayMs],
      ['one after the other in a test', { description: 'Return RMA-77' }, 2_000],
    ])('may be another one %s', async (_, note, afterMs) => {
      const shop = transport.shop();
      await refundTwice(shop, note, afterMs);
      expect(await highIn(shop)).toEqual([]);
    });

    it('is another one if the client looked in between', async () => {
      const shop = transport.shop();
      await refundTwice(shop, { description: 'Return RMA-77' }, hourMs, true);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['Parcel 1 of 3', false, true],
      ['Parcel 1 of 3', true, false],
      ['Thank you', false, false],
    ])('is captured again: %s, with a look in between: %s', async (note, looks, isFound) => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '90.00' });
      for (let times = 0; times < 2; times++) {
        keys++;
        const path = `/v1/payments/authorization/${id}/capture`;
        const body = { amount: { total: '20.00', currency: 'USD' }, note_to_payer: note };
        await see(shop, 'auth.capture', { path, body, headers: keyed(`key-${keys}`) });
        shop.merchant.clock.advance(10 * minuteMs);
        if (looks) await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      }
      expect(await highIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
    });
  },
  onTestTime,
);

onEveryTransport(
  'an order that is authorized twice',
  (transport) => {
    const hold = async (shop: Shop, order: Sent): Promise<string> => {
      await send(shop, { ...order, intent: 'authorize' });
      const paymentId = shop.merchant.journal().entries.at(-1)?.subject ?? '';
      const payment = await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
      return authorizationOf(payment).id;
    };

    it.each([
      ['one is captured', 'capture', 'high double-charge'],
      ['none is captured', 'nothing', 'high double-charge'],
      ['one is voided', 'void', undefined],
      ['both expire', 'time', undefined],
    ])('leaves money on hold if %s', async (_, then, found) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1' };
      await send(shop, { ...order, intent: 'authorize' });
      shop.merchant.clock.advance(10 * minuteMs);
      const id = await hold(shop, order);
      if (then === 'capture') await capture(shop, id, '30.11');
      if (then === 'void') await shop.ask('auth.void', 200, { params: { authorization_id: id } });
      if (then === 'time') shop.merchant.clock.advance(40 * dayMs);
      expect(await highIn(shop)).toEqual(found === undefined ? [] : [found]);
      if (found === undefined) return;
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(
        then === 'capture'
          ? /^Purchase "order-1" was authorized twice, and 30\.11 USD at \S+ is still on hold\./
          : /^Purchase "order-1" was authorized twice, and 30\.11 USD at \S+ and 30\.11 USD at \S+ are still on hold\./,
      );
    });

    it('is less severe if the buyer may want two', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'stay-1', intent: 'authorize' };
      await send(shop, order);
      shop.merchant.clock.advance(20_000);
      await send(shop, order);
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it('is reported as charged if both were captured', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1' };
      for (let times = 0; times < 2; times++) {
        await capture(shop, await hold(shop, order), '30.11');
        shop.merchant.clock.advance(10 * minuteMs);
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('was charged twice');
    });

    it.each([false, true])(
      'is reported with a job that ran twice; captured: %s',
      async (isCaptured) => {
        const shop = transport.shop();
        const due = await Promise.all(
          ['ada', 'bob'].map(async (custom, at) => ({
            cardId: await storeCard(shop),
            custom,
            total: `${5 + at}.00`,
          })),
        );
        for (let run = 0; run < 2; run++) {
          for (const order of due) {
            const id = await hold(shop, order);
            if (isCaptured) await capture(shop, id, order.total);
          }
          shop.merchant.clock.advance(10 * minuteMs);
        }
        const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
        expect(what).toContain(
          `("ada" and "bob") were authorized again 10 min later, ${isCaptured ? 'and each authorization was captured' : 'and money is still on hold'}.`,
        );
      },
    );
  },
  onTestTime,
);

onEveryTransport(
  'a capture whose answer was lost',
  (transport) => {
    const order = async (shop: Shop): Promise<Sent> => ({
      cardId: await storeCard(shop, { external_customer_id: 'ada' }),
      customer: 'ada',
      custom: 'stay-1',
      total: '100.00',
    });

    /** Authorizes an order, and loses the answer to its capture. Returns the authorization. */
    const loseCapture = async (
      shop: Shop,
      sent: Sent,
      outcome: OutcomeId = 'reset-after-commit',
    ): Promise<string> => {
      const { id } = await authorize(shop, {
        cardId: sent.cardId,
        total: '100.00',
        transaction: { custom: sent['custom'] },
        externalCustomerId: 'ada',
      });
      shop.merchant.force({ op: 'auth.capture', outcome, times: 1 });
      const path = `/v1/payments/authorization/${id}/capture`;
      const body = { amount: { total: '100.00', currency: 'USD' } };
      await see(shop, 'auth.capture', { path, body, headers: keyed('capture') });
      shop.merchant.clock.advance(5_000);
      return id;
    };

    const look = (shop: Shop, id: string) =>
      shop.ask('auth.get', 200, { params: { authorization_id: id } });

    it('is replaced by a sale', async () => {
      const shop = transport.shop();
      const sent = await order(shop);
      const id = await loseCapture(shop, sent, 'error-500-after-commit');
      await send(shop, sent);
      await look(shop, id);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(/^Purchase "stay-1" was charged twice: 100\.00 USD .* and 100\.00 USD /);
      expect(what).toContain('The answer to the capture was 500, and the client then charged');
    });

    it('is replaced by another authorization and its capture', async () => {
      const shop = transport.shop();
      const sent = await order(shop);
      const id = await loseCapture(shop, sent);
      await send(shop, { ...sent, intent: 'authorize' });
      const paymentId = shop.merchant.journal().entries.at(-1)?.subject ?? '';
      const payment = await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
      await capture(shop, authorizationOf(payment).id, '100.00');
      await look(shop, id);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain('The answer to the capture in between was lost.');
    });

    it.each<[string, Readonly<Record<string, string>>]>([
      ['another order', { custom: 'stay-2' }],
      ['another sum', { total: '20.00' }],
      ['other words', { description: 'Extras' }],
    ])('is followed by a sale for %s', async (_, change) => {
      const shop = transport.shop();
      const sent = await order(shop);
      const id = await loseCapture(shop, sent);
      await send(shop, { ...sent, ...change });
      await look(shop, id);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each(['a look', 'a repeat later', 'a refund of the sale', 'two days'])(
      'does no harm with %s',
      async (what) => {
        const shop = transport.shop();
        const sent = await order(shop);
        const id = await loseCapture(shop, sent);
        if (what === 'a look') await look(shop, id);
        if (what === 'two days') shop.merchant.clock.advance(2 * dayMs);
        await send(shop, sent);
        const [sale] = shop.merchant.journal().entries.slice(-1);
        if (what === 'a repeat later') {
          const path = `/v1/payments/authorization/${id}/capture`;
          const body = { amount: { total: '100.00', currency: 'USD' } };
          await see(shop, 'auth.capture', { path, body, headers: keyed('capture') });
        }
        if (what === 'a refund of the sale') {
          const params = { payment_id: sale?.subject ?? '' };
          const payment = await shop.ask('payment.get', 200, { params });
          await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(payment).id }, body: {} });
        }
        await look(shop, id);
        expect(await highIn(shop)).toEqual([]);
      },
    );

    it.each([
      ['and was not made', 'reset-before-commit', false, 'high no-read-after-unknown'],
      ['and was not made, and a part is captured later', 'reset-before-commit', true, undefined],
    ] as const)('%s', async (_, outcome, isCapturedLater, found) => {
      const shop = transport.shop();
      const id = await loseCapture(shop, await order(shop), outcome);
      if (isCapturedLater) await capture(shop, id, '20.00');
      expect(await highIn(shop)).toEqual(found === undefined ? [] : [found]);
      if (found === undefined) return;
      const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
      expect(what).toContain('the merchant does not have the money, and it is still on hold.');
    });
  },
  onTestTime,
);
