/** When two equal charges are certainly a duplicate, and when the client may have wanted both. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import {
  authorizationOf,
  authorize,
  capture,
  dayMs,
  hourMs,
  pay,
  saleOf,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { order } from '../support/orders.ts';
import { keyed, onTestTime, Checkout } from '../support/payment-attempts.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

const surely = 'critical double-charge';
const maybe = 'medium double-charge';
const orphaned = ['critical orphaned-charge'];

async function chargedTwiceAt({ shop }: { readonly shop: Shop }): Promise<string | undefined> {
  return (await foundIn(shop)).find((name) => name.endsWith('double-charge'));
}

/** Pays an order whose money comes 30 seconds after its payment. */
async function orderInTwoSteps(shop: Shop, cardId: string): Promise<void> {
  shop.merchant.force({
    op: 'payment.create',
    outcome: { outcome: 'partial-commit', with: { settleAfter: '30s' } },
  });
  await order(shop, { key: 'one', cardId });
}

onEveryTransport(
  'two equal charges',
  (transport) => {
    it.each<[OutcomeId, string]>([
      ['error-500-before-commit', 'one answer says nothing, and the same request is sent again'],
      ['reset-after-commit', 'one answer is lost, and the same request is sent again'],
      ['rate-limited-no-header', 'one is refused'],
      ['token-expired', 'one comes with a token that is over'],
      ['decline-generic', 'one is declined'],
    ])('may both be wanted if the outcome of each is known: %s', async (outcome) => {
      const till = await Checkout.at(transport.shop());
      await till.pay({ key: 'first' });
      till.forceOutcome(outcome);
      await till.payAll({ key: 'second' }, { key: 'second' }, { key: 'third' });
      expect(await chargedTwiceAt(till)).toBe(maybe);
    });

    it.each([
      [
        'three',
        0,
        /^Purchase "till-77" was charged 3 times: .* The client had 3 requests open at the same/,
      ],
      [
        'two of three, because one was refunded',
        1,
        /^Purchase "till-77" was charged 3 times, and two of these charges are left: .* Both/,
      ],
      ['one of three, because two were refunded', 2, undefined],
    ])('are counted if a triple click left %s', async (_, refunds, what) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const clicks = await Promise.all(['a', 'b', 'c'].map((key) => order(shop, { cardId, key })));
      for (const { text } of clicks.slice(0, refunds)) {
        const sale = saleOf(JSON.parse(text) as Parameters<typeof saleOf>[0]);
        await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body: {} });
      }
      const verdict = await shop.merchant.verdict();
      if (what === undefined) expect(namesOf(verdict)).not.toContain('high double-charge');
      else expect(findingOf(verdict, 'double-charge').what).toMatch(what);
    });

    it.each(['reset-after-commit', 'sale-pending-then-completed'] as const)(
      'are a duplicate if the client could not know of the first: %s',
      async (outcome) => {
        const till = await Checkout.at(transport.shop());
        till.forceOutcome(outcome);
        await till.payAll({ key: 'first' }, { key: 'second' });
        till.shop.merchant.clock.advance(10 * dayMs);
        expect(await chargedTwiceAt(till)).toBe(surely);
      },
    );

    it('may both be wanted after a replay showed that the pending sale completed', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('sale-pending-then-completed', 1, { settleAfter: '30s' });
      await till.payAll(
        { key: 'first' },
        { key: 'first', afterMs: 60_000 },
        { key: 'second', afterMs: 30_000 },
      );
      expect(await chargedTwiceAt(till)).toBe(maybe);
    });

    it.each([1_000, 200_000])(
      'may both be wanted if the first, with an unknown outcome, is retried %i ms after the second',
      async (ms) => {
        const till = await Checkout.at(transport.shop());
        till.forceOutcome('reset-after-commit');
        await till.payAll({ key: 'first' }, { key: 'second' }, { key: 'first', afterMs: ms });
        expect(await foundIn(till.shop)).toEqual([maybe]);
      },
    );

    it('are two purchases if the unknown one is retried hours after the other', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-after-commit');
      await till.payAll(
        { key: 'first' },
        { key: 'second', afterMs: hourMs },
        { key: 'first', afterMs: hourMs },
      );
      expect(await foundIn(till.shop)).toEqual([]);
    });

    it('are reported with the total of each payment, even with several captures', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const { id } = await authorize(shop, { cardId });
      for (const total of ['10.00', '12.50']) await capture(shop, id, total);
      await capture(shop, (await authorize(shop, { cardId })).id, '30.11');
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').what).toBe(
        'Purchase "A test order" was charged twice: 22.50 USD at 07:08:09 and 30.11 USD at 07:08:09. The first answer was delivered, and the second request had no PayPal-Request-Id.',
      );
    });

    it('are a duplicate if one request id was carried out twice', async () => {
      const till = await Checkout.at(transport.shop());
      await till.pay({ key: 'one' });
      till.forceOutcome('request-id-ignored');
      await till.pay({ key: 'one' });
      expect(await chargedTwiceAt(till)).toBe(surely);
      const { remedy } = findingOf(await till.shop.merchant.verdict(), 'double-charge');
      expect(remedy).toContain('The client could not prevent this duplicate');
    });
  },
  onTestTime,
);

