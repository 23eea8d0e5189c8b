/** Findings about money that did not arrive or was requested differently. Each has a close story that causes none. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import { operations } from '../../../../src/contract/service/operations.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import {
  authorize,
  capture,
  dayMs,
  hourMs,
  saleOf,
  sell,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime, Checkout, type Attempt } from '../support/payment-attempts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Ways in which an issuer or a risk engine declines a payment. */
const declines: readonly OutcomeId[] = [
  'decline-generic',
  'decline-do-not-honor',
  'decline-insufficient-funds',
  'decline-suspected-fraud',
  'decline-card-expired-at-issuer',
  'decline-restricted-card',
  'decline-processing-error',
  'decline-issuer-unavailable',
  'decline-limit-exceeded',
  'decline-velocity',
  'decline-recurring-cancelled',
];

onEveryTransport(
  'a card that is declined again and again',
  (transport) => {
    it.each([
      [11, 0.1 * dayMs, true],
      [11, 0.1 * dayMs + 10_000, false],
      [10, 12_000, false],
      [16, dayMs, true],
      [15, dayMs, false],
      [16, 2 * dayMs, true],
      [16, 2 * dayMs + 10_000, false],
    ])('%i times, once in %i ms, is reported: %s', async (times, everyMs, isFound) => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('decline-insufficient-funds', times);
      for (let tried = 0; tried < times; tried++) {
        await till.pay({ key: `try ${'x'.repeat(tried)}`, afterMs: everyMs });
      }
      expect(await foundIn(till.shop)).toEqual(isFound ? ['high excessive-reattempts'] : []);
    });

    it.each<[OutcomeId, boolean]>([
      ['decline-generic', true],
      ['decline-insufficient-funds', true],
      ['decline-limit-exceeded', true],
      ['decline-velocity', true],
      ['cvv-mismatch-declined', true],
      ['currency-not-allowed', false],
      ['duplicate-invoice', false],
      ['validation-missing-field', false],
      ['external-id-mismatch', false],
      ['new-error-name', false],
    ])('with %s is reported: %s', async (outcome, isFound) => {
      const found = isFound ? ['high excessive-reattempts'] : [];
      expect(await foundAfter(outcome, () => ({ custom: 'till' }))).toEqual(found);
    });

    it.each<[string, (order: number) => Attempt, number, string]>([
      ['orders with a custom', (order) => ({ custom: `order-${order}` }), 300_000, 'low'],
      ['orders with an invoice', (order) => ({ invoice: `INV-${order}` }), 300_000, 'low'],
      [
        'articles of a till',
        (order) => ({ custom: 'till', description: `Pen ${order}` }),
        1,
        'low',
      ],
      ['articles', (order) => ({ description: `Pen ${order}` }), 1, 'low'],
      [
        'an order with other words each time',
        (order) => ({ custom: 'order-1', description: `Pen ${order}` }),
        1,
        'high',
      ],
      ['attempts that are counted', (order) => ({ description: `Pen, try ${order}` }), 1, 'high'],
      ['orders of one name', (order) => ({ custom: `${order % 5}` }), 300_000, 'high'],
      ['orders without names', () => ({}), 300_000, 'high'],
      ['orders on many days', (order) => ({ custom: `order-${order}` }), dayMs, 'high'],
    ])(
      'for %s is judged by whether an order may be tried again',
      async (_, of, everyMs, severity) => {
        const found = [`${severity} excessive-reattempts`];
        expect(await foundAfter('decline-insufficient-funds', of, everyMs)).toEqual(found);
      },
    );

    it.each([
      ['low if a test forces another decline on each payment', 11, true, 'low'],
      ['high if a decline comes twice', 10, true, 'high'],
      ['high if a payment is repeated with its request id', 11, false, 'high'],
    ])('is %s', async (_, kinds, hasOwnId, severity) => {
      const till = await Checkout.at(transport.shop());
      for (let tried = 0; tried < 11; tried++) {
        till.forceOutcome(declines[tried % kinds] ?? 'decline-generic');
        await till.pay({ key: hasOwnId ? randomUUID() : `pay-${Math.floor(tried / 2)}` });
      }
      const { severity: found } = findingOf(
        await till.shop.merchant.verdict(),
        'excessive-reattempts',
      );
      expect(found).toBe(severity);
    });

    /** Sixteen payments of one sum. */
    async function foundAfter(
      outcome: OutcomeId,
      of: (order: number) => Attempt,
      everyMs = 300_000,
    ) {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome(outcome, 16);
      for (let order = 0; order < 16; order++) {
        await till.pay({ key: `pay-${randomUUID()}`, ...of(order), afterMs: everyMs });
      }
      return foundIn(till.shop);
    }
  },
  onTestTime,
);

