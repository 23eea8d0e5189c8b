/** Kinds of incidents, each with the right client that looks most like it. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { authorize, capture, dayMs, hourMs, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const minuteMs = 60_000;

interface Sent {
  readonly cardId: string;
  readonly total?: string;
  readonly intent?: string;
  readonly custom?: string;
  readonly description?: string;
  readonly invoice?: string;
}

let keys = 0;

/** Pays with a new request id, and accepts any answer. */
function send(shop: Shop, { cardId, total, intent, invoice, ...names }: Sent) {
  keys++;
  const transaction = { ...names, ...(invoice !== undefined && { invoice_number: invoice }) };
  const parts = {
    cardId,
    transaction,
    ...(total !== undefined && { total }),
    ...(intent !== undefined && { intent }),
  };
  return see(shop, 'payment.create', { body: paymentBody(parts), headers: keyed(`key-${keys}`) });
}

async function payTwice(shop: Shop, first: Omit<Sent, 'cardId'>, afterMs: number, change = {}) {
  const cardId = await storeCard(shop);
  await send(shop, { cardId, ...first });
  shop.merchant.clock.advance(afterMs);
  await send(shop, { cardId, ...first, ...change });
}

const invoiceText =
  /^Invoice INV-5 was charged twice: 30\.11 USD at .+ and 30\.11 USD .+\. The second payment had the invoice number (?:INV-5-2|WEB-INV-5), with the same card, amount and description\./;

