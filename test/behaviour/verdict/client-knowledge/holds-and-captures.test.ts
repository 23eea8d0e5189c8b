/** Holds and captures that a client leaves, replaces or gives up, and amounts that drift. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import {
  authorizationOf,
  authorize,
  capture,
  dayMs,
  saleOf,
  sell,
  storeCard,
  type PaymentReply,
} from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, report, send, type NamedOrder } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';
import { pans } from '../../../support/samples.ts';

const minuteMs = 60_000;

onEveryTransport(
  'a refund or capture that is made again with almost the same amount',
  (transport) => {
    interface Story {
      readonly again: string;
      readonly afterMs?: number;
      readonly isLost?: boolean;
      readonly looks?: boolean;
      readonly repeatsLater?: boolean;
    }

    /** Refunds or captures twice. The answer to the first request is lost. */
    async function act(shop: Shop, operation: 'refund' | 'capture', story: Story): Promise<void> {
      const { again, afterMs = 10_000, isLost = true, looks = false } = story;
      const isRefund = operation === 'refund';
      const { id } = await (isRefund ? sell : authorize)(shop, { total: '100.00' });
      const [op, of] = isRefund
        ? (['sale.refund', 'sale'] as const)
        : (['auth.capture', 'authorization'] as const);
      const path = `/v1/payments/${of}/${id}/${operation}`;
      const ask = (total: string, key: string) =>
        see(shop, op, {
          path,
          body: { amount: { total, currency: 'USD' } },
          headers: keyed(key),
        });
      if (isLost) shop.merchant.force({ op, outcome: 'reset-after-commit', times: 1 });
      await ask('20.00', 'one');
      if (looks) await shop.ask('payment.list', 200, {});
      if (looks && isRefund) await shop.ask('sale.get', 200, { params: { sale_id: id } });
      if (looks && !isRefund) await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      shop.merchant.clock.advance(afterMs);
      await ask(again, 'two');
      if (story.repeatsLater === true) await ask('20.00', 'one');
      await report(shop);
    }

    it.each([
      ['refund', '20.01', 'double-refund', /^Sale \S+ .*was refunded twice with almost the same/],
      ['capture', '19.60', 'double-charge', /^Authorization \S+ was captured twice with almost /],
    ] as const)('is reported: %s of %s', async (operation, again, rule, text) => {
      const shop = transport.shop();
      await act(shop, operation, { again });
      const { severity, what } = findingOf(await shop.merchant.verdict(), rule);
      expect(severity).toBe('high');
      expect(what).toMatch(text);
      expect(what).toContain('The first answer was lost, and the retry used a new');
    });

    it.each<[string, Story]>([
      ['with another amount', { again: '20.41' }],
      ['later', { again: '20.01', afterMs: 10 * minuteMs }],
      ['after an answer', { again: '20.01', isLost: false }],
      ['after a look', { again: '20.01', looks: true }],
      ['if the first one is repeated later', { again: '20.01', repeatsLater: true }],
    ])('may be another part %s', async (_, story) => {
      for (const operation of ['refund', 'capture'] as const) {
        const shop = transport.shop();
        await act(shop, operation, story);
        expect(await highIn(shop)).toEqual([]);
      }
    });
  },
  onTestTime,
);