onEveryTransport(
  'a card that is declined sixteen times in an hour',
  (transport) => {
    const customer = { external_customer_id: 'ada' };
    const stored = async (shop: Shop, card: object, custom = 'order-7') => {
      const cardId = await storeCard(shop, { ...card });
      const isOwned = 'external_customer_id' in card;
      const owner = isOwned ? { externalCustomerId: String(card.external_customer_id) } : {};
      return paymentBody({ cardId, ...owner, transaction: { custom } });
    };
    const raw = (transaction: object, change: Readonly<Record<string, unknown>> = {}) =>
      rawPaymentBody(change, { total: '30.11', transaction: { ...transaction } });
    type BodyOf = (shop: Shop, at: number) => unknown;

    it.each<[string, BodyOf, string]>([
      [
        'stored again for each payment',
        (shop) => stored(shop, customer),
        'A card that was sent or stored again was declined 16 times',
      ],
      [
        'sent with its number after it was stored',
        async (shop, at) =>
          at === 0 ? stored(shop, customer) : raw({ custom: `order-${at}` }, customer),
        'A card that was sent or stored again was declined 16 times',
      ],
      [
        'sent with its number for one order',
        () => raw({ custom: 'order-7' }),
        'A card that is not in the vault was declined 16 times',
      ],
      [
        'sent with its number for one invoice',
        () => raw({ invoice_number: 'INV-7' }),
        'A card that is not in the vault was declined 16 times',
      ],
    ])('is reported if it was %s', async (_how, bodyOf, text) => {
      const shop = transport.shop();
      await declineAll(shop, bodyOf);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'excessive-reattempts');
      expect(severity).toBe('high');
      expect(what).toContain(text);
    });

    it.each<[string, BodyOf]>([
      ['of guests who pay orders of their own', (_, at) => raw({ custom: `order-${at}` })],
      ['of guests who pay without a name', () => raw({ custom: 'till' })],
      [
        'of a family, each with an account',
        (shop, at) => stored(shop, { external_customer_id: `member-${at}` }),
      ],
      ['of guests whose cards are stored', (shop) => stored(shop, {})],
      [
        'of one customer with another expiry each time',
        (shop, at) => stored(shop, { ...customer, expire_year: 2028 + at }),
      ],
    ])('may be the test number %s', async (_whose, bodyOf) => {
      const shop = transport.shop();
      await declineAll(shop, bodyOf);
      expect((await foundIn(shop)).filter((one) => one.includes('reattempts'))).toEqual([]);
    });

    async function declineAll(shop: Shop, bodyOf: BodyOf): Promise<void> {
      const times = 16;
      const outcome = 'decline-insufficient-funds';
      shop.merchant.force({ op: 'payment.create', outcome, times, per: 'merchant' });
      for (let at = 0; at < times; at++) {
        const body = await bodyOf(shop, at);
        await see(shop, 'payment.create', { body, headers: keyed(`try ${'x'.repeat(at)}`) });
        shop.merchant.clock.advance(200_000);
      }
    }
  },
  onTestTime,
);

