/** Orders, cases and parts that a client names in descriptions and notes, and names that count attempts. */
import { describe, expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { authorize, dayMs, hourMs, saleOf, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, lose, newKey, report, send } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const minuteMs = 60_000;

async function sendTwice(shop: Shop, words: Readonly<Record<string, string>>, afterMs: number) {
  const order = { cardId: await storeCard(shop), ...words };
  await send(shop, order);
  shop.merchant.clock.advance(afterMs);
  await send(shop, order);
}

const uuids = [
  '0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11',
  '7c1d9c0e-33b2-4d6a-8f55-2a9e1c4b7d02',
] as const;

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
      { note_to_payee: 'Order 1001' },
      { soft_descriptor: 'SHOP ORDER 1001' },
      { custom: 'trip-5512' },
      { custom: 'SO-100077' },
      { description: 'Ride #5512' },
      { description: 'Ride 5512' },
      { custom: 'bill 8812' },
      { custom: 'delivery-8812' },
      { custom: 'SO-2026-118' },
      { custom: 'SO-2026-00118' },
      { custom: 'PO4471' },
      { custom: '{"po":"PO4471"}' },
      { custom: '{"cart":5512}' },
      { custom: '{"cart_id":"66f0c2e1a9b3d4e5f6a7b8c9"}' },
      { custom: 'cartId=a7' },
      { custom: '{"order": {"id": 1042}}' },
      { custom: 'checkout_session_8812' },
      { description: 'Commande n°1042' },
      { description: 'Booking ref XK4P2Q' },
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
      { description: 'Ride 5512 downtown' },
      { description: 'Bill 120.00' },
      { description: 'Ride 551' },
      { description: 'Donation 1000' },
      { description: 'Delivery 2026' },
      { description: 'Payment ref C-77' },
      { custom: 'trip-2026-0506' },
      { custom: '{"job":"7f"}' },
      { custom: 'job-2026-05' },
      { custom: 'cart-12' },
      { custom: 'also-5512' },
      { note_to_payee: 'Thank you' },
      { soft_descriptor: 'SHOP', note_to_payee: 'Standing order 7' },
    ])('may be missing: %j', async (words) => {
      const shop = transport.shop();
      await sendTwice(shop, words, 10 * minuteMs);
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['Order 1001', ['high double-charge']],
      ['Hat', []],
      ['2 hats', []],
    ])('may be the name of an item: %s', async (name, expected) => {
      const shop = transport.shop();
      const item = { name, quantity: '1', price: '30.11', currency: 'USD' };
      const transaction = { item_list: { items: [item] } };
      const body = paymentBody({ cardId: await storeCard(shop), transaction });
      for (const key of ['first', 'again']) {
        await see(shop, 'payment.create', { body, headers: keyed(key) });
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await foundIn(shop)).toEqual(expected);
    });

    it.each([
      [{ description: 'Order 1001' }, 'high'],
      [{ note_to_payee: 'Order 1001' }, 'high'],
      [{ note_to_payee: 'Thank you' }, 'medium'],
    ])('names a purchase that is paid twice at once: %j', async (words, severity) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), description: undefined, ...words };
      await Promise.all([send(shop, order), send(shop, order)]);
      expect(await foundIn(shop)).toEqual([
        `${severity} double-charge`,
        `${severity} concurrent-duplicates`,
      ]);
    });

    it.each([
      ['json-wrong-content-type', 'order-1001', 'high'],
      ['unknown-field-added', 'order-1001', 'high'],
      ['sale-held', 'order-1001', 'medium'],
      ['json-wrong-content-type', 'web', 'medium'],
    ] as const)(
      'names a purchase that is paid again at once after an answer in another form: %s, %s',
      async (outcome, custom, severity) => {
        const shop = transport.shop();
        lose(shop, outcome);
        await sendTwice(shop, { custom }, 2_000);
        expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
        const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
        expect(what.includes('The first answer was delivered in an unusual form')).toBe(
          outcome !== 'sale-held',
        );
      },
    );

    it.each(['declined-inside-201', 'payment-state-failed', 'sale-pending-then-denied'] as const)(
      'names a purchase that is paid twice at once after a payment that failed: %s',
      async (outcome) => {
        const shop = transport.shop();
        const order = { cardId: await storeCard(shop), description: 'Order 1001' };
        lose(shop, outcome);
        await send(shop, order);
        shop.merchant.clock.advance(7 * dayMs);
        await Promise.all([send(shop, order), send(shop, order)]);
        expect(await highIn(shop)).toContain('high double-charge');
      },
    );

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
      ['Dues March 2026', true],
      ['Premium Q1 2026', true],
      ['Premium 2026-Q1', true],
      ['Weekly plan W10 2026', true],
      ['Abo März 2026', true],
      ['Renewal 2026-03', true],
      ['Hosting 01.03.2026-31.03.2026', true],
      ['Annual fee, 2026', true],
      ['Monthly gift 03/2026', true],
      ['Gift 03/2026', false],
      ['Monthly magazine 03/2026', false],
      ['Class pass March 2026', false],
      ['Hosting 01.03.2026', false],
      ['Fee 2026', false],
      ['Premium hall Q1', false],
      ['Annual plan, top-up, March 2026', false],
    ])('may be a plan and its time for a customer: %s', async (description, isFound) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { external_customer_id: 'ada' });
      for (let times = 0; times < 2; times++) {
        await send(shop, { cardId, customer: 'ada', description });
        shop.merchant.clock.advance(hourMs);
      }
      expect(await foundIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
    });

    it.each<[string, string, number, string | undefined]>([
      ['contract-4410', 'Instalment 2 of 6, contract 4410', 2_000, 'high'],
      ['contract-4410', 'Installment 2/6', 26 * hourMs, 'high'],
      ['contract-4410', 'Instalment 2 of 6', 5 * dayMs, 'medium'],
      ['contract-4410', 'Instalment 2 of 6', 30 * dayMs, undefined],
      ['contract-4410', 'Instalment of 50.00', hourMs, undefined],
      ['ada', 'Instalment 2 of 6', hourMs, undefined],
    ])('may be an instalment: %s, %s, %i ms later', async (custom, description, ...story) => {
      const shop = transport.shop();
      const [afterMs, severity] = story;
      await sendTwice(shop, { custom, description }, afterMs);
      expect(await foundIn(shop)).toEqual(severity ? [`${severity} double-charge`] : []);
    });

    describe('the period of a plan', () => {
      const period = { custom: 'sub-ada', description: 'Gym, May 2026' };

      it.each([
        ['3 days later', [3], ['high double-charge']],
        ['5 days later, as a part of the month may be', [5], ['medium double-charge']],
        ['at the end of its month', [25], ['medium double-charge']],
        ['in the next month, as the begin of the plan may be named', [26], []],
        ['a week and two days later', [7, 2], ['high double-charge']],
        ['each week of its month', [7, 7, 7], ['medium double-charge']],
      ])('is judged if it is paid again %s', async (_, daysBetween, found) => {
        const shop = transport.shop();
        const order = { cardId: await storeCard(shop), ...period };
        await send(shop, order);
        for (const days of daysBetween) {
          shop.merchant.clock.advance(days * dayMs);
          await send(shop, order);
        }
        expect(await foundIn(shop)).toEqual(found);
      });

      it('is not paid again if another month of the plan is named', async () => {
        const shop = transport.shop();
        const order = { cardId: await storeCard(shop), ...period };
        await send(shop, order);
        shop.merchant.clock.advance(25 * dayMs);
        await send(shop, { ...order, description: 'Gym, June 2026' });
        expect(await foundIn(shop)).toEqual([]);
      });

      it('is paid for the first time, as far as the client knows, if the first answer was lost', async () => {
        const shop = transport.shop();
        const order = { cardId: await storeCard(shop), ...period };
        lose(shop);
        await send(shop, order);
        shop.merchant.clock.advance(7 * dayMs);
        await send(shop, order);
        expect(await foundIn(shop)).not.toContain('critical double-charge');
      });
    });

    it.each([
      ['INV 31', 'Part payment', 'medium'],
      ['INV 31', 'Payment on account', 'medium'],
      ['INV 31', 'Progress payment', 'medium'],
      ['Rechnung 31', 'Teilzahlung', 'medium'],
      ['Rechnung 31', 'Abschlag', 'medium'],
      ['Auftrag 4711', 'Abschlagszahlung', 'medium'],
      ['Facture 31', 'Acompte', 'medium'],
      ['Commande 4711', 'Versement', 'medium'],
      ['Commande 4711', 'Paiement partiel', 'medium'],
      ['Pedido 4711', 'Pago parcial', 'medium'],
      ['Factura 31', 'Pago a cuenta', 'medium'],
      ['Factura 31', 'Anticipo', 'medium'],
      ['booking-12', 'Deposit', 'medium'],
      ['order-1001', 'Balance, thank you', 'medium'],
      ['order-1001', 'Instalment', 'medium'],
      ['order-55', 'Partial delivery', 'medium'],
      ['order-55', 'Backorder shipment', 'medium'],
      ['PO-4711', 'Call-off, 1 pallet', 'medium'],
      ['WO-881', 'Labour, 1 hour', 'medium'],
      ['rental-301', 'Extra day', 'medium'],
      ['rental-301', 'Extension by one day', 'medium'],
      ['rental-301', 'Rental, one more day', 'medium'],
      ['rental-301', 'Late return, 1 hour', 'medium'],
      ['order-55', 'Additional seats', 'medium'],
      ['order-55', 'Add-on', 'medium'],
      ['booking-12', 'Minibar', 'medium'],
      ['booking-12', 'Spa 60 min', 'medium'],
      ['trip-5512', 'Toll', 'medium'],
      ['trip-5512', 'Waiting time 10 min', 'medium'],
      ['booking-12', 'Minibar 2', 'high'],
      ['rental-301', 'Extra day 2', 'high'],
      ['order-55', 'Extra large shirt', 'high'],
      ['order-55', 'Parking', 'high'],
      ['order-55', '2 x Lamp', 'high'],
      ['trip-5512', 'Trip', 'high'],
      ['trip-5512', 'Tollhouse tour', 'high'],
      ['bride-7 order 12', 'Dinner', 'high'],
      ['INV 31', 'Payment on account 1', 'high'],
      ['INV 31', 'Payment', 'high'],
      ['INV 31', 'Part payment 1', 'high'],
      ['INV 31', 'Deposit 1 of 2', 'high'],
      ['INV 31', 'Depositary', 'high'],
      ['rent-12', 'Rent deposit, March 2026', 'high'],
    ])('may be paid in equal parts: %s, %s', async (custom, description, severity) => {
      const shop = transport.shop();
      await sendTwice(shop, { custom, description }, 3 * hourMs);
      const { severity: found, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(found).toBe(severity);
      expect(remedy.startsWith('If both were wanted')).toBe(severity === 'medium');
    });

    it('may have the number of a rental in reference_id, and extras in the description', async () => {
      const shop = transport.shop();
      const extra = { reference_id: 'rental-301', description: 'Fuel' };
      await sendTwice(shop, extra, dayMs);
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
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
      ['Shoes at 12:07', 'Shoes at 12:09'],
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

    it.each([
      ['Lesson at 10:30', 'Lesson at 11:30'],
      ['Lesson at 10:08', 'Lesson at 11:30'],
      ['Lesson at 10:06', 'Lesson at 11:06'],
      ['Lesson at 10:10', 'Lesson at 11:10'],
    ])('tells what was bought by its time: %s, %s', async (first, second) => {
      const shop = transport.shop();
      const custom = 'order-7';
      await payInTurn(shop, [
        { custom, description: first },
        { custom, description: second },
      ]);
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['10:59', '11:00', '2026-05-06T08:00:30Z', 'high'],
      ['10:58', '11:00', '2026-05-06T08:00:30Z', undefined],
      ['09:59', '10:00', '2026-05-06T07:59:30Z', 'high'],
      ['23:59', '00:00', '2026-05-06T21:59:55Z', 'high'],
      ['03:59', '04:00', '2026-05-06T08:59:55Z', 'high'],
      ['10:30', '11:30', '2026-05-06T07:30:30Z', undefined],
    ])(
      'has times of sending if one time zone has them at that moment: %s and %s, sent at %s',
      async (first, second, now, severity) => {
        const shop = transport.shop();
        shop.merchant.clock.set(now);
        const custom = 'order-7';
        await payInTurn(shop, [
          { custom, description: `Lesson at ${first}` },
          { custom, description: `Lesson at ${second}` },
        ]);
        expect(await foundIn(shop)).toEqual(
          severity === undefined ? [] : [`${severity} double-charge`],
        );
      },
    );

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
      ['invoice_number', '77', 'WEB-INV-77', 'Invoice 77 was charged twice'],
      ['invoice_number', 'WEB-INV-77', 'INV-77', 'had the invoice number INV-77, with the same'],
      ['invoice_number', 'INV-77b', 'WEB-INV-77b', 'Invoice INV-77b was charged twice'],
      ['invoice_number', 'INV-77', 'Retry INV-77b', 'Invoice INV-77 was charged twice'],
      ['invoice_number', 'INV-77-1778051289', 'INV-77-1778051292', 'INV-77-1778051292, with the'],
      ['custom', `order-7|${uuids[0]}`, `order-7|${uuids[1]}`, 'had the `custom` order-7|7c1d'],
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

    it.each([
      ['INV-7', 'INV-7-2', '30.40', 'card and description'],
      ['A-7/attempt-1', 'A-7/attempt-2', '29.90', 'card and description'],
      ['INV-7', 'INV-7-2', '30.11', 'card, amount and description'],
    ])('pays again after a lost answer: %s, and %s for %s', async (...story) => {
      const [first, second, total, alike] = story;
      const shop = transport.shop();
      lose(shop);
      const field = first.startsWith('INV') ? 'invoice_number' : 'custom';
      await payInTurn(shop, [{ [field]: first }, { [field]: second }], { total });
      await report(shop);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain(`${second}, with the same ${alike}. The first answer was lost.`);
    });

    it('pays the lost part again, and not the last one that was lost', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop);
      await send(shop, { cardId, invoice_number: 'INV-7-a' });
      lose(shop);
      await send(shop, { cardId, invoice_number: 'INV-7-b', total: '9.00' });
      await send(shop, { cardId, invoice_number: 'INV-7' });
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('Invoice INV-7-a was charged twice');
    });

    it('pays again without a description', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), description: undefined };
      lose(shop);
      for (const invoice_number of ['INV-7', 'INV-7-2']) {
        await send(shop, { ...order, invoice_number });
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('with the same card and amount. The first answer was lost.');
    });

    it('pays again although no answer to either payment arrived', async () => {
      const shop = transport.shop();
      lose(shop);
      lose(shop);
      await payInTurn(shop, [{ invoice_number: 'INV-7' }, { invoice_number: 'INV-7-retry' }]);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('Invoice INV-7 was charged twice');
    });

    const pair = (field: string, first: string, second: string) =>
      [{ [field]: first }, { [field]: second }] as const;

    it.each([
      ['another number', pair('invoice_number', 'INV-7', 'INV-8'), {}],
      ['a longer number', pair('invoice_number', 'INV-7', 'INV-72'), {}],
      ['another field', [{ invoice_number: 'INV-7' }, { custom: 'INV-8-retry' }], {}],
      ['another sum', pair('invoice_number', 'INV-7', 'INV-7-retry'), { total: '4.00' }],
      ['a higher price', pair('invoice_number', 'INV-7', 'INV-7-retry'), { total: '30.72' }],
      ['other words', pair('invoice_number', 'INV-7', 'INV-7-b'), { description: 'Extras' }],
      ['two parts', pair('invoice_number', 'INV-7-a', 'INV-7-b'), {}],
      ['a number within a number', pair('invoice_number', '77', 'INV-177'), {}],
      ['two shops', pair('invoice_number', 'A-77', 'B-77'), {}],
      ['two orders with ids of their own', pair('invoice_number', uuids[0], uuids[1]), {}],
    ])('may be another order: %s', async (_, attempts, change) => {
      const shop = transport.shop();
      lose(shop);
      await payInTurn(shop, attempts, change);
      await report(shop);
      expect(await highIn(shop)).toEqual([]);
    });

    it('may be another order of the same customer after some minutes', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      lose(shop);
      for (const time of [1778051289, 1778051589]) {
        await send(shop, { cardId, invoice_number: `C42-${time}` });
        shop.merchant.clock.advance(5 * minuteMs);
      }
      await report(shop);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['invoice_number', 'had no invoice number, with the same'],
      ['custom', 'had no `custom`, with the same'],
    ])('leaves the name out after a lost answer: %s', async (field, text) => {
      const shop = transport.shop();
      lose(shop);
      await payInTurn(shop, [{ [field]: 'A-7' }, {}]);
      await report(shop);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain(text);
    });

    it.each([
      ['later', 10 * minuteMs, {}],
      ['with another card', 10_000, { expire_year: 2033 }],
    ])('may be for something else without a name %s', async (_, afterMs, change) => {
      const shop = transport.shop();
      const cards = [await storeCard(shop), await storeCard(shop, change)];
      lose(shop);
      await send(shop, { cardId: cards[0] ?? '', custom: 'A-7' });
      shop.merchant.clock.advance(afterMs);
      const isOther = Object.keys(change).length > 0;
      await send(shop, { cardId: (isOther ? cards[1] : cards[0]) ?? '' });
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
        const firstKey = newKey();
        await send(shop, { cardId, custom: 'A-7' }, firstKey);
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
      otherNote = note,
    ): Promise<void> => {
      const { id } = await sell(shop);
      for (const words of [note, otherNote]) {
        const body = { amount: { total: '5.00', currency: 'USD' }, ...words };
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(afterMs);
        if (looks) await shop.ask('sale.get', 200, { params: { sale_id: id } });
      }
    };

    it.each([
      [{ description: 'Return RMA-77' }, 10_000],
      [{ description: 'Claim 12' }, hourMs],
      [{ reason: 'case 4711' }, 3 * dayMs],
      [{ description: 'Compensation of saga-17' }, 12_000],
      [{ description: 'Refund #12' }, hourMs],
      [{ description: 'Refund no. 12' }, hourMs],
      [{ description: 'Deposit rental-301' }, 14 * hourMs],
    ])('is made again: %j, %i ms later', async (note, afterMs) => {
      const shop = transport.shop();
      await refundTwice(shop, note, afterMs);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(severity).toBe('high');
      expect(what).toContain('Both notes name the same case or part of the order.');
    });

    it('is made three times', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const body = { amount: { total: '5.00', currency: 'USD' }, description: 'Return RMA-77' };
      for (let times = 0; times < 3; times++) {
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(hourMs);
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(what).toMatch(/ All notes name the same case or part of the order\.$/);
    });

    it.each([
      [{ description: 'Refund for RMA-77' }, { description: 'RMA-77' }, 10_000],
      [{ description: 'RMA-77' }, { description: 'Goods received for RMA 77.' }, hourMs],
      [{ description: 'Case 4711' }, { reason: 'case 4711' }, hourMs],
      [{ description: 'Return RMA-77' }, { description: 'RMA-077 refunded' }, hourMs],
      [{ description: 'RMA-77' }, { reason: 'RMA77' }, hourMs],
      [
        { description: 'RMA-77', invoice_number: uuids[0] },
        { description: 'Refund of RMA-77', invoice_number: uuids[1] },
        hourMs,
      ],
    ])('is made again in other words: %j, %j, %i ms later', async (note, otherNote, afterMs) => {
      const shop = transport.shop();
      await refundTwice(shop, note, afterMs, false, otherNote);
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-refund');
      expect(severity).toBe('high');
      expect(what).toMatch(/ was refunded twice: .+ Both notes name the same case or part/);
      expect(remedy).toContain('read the sale before you refund it again');
      expect(verdict.totals).toMatchObject([{ excessRefunded: '5.00' }]);
    });

    it.each([
      ['another case', { description: 'RMA-77' }, { description: 'Refund for RMA-78' }, hourMs],
      ['another item', { description: 'RMA-77' }, { description: 'RMA-77 item 2' }, hourMs],
      ['another word', { description: 'RMA-77 hat' }, { description: 'RMA-77 scarf' }, hourMs],
      ['another digit', { description: 'RMA-77' }, { description: 'RMA-770' }, hourMs],
      ['a word less', { description: 'RMA-77 (return) 1' }, { description: 'RMA-77' }, hourMs],
      ['no case', { description: 'RMA-77' }, { description: 'Goodwill' }, hourMs],
      ['a week', { description: 'RMA-77' }, { description: 'Refund for RMA-77' }, 7 * dayMs],
      ['a moment', { description: 'RMA-77' }, { description: 'Refund for RMA-77' }, 9_000],
      [
        'another number',
        { description: 'RMA-77', invoice_number: 'R-1' },
        { description: 'Refund for RMA-77', invoice_number: 'R-2' },
        hourMs,
      ],
    ])('may be another one with %s', async (_, note, otherNote, afterMs) => {
      const shop = transport.shop();
      await refundTwice(shop, note, afterMs, false, otherNote);
      expect(await highIn(shop)).toEqual([]);
    });

    it('is another one in other words if the client looked in between', async () => {
      const shop = transport.shop();
      const note = { description: 'Refund for RMA-77' };
      await refundTwice(shop, note, hourMs, true, { description: 'RMA-77' });
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['without a number', { description: 'A return' }, hourMs],
      ['with a number of things', { description: 'Return 2 shirts' }, hourMs],
      ['with the number of the order', { description: 'Order 1001' }, hourMs],
      ['with its amount', { description: 'Refund 5.00 USD' }, hourMs],
      ['a week later', { description: 'Return RMA-77' }, 7 * dayMs],
      ['one after the other in a test', { description: 'Return RMA-77' }, 2_000],
    ])('may be another one %s', async (_, note, afterMs) => {
      const shop = transport.shop();
      await refundTwice(shop, note, afterMs);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['the order and a reason', 'T-88 hotel not available', hourMs, false, true],
      ['the order and a reason', 'Refund for order 9981 (damaged lamp)', 3 * dayMs, false, true],
      ['the order and a reason, a week later', 'T-88 hotel cancelled', 7 * dayMs, false, false],
      ['the order and a reason, after a look', 'T-88 hotel cancelled', hourMs, true, false],
      ['the order', 'Your refund from order 9981', hourMs, false, false],
      ['a reason', 'Hotel not available', hourMs, false, false],
      ['a deposit of any order', 'Deposit', hourMs, false, false],
    ])('may be another one if it names %s: %s', async (_, description, ...story) => {
      const shop = transport.shop();
      const [afterMs, looks, isFound] = story;
      await refundTwice(shop, { description }, afterMs, looks);
      expect(await foundIn(shop)).toEqual(isFound ? ['medium double-refund'] : []);
    });

    it.each([
      ['Return RMA-77', hourMs, ['medium double-refund']],
      ['Return RMA-77', 2_000, ['medium double-refund']],
      ['A return', hourMs, []],
      ['A return', 2_000, []],
    ])('may be another item if the client looked: %s, %i ms later', async (...story) => {
      const [description, afterMs, found] = story;
      const shop = transport.shop();
      await refundTwice(shop, { description }, afterMs, true);
      expect(await foundIn(shop)).toEqual(found);
    });

    type Look = 'refunds' | 'sale' | 'payment' | 'repeat' | 'lost sale';
    const refundCaseAgain = async (shop: Shop, looks: readonly Look[], waitMs: number) => {
      const { id, parent_payment: paymentId } = await sell(shop);
      const path = `/v1/payments/sale/${id}/refund`;
      const body = { amount: { total: '5.00', currency: 'USD' }, description: 'Return RMA-77' };
      const giveBack = (key: string) =>
        see(shop, 'sale.refund', { path, body, headers: keyed(key) });
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await giveBack('one');
      for (const look of looks) {
        shop.merchant.clock.advance(waitMs);
        if (look === 'repeat') await giveBack('one');
        else if (look === 'refunds') await see(shop, 'sale.refunds', { path });
        else if (look === 'payment') {
          await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
        } else {
          if (look === 'lost sale')
            shop.merchant.force({ op: 'sale.get', outcome: 'truncated-body' });
          await see(shop, 'sale.get', { path: `/v1/payments/sale/${id}` });
        }
      }
      await giveBack('two');
      await see(shop, 'sale.get', { path: `/v1/payments/sale/${id}` });
      return findingOf(await shop.merchant.verdict(), 'double-refund');
    };
    const compare =
      /Make the PayPal-Request-Id from the number of the case, .+ compare the refunds/;

    it.each<readonly [readonly Look[], number, RegExp]>([
      [['refunds'], 1_000, compare],
      [['refunds'], 10 * minuteMs, compare],
      [['sale'], 3 * hourMs, compare],
      [['refunds', 'lost sale'], hourMs, compare],
      [['repeat'], hourMs, /read the sale before you refund it again/],
    ])('is made again after a lost answer and %j, each %i ms later', async (...story) => {
      const [looks, waitMs, advice] = story;
      const { severity, remedy } = await refundCaseAgain(transport.shop(), looks, waitMs);
      expect(severity).toBe('high');
      expect(remedy).toMatch(advice);
    });

    it.each<readonly [readonly Look[], number]>([
      [['refunds', 'sale'], hourMs],
      [['refunds', 'payment'], hourMs],
      [['refunds', 'sale'], 1_000],
      [['repeat', 'refunds'], hourMs],
    ])('may be another item after a lost answer and %j, each %i ms later', async (...story) => {
      const { severity, remedy } = await refundCaseAgain(transport.shop(), ...story);
      expect(severity).toBe('medium');
      expect(remedy).toContain('give each an invoice_number or a note of its own. If not');
    });

    it.each([
      ['items', ['rma-77-item-1', 'rma-77-item-2'], []],
      ['nothing', ['rma-77-a', 'rma-77-b'], ['medium double-refund']],
    ])('may be another one if the request ids count %s, after a look', async (_, keys, found) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const body = { amount: { total: '5.00', currency: 'USD' }, description: 'Return RMA-77' };
      for (const key of keys) {
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body, headers: keyed(key) });
        shop.merchant.clock.advance(hourMs);
        await shop.ask('sale.get', 200, { params: { sale_id: id } });
      }
      expect(await foundIn(shop)).toEqual(found);
    });

    it.each([
      ['parcels', ['RMA-55-parcel-1', 'RMA-55-parcel-2'], 'low'],
      ['three shipments', ['RMA-55-shipment-1', 'RMA-55-shipment-2', 'RMA-55-shipment-3'], 'low'],
      ['attempts', ['RMA-55-attempt-1', 'RMA-55-attempt-2'], 'high'],
      ['parcels, and nothing', ['RMA-55-parcel-1', 'RMA-55-parcel-2', 'RMA-55-7c0e'], 'high'],
    ])('is refunded or captured an hour apart with request ids that count %s', async (...story) => {
      const [, keys, severity] = story;
      const amount = { total: '20.00', currency: 'USD' };
      const shop = transport.shop();
      const { id: saleId } = await sell(shop, { total: '90.00' });
      const { id: holdId } = await authorize(shop, { total: '90.00' });
      for (const key of keys) {
        await see(shop, 'sale.refund', {
          path: `/v1/payments/sale/${saleId}/refund`,
          body: { amount, description: 'Return RMA-55' },
          headers: keyed(key),
        });
        await see(shop, 'auth.capture', {
          path: `/v1/payments/authorization/${holdId}/capture`,
          body: { amount, note_to_payer: 'Case RMA-55' },
          headers: keyed(`c-${key}`),
        });
        shop.merchant.clock.advance(hourMs);
      }
      expect((await foundIn(shop)).toSorted()).toEqual([
        `${severity} double-charge`,
        `${severity} double-refund`,
      ]);
    });

    it.each([
      ['high', 1],
      ['medium', 2],
    ])(
      'is reported as %s if it is captured again after %i looks at a lost one',
      async (...story) => {
        const [severity, looks] = story;
        const shop = transport.shop();
        const { id } = await authorize(shop, { total: '90.00' });
        shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
        for (let times = 0; times < 2; times++) {
          const path = `/v1/payments/authorization/${id}/capture`;
          const body = {
            amount: { total: '20.00', currency: 'USD' },
            note_to_payer: 'Parcel 1 of 3',
          };
          await see(shop, 'auth.capture', { path, body, headers: keyed(newKey()) });
          shop.merchant.clock.advance(hourMs);
          for (let look = 0; look < looks; look++) {
            await shop.ask('auth.get', 200, { params: { authorization_id: id } });
          }
          shop.merchant.clock.advance(hourMs);
        }
        const verdict = await shop.merchant.verdict();
        const { severity: found, what, remedy } = findingOf(verdict, 'double-charge');
        expect(remedy).not.toContain('Read the authorization');
        expect(found).toBe(severity);
        expect(what).toContain('another answer had shown that it had succeeded');
        expect(what).toContain('Both notes name the same case or part of the order.');
      },
    );

    it.each([
      ['Parcel 1 of 3', false, true],
      ['Parcel 1 of 3', true, false],
      ['Thank you', false, false],
      ['Parcel 1 of 3', false, true, 'Your parcel 1 of 3'],
      ['Parcel 1 of 3', false, false, 'Parcel 2 of 3'],
    ])('is captured again: %s, with a look in between: %s', async (...story) => {
      const [note, looks, isFound, otherNote = note] = story;
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '90.00' });
      for (const note_to_payer of [note, otherNote]) {
        const path = `/v1/payments/authorization/${id}/capture`;
        const body = { amount: { total: '20.00', currency: 'USD' }, note_to_payer };
        await see(shop, 'auth.capture', { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(10 * minuteMs);
        if (looks) await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      }
      expect(await highIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
    });

    it('is captured by two workers at once', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '90.00' });
      const take = () =>
        see(shop, 'auth.capture', {
          path: `/v1/payments/authorization/${id}/capture`,
          body: { amount: { total: '20.00', currency: 'USD' }, note_to_payer: 'Parcel 1 of 3' },
          headers: keyed(newKey()),
        });
      await Promise.all([take(), take()]);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(/ Both notes name the same case or part of the order\.$/);
    });

    it('may be another part of the order, named by what it holds', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '90.00' });
      const body = {
        amount: { total: '20.00', currency: 'USD' },
        note_to_payer: 'Lamp, order 9981',
      };
      for (let times = 0; times < 2; times++) {
        const path = `/v1/payments/authorization/${id}/capture`;
        await see(shop, 'auth.capture', { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['medium', 'Parcel 1 of 3', 'Parcel 1 of 3'],
      [undefined, 'Parcel 1 of 3', 'Parcel 2 of 3'],
      [undefined, 'Thank you', 'Thank you'],
    ])('is reported as %s if it is captured again at once: %s, %s', async (severity, ...notes) => {
      const shop = transport.shop();
      const { id } = await authorize(shop, { total: '90.00' });
      for (const note_to_payer of notes) {
        const path = `/v1/payments/authorization/${id}/capture`;
        const body = { amount: { total: '20.00', currency: 'USD' }, note_to_payer };
        await see(shop, 'auth.capture', { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(2_000);
      }
      const [found] = (await shop.merchant.verdict()).findings;
      expect(found?.severity).toBe(severity);
      if (severity !== undefined) {
        expect(found?.what).toContain('Both notes name the same case or part of the order.');
      }
    });
  },
  onTestTime,
);