onEveryTransport(
  'an order that is paid again although its payment was answered',
  (transport) => {
    it.each([
      ['order-1001', 10_000],
      ['order-1001', 10 * minuteMs],
      ['Order #A7', 10 * minuteMs],
      ['INV_2026-3', 3 * hourMs],
      ['shop/booking no. 12', 3 * dayMs],
      ['Bestellung 12', 3 * dayMs],
    ])('is reported if custom is an order number: %s, after %i ms', async (custom, afterMs) => {
      const shop = transport.shop();
      await payTwice(shop, { custom }, afterMs);
      const verdict = await shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(['high double-charge']);
      const { what, remedy } = findingOf(verdict, 'double-charge');
      expect(what).toContain(`Purchase "${custom}" was charged twice: 30.11 USD `);
      expect(what).toContain('Both payments name the same order, period or instalment');
      expect(remedy.includes('such as nights or instalments')).toBe(afterMs >= 0.5 * dayMs);
    });

    it('is not reported if the description of each payment names its part', async () => {
      const shop = transport.shop();
      const custom = 'booking no. 12';
      const [first, second] = ['Night 1', 'Night 2'].map((description) => ({ description }));
      await payTwice(shop, { custom, ...first }, dayMs, second);
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      [
        'was read, and the other one came half a day later',
        'booking-12',
        0.5 * dayMs,
        true,
        'medium',
      ],
      ['was read, and the other one came sooner', 'booking-12', 0.5 * dayMs - 1, true, 'high'],
      ['was not read', 'booking-12', 0.5 * dayMs, false, 'high'],
      ['was read and paid a month', 'sub-ada-2026-11', 0.5 * dayMs, true, 'high'],
    ])('may be paid in parts: the first one %s', async (_, custom, afterMs, isRead, severity) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom, total: '30.11' };
      const { id } = await sell(shop, { ...order, transaction: { custom } });
      if (isRead) await shop.ask('sale.get', 200, { params: { sale_id: id } });
      shop.merchant.clock.advance(afterMs);
      await sell(shop, { ...order, transaction: { custom } });
      const { severity: found, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(found).toBe(severity);
      expect(remedy.startsWith('If both were wanted')).toBe(severity === 'medium');
    });

    it.each<[string, string, 'sale' | 'authorize', number, number, string]>([
      ['was found at once', 'list', 'sale', 0, 0.5 * dayMs, 'medium'],
      ['was found at once, and is a hold', 'list', 'authorize', 0, 3 * dayMs, 'medium'],
      ['was answered again', 'repeat', 'authorize', 0, 3 * dayMs, 'medium'],
      ['was found a little later', 'list', 'sale', 1, 0.5 * dayMs - 1, 'high'],
      ['was found only before the second one', 'list', 'sale', 0.5 * dayMs, 0, 'high'],
    ])(
      'may be paid in parts: the answer to the first one was lost, and it %s',
      async (...story) => {
        const [, how, intent, lostMs, knownMs, severity] = story;
        const shop = transport.shop();
        const stay = { cardId: await storeCard(shop), intent, transaction: { custom: 'order-12' } };
        const first = { body: paymentBody(stay), headers: keyed('one') };
        shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
        await see(shop, 'payment.create', first);
        shop.merchant.clock.advance(lostMs);
        if (how === 'repeat') await see(shop, 'payment.create', first);
        const [found] = (await shop.ask('payment.list', 200, {})).payments;
        shop.merchant.clock.advance(knownMs);
        await shop.ask('payment.get', 200, { params: { payment_id: found?.id ?? '' } });
        await see(shop, 'payment.create', { ...first, headers: keyed('two') });
        expect(findingOf(await shop.merchant.verdict(), 'double-charge').severity).toBe(severity);
      },
    );

    it.each([
      [
        'for a booking each night, some hours late',
        'booking-12',
        [22 * hourMs, 28 * hourMs],
        'medium',
      ],
      ['for a booking a little sooner', 'booking-12', [20 * hourMs - 1], 'high'],
      ['for a booking later than a night', 'booking-12', [28 * hourMs + 1], 'high'],
      ['for a booking, then within an hour', 'booking-12', [dayMs, hourMs], 'high'],
      ['for an order each day', 'order-12', [dayMs, dayMs], 'high'],
      ['for bookings of a plan', 'room 12', [dayMs, dayMs], undefined],
    ])('may be paid by night without a look: %s', async (_, custom, waits, severity) => {
      const shop = transport.shop();
      const stay = { cardId: await storeCard(shop), custom };
      await send(shop, stay);
      for (const waitMs of waits) {
        shop.merchant.clock.advance(waitMs);
        await send(shop, stay);
      }
      expect(await foundIn(shop)).toEqual(
        severity === undefined ? [] : [`${severity} double-charge`],
      );
    });

    it.each([
      ['a night was declined', [dayMs], [dayMs], 'medium'],
      ['two nights were declined', [dayMs, dayMs], [dayMs], 'medium'],
      [
        'a night was declined and tried again an hour later',
        [dayMs, hourMs],
        [23 * hourMs],
        'medium',
      ],
      ['a night was declined and tried again at once', [dayMs], [0], 'medium'],
      ['a payment was declined within the night', [12 * hourMs], [dayMs], 'high'],
      ['no night was declined', [], [2 * dayMs], 'high'],
    ])('may be paid by night: %s', async (_, declined, paid, severity) => {
      const shop = transport.shop();
      const stay = { cardId: await storeCard(shop), custom: 'booking-12' };
      const payAfter = async (waitMs: number) => {
        shop.merchant.clock.advance(waitMs);
        await send(shop, stay);
      };
      await send(shop, stay);
      const outcomes = ['decline-insufficient-funds', 'declined-inside-201'] as const;
      for (const [at, waitMs] of declined.entries()) {
        shop.merchant.force({ op: 'payment.create', outcome: outcomes[at % 2] ?? outcomes[0] });
        await payAfter(waitMs);
      }
      for (const waitMs of paid) await payAfter(waitMs);
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
    });

    it('may be paid by night after its first payment was declined', async () => {
      const shop = transport.shop();
      const stay = { cardId: await storeCard(shop), custom: 'booking-12' };
      shop.merchant.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
      for (const waitMs of [0, minuteMs, dayMs]) {
        shop.merchant.clock.advance(waitMs);
        await send(shop, stay);
      }
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it.each([
      ['booking-12', 'medium'],
      ['order-12', 'high'],
    ])('may hold the money of each night of %s: %s', async (custom, severity) => {
      const shop = transport.shop();
      await payTwice(shop, { custom, intent: 'authorize' }, dayMs);
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
    });

    it.each([
      ['name its rooms', 'b12-room-1', 'b12-room-2', 'medium'],
      ['name two of its nights', 'b12-2026-05-06', 'b12-2026-05-07', 'medium'],
      ['number them, or attempts', 'b12-1', 'b12-2', 'medium'],
      ['are numbers alone', 'hold-1', 'hold-2', 'high'],
      ['end in numbers of another kind', 'b12-1001', 'b12-1002', 'high'],
      ['count its attempts', 'b12-room-1-try-1', 'b12-room-1-try-2', 'high'],
    ])('may hold the money of parts within an hour if the request ids %s', async (...story) => {
      const [, first, second, severity] = story;
      const shop = transport.shop();
      const transaction = { custom: 'booking-12' };
      const body = paymentBody({ cardId: await storeCard(shop), intent: 'authorize', transaction });
      for (const key of [first, second]) {
        await see(shop, 'payment.create', { body, headers: keyed(key) });
        shop.merchant.clock.advance(hourMs);
      }
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
    });

    it.each([
      ['order-55-shipment-1', 'order-55-shipment-2', 'medium'],
      ['order-55-package-1', 'order-55-package-2', 'medium'],
      ['order-55-delivery-1', 'order-55-delivery-2', 'medium'],
      ['order-55-fulfillment-1', 'order-55-fulfillment-2', 'medium'],
      ['order-55-fulfilment-1', 'order-55-fulfilment-2', 'medium'],
      ['order-55-milestone-1', 'order-55-milestone-2', 'medium'],
      ['order-55-inst-1', 'order-55-inst-2', 'medium'],
      ['order-55-instal1', 'order-55-instal2', 'medium'],
      ['order=55&leg=1', 'order=55&leg=2', 'medium'],
      ['order:55:line:1', 'order:55:line:2', 'medium'],
      ['order-55-1-of-3', 'order-55-2-of-3', 'medium'],
      ['order-55 1of3', 'order-55 2of3', 'medium'],
      ['order-55-1/3', 'order-55-2/3', 'medium'],
      ['order-55-shipment-1-try-1', 'order-55-shipment-1-try-2', 'high'],
      ['order-55-attempt-1-of-3', 'order-55-attempt-2-of-3', 'high'],
      ['order-55-retry-1/3', 'order-55-retry-2/3', 'high'],
      ['order/55/1', 'order/55/2', 'high'],
      ['order-55-worker-1', 'order-55-worker-2', 'high'],
      ['order-55-sandbox-1', 'order-55-sandbox-3', 'high'],
    ])(
      'may be paid in parts an hour apart with the request ids %s and %s: %s',
      async (...story) => {
        const [first, second, severity] = story;
        const shop = transport.shop();
        const transaction = { custom: 'order-55' };
        const body = paymentBody({ cardId: await storeCard(shop), transaction });
        for (const key of [first, second]) {
          await see(shop, 'payment.create', { body, headers: keyed(key) });
          shop.merchant.clock.advance(hourMs);
        }
        expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
      },
    );

    it.each([
      ['booking-5', 'booking-5-night-', dayMs, 'low'],
      ['order-55', 'order-55-inst-', 3 * dayMs, 'low'],
      ['order-55', 'order-55-inst-', 11 * hourMs, 'medium'],
      ['booking-5', 'booking-5-try-', dayMs, 'medium'],
      ['order-55', 'order-55-try-', 3 * dayMs, 'high'],
    ])('is paid in numbered parts: %s with ids %s1 to 3, each %i ms later', async (...story) => {
      const [custom, key, afterMs, severity] = story;
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
      for (let part = 1; part <= 3; part++) {
        await see(shop, 'payment.create', { body, headers: keyed(`${key}${part}`) });
        shop.merchant.clock.advance(afterMs);
      }
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
    });

    it.each([
      ['number them, or attempts', 'authorize', ['b12-1', 'b12-2', 'b12-3'], 'medium'],
      ['number them, or attempts', 'sale', ['b12-1', 'b12-2'], 'medium'],
      ['number only some of them', 'authorize', ['b12-1', 'b12-2', 'b12-7c0e'], 'high'],
      ['are numbers alone', 'authorize', ['click-1', 'click-2'], 'high'],
      ['count its attempts', 'sale', ['b12-try-1', 'b12-try-2'], 'high'],
    ])('may be paid in parts at once if the request ids %s (%s)', async (...story) => {
      const [, intent, requestIds, severity] = story;
      const shop = transport.shop();
      const transaction = { custom: 'booking-12' };
      const body = paymentBody({ cardId: await storeCard(shop), intent, transaction });
      shop.merchant.hold({ op: 'payment.create', count: requestIds.length, timeoutMs: 120_000 });
      const answers = requestIds.map((key) =>
        see(shop, 'payment.create', { body, headers: keyed(key) }),
      );
      await shop.merchant.waitForHeld();
      shop.merchant.release();
      await Promise.all(answers);
      expect((await foundIn(shop)).toSorted()).toEqual([
        `${severity} concurrent-duplicates`,
        `${severity} double-charge`,
      ]);
    });

    it('is reported if only some of its payments were read', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), transaction: { custom: 'order-12' } };
      const { id } = await sell(shop, order);
      await shop.ask('sale.get', 200, { params: { sale_id: id } });
      for (let night = 0; night < 2; night++) {
        shop.merchant.clock.advance(dayMs);
        await sell(shop, order);
      }
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });

    it.each([
      'till-7',
      'web',
      'ada',
      'sku-1001',
      'border-1',
      'recorder-5',
      'reorder-5',
      'standing order 7',
      'order',
    ])('may be two purchases if custom is none: %s', async (custom) => {
      const shop = transport.shop();
      await payTwice(shop, { custom }, 10 * minuteMs);
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['days later, as an instalment', 5 * dayMs, {}],
      ['with another description, as a deposit and a balance', hourMs, { description: 'Balance' }],
      ['with another sum', hourMs, { total: '12.00' }],
      ['one after the other in a test', 2_000, {}],
    ])('may be two payments of one order %s', async (_, afterMs, change) => {
      const shop = transport.shop();
      await payTwice(shop, { custom: 'order-1001', description: 'Deposit' }, afterMs, change);
      const found = await foundIn(shop);
      expect(found.filter((name) => /^(critical|high)/.test(name))).toEqual([]);
    });

    it.each([
      ['most of it was returned', '15.01', 'before', ['low double-charge']],
      ['half of it was returned', '15.00', 'before', ['high double-charge']],
      [
        'most of it was returned after the second payment',
        '20.00',
        'after',
        ['high double-charge'],
      ],
      ['it was returned', '30.00', 'before', []],
    ])('is judged by what was refunded: %s', async (_, total, when, expected) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), total: '30.00' };
      const names = { transaction: { custom: 'order-1001' } };
      const sale = await sell(shop, { ...order, ...names });
      const giveBack = () =>
        see(shop, 'sale.refund', {
          path: `/v1/payments/sale/${sale.id}/refund`,
          body: { amount: { total, currency: 'USD' } },
          headers: keyed('back'),
        });
      if (when === 'before') await giveBack();
      shop.merchant.clock.advance(hourMs);
      await sell(shop, { ...order, ...names });
      if (when === 'after') await giveBack();
      const found = await foundIn(shop);
      expect(found.filter((name) => name.endsWith('double-charge'))).toEqual(expected);
    });

    it('is no duplicate on two cards that share a bill', async () => {
      const shop = transport.shop();
      const other = await storeCard(shop, { expire_year: 2033 });
      await payTwice(shop, { custom: 'order-1001' }, 10 * minuteMs, { cardId: other });
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['sub-ada', 'Plan M, November 2026', true],
      ['sub-ada-2026-11', 'Thanks', true],
      ['sub-ada', 'Plan M', false],
      ['concert-2026-11', 'A seat', false],
      ['sub-ada', 'Plan M with 12 seats, November 2026', true],
      ['sub-ada', 'Extra seat, November 2026', false],
      ['sub-ada', 'Prorated seat, November 2026', false],
    ])('is reported for a plan and its month: %s, %s', async (custom, description, isFound) => {
      const shop = transport.shop();
      await payTwice(shop, { custom, description }, hourMs);
      expect(await foundIn(shop)).toEqual(isFound ? ['high double-charge'] : []);
    });

    it.each(['payment.get', 'sale.get'] as const)(
      'is reported if %s did not show it and the client paid again at once',
      async (op) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        const order = { cardId, custom: 'web' };
        await send(shop, order);
        const [id = ''] = shop.merchant
          .journal()
          .entries.slice(-1)
          .map(({ subject }) => subject);
        const payment = await shop.ask('payment.get', 200, { params: { payment_id: id } });
        expect(await foundIn(shop)).toEqual([]);
        shop.merchant.force({ op, outcome: { outcome: 'error-forever', with: {} }, times: 1 });
        const related = payment.transactions[0]?.related_resources[0];
        const saleId = related !== undefined && 'sale' in related ? related.sale.id : '';
        const path = op === 'payment.get' ? `payment/${id}` : `sale/${saleId}`;
        await see(shop, op, { path: `/v1/payments/${path}` });
        await send(shop, order);
        expect(await foundIn(shop)).toContain('high double-charge');
      },
    );
  },
  onTestTime,
);