onEveryTransport(
  'one invoice number',
  (transport) => {
    it.each([
      ['with another amount on the second try', 'INV-7', '31.00', true],
      ['with the same amount', 'INV-7', '30.11', false],
      ['beside another, with another amount', 'INV-8', '31.00', false],
    ])('is judged %s', async (_how, invoice, total, isFound) => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('error-500-before-commit');
      await till.payAll({ key: 'a', invoice: 'INV-7' }, { key: 'a', invoice, total, afterMs: 700 });
      const found = await foundIn(till.shop);
      const drifted = found.filter((one) => one.endsWith('amount-drift'));
      expect(drifted).toEqual(isFound ? ['medium amount-drift'] : []);
      // Another invoice needs a request id of its own.
      expect(found.includes('high key-reused-for-other-intent')).toBe(invoice === 'INV-8');
    });

    it('is safe if a list is read before the retry', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('error-500-before-commit');
      await till.pay({ key: 'a', invoice: 'INV-7' });
      await till.shop.ask('payment.list', 200, {});
      await till.pay({ key: 'b', invoice: 'INV-7', afterMs: 700 });
      const found = (await foundIn(till.shop)).filter((one) => one.includes('list-as-proof'));
      expect(found).toEqual(['low list-as-proof-of-absence']);
    });

    it.each([
      ['was seen to have done nothing', 'error-500-before-commit', true, true, false],
      ['did nothing, but was not looked for', 'error-500-before-commit', false, true, true],
      ['was looked for after the other amount', 'error-500-before-commit', true, false, true],
      ['was charged, and was only looked at', 'reset-after-commit', true, true, true],
    ] as const)(
      'is judged with another amount after one that %s',
      async (_how, outcome, looks, isBefore, isFound) => {
        const till = await Checkout.at(transport.shop());
        till.forceOutcome(outcome);
        const look = () => till.shop.ask('payment.list', 200, {});
        await till.pay({ key: 'a', invoice: 'INV-7', total: '900.00' });
        till.shop.merchant.clock.advance(90_000);
        if (looks && isBefore) await look();
        await till.pay({ key: 'b', invoice: 'INV-7' });
        if (looks && !isBefore) await look();
        const found = (await foundIn(till.shop)).filter((one) => one.endsWith('amount-drift'));
        expect(found).toEqual(isFound ? ['medium amount-drift'] : []);
      },
    );

    it.each([
      ['after its hold was voided', true, []],
      ['while its hold is open', false, ['medium amount-drift']],
    ])(
      'is judged with another amount %s, also if a retry made the hold',
      async (_, voids, expected) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        const hold = (total: string, key: string) => {
          const transaction = { invoice_number: 'INV-7' };
          const body = paymentBody({ cardId, total, intent: 'authorize', transaction });
          return see(shop, 'payment.create', { body, headers: keyed(key) });
        };
        shop.merchant.force({ op: 'payment.create', outcome: 'error-500-before-commit' });
        await hold('90.00', 'a');
        const { text } = await hold('90.00', 'a');
        const id = /"authorization":\{"id":"(\w+)"/.exec(text)?.[1] ?? '';
        if (voids) await shop.ask('auth.void', 200, { params: { authorization_id: id } });
        await hold('75.00', 'b');
        const found = (await foundIn(shop)).filter((one) => one.endsWith('amount-drift'));
        expect(found).toEqual(expected);
      },
    );

    it.each([
      ['was read as voided', 'auth.void', 'reset-after-commit', 'auth.get', false],
      ['was seen voided in its payment', 'auth.void', 'reset-after-commit', 'payment.get', false],
      ['was read as refunded', 'sale.refund', 'reset-after-commit', 'sale.get', false],
      ['was not read', 'auth.void', 'reset-after-commit', undefined, true],
      ['was read without an answer', 'auth.void', 'reset-after-commit', 'lost', true],
      ['was read as open', 'auth.void', 'reset-before-commit', 'auth.get', true],
      ['was not read', 'sale.refund', 'reset-after-commit', undefined, true],
      ['was read as paid', 'sale.refund', 'reset-before-commit', 'sale.get', true],
    ] as const)(
      'is judged with another amount after one that %s after a lost answer to %s, for %s',
      async (_, operation, outcome, look, isFound) => {
        const shop = transport.shop();
        const intent = operation === 'auth.void' ? 'authorize' : 'sale';
        const pay = async (total: string, key: string) => {
          const transaction = { invoice_number: 'INV-7' };
          const body = paymentBody({ cardId, total, intent, transaction });
          return see(shop, 'payment.create', { body, headers: keyed(key) });
        };
        const cardId = await storeCard(shop);
        const { text } = await pay('90.00', 'a');
        const [, paymentId = ''] = /"id":"(PAY-\w+)"/.exec(text) ?? [];
        const [, id = ''] = /"(?:authorization|sale)":\{"id":"(\w+)"/.exec(text) ?? [];
        const send = (name: OperationName) => {
          const subject = name.startsWith('payment') ? paymentId : id;
          const path = operations[name].path.replaceAll(/\{\w+\}/g, subject);
          return see(shop, name, { path, ...(name === operation && { body: {} }) });
        };
        shop.merchant.force({ op: operation, outcome });
        await send(operation);
        const read = operation === 'auth.void' ? 'auth.get' : 'sale.get';
        if (look === 'lost') shop.merchant.force({ op: read, outcome: 'truncated-json' });
        if (look !== undefined) await send(look === 'lost' ? read : look);
        await pay('75.00', 'b');
        // It comes too late.
        await send(read);
        const found = (await foundIn(shop)).filter((one) => one.endsWith('amount-drift'));
        expect(found).toEqual(isFound ? ['medium amount-drift'] : []);
      },
    );

    it.each([
      ['was declined', 'decline-limit-exceeded', '900.00', false],
      ['was declined inside a 201', 'declined-inside-201', '900.00', false],
      ['was no amount', undefined, '30,11', false],
      ['was charged without an answer', 'reset-after-commit', '900.00', true],
    ] as const)(
      'is judged with another amount after one that %s',
      async (_how, outcome, total, isFound) => {
        const till = await Checkout.at(transport.shop());
        if (outcome !== undefined) till.forceOutcome(outcome);
        await till.payAll(
          { key: 'a', invoice: 'INV-7', total },
          { key: 'b', invoice: 'INV-7', afterMs: 20_000 },
        );
        const found = (await foundIn(till.shop)).filter((one) => one.endsWith('amount-drift'));
        expect(found).toEqual(isFound ? ['medium amount-drift'] : []);
      },
    );
  },
  onTestTime,
);

onEveryTransport('a sale that is pending', (transport) => {
  async function buy() {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-forever' });
    const payment = await shop.ask('payment.create', 201, {
      body: paymentBody({ cardId }),
      headers: keyed('a'),
    });
    return { shop, cardId, sale: saleOf(payment) };
  }

  it('is reported if its card is deleted as if it were paid', async () => {
    const { shop, cardId } = await buy();
    expect(await foundIn(shop)).toEqual([]);
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    expect(await foundIn(shop)).toEqual(['high sale-not-checked']);
  });

  it('is not reported if another card is deleted', async () => {
    const { shop } = await buy();
    await shop.ask('card.delete', 204, { params: { card_id: await storeCard(shop) } });
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each(['sale.get', 'payment.get', 'payment.list'] as const)(
    'is not reported if it was read first, by %s',
    async (look) => {
      const { shop, cardId, sale } = await buy();
      const params = { sale_id: sale.id, payment_id: sale.parent_payment };
      await shop.ask(look, 200, { params });
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      expect(await foundIn(shop)).toEqual([]);
    },
  );

  it('is reported if the requested list did not arrive', async () => {
    const { shop, cardId } = await buy();
    shop.merchant.force({ op: 'payment.list', outcome: 'wrong-content-encoding' });
    await see(shop, 'payment.list', {});
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    expect(await foundIn(shop)).toContain('high sale-not-checked');
  });

  it('is not reported if another attempt paid for the purchase', async () => {
    const { shop, cardId } = await buy();
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId }), headers: keyed('b') });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    expect(await foundIn(shop)).not.toContain('high sale-not-checked');
  });

  it('counts as no money', async () => {
    const { shop } = await buy();
    expect((await shop.merchant.verdict()).purchases).toMatchObject([
      { charges: [{ state: 'pending', net: { total: '0.00' } }] },
    ]);
  });

  it('is reported if the list that was read ends before it', async () => {
    const { shop, cardId } = await buy();
    await Checkout.at(shop).then((till) => till.pay({ key: 'b', invoice: 'B' }));
    await shop.ask('payment.list', 200, { query: { count: '1' } });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    expect(await foundIn(shop)).toContain('high sale-not-checked');
  });
});