const listOfNone = '/v1/payments/payment?count=20&start_time=2030-01-01T00:00:00Z';

onEveryTransport(
  'purchases with the same custom',
  (transport) => {
    it('are different purchases if amounts differ or the first was answered', async () => {
      const shop = transport.shop();
      const cards = [await storeCard(shop), await storeCard(shop)] as const;
      await order(shop, { key: 'one', cardId: cards[0] });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await order(shop, { key: 'two', cardId: cards[1] });
      await order(shop, { key: 'three', cardId: cards[0], total: '35.00' });
      expect(await chargedTwiceAt({ shop })).toBeUndefined();
    });

    it.each([
      ['reset-after-commit', 'look', 60_000, 'critical'],
      ['reset-after-commit', 'look', 5 * hourMs, 'low'],
      ['reset-after-commit', 'look elsewhere', 5 * hourMs, 'critical'],
      ['sale-pending-then-completed', 'trust the answer', 60_000, 'critical'],
      ['sale-pending-then-completed', 'trust the answer', 5 * hourMs, 'high'],
    ] as const)(
      'are less certainly a duplicate once the first was disclosed: %s, %s, after %i ms',
      async (outcome, then, ms, how) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        shop.merchant.force({ op: 'payment.create', outcome });
        await order(shop, { key: 'one', cardId });
        if (then === 'look') await shop.ask('payment.list', 200, {});
        if (then === 'look elsewhere') await shop.ask('payment.list', 200, { path: listOfNone });
        shop.merchant.clock.advance(ms);
        await order(shop, { key: 'two', cardId });
        await shop.ask('payment.list', 200, {});
        shop.merchant.clock.advance(10 * dayMs);
        const verdict = await shop.merchant.verdict();
        expect(findingOf(verdict, 'double-charge').severity).toBe(how);
        const retry = verdict.findings.find(({ rule }) => rule === 'new-key-on-retry');
        expect(retry?.severity).toBe(outcome === 'reset-after-commit' ? how : undefined);
        expect(retry?.what.includes('could not know')).toBe(
          retry === undefined ? undefined : then === 'look elsewhere',
        );
      },
    );

    it.each([
      ['likely a duplicate if the client has just seen the first one in a list', 0, 'high'],
      ['perhaps both wanted if the client has known the first one for long', 3 * hourMs, 'low'],
    ])('are %s', async (_, knownMs, severity) => {
      const shop = transport.shop();
      const body = paymentBody({
        cardId: await storeCard(shop),
        transaction: { custom: 'till-77' },
      });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await see(shop, 'payment.create', { body, headers: keyed('one') });
      shop.merchant.clock.advance(3 * hourMs - knownMs);
      await shop.ask('payment.list', 200, {});
      shop.merchant.clock.advance(knownMs);
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      expect(await foundIn(shop)).toContain(`${severity} double-charge`);
    });

    it.each<[string, { readonly afterMs: number; readonly custom?: string }, string[]]>([
      // The client has just read that the order is paid, and pays for it again.
      ['are likely a duplicate', { afterMs: 30_000, custom: 'till-77' }, ['high double-charge']],
      ['may both be wanted', { afterMs: 30_000 }, [maybe]],
      ['are two purchases', { afterMs: 600_000, custom: 'till-77' }, []],
      ['are two purchases', { afterMs: 600_000 }, []],
    ])('%s if the first was pending and then read as completed: %j', async (_, run, found) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const custom = run.custom === undefined ? {} : { custom: run.custom };
      const body = paymentBody({ cardId, transaction: custom });
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome: 'sale-pending-then-completed', with: { settleAfter: '30s' } },
      });
      const params = { sale_id: saleOf(await shop.ask('payment.create', 201, { body })).id };
      shop.merchant.clock.advance(30_000);
      expect((await shop.ask('sale.get', 200, { params })).state).toBe('completed');
      shop.merchant.clock.advance(run.afterMs);
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      expect(await foundIn(shop)).toEqual(found);
    });

    it.each<[string, { readonly listedMs?: number; readonly afterMs: number }, string[]]>([
      [
        'two purchases if a list had shown its money',
        { listedMs: 60_000, afterMs: 180_000 },
        ['low double-charge'],
      ],
      [
        'likely a duplicate soon after such a list',
        { listedMs: 60_000, afterMs: 90_000 },
        ['high double-charge'],
      ],
      [
        'certainly a duplicate if its money came after the list',
        { listedMs: 10_000, afterMs: 240_000 },
        [surely],
      ],
      ['certainly a duplicate without a list', { afterMs: 240_000 }, [surely]],
    ])('are %s, after a first payment that came in two steps', async (_, run, found) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      await orderInTwoSteps(shop, cardId);
      if (run.listedMs !== undefined) {
        shop.merchant.clock.advance(run.listedMs);
        await shop.ask('payment.list', 200, {});
      }
      shop.merchant.clock.advance(run.afterMs);
      await order(shop, { key: 'two', cardId });
      const all = await foundIn(shop);
      expect(all.filter((one) => one.endsWith('double-charge'))).toEqual(found);
    });

    it('are listed in the order in which the money came', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      await orderInTwoSteps(shop, cardId);
      shop.merchant.clock.advance(10_000);
      await order(shop, { key: 'two', cardId });
      shop.merchant.clock.advance(30_000);
      const { findings } = await shop.merchant.verdict();
      const times = findings
        .filter(({ rule }) => rule === 'double-charge')
        .flatMap(({ what }) => what.match(/(?<=USD at )[\d:]+/g) ?? []);
      expect(times).toHaveLength(2);
      expect(times).toEqual(times.toSorted());
    });

    it('are a duplicate if the first was read while it was pending', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
      await order(shop, { key: 'one', cardId });
      const [payment] = (await shop.ask('payment.list', 200, {})).payments;
      await shop.ask('payment.get', 200, { params: { payment_id: payment?.id ?? '' } });
      await order(shop, { key: 'two', cardId });
      shop.merchant.clock.advance(10 * dayMs);
      expect(await chargedTwiceAt({ shop })).toBe(surely);
    });

    it.each([
      ['is a duplicate', 'reset-after-commit', 300_000, surely],
      ['is a duplicate', 'reset-after-commit', 19 * hourMs, surely],
      // A daily payment is no duplicate, even if it comes some hours early.
      ['is no duplicate', 'reset-after-commit', 20 * hourMs, undefined],
      ['is no duplicate', 'sale-pending-then-completed', 20 * hourMs, undefined],
      ['is no duplicate', 'ok', 300_000, undefined],
      ['is no duplicate', 'reset-after-commit', 31 * dayMs, undefined],
    ] as const)(
      'count the second of equal payments right: it %s after %s and %i ms',
      async (_, outcome, ms, found) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        shop.merchant.force({ op: 'payment.create', outcome });
        await order(shop, { key: 'one', cardId });
        shop.merchant.clock.advance(ms);
        await order(shop, { key: 'two', cardId });
        await shop.ask('payment.list', 200, {});
        expect(await chargedTwiceAt({ shop })).toBe(found);
      },
    );
  },
  onTestTime,
);

