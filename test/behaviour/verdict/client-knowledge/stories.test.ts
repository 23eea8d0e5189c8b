/** Wrong clients, each with the right client that looks most like it. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { dayMs, hourMs, saleOf, sell, storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const minuteMs = 60_000;

interface Subscription {
  readonly custom: string;
  readonly total: string;
  readonly cardId: string;
  /** Default: as `custom`. */
  readonly customer?: string;
}

async function subscriptions(shop: Shop): Promise<Subscription[]> {
  const totals = { 'sub-ada': '9.99', 'sub-bob': '19.99', 'sub-cyd': '44.99' };
  return Promise.all(
    Object.entries(totals).map(async ([custom, total]) => ({
      custom,
      total,
      cardId: await storeCard(shop, { external_customer_id: custom }),
    })),
  );
}

let runs = 0;

/** A billing job that charges each subscription once, with a request id of its own. */
async function bill(shop: Shop, due: readonly Subscription[], run = String(++runs)): Promise<void> {
  for (const { custom, total, cardId, customer = custom } of due) {
    const body = paymentBody({
      cardId,
      total,
      externalCustomerId: customer,
      transaction: { custom },
    });
    await see(shop, 'payment.create', { body, headers: keyed(`${custom}-${run}`) });
  }
}

onEveryTransport(
  'a billing job',
  (transport) => {
    it.each([0, minuteMs, 10 * minuteMs, 3 * hourMs])(
      'is reported if it runs twice, %i ms apart',
      async (ms) => {
        const shop = transport.shop();
        const due = await subscriptions(shop);
        await bill(shop, due);
        shop.merchant.clock.advance(ms);
        await bill(shop, due);
        const verdict = await shop.merchant.verdict();
        const { severity, what } = findingOf(verdict, 'double-charge');
        expect([verdict.passed, severity]).toEqual([false, 'high']);
        expect(what).toMatch(
          /^3 purchases \("sub-ada", "sub-bob" and "sub-cyd"\) were charged again .+ later\. Names, cards and amounts are the same: 9\.99 USD, 19\.99 USD and 44\.99 USD\./,
        );
      },
    );

    it.each<[string, (shop: Shop) => void, string | undefined]>([
      [
        'no time passed on a frozen clock',
        ({ merchant }) => merchant.clock.freeze(),
        'no time passed',
      ],
      ['5 s passed', ({ merchant }) => void merchant.clock.advance(5_000), 'only 5 s passed'],
      [
        'ten minutes passed',
        ({ merchant }) => void merchant.clock.advance(10 * minuteMs),
        undefined,
      ],
    ])(
      'that runs twice is advised to move the clock, unless time passed: %s',
      async (_, pass, hint) => {
        const shop = transport.shop();
        const due = await subscriptions(shop);
        await bill(shop, due);
        pass(shop);
        await bill(shop, due);
        const { severity, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
        expect(severity).toBe('high');
        expect(remedy.includes("merchant.clock.advance('P1D')")).toBe(hint !== undefined);
        expect(remedy).toContain(hint ?? 'Record each order of a run as paid');
      },
    );

    const forPeriods = Array.from({ length: 3 }, () => 'low double-charge');
    const twice = ['high double-charge'];

    it.each<[string, string, string, number, readonly string[]]>([
      ['for two days', '2026-05-06', '2026-05-07', 0, forPeriods],
      ['for two days, written without hyphens', '20260506', '20260507', minuteMs, forPeriods],
      ['for two weeks', '2026-W19', '2026-W20', 0, forPeriods],
      ['for two months', '2026-05', '2026-06', 0, forPeriods],
      ['for two months, for the second time', 'run-1-2026-05', 'run-2-2026-06', 0, twice],
      ['at two times of a day', '2026-05-06T07:00', '2026-05-06T07:10', 0, twice],
      ['at two times, written as numbers', '20260506070000', '20260506071000', 0, twice],
      ['after midnight', '2026-05-06', '2026-05-07', 17 * hourMs, twice],
    ])('is judged by the days in its request ids: %s', async (_, one, other, ms, expected) => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      await bill(shop, due, one);
      shop.merchant.clock.advance(ms);
      await bill(shop, due, other);
      expect(await foundIn(shop)).toEqual(expected);
    });

    it.each([
      ['two months', 'sub-ada 2026-05', 'sub-ada 2026-06', ['low double-charge']],
      [
        'one month twice',
        'sub-ada 2026-05',
        'sub-ada 2026-05 again',
        ['high concurrent-duplicates', 'high double-charge'],
      ],
    ])('that catches up may pay at once: %s', async (_, one, other, expected) => {
      const shop = transport.shop();
      const transaction = { custom: 'sub-ada' };
      const body = paymentBody({ cardId: await storeCard(shop), transaction });
      shop.merchant.hold({
        op: 'payment.create',
        count: 2,
        at: 'before-commit',
        release: 'arrival',
      });
      await Promise.all(
        [one, other].map((key) => see(shop, 'payment.create', { body, headers: keyed(key) })),
      );
      expect((await foundIn(shop)).toSorted()).toEqual(expected);
    });

    it('is reported once for each run after the first', async () => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      for (let times = 0; times < 3; times++) {
        await bill(shop, due);
        shop.merchant.clock.advance(10 * minuteMs);
      }
      const { findings } = await shop.merchant.verdict();
      const doubled = findings.filter(({ rule }) => rule === 'double-charge');
      expect(doubled.map(({ what }) => what.slice(0, 46))).toEqual(
        Array.from({ length: 2 }, () => '3 purchases ("sub-ada", "sub-bob" and "sub-cyd'),
      );
    });

    it.each([
      ['is not reported for two orders among many others', 6, false],
      ['is reported for two orders among few others', 1, true],
    ])('%s', async (_, others, isFound) => {
      const shop = transport.shop();
      const two = (await subscriptions(shop)).slice(0, 2);
      const cardId = await storeCard(shop, { external_customer_id: 'others' });
      const more = Array.from({ length: others }, (__, at) => ({
        custom: `other-${at}`,
        total: `${at + 1}.50`,
        cardId,
        customer: 'others',
      }));
      await bill(shop, two);
      shop.merchant.clock.advance(10 * minuteMs);
      await bill(shop, two.slice(0, 1));
      await bill(shop, more);
      await bill(shop, two.slice(1));
      const { findings } = await shop.merchant.verdict();
      expect(findings.some(({ what }) => what.startsWith('2 purchases'))).toBe(isFound);
    });

    it.each([
      ['is not reported for two equal amounts, which two tills may sell', 2, false],
      ['is reported for three equal amounts', 3, true],
    ])('%s', async (_, count, isFound) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { external_customer_id: 'ada' });
      const due = ['till-a', 'till-b', 'till-c']
        .slice(0, count)
        .map((custom) => ({ custom, total: '9.99', cardId, customer: 'ada' }));
      await bill(shop, due);
      shop.merchant.clock.advance(10 * minuteMs);
      await bill(shop, due);
      expect((await foundIn(shop)).includes('high double-charge')).toBe(isFound);
    });

    it.each([
      ['is not reported if only one of its two orders has a name', '', false],
      ['is reported if both of its orders have a name', 'Seat 12', true],
    ])('%s', async (_, description, isFound) => {
      const shop = transport.shop();
      const [named] = await subscriptions(shop);
      if (named === undefined) throw new Error('There is no subscription.');
      const cardId = await storeCard(shop, { external_customer_id: 'eve' });
      const other = { cardId, total: '5.00', externalCustomerId: 'eve' };
      const body = paymentBody({ ...other, transaction: { description } });
      for (const run of ['monday', 'tuesday']) {
        await bill(shop, [named]);
        await see(shop, 'payment.create', { body, headers: keyed(`eve-${run}`) });
        shop.merchant.clock.advance(10 * minuteMs);
      }
      const { findings } = await shop.merchant.verdict();
      expect(findings.some(({ what }) => what.startsWith('2 purchases'))).toBe(isFound);
    });

    it.each<[string, readonly number[], readonly number[], boolean]>([
      ['is reported if its second run is a little slower', [2, 2], [3, 3], true],
      ['is not reported if buyers come back after times of their own', [1, 1], [4, 4], false],
      ['is reported if its orders lie five minutes apart', [5, 5], [5, 5], true],
      ['is not reported if its orders lie further apart', [6, 6, 20], [6, 6], false],
      ['is not reported if only the first orders lie further apart', [6, 6, 20], [5, 5], false],
      [
        'is not reported if buyers come in turn, and again without a pause',
        [2, 2, 2],
        [2, 2],
        false,
      ],
      ['is not reported if the next round begins a little later', [2, 1, 3.9], [2, 1], false],
      ['is reported if there is a pause between its runs', [2, 1, 4], [2, 1], true],
      ['is reported if its orders follow at once', [2, 0.15, 2], [2, 0.15], true],
      ['is reported if its second run follows at once', [2, 2, 0.15], [2, 2], true],
      [
        'is not reported if all buyers take ten seconds',
        [1 / 6, 1 / 6, 1 / 6],
        [1 / 6, 1 / 6],
        false,
      ],
    ])('%s', async (_, firstMinutes, secondMinutes, isFound) => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      for (const minutes of [firstMinutes, secondMinutes]) {
        for (const [at, one] of due.entries()) {
          await bill(shop, [one]);
          shop.merchant.clock.advance((minutes[at] ?? 10) * minuteMs);
        }
      }
      expect((await foundIn(shop)).includes('high double-charge')).toBe(isFound);
    });

    it.each([
      ['is not reported if a buyer in between was refused', 2, false],
      ['is reported if a buyer was refused and a pause follows', 5, true],
    ])('%s', async (_, minutes, isFound) => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      const [first] = due;
      if (first === undefined) throw new Error('There is no subscription.');
      const eve = { ...first, custom: 'eve' };
      for (let round = 0; round < 2; round++) {
        for (const one of [...due, eve]) {
          if (one === eve) {
            const outcome = 'decline-insufficient-funds';
            shop.merchant.force({ op: 'payment.create', outcome, times: 1 });
          }
          await bill(shop, [one]);
          shop.merchant.clock.advance((one === eve ? minutes : 2) * minuteMs);
        }
      }
      expect((await foundIn(shop)).includes('high double-charge')).toBe(isFound);
    });

    it('is reported with all its orders if a buyer buys again meanwhile', async () => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      const other = {
        cardId: await storeCard(shop, { external_customer_id: 'eve' }),
        total: '5.00',
      };
      const eve = { ...other, custom: 'eve', customer: 'eve' };
      await bill(shop, [eve]);
      shop.merchant.clock.advance(hourMs);
      await bill(shop, due);
      shop.merchant.clock.advance(10 * minuteMs);
      await bill(shop, [...due.slice(0, 1), eve, ...due.slice(1)]);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/^3 purchases \("sub-ada", "sub-bob" and "sub-cyd"\)/);
    });

    it.each<[string, readonly number[], readonly (string | undefined)[], boolean]>([
      ['is reported if three customers share one word', [0, 1, 2], ['a', 'b', 'c'], true],
      ['is not reported for two customers with one word', [0, 1], ['a', 'b'], false],
      [
        'is not reported if customers come back in another order',
        [2, 1, 0],
        ['a', 'b', 'c'],
        false,
      ],
      ['is not reported for one card without a customer', [0, 1, 2], [], false],
    ])('%s', async (_, again, customers, isFound) => {
      const shop = transport.shop();
      const due = await Promise.all(
        [0, 1, 2].slice(0, again.length).map(async (at) => {
          const customer = customers[at];
          const owner = customer === undefined ? {} : { external_customer_id: customer };
          return { cardId: await storeCard(shop, owner), externalCustomerId: customer };
        }),
      );
      for (const [run, order] of [due.keys(), again].entries()) {
        for (const at of order) {
          const { cardId = '', externalCustomerId } = due[at] ?? {};
          const body = paymentBody({
            cardId,
            ...(externalCustomerId !== undefined && { externalCustomerId }),
            transaction: { custom: 'monthly' },
          });
          await see(shop, 'payment.create', { body, headers: keyed(`${run}-${at}`) });
        }
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect((await foundIn(shop)).includes('high double-charge')).toBe(isFound);
    });

    it('is reported for three cards without customers that share one word', async () => {
      const shop = transport.shop();
      const brands = ['visa', 'mastercard', 'discover'] as const;
      const cards = await Promise.all(
        brands.map((type) => storeCard(shop, { type, number: pans[type] })),
      );
      for (let run = 0; run < 2; run++) {
        for (const cardId of cards) {
          const body = paymentBody({ cardId, transaction: { custom: 'monthly' } });
          await see(shop, 'payment.create', { body, headers: keyed(`${run}-${cardId}`) });
        }
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it('is reported if it starts again after it stopped in the middle', async () => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      await bill(shop, due.slice(0, 2));
      shop.merchant.clock.advance(10 * minuteMs);
      await bill(shop, due);
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });

    it.each([
      ['a day later', dayMs, (due: Subscription[]) => due],
      ['a month later', 30 * dayMs, (due: Subscription[]) => due],
      [
        'with other amounts',
        10 * minuteMs,
        (due: Subscription[]) => due.map((one) => ({ ...one, total: '5.00' })),
      ],
      ['for those that it had left out', 10 * minuteMs, (due: Subscription[]) => due.slice(2)],
    ] as const)('is not reported if it runs again %s', async (_, ms, next) => {
      const shop = transport.shop();
      const due = await subscriptions(shop);
      await bill(shop, _.includes('left out') ? due.slice(0, 2) : due);
      shop.merchant.clock.advance(ms);
      await bill(shop, next(due));
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a refund whose answer was lost',
  (transport) => {
    const refund = (shop: Shop, id: string, total: string, key: string) =>
      see(shop, 'sale.refund', {
        path: `/v1/payments/sale/${id}/refund`,
        body: { amount: { total, currency: 'USD' } },
        headers: keyed(key),
      });

    async function lose(shop: Shop): Promise<string> {
      const { id } = await sell(shop, { total: '100.00' });
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      await refund(shop, id, '20.00', 'one');
      return id;
    }

    it.each<[string, (shop: Shop, id: string) => Promise<unknown>]>([
      ['never looked at', () => Promise.resolve()],
      ['refunded again with another amount', (shop, id) => refund(shop, id, '38.50', 'two')],
    ])('is reported if it is %s', async (_, next) => {
      const shop = transport.shop();
      const id = await lose(shop);
      await next(shop, id);
      const { severity, what } = findingOf(await shop.merchant.verdict(), 'orphaned-refund');
      expect(severity).toBe('critical');
      expect(what).toContain(`20.00 USD of sale ${id} was refunded`);
    });

    it.each<[string, (shop: Shop, id: string) => Promise<unknown>]>([
      ['sent again with its request id', (shop, id) => refund(shop, id, '20.00', 'one')],
      [
        'found in the state of the sale',
        (shop, id) => shop.ask('sale.get', 200, { params: { sale_id: id } }),
      ],
      ['found in the list', (shop) => shop.ask('payment.list', 200, {})],
    ])('is not reported if it is %s', async (_, next) => {
      const shop = transport.shop();
      await next(shop, await lose(shop));
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a duplicate that the client did not cause',
  (transport) => {
    it.each([
      ['executed-twice-by-proxy', 1, /something on the way to the service sent it again/],
      ['request-id-ignored', 2, /which the service ignored\. This was not the client's doing/],
    ] as const)('says so, and that only reconciliation helps: %s', async (outcome, count, why) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      const pay = () => see(shop, 'payment.create', { body, headers: keyed('one') });
      if (count === 2) {
        await pay();
        shop.merchant.clock.advance(250);
      }
      shop.merchant.force({ op: 'payment.create', outcome });
      await pay();
      const { findings } = await shop.merchant.verdict();
      for (const { what, remedy } of findings.filter(({ severity }) => severity === 'critical')) {
        expect(what).toMatch(why);
        expect(what).not.toContain('name the same order');
        expect(remedy).toMatch(/^The client could not prevent this duplicate/);
      }
      expect(findings[0]?.rule).toBe('double-charge');
    });

    it.each([
      [
        'may all be wanted',
        1,
        'Donation',
        ['critical charged twice', 'medium charged 3 times'],
        '5.00',
      ],
      [
        'may all be wanted, two of them doubled',
        2,
        'Donation',
        ['critical charged 4 times', 'medium charged 3 times'],
        '10.00',
      ],
      [
        'are for one order',
        1,
        'order-7',
        ['critical charged twice', 'high charged 3 times'],
        '15.00',
      ],
    ] as const)(
      'is told apart from payments of the client that %s',
      async (_, times, custom, found, excess) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy', times });
        const body = paymentBody({ cardId, total: '5.00', transaction: { custom } });
        for (const id of ['one', 'two', 'three']) {
          await see(shop, 'payment.create', { body, headers: keyed(id) });
          shop.merchant.clock.advance(20_000);
        }
        const { findings, totals } = await shop.merchant.verdict();
        const charges = findings.filter(({ rule }) => rule === 'double-charge');
        expect(
          charges.map(
            ({ severity, what }) => `${severity} ${/charged (?:twice|\d times)/.exec(what)?.[0]}`,
          ),
        ).toEqual(found);
        expect(charges[1]?.what).not.toContain('something on the way');
        expect(totals).toMatchObject([{ excess }]);
      },
    );

    it.each([
      ['28.00', ['critical charged twice']],
      // A small part back ends no order.
      ['10.00', ['critical charged twice', 'high charged twice']],
    ] as const)(
      'is told apart from a month that was paid again after %s of it came back',
      async (total, found) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
        const body = paymentBody({
          cardId,
          total: '30.00',
          transaction: { custom: 'sub-12', description: 'Plan M, May 2030' },
        });
        const first = await shop.ask('payment.create', 201, { body, headers: keyed('one') });
        shop.merchant.clock.advance(dayMs);
        await shop.ask('sale.refund', 201, {
          params: { sale_id: saleOf(first).id },
          body: { amount: { currency: 'USD', total } },
        });
        shop.merchant.clock.advance(dayMs);
        await see(shop, 'payment.create', { body, headers: keyed('two') });
        const { findings } = await shop.merchant.verdict();
        const charges = findings.filter(({ rule }) => rule === 'double-charge');
        expect(
          charges
            .filter(({ severity }) => severity !== 'low')
            .map(
              ({ severity, what }) => `${severity} ${/charged (?:twice|\d times)/.exec(what)?.[0]}`,
            ),
        ).toEqual(found);
      },
    );

    it('gives no other reason if each of two payments was sent again on the way', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy', times: 2 });
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      for (const id of ['one', 'two']) {
        await see(shop, 'payment.create', { body, headers: keyed(id) });
        shop.merchant.clock.advance(60_000);
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(/sent each request again, .+ This was not the client's doing\.$/);
    });

    it.each([
      ['sent again on the way', 'executed-twice-by-proxy', 1, true],
      [
        'sent again on the way, and never showed either of both',
        'executed-twice-by-proxy',
        1,
        false,
      ],
      ['executed again', 'request-id-ignored', 2, true],
    ] as const)(
      'says so, although the answer was lost, if the request was %s',
      async (_, outcome, count, isRepeated) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
        const pay = () => see(shop, 'payment.create', { body, headers: keyed('one') });
        for (let sent = 1; sent < count; sent++) await pay();
        shop.merchant.force({
          op: 'payment.create',
          outcome: { outcome, and: 'reset-after-commit' },
        });
        await pay();
        shop.merchant.clock.advance(2_000);
        if (isRepeated) await pay();
        const { findings } = await shop.merchant.verdict();
        const orphaned = findings.filter(({ rule }) => rule === 'orphaned-charge');
        expect(orphaned.map(({ remedy }) => remedy.startsWith('The client could not'))).toEqual(
          isRepeated ? [true] : [false, false],
        );
        if (count === 2) expect(orphaned[0]?.what).toContain('The service ignored its PayPal-Req');
      },
    );

    it.each([
      ['shows the first one', true, [true]],
      ['never came', false, [false, false]],
    ])(
      'says so of a refund whose answer was lost, if the answer to its repeat %s',
      async (_, isRepeated, isNotTheirs) => {
        const shop = transport.shop();
        const { id } = await sell(shop);
        const outcome = { outcome: 'executed-twice-by-proxy', and: 'reset-after-commit' } as const;
        shop.merchant.force({ op: 'sale.refund', outcome });
        const body = { amount: { total: '10.00', currency: 'USD' } };
        const give = () =>
          see(shop, 'sale.refund', {
            path: `/v1/payments/sale/${id}/refund`,
            body,
            headers: keyed('one'),
          });
        await give();
        shop.merchant.clock.advance(2_000);
        if (isRepeated) await give();
        const { findings } = await shop.merchant.verdict();
        const orphaned = findings.filter(({ rule }) => rule === 'orphaned-refund');
        expect(orphaned.map(({ remedy }) => remedy.startsWith('The client could not'))).toEqual(
          isNotTheirs,
        );
      },
    );

    it('says of a refund that only the buyer can return it', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      shop.merchant.force({ op: 'sale.refund', outcome: 'executed-twice-by-proxy' });
      const body = { amount: { total: '10.00', currency: 'USD' } };
      await shop.ask('sale.refund', 201, { params: { sale_id: id }, body, headers: keyed('one') });
      const { findings } = await shop.merchant.verdict();
      expect(findings.map(({ rule }) => rule)).toEqual(['double-refund', 'orphaned-refund']);
      for (const { remedy } of findings) {
        expect(remedy).toMatch(
          /^The client could not prevent this duplicate\. .* agree with the buyer/,
        );
      }
    });
  },
  onTestTime,
);

onEveryTransport(
  'an equal payment after one whose answer was lost',
  (transport) => {
    it.each<[string, boolean, RegExp, RegExp]>([
      [
        'advises names for both if the client had found the first one',
        true,
        /The first answer was lost, but another answer had shown that it had succeeded, and the second request used a new PayPal-Request-Id\.$/,
        /^If both were wanted, give each an invoice_number, `custom` or description of its own\./,
      ],
      [
        'advises one request id if the client had not looked',
        false,
        /The first answer was lost, and the retry used a new PayPal-Request-Id\.$/,
        /^Create one PayPal-Request-Id per order/,
      ],
    ])('%s', async (_, hasLooked, why, advice) => {
      const shop = transport.shop();
      const body = paymentBody({
        cardId: await storeCard(shop),
        transaction: { custom: 'badge-9' },
      });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await see(shop, 'payment.create', { body, headers: keyed('one') });
      shop.merchant.clock.advance(minuteMs);
      if (hasLooked) await shop.ask('payment.list', 200, {});
      shop.merchant.clock.advance(20 * minuteMs);
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      const verdict = await shop.merchant.verdict();
      const { what, remedy, severity } = findingOf(verdict, 'double-charge');
      expect([what, remedy]).toEqual([expect.stringMatching(why), expect.stringMatching(advice)]);
      expect(severity).toBe(hasLooked ? 'low' : 'critical');
      const retry = findingOf(verdict, 'new-key-on-retry');
      expect(retry.remedy).toMatch(
        hasLooked ? advice : /^Create one PayPal-Request-Id per payment/,
      );
    });

    it.each([
      ['machine-9', true, 2, ['medium double-charge', 'medium new-key-on-retry']],
      ['machine-9', true, 1, ['critical double-charge', 'critical new-key-on-retry']],
      ['machine-9', false, 2, ['critical double-charge', 'medium new-key-on-retry']],
      ['badge-9', true, 2, ['critical double-charge', 'medium new-key-on-retry']],
      [undefined, true, 2, ['medium double-charge', 'medium new-key-on-retry']],
      [undefined, true, 1, ['critical double-charge', 'critical new-key-on-retry']],
      [undefined, false, 2, ['critical double-charge', 'medium new-key-on-retry']],
    ])('may be the next sale of a machine: %s, found in a list: %s', async (...story) => {
      const [custom, hasLooked, tries, expected] = story;
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const body = paymentBody({ cardId, transaction: { custom } });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: tries });
      for (let sent = 0; sent < tries; sent++) {
        await see(shop, 'payment.create', { body, headers: keyed('one') });
      }
      shop.merchant.clock.advance(minuteMs);
      if (hasLooked) await shop.ask('payment.list', 200, {});
      await sell(shop, { cardId, transaction: { custom: 'another' } });
      shop.merchant.clock.advance(20_000);
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      const found = (await foundIn(shop)).filter((one) => !one.includes('orphaned'));
      expect(found).toEqual(expected);
    });

    it.each([
      ['had found it', 'till-77', true, 'medium'],
      ['had not lost it', 'till-77', false, 'high'],
      ['had found it, and pays an order', 'order-7', true, 'critical'],
    ])('is judged after a look that failed, if the client %s', async (...story) => {
      const [, custom, isLost, severity] = story;
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
      const send = (key: string) => see(shop, 'payment.create', { body, headers: keyed(key) });
      if (isLost) {
        shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: 2 });
        await send('one');
      }
      await send('one');
      const [found] = (await shop.ask('payment.list', 200, {})).payments;
      shop.merchant.force({ op: 'payment.get', outcome: 'created-not-visible-yet' });
      await see(shop, 'payment.get', { path: `/v1/payments/payment/${found?.id ?? ''}` });
      shop.merchant.clock.advance(20_000);
      await send('two');
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').severity).toBe(severity);
    });

    it.each([
      ['a list that lags', ['list'], 'high'],
      ['a list that lags, and a read', ['list', 'read'], 'medium'],
      ['a read, and a list that lags', ['read', 'list'], 'high'],
    ] as const)('is judged after %s, if it names an order', async (_, looks, severity) => {
      const shop = transport.shop();
      const transaction = { custom: 'order-7' };
      const body = paymentBody({ cardId: await storeCard(shop), transaction });
      const send = (key: string) => shop.ask('payment.create', 201, { body, headers: keyed(key) });
      const { id } = await send('one');
      shop.merchant.force({ op: 'payment.list', outcome: 'list-lags-create' });
      for (const look of looks) {
        if (look === 'list') await shop.ask('payment.list', 200, {});
        else await shop.ask('payment.get', 200, { params: { payment_id: id } });
      }
      shop.merchant.clock.advance(5000);
      await send('two');
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').severity).toBe(severity);
    });

    it.each<[string, readonly ('read' | 'failed read' | 'list')[], string]>([
      ['a read that succeeded', ['read'], 'medium'],
      ['a read that failed', ['failed read'], 'high'],
      ['a read that failed at first', ['failed read', 'read'], 'medium'],
      ['a read that succeeded, and one that failed', ['read', 'failed read'], 'high'],
      ['a read that failed, and a list', ['failed read', 'list'], 'medium'],
      ['a list, and a read that failed', ['list', 'failed read'], 'high'],
    ])('is judged after %s, if it names a buyer', async (_, looks, severity) => {
      const shop = transport.shop();
      const transaction = { custom: 'buyer-ada' };
      const body = paymentBody({ cardId: await storeCard(shop), transaction });
      const send = (key: string) => shop.ask('payment.create', 201, { body, headers: keyed(key) });
      const { id } = await send('one');
      for (const look of looks) {
        if (look === 'failed read')
          shop.merchant.force({ op: 'payment.get', outcome: 'token-expired' });
        if (look === 'list') await shop.ask('payment.list', 200, {});
        else await see(shop, 'payment.get', { path: `/v1/payments/payment/${id}` });
      }
      shop.merchant.clock.advance(40_000);
      await send('two');
      const found = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(found.severity).toBe(severity);
      expect(/payment.get \w+ did not show the earlier payment/.test(found.what)).toBe(
        severity === 'high',
      );
    });

    it.each<[string, string, number, readonly (readonly string[])[], string]>([
      ['one of several of a shop', 'corner-shop', 2, [['two'], ['three']], 'medium'],
      ['one of several, answered late', 'corner-shop', 3, [['two'], ['two'], ['three']], 'medium'],
      ['one of two', 'corner-shop', 2, [['two']], 'critical'],
      ['one of two that were sent at once', 'corner-shop', 2, [['two', 'three']], 'critical'],
      ['one of several of an order', 'order-7', 2, [['two'], ['three']], 'critical'],
    ])('is judged as %s, after a lost one was found', async (...story) => {
      const [, custom, times, later, severity] = story;
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
      const send = (key: string) => see(shop, 'payment.create', { body, headers: keyed(key) });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times });
      for (const key of ['one', 'one']) await send(key);
      await shop.ask('payment.list', 200, {});
      for (const keys of later) {
        shop.merchant.clock.advance(20_000);
        await Promise.all(keys.map(send));
      }
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').severity).toBe(severity);
    });

    it.each([
      ['Espresso', 0, ['medium double-charge', 'medium new-key-on-retry']],
      ['Order 4711', 0, ['critical double-charge', 'medium new-key-on-retry']],
      ['till-77', 2 * minuteMs, ['low double-charge', 'low new-key-on-retry']],
      ['badge-9', 2 * minuteMs, ['high double-charge', 'low new-key-on-retry']],
    ])('may be the next sale of %s, %i ms later, after a lost one was found', async (...story) => {
      const [name, laterMs, expected] = story;
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const transaction = name.includes('-') ? { custom: name } : { description: name };
      const body = paymentBody({ cardId, transaction });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: 2 });
      for (let sent = 0; sent < 2; sent++) {
        await see(shop, 'payment.create', { body, headers: keyed('one') });
      }
      shop.merchant.clock.advance(minuteMs + laterMs);
      await shop.ask('payment.list', 200, {});
      await see(shop, 'payment.create', { body, headers: keyed('two') });
      expect(await foundIn(shop)).toEqual(expected);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a payment that a proxy doubled',
  (transport) => {
    const byProxy =
      /^Purchase "order-7" was charged (?:twice|3 times, and two of these charges are left): .*sent it again/;

    /** Pays for one order. A proxy sends the first request twice. */
    const paid = async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      const pay = (key: string) => see(shop, 'payment.create', { body, headers: keyed(key) });
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      await pay('one');
      return { shop, pay };
    };

    it('is not the doing of a client that paid once', async () => {
      const { shop } = await paid();
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').what).toMatch(byProxy);
    });

    it.each([
      ['is not the doing of a client that refunded the one it knew', 1, byProxy, /^The client/],
      [
        'is the doing of a client that found the other one and refunded it',
        0,
        /the second request used a new PayPal-Request-Id/,
        /^Create one PayPal-Request-Id per order/,
      ],
    ])('%s, and paid again', async (_, place, why, advice) => {
      const { shop, pay } = await paid();
      const { payments = [] } = await shop.ask('payment.list', 200, {});
      const refunded = payments[place];
      if (refunded === undefined) throw new Error('There are not two payments.');
      await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(refunded).id }, body: {} });
      shop.merchant.clock.advance(minuteMs);
      await pay('two');
      const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(why);
      expect(remedy).toMatch(advice);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a card that the shop deleted',
  (transport) => {
    const body = (card: Readonly<Record<string, unknown>>) => {
      const { cvv2: _code, ...kept } = cardBody({ external_customer_id: 'ada', ...card });
      return kept;
    };

    it.each([
      ['is reported if one entry of the card was deleted', 1, true],
      ['is not reported if the card may be that of another buyer', 2, false],
    ])('%s', async (_, entries, isFound) => {
      const shop = transport.shop();
      for (let times = 0; times < entries; times++) {
        const cardId = await storeCard(shop);
        await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      }
      const raw = rawPaymentBody();
      const { cvv2: _code, ...kept } = cardBody();
      const payer = {
        payment_method: 'credit_card',
        funding_instruments: [{ credit_card: kept }],
      };
      await shop.ask('payment.create', 201, { body: { ...raw, payer }, headers: keyed('one') });
      const found = await foundIn(shop);
      expect(found.includes('high raw-card-instead-of-token')).toBe(isFound);
    });

    it.each<[string, Record<string, unknown>, boolean]>([
      ['with the number that it kept', {}, true],
      ['with the card that the buyer typed again', { cvv2: '123' }, false],
      ['with a card of another customer', { external_customer_id: 'bob' }, false],
      ['with a card of another holder', { external_customer_id: undefined, last_name: 'B' }, false],
      ['with the card and no name', { external_customer_id: undefined, last_name: '' }, true],
      [
        'with the card of its holder',
        { external_customer_id: undefined, last_name: 'TESTER' },
        true,
      ],
      ['with its number and another expiry', { expire_year: 2033, first_name: 'A.' }, true],
      ['with a number that ends alike', { number: '4000009990050331' }, false],
    ])('is reported if the shop pays %s: %s', async (_, change, isFound) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { external_customer_id: 'ada' });
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      const raw = rawPaymentBody();
      const payer = {
        payment_method: 'credit_card',
        funding_instruments: [{ credit_card: { ...body({}), ...change } }],
      };
      await shop.ask('payment.create', 201, { body: { ...raw, payer }, headers: keyed('one') });
      expect(await foundIn(shop)).toEqual(isFound ? ['high raw-card-instead-of-token'] : []);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a payment that is answered with 201 without money',
  (transport) => {
    async function buy(shop: Shop, outcome: OutcomeId, custom = 'order-7') {
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome });
      const body = paymentBody({ cardId, transaction: { custom } });
      const payment = await shop.ask('payment.create', 201, { body, headers: keyed('one') });
      return { cardId, sale: saleOf(payment) };
    }

    const remove = (shop: Shop, id: string) =>
      shop.ask('card.delete', 204, { params: { card_id: id } });

    it('is not reported for a refund of a denied sale once the order was paid', async () => {
      const shop = transport.shop();
      const { cardId, sale } = await buy(shop, 'declined-inside-201');
      const again = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      await shop.ask('payment.create', 201, { body: again, headers: keyed('two') });
      await see(shop, 'sale.refund', { path: `/v1/payments/sale/${sale.id}/refund`, body: {} });
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is a remark if the client deletes the card, because the denial may be why', async () => {
      const shop = transport.shop();
      await remove(shop, (await buy(shop, 'declined-inside-201')).cardId);
      const verdict = await shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(['low sale-not-checked']);
      expect(findingOf(verdict, 'sale-not-checked').remedy).toContain('what your code believes');
    });

    it('is reported if the client deletes the card and counts the order as paid', async () => {
      const shop = transport.shop();
      await remove(shop, (await buy(shop, 'declined-inside-201')).cardId);
      const beliefs = { 'order-7': 'paid' } as const;
      expect(await foundIn(shop, { beliefs })).toEqual(['high sale-not-checked']);
    });

    it.each([
      ['a remark if the belief may be about a month that was paid', 'sub-ada', 'low'],
      ['reported if another plan was paid', 'sub-bob', 'high'],
    ])('is %s', async (_, custom, severity) => {
      const shop = transport.shop();
      await remove(shop, (await buy(shop, 'declined-inside-201', 'sub-ada')).cardId);
      shop.merchant.clock.advance(30 * dayMs);
      const next = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
      await shop.ask('payment.create', 201, { body: next, headers: keyed('two') });
      const beliefs = { 'sub-ada': 'paid' } as const;
      expect(await foundIn(shop, { beliefs })).toEqual([`${severity} sale-not-checked`]);
    });

    it('is not reported if the client notices the denial', async () => {
      const shop = transport.shop();
      const { cardId } = await buy(shop, 'declined-inside-201');
      await remove(shop, cardId);
      const beliefs = { 'order-7': 'not-paid' } as const;
      expect(await foundIn(shop, { beliefs })).toEqual([]);
      const other = transport.shop();
      const first = await buy(other, 'declined-inside-201');
      const again = paymentBody({
        cardId: await storeCard(other),
        transaction: { custom: 'order-7' },
      });
      await other.ask('payment.create', 201, { body: again, headers: keyed('two') });
      await remove(other, first.cardId);
      expect(await foundIn(other)).toEqual([]);
    });

    it('settles for the verdict alone, and says what was pending', async () => {
      const shop = transport.shop();
      const { sale } = await buy(shop, 'sale-pending-then-completed');
      const params = { sale_id: sale.id };
      const settled = await shop.merchant.verdict();
      expect(settled.pending).toEqual([
        {
          id: sale.id,
          kind: 'sale',
          amount: { total: '30.11', currency: 'USD' },
          becomes: 'completed',
        },
      ]);
      expect(settled.totals).toMatchObject([{ charged: '30.11' }]);
      expect((await shop.ask('sale.get', 200, { params })).state).toBe('pending');
      expect(shop.merchant.ledger().transfers).toEqual([]);
      const asIs = await shop.merchant.verdict({ settle: 'PT0S' });
      expect([asIs.pending?.[0]?.becomes, asIs.totals]).toEqual(['pending', []]);
      shop.merchant.clock.advance(3 * dayMs);
      expect((await shop.merchant.verdict()).pending).toBeUndefined();
    });

    it.each<[string, number, boolean, string[]]>([
      ['is remarked while it is still pending', 0, false, ['medium sale-not-checked']],
      ['is reported once it was denied', 5 * dayMs, false, ['high sale-not-checked']],
      ['is not reported if the client asked again', 5 * dayMs, true, []],
    ])('is judged if it is denied later: it %s', async (_, ms, asks, found) => {
      const shop = transport.shop();
      const { sale } = await buy(shop, 'sale-pending-then-denied');
      shop.merchant.clock.advance(ms);
      if (asks) await shop.ask('sale.get', 200, { params: { sale_id: sale.id } });
      expect(await foundIn(shop)).toEqual(found);
    });

    it.each<[string, string[], OutcomeId[]]>([
      ['is not reported if a later list shows it', [], []],
      ['is remarked if the later list is lost', ['low sale-not-checked'], ['truncated-body']],
    ])(
      'is judged if it is denied after a list showed it as pending: it %s',
      async (_, found, lost) => {
        const shop = transport.shop();
        await buy(shop, 'sale-pending-then-denied');
        await shop.ask('payment.list', 200);
        shop.merchant.clock.advance(5 * dayMs);
        for (const outcome of lost) shop.merchant.force({ op: 'payment.list', outcome });
        await see(shop, 'payment.list', {});
        expect(await foundIn(shop)).toEqual(found);
      },
    );

    it.each<[string, (shop: Shop, sale: ReturnType<typeof saleOf>) => Promise<unknown>, string[]]>([
      ['never asks again', () => Promise.resolve(), ['low sale-not-checked']],
      [
        'reads the sale',
        (shop, { id }) => shop.ask('sale.get', 200, { params: { sale_id: id } }),
        [],
      ],
      [
        'reads the payment',
        (shop, { parent_payment: id }) =>
          shop.ask('payment.get', 200, { params: { payment_id: id } }),
        [],
      ],
      ['lists the payments', (shop) => shop.ask('payment.list', 200), []],
      [
        'refunds the sale',
        (shop, { id }) => shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} }),
        [],
      ],
    ])(
      'is a remark if it is completed days after the last read and the client %s',
      async (...story) => {
        const [, act, found] = story;
        const shop = transport.shop();
        const { sale } = await buy(shop, 'sale-pending-then-completed');
        for (const waitMs of [60_000, 60_000, 2 * dayMs]) {
          await shop.ask('sale.get', 200, { params: { sale_id: sale.id } });
          shop.merchant.clock.advance(waitMs);
        }
        await act(shop, sale);
        shop.merchant.clock.advance(dayMs);
        await sell(shop);
        const verdict = await shop.merchant.verdict();
        expect(namesOf(verdict)).toEqual(found);
        if (found.length === 0) return;
        expect(findingOf(verdict, 'sale-not-checked')).toMatchObject({
          confidence: 'possible',
          what: 'The sale of purchase "order-7" was pending when the client last saw it, and 30.11 USD was charged later. The client never asked again, although it sent other requests for 24 h after that.',
          remedy: expect.stringContaining('Read a pending sale again'),
        });
        expect(await foundIn(shop, { beliefs: { 'order-7': 'paid' } })).toEqual([]);
        expect(await foundIn(shop, { beliefs: { 'order-7': 'unknown' } })).toEqual([]);
      },
    );

    it('is a remark that counts the days for which the client went on', async () => {
      const shop = transport.shop();
      const { sale } = await buy(shop, 'sale-pending-then-completed');
      await shop.ask('sale.get', 200, { params: { sale_id: sale.id } });
      shop.merchant.clock.advance(32 * dayMs);
      await sell(shop);
      const { what } = findingOf(await shop.merchant.verdict(), 'sale-not-checked');
      expect(what).toMatch(/ although it sent other requests for 30 days after that\.$/);
    });

    it.each([
      ['sells nothing after that', 3 * dayMs, false],
      ['sells on for less than a day', 3 * dayMs - 1, true],
      ['goes on while it is pending', dayMs, true],
    ])('is no remark if it is completed later and the client %s', async (_, waitMs, sells) => {
      const shop = transport.shop();
      await buy(shop, 'sale-pending-then-completed');
      shop.merchant.clock.advance(waitMs);
      if (sells) await sell(shop);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is another finding if it is completed later and its answer was lost', async () => {
      const shop = transport.shop();
      shop.merchant.force({
        op: 'payment.create',
        outcome: { outcome: 'sale-pending-then-completed', and: 'reset-after-commit' },
      });
      const body = paymentBody({ cardId: await storeCard(shop) });
      await see(shop, 'payment.create', { body, headers: keyed('one') });
      shop.merchant.clock.advance(4 * dayMs);
      await sell(shop);
      const found = await foundIn(shop);
      expect(found).toContain('critical orphaned-charge');
      expect(found).not.toContain('low sale-not-checked');
    });

    it('counts as paid twice if both sales complete', async () => {
      const shop = transport.shop();
      const { cardId } = await buy(shop, 'sale-pending-then-completed');
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      await shop.ask('payment.create', 201, { body, headers: keyed('two') });
      expect(await foundIn(shop)).toContain('critical double-charge');
    });
  },
  onTestTime,
);