onEveryTransport(
  'an order that is paid again while its sale is pending',
  (transport) => {
    interface Story {
      readonly outcome: OutcomeId;
      /** What the client does before it pays again. */
      readonly look?: 'payment.get' | 'payment.list';
      readonly waitMs?: number;
      readonly first?: Fields;
      readonly again?: Fields;
      readonly keys?: readonly [string, string];
      readonly otherCard?: true;
      /** Whose card it is, and who stored the other one. */
      readonly customers?: readonly [string, string];
      readonly outcomeAgain?: OutcomeId;
    }

    interface RepeatStory {
      readonly waitMs: number;
      readonly outcome?: OutcomeId;
      readonly key?: string;
      readonly isLate?: true;
    }

    const ordered = { invoice_number: undefined, custom: 'ORD-1' };
    const extraDay = { ...ordered, custom: 'rental-301', description: 'Extra day' };
    const otherWords = { ...ordered, custom: 'ord 1' };
    const part = { ...ordered, description: 'Extra day' };
    const person = { ...ordered, custom: 'ada' };
    const partKeys = ['ORD-1-part-1', 'ORD-1-part-2'] as const;
    const total = (amount: string) => ({ ...ordered, amount: { total: amount, currency: 'USD' } });

    async function payTwice(story: Story) {
      const { outcome, look, waitMs = 300_000, first = ordered, again = ordered } = story;
      const { keys: [key, keyAgain] = ['a', 'b'], otherCard = false, customers = [] } = story;
      const shop = transport.shop();
      const store = async (customer: string | undefined) => {
        const owner = customer === undefined ? {} : { external_customer_id: customer };
        const cardId = await storeCard(shop, owner);
        return customer === undefined ? { cardId } : { cardId, externalCustomerId: customer };
      };
      const card = await store(customers[0]);
      const pay = async (
        requestId: string,
        paidBy: typeof card,
        transaction: Fields,
        forced?: OutcomeId,
      ) => {
        if (forced !== undefined)
          shop.merchant.force({ op: 'payment.create', outcome: forced, times: 1 });
        const body = paymentBody({ ...paidBy, transaction });
        return shop.ask('payment.create', 201, { body, headers: keyed(requestId) });
      };
      const payment = await pay(key, card, first, outcome);
      shop.merchant.clock.advance(waitMs);
      if (look !== undefined) await shop.ask(look, 200, { params: { payment_id: payment.id } });
      const hasCopy = otherCard || customers.length > 0;
      await pay(keyAgain, hasCopy ? await store(customers[1]) : card, again, story.outcomeAgain);
      return shop;
    }

    it.each<[string, Story]>([
      ['denied', { outcome: 'sale-pending-then-denied' }],
      [
        'denied before it was paid again',
        { outcome: 'sale-pending-then-denied', waitMs: 3 * dayMs },
      ],
      ['read too early', { outcome: 'sale-pending-then-denied', look: 'payment.get' }],
    ])('is reported if the first sale was %s', async (_, story) => {
      const shop = await payTwice(story);
      shop.merchant.clock.advance(5 * dayMs);
      expect(findingOf(await shop.merchant.verdict(), 'sale-not-checked')).toMatchObject({
        severity: 'medium',
        confidence: 'likely',
        what: expect.stringMatching(
          /^The first sale of purchase "ORD-1", of 30\.11 USD, was pending when the client saw it, and the client paid again (?:5 min|3 days) later without having seen a denial\. It was denied, and the second was completed\. So the buyer is not charged twice: by luck\.$/,
        ),
        remedy: expect.stringContaining('pay again only after a denial'),
      });
    });

    it.each<[string, Story]>([
      ['a copy of the card', { outcome: 'sale-pending-then-denied', customers: ['ada', 'ada'] }],
      ['other words', { outcome: 'sale-pending-then-denied', again: otherWords }],
    ])('is reported if the client pays again with %s', async (_, story) => {
      const shop = await payTwice(story);
      shop.merchant.clock.advance(5 * dayMs);
      expect((await foundIn(shop)).filter((one) => one.endsWith('sale-not-checked'))).toEqual([
        'medium sale-not-checked',
      ]);
    });

    it.each<[OutcomeId, OutcomeId, string]>([
      [
        'sale-pending-forever',
        'sale-pending-forever',
        'It is still pending, and the second is still pending. If both are completed, the buyer is charged twice.',
      ],
      [
        'sale-pending-then-completed',
        'sale-pending-forever',
        'It is still pending and will be completed, and the second is still pending. If both are completed, the buyer is charged twice.',
      ],
      [
        'sale-pending-then-completed',
        'sale-pending-then-denied',
        'It is still pending and will be completed, and the second is still pending and will be denied. So the buyer is not charged twice: by luck.',
      ],
      [
        'sale-pending-forever',
        'sale-pending-then-denied',
        'It is still pending, and the second is still pending and will be denied. So the buyer is not charged twice: by luck.',
      ],
    ])(
      'is reported if the first sale is %s and the second one is %s',
      async (outcome, outcomeAgain, ends) => {
        const shop = await payTwice({ outcome, outcomeAgain });
        const { severity, what } = findingOf(await shop.merchant.verdict(), 'sale-not-checked');
        expect(severity).toBe('medium');
        expect(what.endsWith(`without having seen a denial. ${ends}`)).toBe(true);
      },
    );

    it('is reported before the first sale is denied', async () => {
      const shop = await payTwice({ outcome: 'sale-pending-then-denied' });
      expect(findingOf(await shop.merchant.verdict(), 'sale-not-checked').what).toMatch(
        /It is still pending and will be denied, and the second was completed\. So the buyer is not charged twice: by luck\.$/,
      );
    });

    it('is reported if the first sale stays pending', async () => {
      const shop = await payTwice({ outcome: 'sale-pending-forever' });
      expect(findingOf(await shop.merchant.verdict(), 'sale-not-checked')).toMatchObject({
        severity: 'medium',
        what: expect.stringMatching(
          /It is still pending, and the second was completed\. If both are completed, the buyer is charged twice\.$/,
        ),
      });
    });

    it.each<OutcomeId | undefined>([undefined, 'sale-pending-then-completed'])(
      'is a double charge if the first sale is completed later, and the second is %s',
      async (outcomeAgain) => {
        const shop = await payTwice({
          outcome: 'sale-pending-then-completed',
          ...(outcomeAgain && { outcomeAgain }),
        });
        for (const waitMs of [0, 5 * dayMs]) {
          shop.merchant.clock.advance(waitMs);
          const found = await foundIn(shop);
          expect(found).toContain('high double-charge');
          expect(found.filter((one) => one.endsWith('sale-not-checked'))).toEqual([]);
        }
      },
    );

    it.each<[string, Story]>([
      ['read the denial', { outcome: 'sale-pending-then-denied', look: 'payment.get' }],
      ['listed the denial', { outcome: 'sale-pending-then-denied', look: 'payment.list' }],
      ['was shown the denial at once', { outcome: 'declined-inside-201' }],
      ['paid with another card', { outcome: 'sale-pending-forever', otherCard: true }],
      ['paid another amount', { outcome: 'sale-pending-forever', again: total('15.00') }],
      ['counts parts in its request ids', { outcome: 'sale-pending-forever', keys: partKeys }],
      ['paid an extra', { outcome: 'sale-pending-forever', again: extraDay, first: extraDay }],
      [
        'may have paid twice for a name',
        { outcome: 'sale-pending-forever', again: person, first: person },
      ],
      [
        'paid with the card of another customer',
        { outcome: 'sale-pending-forever', customers: ['ada', 'bob'] },
      ],
      ['may have paid a part', { outcome: 'sale-pending-then-denied', again: part }],
      [
        'was told at once that the second was denied',
        { outcome: 'sale-pending-forever', outcomeAgain: 'declined-inside-201' },
      ],
      ['paid another order', { outcome: 'sale-pending-then-denied', again: { custom: 'ORD-2' } }],
    ])('is right if the client %s', async (_, story) => {
      const shop = await payTwice({ ...story, waitMs: 3 * dayMs });
      shop.merchant.clock.advance(5 * dayMs);
      const { findings } = await shop.merchant.verdict();
      expect(findings.filter(({ what }) => what.includes('paid again'))).toEqual([]);
    });

    it.each<[string, RepeatStory, readonly string[]]>([
      ['shows the denial', { waitMs: 3 * dayMs }, []],
      ['shows it pending', { waitMs: 300_000 }, ['medium sale-not-checked']],
      [
        'is lost',
        { waitMs: 3 * dayMs, outcome: 'reset-after-commit' },
        ['medium sale-not-checked'],
      ],
      [
        'comes after the second payment',
        { waitMs: 3 * dayMs, isLate: true },
        ['medium sale-not-checked'],
      ],
      [
        'is another payment, which is denied',
        { waitMs: 300_000, key: 'c', outcome: 'declined-inside-201' },
        ['medium sale-not-checked'],
      ],
    ])('is judged if a repeat of the first request %s: %j', async (_, story, expected) => {
      const { waitMs, outcome, key = 'a', isLate = false } = story;
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop), transaction: ordered });
      const pay = (requestId: string) =>
        see(shop, 'payment.create', { body, headers: keyed(requestId) });
      shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-denied', times: 1 });
      await pay('a');
      shop.merchant.clock.advance(waitMs);
      if (isLate) await pay('b');
      if (outcome !== undefined) shop.merchant.force({ op: 'payment.create', outcome, times: 1 });
      await pay(key);
      if (!isLate) await pay('b');
      const found = await foundIn(shop);
      expect(found.filter((one) => one.endsWith('sale-not-checked'))).toEqual(expected);
    });

    it('is over if the second payment was refunded', async () => {
      const shop = await payTwice({ outcome: 'sale-pending-forever' });
      const list = await shop.ask('payment.list', 200, {});
      const latest = list.payments?.[0];
      if (latest === undefined) throw new Error('There is no payment.');
      await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(latest).id }, body: {} });
      expect(await foundIn(shop)).not.toContain('medium sale-not-checked');
    });
  },
  onTestTime,
);