onEveryTransport(
  'a capture',
  (transport) => {
    const take = (shop: Shop, id: string, { invoice = 'SHIP-1', total = '10.00', key = '' }) =>
      see(shop, 'auth.capture', {
        path: `/v1/payments/authorization/${id}/capture`,
        body: { amount: { total, currency: 'USD' }, invoice_number: invoice },
        headers: keyed(key),
      });

    it.each<[string, Parameters<typeof take>[2], string[]]>([
      ['the same', {}, ['high double-charge']],
      ['another invoice number', { invoice: 'SHIP-2' }, []],
      ['another amount', { total: '11.00' }, []],
      ['the same request id', { key: 'one' }, []],
    ])('is judged by an invoice number of its own, followed by %s', async (_how, next, found) => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await take(shop, id, { key: 'one' });
      shop.merchant.clock.advance(3 * dayMs);
      await take(shop, id, { key: 'two', ...next });
      expect(await foundIn(shop)).toEqual(found);
    });

    it('must not be repeated with another request id if it has an invoice number', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      await take(shop, id, { key: 'one' });
      await take(shop, id, { key: 'two' });
      expect(await foundIn(shop)).toEqual(
        expect.arrayContaining(['high double-charge', 'high new-key-on-retry']),
      );
    });

    it.each<[string, string, 'lost' | 'lost and read' | 'answered', string[], string?]>([
      ['parts that cost the same', '10.00', 'answered', []],
      ['parts that cost the same', '10.00', 'lost and read', ['low new-key-on-retry']],
      [
        'a duplicate that takes too much',
        '17.00',
        'answered',
        ['high double-charge'],
        ': 17.00 USD at 07:08:09 and 17.00 USD at 07:08:09. 3.89 USD more than authorized was captured. The first answer was delivered, and the second request used a new PayPal-Request-Id.',
      ],
      [
        'certainly a duplicate',
        '10.00',
        'lost',
        [...orphaned, 'high double-charge', 'high new-key-on-retry'],
        ': 10.00 USD at 07:08:09 and 10.00 USD at 07:08:09. The first answer was lost, and the retry used a new PayPal-Request-Id.',
      ],
      [
        'certainly a duplicate',
        '17.00',
        'lost',
        [...orphaned, 'high double-charge', 'high new-key-on-retry'],
        ': 17.00 USD at 07:08:09 and 17.00 USD at 07:08:09. 3.89 USD more than authorized was captured. The first answer was lost, and the retry used a new PayPal-Request-Id.',
      ],
    ])(
      'is judged if it is sent again without an invoice number as %s: %s, first %s',
      async (_, total, first, found, what) => {
        const shop = transport.shop();
        const payment = await pay(shop, { intent: 'authorize' });
        const { id } = authorizationOf(payment);
        if (first !== 'answered') {
          shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
        }
        const amount = { total, currency: 'USD' };
        const path = `/v1/payments/authorization/${id}/capture`;
        await see(shop, 'auth.capture', { path, body: { amount }, headers: keyed('one') });
        if (first === 'lost and read') {
          await shop.ask('payment.get', 200, { params: { payment_id: payment.id } });
        }
        await see(shop, 'auth.capture', { path, body: { amount }, headers: keyed('two') });
        const verdict = await shop.merchant.verdict();
        expect(namesOf(verdict)).toEqual(found);
        if (what !== undefined) {
          expect(findingOf(verdict, 'double-charge').what).toBe(
            `The capture of authorization ${id} was executed twice${what}`,
          );
        }
      },
    );

    it('is no duplicate after one of two was refunded', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      await take(shop, id, { key: 'one' });
      const { id: again } = await capture(shop, id, '10.00', { invoice_number: 'SHIP-1' });
      await shop.ask('capture.refund', 201, { params: { capture_id: again }, body: {} });
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