onEveryTransport(
  'an order that is authorized twice',
  (transport) => {
    const hold = async (shop: Shop, order: NamedOrder): Promise<string> => {
      await send(shop, { ...order, intent: 'authorize' });
      const paymentId = shop.merchant.journal().entries.at(-1)?.subject ?? '';
      const payment = await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
      return authorizationOf(payment).id;
    };

    it.each([
      ['one is captured', 'capture', 0, /, and 30\.11 USD at \S+ is still on hold\./],
      [
        'none is captured',
        'nothing',
        0,
        /, and 30\.11 USD at \S+ and 30\.11 .+ are still on hold\./,
      ],
      [
        'one is captured and the other one expires',
        'capture',
        40,
        /, and 30\.11 USD at \S+ stayed on hold until the authorization expired\./,
      ],
      [
        'both expire',
        'nothing',
        40,
        /, and 30\.11 USD at \S+ and 30\.11 .+ stayed on hold until the authorizations expired\./,
      ],
    ])('leaves money on hold if %s', async (_, then, days, end) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1' };
      await send(shop, { ...order, intent: 'authorize' });
      shop.merchant.clock.advance(10 * minuteMs);
      const id = await hold(shop, order);
      if (then === 'capture') await capture(shop, id, '30.11');
      shop.merchant.clock.advance(days * dayMs);
      expect(await foundIn(shop)).toEqual(['high double-charge']);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/^Purchase "order-1" was authorized twice, /);
      expect(what).toMatch(end);
    });

    it.each([
      ['at once', 0],
      ['and the other one expires', 40],
    ])('leaves no money on hold twice if one is voided %s', async (_, days) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1' };
      const id = await hold(shop, order);
      shop.merchant.clock.advance(10 * minuteMs);
      await hold(shop, order);
      await shop.ask('auth.void', 200, { params: { authorization_id: id } });
      shop.merchant.clock.advance(days * dayMs);
      expect(await highIn(shop)).toEqual([]);
    });

    it('leaves no money on hold twice if one expires before the other is made', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1', intent: 'authorize' };
      for (let holds = 0; holds < 2; holds++) {
        await send(shop, order, 'order-1');
        shop.merchant.clock.advance(30 * dayMs);
      }
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['the other one', 2, 1, 'medium'],
      ['one of two others', 3, 1, 'high'],
      ['both others', 3, 2, 'medium'],
    ])('is less severe if the client asked to void %s', async (_, count, voided, severity) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1' };
      shop.merchant.force({ op: 'auth.void', outcome: 'validation-missing-field', times: voided });
      const ids: string[] = [];
      for (let holds = 0; holds < count; holds++) {
        ids.push(await hold(shop, order));
        shop.merchant.clock.advance(10 * minuteMs);
      }
      for (const id of ids.slice(0, voided)) {
        await shop.ask('auth.void', 400, { params: { authorization_id: id } });
      }
      const found = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(found.severity).toBe(severity);
      const isVoided = severity === 'medium';
      expect(found.what.endsWith('asked to void the others, but that failed.')).toBe(isVoided);
      expect(found.remedy.startsWith('Read an authorization after')).toBe(isVoided);
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

    it.each([
      ['after the second one was made', ['high double-charge']],
      ['before that, as an instalment is', []],
      ['never', []],
    ])('is reported days later if the first hold is captured %s', async (when, found) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-1', intent: 'authorize' };
      const holdUnread = async (): Promise<string> =>
        authorizationOf(JSON.parse((await send(shop, order)).text) as PaymentReply).id;
      const first = await holdUnread();
      if (when.startsWith('before')) await capture(shop, first, '30.11');
      shop.merchant.clock.advance(9 * dayMs);
      await capture(shop, await holdUnread(), '30.11');
      if (when.startsWith('after')) await capture(shop, first, '30.11');
      expect(await highIn(shop)).toEqual(found);
    });

    it.each([
      ['is captured', true, 'and each authorization was captured'],
      ['is open', false, 'and money is still on hold'],
      ['has expired', undefined, 'and money stayed on hold until it expired'],
    ])('is reported with a job that ran twice if it %s', async (_, isCaptured, end) => {
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
          if (isCaptured === true) await capture(shop, id, order.total);
        }
        shop.merchant.clock.advance(10 * minuteMs);
      }
      if (isCaptured === undefined) shop.merchant.clock.advance(40 * dayMs);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain(`("ada" and "bob") were authorized again 10 min later, ${end}.`);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a capture whose answer was lost',
  (transport) => {
    const order = async (shop: Shop): Promise<NamedOrder> => ({
      cardId: await storeCard(shop, { external_customer_id: 'ada' }),
      customer: 'ada',
      custom: 'stay-1',
      total: '100.00',
    });

    /** Authorizes an order, and loses the answer to its capture. Returns the authorization. */
    const loseCapture = async (
      shop: Shop,
      { cardId, customer, ...transaction }: NamedOrder,
      outcome: OutcomeId = 'reset-after-commit',
      captured = '100.00',
    ): Promise<string> => {
      const { id } = await authorize(shop, {
        cardId,
        total: '100.00',
        transaction: { ...transaction, total: undefined },
        ...(customer !== undefined && { externalCustomerId: customer }),
      });
      shop.merchant.force({ op: 'auth.capture', outcome, times: 1 });
      const path = `/v1/payments/authorization/${id}/capture`;
      const body = { amount: { total: captured, currency: 'USD' } };
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
      expect(what).toContain(
        'The answer to the capture was 500, and the client then paid for the order in another way.',
      );
    });

    it.each<[string, string, Partial<NamedOrder>, Partial<NamedOrder>, boolean]>([
      ['for the part that was captured', '75.00', {}, { total: '75.00' }, true],
      ['for more than was authorized', '115.00', {}, { total: '115.00' }, true],
      [
        'for that part in other words',
        '75.00',
        { description: 'Deposit' },
        { total: '75.00', description: 'Damage' },
        true,
      ],
      ['in more words', '100.00', { description: undefined }, { description: 'Stay 1' }, true],
      ['in fewer words', '100.00', {}, { description: undefined }, true],
      ['under a longer name', '100.00', {}, { custom: 'stay-1-retry' }, true],
      [
        'under a longer invoice number',
        '100.00',
        { custom: undefined, invoice_number: 'INV-5' },
        { invoice_number: 'INV-5-2' },
        true,
      ],
      ['for another part', '75.00', {}, { total: '70.00' }, false],
      ['under a number that is not longer', '100.00', {}, { custom: 'stay-12' }, false],
      ['without a name', '100.00', { custom: undefined }, {}, false],
    ])('is replaced by a sale %s', async (_, captured, first, second, isFound) => {
      const shop = transport.shop();
      const sent = await order(shop);
      const id = await loseCapture(shop, { ...sent, ...first }, 'reset-after-commit', captured);
      await send(shop, { ...sent, ...first, ...second });
      await look(shop, id);
      expect(await highIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
      const { excess } = (await shop.merchant.verdict()).totals[0] ?? {};
      expect(excess).toBe(isFound ? (second.total ?? '100.00') : undefined);
    });

    it.each([
      ['of the customer, for a numbered order', 'order-1301', 'ada', 'ada', true],
      ['of the customer, for something else', 'gym', 'ada', 'ada', false],
      ['of another customer', 'order-1301', 'ada', 'bob', false],
      ['of no customer, for a numbered order', 'order-1301', undefined, undefined, true],
      ['of no customer, for something else', 'gym', undefined, undefined, false],
    ])('is replaced by a sale with another card %s', async (_, custom, one, other, isFound) => {
      const shop = transport.shop();
      const paid = await Promise.all(
        [
          { customer: one, card: {} },
          { customer: other, card: { number: pans.mastercard, type: 'mastercard' } },
        ].map(async ({ customer, card }) => ({
          cardId: await storeCard(shop, { ...card, external_customer_id: customer }),
          customer,
          custom,
          total: '100.00',
        })),
      );
      const [first, second] = paid;
      if (first === undefined || second === undefined) throw new Error('Two orders are needed.');
      const id = await loseCapture(shop, first);
      await send(shop, second);
      await look(shop, id);
      expect(await highIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
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

    it.each(['a look', 'a repeat', 'a list', 'a repeat later', 'a refund of the sale', 'two days'])(
      'does no harm with %s',
      async (what) => {
        const shop = transport.shop();
        const sent = await order(shop);
        const id = await loseCapture(shop, sent);
        const repeat = () => {
          const path = `/v1/payments/authorization/${id}/capture`;
          const body = { amount: { total: '100.00', currency: 'USD' } };
          return see(shop, 'auth.capture', { path, body, headers: keyed('capture') });
        };
        if (what === 'a look') await look(shop, id);
        if (what === 'a repeat') await repeat();
        if (what === 'a list') await shop.ask('payment.list', 200, {});
        if (what === 'two days') shop.merchant.clock.advance(2 * dayMs);
        await send(shop, sent);
        const [sale] = shop.merchant.journal().entries.slice(-1);
        if (what === 'a repeat later') await repeat();
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

    it('and was not made fails the verdict after the authorization has expired, too', async () => {
      const shop = transport.shop();
      const bought = await order(shop);
      await loseCapture(shop, bought, 'reset-before-commit');
      shop.merchant.clock.advance(29 * dayMs);
      expect(await highIn(shop)).toEqual(['high no-read-after-unknown']);
      const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
      expect(what).toContain(
        'the merchant does not have the money, and the authorization has expired.',
      );
    });
  },
  onTestTime,
);

onEveryTransport(
  'a request that is given up after several lost answers',
  (transport) => {
    const attempt = async (
      shop: Shop,
      operation: 'sale.refund' | 'auth.void' | 'auth.capture',
      outcome: OutcomeId = 'error-502-before-commit',
    ): Promise<string> => {
      const isRefund = operation === 'sale.refund';
      const { id } = await (isRefund ? sell : authorize)(shop);
      const verb = operation.slice(operation.indexOf('.') + 1);
      const path = `/v1/payments/${isRefund ? 'sale' : 'authorization'}/${id}/${verb}`;
      const body =
        operation === 'auth.capture' ? { amount: { total: '30.11', currency: 'USD' } } : {};
      shop.merchant.force({ op: operation, outcome, times: 3 });
      for (const waitMs of [1_000, 3_000, 9_000]) {
        await see(shop, operation, { path, body, headers: keyed(operation) });
        shop.merchant.clock.advance(waitMs);
      }
      return id;
    };

    it.each([
      ['sale.refund', 'The refund was not made'],
      ['auth.void', 'The authorization was not voided'],
      ['auth.capture', 'The capture was not made'],
    ] as const)('is reported with its harm: %s', async (operation, text) => {
      const shop = transport.shop();
      await attempt(shop, operation);
      const { severity, what, remedy } = findingOf(
        await shop.merchant.verdict(),
        'no-read-after-unknown',
      );
      expect(severity).toBe('high');
      expect(what).toContain('was sent 3 times, and no answer said whether it had succeeded.');
      expect(what).toContain(text);
      expect(remedy).toContain('Look the result up after the last attempt');
    });

    it('is no harm if it was carried out', async () => {
      const shop = transport.shop();
      await attempt(shop, 'auth.void', 'error-502-after-commit');
      expect(await highIn(shop)).toEqual([]);
    });

    it('is no harm if the client looks', async () => {
      const shop = transport.shop();
      const id = await attempt(shop, 'auth.void');
      await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['a report', false, 'high no-read-after-unknown'],
      ['a look at the authorization', true, undefined],
    ])('is a void before a capture, after %s', async (_, looks, found) => {
      const shop = transport.shop();
      const id = await attempt(shop, 'auth.void');
      await report(shop);
      if (looks) await shop.ask('auth.get', 200, { params: { authorization_id: id } });
      await capture(shop, id, '30.11');
      expect(await highIn(shop)).toEqual(found === undefined ? [] : [found]);
      if (found === undefined) return;
      const { what } = findingOf(await shop.merchant.verdict(), 'no-read-after-unknown');
      expect(what).toMatch(
        /It had not\. The client did not read the authorization, and captured it later: 30\.11 USD at /,
      );
    });

    it('is a void before a capture that was given back', async () => {
      const shop = transport.shop();
      const id = await attempt(shop, 'auth.void');
      const taken = await capture(shop, id, '30.11');
      const params = { capture_id: taken.id };
      await shop.ask('capture.refund', 201, { params, body: {} });
      expect(await highIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