onEveryTransport(
  'a sale that the client first saw after its answer was lost',
  (transport) => {
    /** Pays, and returns ways to see the payment. */
    async function buy(outcome: OutcomeId) {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome, and: 'reset-after-commit' },
      });
      const pay = () =>
        see(shop, 'payment.create', { body: paymentBody({ cardId }), headers: keyed('a') });
      await pay();
      const paymentId = shop.merchant.journal().entries.at(-1)?.subject ?? '';
      const looks = {
        repeat: pay,
        read: () => shop.ask('payment.get', 200, { params: { payment_id: paymentId } }),
        list: () => shop.ask('payment.list', 200, {}),
      };
      const deleteCard = () => shop.ask('card.delete', 204, { params: { card_id: cardId } });
      return { shop, looks, deleteCard };
    }

    async function notChecked(shop: Shop): Promise<string[]> {
      const found = await foundIn(shop);
      return found.filter((one) => one.endsWith('sale-not-checked'));
    }

    it.each(['repeat', 'read', 'list'] as const)(
      'is reported if it was pending then, by a %s, and the client never asked again',
      async (look) => {
        const { shop, looks } = await buy('sale-pending-then-denied');
        shop.merchant.clock.advance(20_000);
        await looks[look]();
        expect(await notChecked(shop)).toEqual(['medium sale-not-checked']);
        shop.merchant.clock.advance(5 * dayMs);
        expect(await notChecked(shop)).toEqual(['high sale-not-checked']);
        const { what, confidence } = findingOf(await shop.merchant.verdict(), 'sale-not-checked');
        expect(confidence).toBe('likely');
        expect(what).toMatch(
          /was pending when the client first saw it, and was denied later\. The client never asked what became of it\.$/,
        );
      },
    );

    it.each(['repeat', 'read', 'list'] as const)(
      'is reported if it was pending then, by a %s, and the client deleted the card',
      async (look) => {
        const { shop, looks, deleteCard } = await buy('sale-pending-then-denied');
        await looks[look]();
        await deleteCard();
        shop.merchant.clock.advance(5 * dayMs);
        expect(await notChecked(shop)).toEqual(['high sale-not-checked']);
      },
    );

    it.each(['read', 'list'] as const)(
      'is not reported if the client asked again once it was denied, by a %s',
      async (look) => {
        const { shop, looks } = await buy('sale-pending-then-denied');
        await looks.repeat();
        shop.merchant.clock.advance(5 * dayMs);
        await looks[look]();
        expect(await notChecked(shop)).toEqual([]);
      },
    );

    it('is remarked if the client read it again only while it was pending', async () => {
      const { shop, looks } = await buy('sale-pending-then-denied');
      await looks.repeat();
      await looks.read();
      shop.merchant.clock.advance(5 * dayMs);
      expect(await notChecked(shop)).toEqual(['low sale-not-checked']);
    });

    it.each(['read', 'list'] as const)('is not reported if a %s shows it denied', async (look) => {
      const { shop, looks } = await buy('sale-pending-then-denied');
      shop.merchant.clock.advance(5 * dayMs);
      await looks[look]();
      expect(await notChecked(shop)).toEqual([]);
    });

    it('is not reported as pending to a client that never saw it', async () => {
      const { shop } = await buy('sale-pending-then-denied');
      shop.merchant.clock.advance(5 * dayMs);
      expect(await notChecked(shop)).toEqual([]);
    });

    it('is not reported for a card that was deleted before the look', async () => {
      const { shop, looks, deleteCard } = await buy('declined-inside-201');
      await deleteCard();
      await looks.read();
      expect(await notChecked(shop)).toEqual([]);
    });

    it.each(['repeat', 'read', 'list'] as const)(
      'is remarked if a %s shows it denied, and the card is deleted then',
      async (look) => {
        const { shop, looks, deleteCard } = await buy('declined-inside-201');
        await looks[look]();
        expect(await notChecked(shop)).toEqual([]);
        await deleteCard();
        expect(await notChecked(shop)).toEqual(['low sale-not-checked']);
      },
    );
  },
  onTestTime,
);