onEveryTransport(
  'an invoice number to which the client adds something',
  (transport) => {
    it.each([
      [false, 'INV-5-2'],
      [true, 'INV-5-2'],
      [false, 'WEB-INV-5'],
    ])(
      'pays the invoice again after the number was refused; lost first: %s, then %s',
      async (isLost, other) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        if (isLost) shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
        for (const invoice of ['INV-5', 'INV-5', other]) {
          await send(shop, { cardId, invoice });
          shop.merchant.clock.advance(minuteMs);
        }
        const verdict = await shop.merchant.verdict();
        const { what, remedy } = findingOf(verdict, 'double-charge');
        expect(namesOf(verdict).filter((name) => name.endsWith('double-charge'))).toHaveLength(1);
        expect(what).toMatch(invoiceText);
        expect(what).toContain(
          'The service had refused INV-5 before, because it was already used. So the second payment looks like a retry under another number.',
        );
        expect(remedy).toContain('do not change the invoice number');
      },
    );

    it('pays the invoice again while its sale is pending', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
      await payTwice(shop, { invoice: 'INV-5' }, hourMs, { invoice: 'INV-5-2' });
      shop.merchant.clock.advance(9 * dayMs);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(invoiceText);
      expect(what).toContain('The first sale was still pending then.');
    });

    it.each([
      ['a second part', ['INV-5', 'INV-5-2'], {}],
      ['another number', ['INV-5', 'INV-5', 'INV-6'], {}],
      ['a longer number', ['INV-5', 'INV-5', 'INV-52'], {}],
      ['a part with a sum of its own', ['INV-5', 'INV-5', 'INV-5-2'], { total: '4.00' }],
      ['a part with words of its own', ['INV-5', 'INV-5', 'INV-5-2'], { description: 'Extras' }],
    ])('may be %s', async (_, invoices, change) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      for (const [at, invoice] of invoices.entries()) {
        await send(shop, { cardId, invoice, ...(at === invoices.length - 1 && change) });
        shop.merchant.clock.advance(minuteMs);
      }
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'an authorization whose answer was lost',
  (transport) => {
    const loseHold = async (shop: Shop): Promise<string> => {
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await send(shop, { cardId: await storeCard(shop), custom: 'web', intent: 'authorize' });
      return shop.merchant.journal().entries.at(-1)?.subject ?? '';
    };

    it.each([
      [0, 'The money stays on hold until the authorization expires.'],
      [40 * dayMs, 'The money stayed on hold until the authorization expired.'],
    ])('is reported if the client never looks, %i ms later', async (afterMs, end) => {
      const shop = transport.shop();
      await loseHold(shop);
      shop.merchant.clock.advance(afterMs);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'orphaned-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(
        /^30\.11 USD was authorized for purchase "web" at .+, and the client never learned of it: /,
      );
      expect(what).toContain(end);
    });

    it.each([
      ['the same one, which the service ignored', 'hold', /This was not the client's doing\. /],
      ['a new one', 'other', /contains authorization \w+\. The money stays/],
    ])('is explained by the request id of the retry: %s', async (_, retryKey, text) => {
      const shop = transport.shop();
      const body = paymentBody({
        cardId: await storeCard(shop),
        intent: 'authorize',
        transaction: { custom: 'web' },
      });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await see(shop, 'payment.create', { body, headers: keyed('hold') });
      shop.merchant.force({ op: 'payment.create', outcome: 'request-id-ignored', optional: true });
      await see(shop, 'payment.create', { body, headers: keyed(retryKey) });
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'orphaned-charge');
      expect(what).toMatch(text);
      expect(remedy.startsWith('The client could not prevent')).toBe(retryKey === 'hold');
    });

    it.each(['payment.get', 'payment.list'] as const)('is known after %s', async (op) => {
      const shop = transport.shop();
      const id = await loseHold(shop);
      await shop.ask(op, 200, { params: { payment_id: id } });
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a refund that the client forgets after a lost answer',
  (transport) => {
    const loseRefund = async (shop: Shop, outcome: OutcomeId): Promise<string> => {
      const { id } = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome });
      const path = `/v1/payments/sale/${id}/refund`;
      await see(shop, 'sale.refund', { path, body: {}, headers: keyed('r') });
      return id;
    };

    it.each(['reset-before-commit', 'error-503-before-commit'] as const)(
      'is reported with the money that the customer did not get: %s',
      async (outcome) => {
        const shop = transport.shop();
        await loseRefund(shop, outcome);
        const { severity, what } = findingOf(
          await shop.merchant.verdict(),
          'no-read-after-unknown',
        );
        expect(severity).toBe('high');
        expect(what).toContain(
          'neither retried with the same PayPal-Request-Id nor looked it up. The refund was not made, so the customer has not been given the money back.',
        );
      },
    );

    it('is reported for a capture', async () => {
      const shop = transport.shop();
      const { id } = await capture(shop, (await authorize(shop)).id, '10.00');
      shop.merchant.force({ op: 'capture.refund', outcome: 'reset-before-commit' });
      const path = `/v1/payments/capture/${id}/refund`;
      await see(shop, 'capture.refund', { path, body: {}, headers: keyed('r') });
      expect(await foundIn(shop)).toContain('high no-read-after-unknown');
    });

    it('is likely unknown if a refusal says that nothing is left, which may have other reasons', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const path = `/v1/payments/sale/${id}/refund`;
      const part = (total: string) => ({
        path,
        body: { amount: { total, currency: 'USD' } },
        headers: keyed(total),
      });
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await see(shop, 'sale.refund', part('10.00'));
      expect((await see(shop, 'sale.refund', part('20.11'))).status).toBe(201);
      const { severity, confidence } = findingOf(await shop.merchant.verdict(), 'orphaned-refund');
      expect([severity, confidence]).toEqual(['critical', 'certain']);
      expect((await see(shop, 'sale.refund', part('1.00'))).status).toBe(400);
      const hinted = findingOf(await shop.merchant.verdict(), 'orphaned-refund');
      expect([hinted.severity, hinted.confidence]).toEqual(['high', 'likely']);
    });

    it('is not reported if the client looks', async () => {
      const shop = transport.shop();
      const id = await loseRefund(shop, 'reset-before-commit');
      await shop.ask('sale.get', 200, { params: { sale_id: id } });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('does no more harm if another refund returned money', async () => {
      const shop = transport.shop();
      const id = await loseRefund(shop, 'reset-before-commit');
      const body = { amount: { total: '5.00', currency: 'USD' } };
      await shop.ask('sale.refund', 201, { params: { sale_id: id }, body });
      expect(await foundIn(shop)).toEqual(['medium no-read-after-unknown']);
    });
  },
  onTestTime,
);

onEveryTransport(
  'equal captures of one authorization',
  (transport) => {
    const captureAll = async (shop: Shop, parts: readonly string[]): Promise<void> => {
      const { id } = await authorize(shop, { total: '90.00' });
      for (const total of parts) {
        await capture(shop, id, total);
        shop.merchant.clock.advance(hourMs);
      }
    };

    it('are a duplicate if the second takes more than was authorized', async () => {
      const shop = transport.shop();
      await captureAll(shop, ['50.00', '50.00']);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain('10.00 USD more than authorized was captured.');
    });

    it.each([
      ['nights, with a minibar that exceeds the amount', ['30.00', '30.00', '38.00']],
      ['parts that add up to the amount', ['45.00', '45.00']],
      ['different parts, with extras', ['60.00', '40.00']],
    ])('may be %s', async (_, parts) => {
      const shop = transport.shop();
      await captureAll(shop, parts);
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a pending sale or refund that is requested again',
  (transport) => {
    it('is described as what the first answer showed', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
      await payTwice(shop, { custom: 'web' }, minuteMs);
      shop.merchant.clock.advance(9 * dayMs);
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain(
        'The first answer showed a sale that was still pending, and the second',
      );
      expect(remedy).toContain('Read the sale until it is completed or denied');
    });

    it('is described for refunds, too', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'refund-pending-then-completed' });
      const body = { amount: { total: '5.00', currency: 'USD' } };
      for (const key of ['one', 'two']) {
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body, headers: keyed(key) });
      }
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-refund');
      expect(what).toContain('The first answer showed a refund that was still pending');
      expect(remedy).toContain('Read the refund until it is completed or failed');
    });

    it('is reported for an order number with another card on the next day', async () => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
      const other = await storeCard(shop, { expire_year: 2033 });
      await payTwice(shop, { custom: 'order-7' }, dayMs, { cardId: other });
      shop.merchant.clock.advance(9 * dayMs);
      expect(await foundIn(shop)).toContain('high double-charge');
    });
  },
  onTestTime,
);