onEveryTransport('a sale that was denied in the answer', (transport) => {
  it.each([
    ['card.delete', ['low sale-not-checked']],
    ['sale.refund', ['high sale-not-checked']],
  ] as const)('is judged before %s: %j', async (operation, found) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'declined-inside-201' });
    const body = paymentBody({ cardId });
    const headers = keyed('a');
    const payment = await shop.ask('payment.create', 201, { body, headers });
    const params = { card_id: cardId, sale_id: saleOf(payment).id };
    await shop.send(operation, { params, ...(operation === 'sale.refund' && { body: {} }) });
    const notChecked = (await foundIn(shop)).filter((one) => one.endsWith('sale-not-checked'));
    expect(notChecked).toEqual(found);
  });
});

onEveryTransport(
  'a pending refund that fails after three days',
  (transport) => {
    async function refundSale(
      outcome: 'refund-failed-later' | 'refund-pending-then-completed',
      total = '30.11',
    ) {
      const shop = transport.shop();
      const sale = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome });
      const params = { sale_id: sale.id, payment_id: sale.parent_payment };
      const body = { amount: { total, currency: 'USD' } };
      const { id, state } = await shop.ask('sale.refund', 201, { params, body });
      expect(state).toBe('pending');
      return { shop, params: { ...params, refund_id: id } };
    }

    async function notChecked(shop: Shop, settle = 'P3D'): Promise<string[]> {
      const found = await foundIn(shop, { settle });
      return found.filter((one) => one.endsWith('refund-not-checked'));
    }

    it('is remarked if the client has not asked yet', async () => {
      const { shop } = await refundSale('refund-failed-later');
      expect(await notChecked(shop)).toEqual(['low refund-not-checked']);
      expect(await notChecked(shop, '0s')).toEqual([]);
      shop.merchant.clock.advance(2 * dayMs);
      expect(await notChecked(shop)).toEqual(['low refund-not-checked']);
    });

    it('is reported if the client never asked', async () => {
      const { shop } = await refundSale('refund-failed-later');
      shop.merchant.clock.advance(4 * dayMs);
      expect(await notChecked(shop)).toEqual(['high refund-not-checked']);
      const found = findingOf(await shop.merchant.verdict(), 'refund-not-checked');
      expect(found.confidence).toBe('likely');
      expect(found.what).toMatch(
        /^The refund of 30\.11 USD of sale \w+ was pending when it was answered, and failed later\. The client never asked what became of it\.$/,
      );
    });

    it('is reported if another refund was read', async () => {
      const { shop } = await refundSale('refund-failed-later');
      const other = await sell(shop);
      const params = { sale_id: other.id, payment_id: other.parent_payment };
      shop.merchant.clock.advance(4 * dayMs);
      await shop.ask('sale.get', 200, { params });
      await shop.ask('payment.get', 200, { params });
      expect(await notChecked(shop)).toEqual(['high refund-not-checked']);
    });

    it('is reported for a capture', async () => {
      const shop = transport.shop();
      const { id } = await capture(shop, (await authorize(shop)).id, '30.11');
      shop.merchant.force({ op: 'capture.refund', outcome: 'refund-failed-later' });
      await shop.ask('capture.refund', 201, { params: { capture_id: id }, body: {} });
      shop.merchant.clock.advance(4 * dayMs);
      expect(await notChecked(shop)).toEqual(['high refund-not-checked']);
      await shop.ask('capture.get', 200, { params: { capture_id: id } });
      expect(await notChecked(shop)).toEqual([]);
    });

    it.each(['refund.get', 'sale.get', 'sale.refunds', 'payment.get', 'payment.list'] as const)(
      'is not reported if it was read late, by %s',
      async (look) => {
        const { shop, params } = await refundSale('refund-failed-later');
        shop.merchant.clock.advance(4 * dayMs);
        await shop.ask(look, 200, { params });
        expect(await notChecked(shop)).toEqual([]);
      },
    );

    it('is remarked if it was read only while it was pending', async () => {
      const { shop, params } = await refundSale('refund-failed-later');
      shop.merchant.clock.advance(dayMs);
      await shop.ask('refund.get', 200, { params });
      expect(await notChecked(shop)).toEqual([]);
      shop.merchant.clock.advance(3 * dayMs);
      expect(await notChecked(shop)).toEqual(['low refund-not-checked']);
      const found = findingOf(await shop.merchant.verdict(), 'refund-not-checked');
      expect(found.what).toMatch(
        /was pending when the client last saw it, and failed later\. The client did not ask for it after that\.$/,
      );
    });

    it.each([
      ['for a week', 0, 'low', 'after that.'],
      [
        'for more than a week',
        1,
        'medium',
        'after that, although it sent other requests for 7 days.',
      ],
    ])(
      'is found if it was read only while it was pending, and the client goes on %s',
      async (_, moreMs, severity, end) => {
        const { shop, params } = await refundSale('refund-failed-later');
        shop.merchant.clock.advance(hourMs);
        await shop.ask('refund.get', 200, { params });
        shop.merchant.clock.advance(10 * dayMs - hourMs + moreMs);
        await sell(shop);
        expect(await notChecked(shop)).toEqual([`${severity} refund-not-checked`]);
        const { what } = findingOf(await shop.merchant.verdict(), 'refund-not-checked');
        expect(what.endsWith(end)).toBe(true);
      },
    );

    it('is a low remark if its last looks were lost until the end', async () => {
      const { shop, params } = await refundSale('refund-failed-later');
      shop.merchant.clock.advance(hourMs);
      await shop.ask('refund.get', 200, { params });
      shop.merchant.clock.advance(20 * dayMs);
      shop.merchant.force({ op: 'refund.get', outcome: 'wrong-content-encoding' });
      await see(shop, 'refund.get', { path: `/v1/payments/refund/${params.refund_id}` });
      expect(await notChecked(shop)).toEqual(['low refund-not-checked']);
    });

    it('is remarked if the client refunded again in between, which shows no refund', async () => {
      const { shop, params } = await refundSale('refund-failed-later', '5.00');
      shop.merchant.clock.advance(dayMs);
      const body = { amount: { total: '7.00', currency: 'USD' } };
      await shop.ask('sale.refund', 201, { params, body });
      shop.merchant.clock.advance(3 * dayMs);
      const found = findingOf(await shop.merchant.verdict(), 'refund-not-checked');
      expect(found.what).toMatch(
        /^The refund of 5\.00 USD of sale \w+ was pending when the client last saw it, and failed later\. The client did not ask for it after that\.$/,
      );
    });

    it.each([
      ['nothing else is answered', false, 'low refund-not-checked'],
      ['another sale is answered', true, 'high refund-not-checked'],
    ])('is judged after a late read whose answer is lost, if %s', async (_, isWell, expected) => {
      const { shop, params } = await refundSale('refund-failed-later');
      shop.merchant.clock.advance(4 * dayMs);
      shop.merchant.force({ op: 'refund.get', outcome: 'wrong-content-encoding' });
      await see(shop, 'refund.get', { path: `/v1/payments/refund/${params.refund_id}` });
      if (isWell) await sell(shop);
      expect(await notChecked(shop)).toEqual([expected]);
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'refund-not-checked');
      expect(what).toContain(
        'failed later. The client tried once to find out, and no answer told it.',
      );
      expect(remedy).toContain(isWell ? 'Read a pending refund again' : 'Look again once');
    });

    it('is not reported if the money is returned in another way', async () => {
      const { shop, params } = await refundSale('refund-failed-later');
      shop.merchant.clock.advance(4 * dayMs);
      await shop.ask('sale.refund', 201, { params, body: {} });
      expect(await notChecked(shop)).toEqual([]);
    });

    it('is not reported if it completes', async () => {
      const { shop } = await refundSale('refund-pending-then-completed');
      shop.merchant.clock.advance(4 * dayMs);
      expect(await notChecked(shop)).toEqual([]);
    });

    /** Refunds a sale without receiving the answer, and returns ways to see the refund. */
    async function loseRefund() {
      const shop = transport.shop();
      const sale = await sell(shop);
      shop.merchant.force({
        op: 'sale.refund',
        outcome: { outcome: 'refund-failed-later', and: 'reset-after-commit' },
      });
      const path = `/v1/payments/sale/${sale.id}/refund`;
      const refund = () => see(shop, 'sale.refund', { path, body: {}, headers: keyed('a') });
      await refund();
      const refund_id = shop.merchant.journal().entries.at(-1)?.subject ?? '';
      const params = { sale_id: sale.id, payment_id: sale.parent_payment, refund_id };
      const looks = {
        repeat: refund,
        'refund.get': () => shop.ask('refund.get', 200, { params }),
        'sale.refunds': () => shop.ask('sale.refunds', 200, { params }),
        'payment.get': () => shop.ask('payment.get', 200, { params }),
      };
      return { shop, looks };
    }

    it('is another finding if its answer was lost', async () => {
      const { shop } = await loseRefund();
      shop.merchant.clock.advance(4 * dayMs);
      expect(await notChecked(shop)).toEqual([]);
      expect(await foundIn(shop)).toContain('medium no-read-after-unknown');
    });

    it.each(['repeat', 'refund.get', 'sale.refunds', 'payment.get'] as const)(
      'is reported if the client saw it only once after a lost answer, by %s',
      async (look) => {
        const { shop, looks } = await loseRefund();
        await looks[look]();
        shop.merchant.clock.advance(4 * dayMs);
        expect(await notChecked(shop)).toEqual(['high refund-not-checked']);
        const { what } = findingOf(await shop.merchant.verdict(), 'refund-not-checked');
        expect(what).toMatch(
          /was pending when the client first saw it, and failed later\. The client never asked what became of it\.$/,
        );
        await looks['refund.get']();
        expect(await notChecked(shop)).toEqual([]);
      },
    );

    it.each(['refund.get', 'sale.refunds', 'payment.get'] as const)(
      'is not reported if the first look after a lost answer shows that it failed, by %s',
      async (look) => {
        const { shop, looks } = await loseRefund();
        shop.merchant.clock.advance(4 * dayMs);
        await looks[look]();
        expect(await notChecked(shop)).toEqual([]);
      },
    );

    it('is reported if a late repeat still shows it pending', async () => {
      const { shop, looks } = await loseRefund();
      shop.merchant.clock.advance(4 * dayMs);
      await looks.repeat();
      expect(await notChecked(shop)).toEqual(['high refund-not-checked']);
    });
  },
  onTestTime,
);
