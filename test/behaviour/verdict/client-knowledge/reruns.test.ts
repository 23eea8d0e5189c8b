/** Batches that run again because one of their orders failed. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { hourMs, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, TestTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, lose, newKey, send, type NamedOrder } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';
import { Worker } from '../support/worker.ts';

/** Orders of several customers, each with another amount. */
async function ordersOf(
  shop: Shop,
  ...names: readonly (string | undefined)[]
): Promise<NamedOrder[]> {
  const orders: NamedOrder[] = [];
  for (const [at, custom] of names.entries()) {
    const customer = `customer-${at}`;
    const cardId = await storeCard(shop, { external_customer_id: customer });
    orders.push({
      cardId,
      customer,
      ...(custom === undefined ? { description: undefined } : { custom }),
      total: `${10 + at}.00`,
    });
  }
  return orders;
}

/** Refuses one payment of a batch: the one that comes after so many others. */
function refuseAfter(shop: Shop, count: number): void {
  shop.merchant.force({
    op: 'payment.create',
    outcome: 'decline-insufficient-funds',
    per: 'merchant',
    nth: count + 1,
  });
}

onEveryTransport(
  'a batch of payments of which one failed',
  (transport) => {
    it.each([0, 1])('is reported if it runs again as a whole: order %i failed', async (failed) => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8');
      refuseAfter(shop, failed);
      for (let run = 0; run < 2; run++) {
        for (const order of orders) await send(shop, order);
        shop.merchant.clock.advance(3000);
      }
      const verdict = await shop.merchant.verdict();
      const [paid, refused] = failed === 1 ? ['"A-7"', '"A-8"'] : ['"A-8"', '"A-7"'];
      const total = failed === 1 ? '10.00' : '11.00';
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        what: `1 purchase (${paid}) was charged again 3 s later. Names, cards and amounts are the same: ${total} USD. The second run also sent what had failed in the first: ${refused}. Together they look like one job that ran twice.`,
        remedy: expect.stringContaining('send again only those that failed'),
      });
      expect(verdict.totals).toMatchObject([{ excess: total }]);
    });

    it('is reported if it runs again as a whole: one sale was denied in its answer', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8');
      shop.merchant.force({ op: 'payment.create', outcome: 'declined-inside-201' });
      for (let run = 0; run < 2; run++) {
        for (const order of orders) await send(shop, order);
        shop.merchant.clock.advance(600_000);
      }
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').what).toBe(
        '1 purchase ("A-8") was charged again 10 min later. Names, cards and amounts are the same: 11.00 USD. It looks like part of one job that ran twice.',
      );
    });

    it('is reported once if its requests are sent together', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8', 'A-9');
      refuseAfter(shop, 2);
      for (let run = 0; run < 2; run++) {
        await Promise.all(orders.map((order) => send(shop, order)));
        shop.merchant.clock.advance(500);
      }
      expect(await highIn(shop)).toEqual(['high double-charge']);
    });

    it('is reported as sent at once, too, if both runs overlap', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8');
      await Promise.all([...orders, ...orders].map((order) => send(shop, order)));
      expect(await highIn(shop)).toEqual(
        expect.arrayContaining(['high double-charge', 'high concurrent-duplicates']),
      );
    });

    it.each([
      [
        'is reported with all its orders if the second run begins before the end of the first',
        [0, 1, 0, 2, 1, 2],
        1_000,
        '33.00',
      ],
      ['may be buyers who come in turn, each of them twice', [0, 1, 0, 2, 1, 2], 10_000, undefined],
      ['may be two batches, one after the other', [0, 1, 0, 1, 2, 2], 1_000, '21.00'],
    ])('%s', async (_, sequence, stepMs, excess) => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8', 'A-9');
      for (const at of sequence) {
        const order = orders[at];
        if (order !== undefined) await send(shop, order);
        shop.merchant.clock.advance(stepMs);
      }
      expect((await shop.merchant.verdict()).totals[0]?.excess).toBe(excess);
    });

    it('is found by the lost answer if that order had succeeded', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8');
      for (let run = 0; run < 2; run++) {
        for (const [at, order] of orders.entries()) {
          if (run === 0 && at === 1) lose(shop);
          await send(shop, order);
        }
      }
      expect(await foundIn(shop)).toContain('critical double-charge');
    });

    it.each([
      ['one of its answers was lost, and came with a repeat', 0, 1, 'reset-after-commit', 'repeat'],
      ['all of its answers were lost, and came with repeats', 0, 3, 'reset-after-commit', 'repeat'],
      ['all of them were errors', 0, 3, 'error-500-after-commit', 'repeat'],
      ['those of the second run were lost', 1, 3, 'reset-after-commit', 'repeat'],
      ['its answers were lost, and a list showed the payments', 0, 3, 'reset-after-commit', 'list'],
    ] as const)('is reported with all its orders: %s', async (_, lostRun, lost, outcome, then) => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'ada', 'bob', 'cyd');
      for (let run = 0; run < 2; run++) {
        for (const [at, order] of orders.entries()) {
          const key = newKey();
          const isLost = run === lostRun && at < lost;
          if (isLost) lose(shop, outcome);
          await send(shop, order, key);
          shop.merchant.clock.advance(2000);
          if (isLost && then === 'repeat') await send(shop, order, key);
        }
        if (then === 'list') await shop.ask('payment.list', 200, { query: { count: '20' } });
        shop.merchant.clock.advance(hourMs / 2);
      }
      const verdict = await shop.merchant.verdict();
      const { severity, what } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(
        /^3 purchases \("ada", "bob" and "cyd"\) were charged again 30\S* min later/,
      );
      expect(verdict.totals).toMatchObject([{ excess: '33.00' }]);
    });

    it.each([
      ['before the commit', 'reset-before-commit', []],
      ['after the commit', 'reset-after-commit', ['critical double-charge']],
    ] as const)(
      'is no second run if answers were lost %s and it pays again',
      async (_, outcome, found) => {
        const shop = transport.shop();
        const orders = await ordersOf(shop, 'ada', 'bob', 'cyd');
        shop.merchant.force({ op: 'payment.create', outcome, times: 3 });
        for (let run = 0; run < 2; run++) {
          await Promise.all(orders.map((order) => send(shop, order)));
          shop.merchant.clock.advance(3000);
        }
        await shop.ask('payment.list', 200, { query: { count: '20' } });
        expect([...new Set(await highIn(shop))].filter((name) => name.includes('charge'))).toEqual(
          found,
        );
      },
    );

    it('is not reported if its lost answers came with repeats and nothing more was sent', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'ada', 'bob', 'cyd');
      const keys = orders.map(() => newKey());
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: 3 });
      for (let run = 0; run < 3; run++) {
        for (const [at, order] of orders.entries()) await send(shop, order, keys[at]);
        shop.merchant.clock.advance(hourMs / 2);
      }
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not reported if only what failed is sent again', async () => {
      const shop = transport.shop();
      const [first, second] = await ordersOf(shop, 'A-7', 'A-8');
      if (first === undefined || second === undefined) throw new Error('Two orders are needed.');
      refuseAfter(shop, 1);
      await send(shop, first);
      await send(shop, second);
      await send(shop, second);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not reported if it runs again with the same request ids', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'A-7', 'A-8');
      const keys = orders.map(() => newKey());
      shop.merchant.force({ op: 'payment.create', outcome: 'request-in-progress', nth: 2 });
      for (let run = 0; run < 2; run++) {
        for (const [at, order] of orders.entries()) await send(shop, order, keys[at]);
        shop.merchant.clock.advance(3000);
      }
      expect(await highIn(shop)).toEqual([]);
    });

    it('is not reported if the failed order is sent again later with its own request id', async () => {
      const shop = transport.shop();
      const [first, second] = await ordersOf(shop, 'till-1', 'till-2');
      if (first === undefined || second === undefined) throw new Error('Two orders are needed.');
      shop.merchant.force({ op: 'payment.create', outcome: 'request-in-progress', nth: 2 });
      await send(shop, first);
      await send(shop, second, 'second');
      await send(shop, first);
      await send(shop, second, 'second');
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['four hours later, one after the other', 20_000, 4 * hourMs, 'medium'],
      ['four hours later, as a slow job', 19_999, 4 * hourMs, 'high'],
      ['an hour later, one after the other', 20_000, hourMs, 'high'],
    ])('may be buyers who come back: %s', async (_, stepMs, pauseMs, severity) => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'Lunch for Ada', 'Lunch for Bob', 'Lunch for Cyd');
      for (let meal = 0; meal < 2; meal++) {
        for (const [at, order] of orders.entries()) {
          if (at > 0) shop.merchant.clock.advance(stepMs);
          await send(shop, order);
        }
        shop.merchant.clock.advance(pauseMs);
      }
      const verdict = await shop.merchant.verdict();
      const { severity: found, what, remedy } = findingOf(verdict, 'double-charge');
      expect(found).toBe(severity);
      expect(what.endsWith('ran twice, or like buyers who came back.')).toBe(severity === 'medium');
      expect(remedy.startsWith('If buyers came back')).toBe(severity === 'medium');
      expect(remedy).toContain('Record each order of a run as paid');
    });

    it('may be two buyers who come back in turn', async () => {
      const shop = transport.shop();
      const orders = await ordersOf(shop, 'Coffee for Ada', 'Coffee for Bob');
      refuseAfter(shop, 1);
      for (let round = 0; round < 2; round++) {
        for (const order of orders) {
          await send(shop, order);
          shop.merchant.clock.advance(20_000);
        }
      }
      expect(await highIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a batch of orders without names',
  (transport) => {
    const run = async (shop: Shop, count: number, times = 2, pauseMs = 600_000) => {
      const names = Array.from({ length: count }, () => undefined);
      const orders = await ordersOf(shop, ...names);
      for (let time = 0; time < times; time++) {
        for (const order of orders) await send(shop, order);
        shop.merchant.clock.advance(pauseMs);
      }
    };

    it('is reported if it runs again', async () => {
      const shop = transport.shop();
      await run(shop, 3);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(
        /^3 purchases \(without a name\) were charged again 10 min later\. Cards and amounts/,
      );
    });

    it('may be two buyers who come back', async () => {
      const shop = transport.shop();
      await run(shop, 2);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['may be a load test if it runs five times at once', 5, 1000, false],
      ['is reported if it runs four times at once', 4, 1000, true],
      ['is reported if it runs five times, minutes apart', 5, 600_000, true],
    ])('%s', async (_, times, pauseMs, isReported) => {
      const shop = transport.shop();
      await run(shop, 3, times, pauseMs);
      expect((await highIn(shop)).length > 0).toBe(isReported);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a batch of refunds with the time of each in a note',
  (transport) => {
    it.each([
      ['the time', (minute: number) => `Goodwill at 10:${minute}0`, ['high double-refund']],
      ['the case', (minute: number) => `Goodwill ${minute}`, []],
    ])('is told from other refunds by %s', async (_, noteOf, found) => {
      const shop = transport.shop();
      const sales = [await sell(shop), await sell(shop, { transaction: { custom: 'other' } })];
      for (const minute of [1, 2]) {
        for (const [at, { id }] of sales.entries()) {
          const body = {
            amount: { total: `${5 + at}.00`, currency: 'USD' },
            description: noteOf(minute),
          };
          const path = `/v1/payments/sale/${id}/refund`;
          await see(shop, 'sale.refund', { path, body, headers: keyed(newKey()) });
        }
        shop.merchant.clock.advance(600_000);
      }
      expect(await highIn(shop)).toEqual(found);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a job that stores each card before it charges it',
  (transport) => {
    it.each([
      ['is reported if it ran twice', true, 'A', ['high double-charge']],
      ['may serve guests who have the same test card', false, 'A', []],
      ['may charge other orders in its second run', true, 'B', []],
    ])('%s', async (_, hasCustomers, nameOfSecondRun, found) => {
      const shop = transport.shop();
      for (const run of ['A', nameOfSecondRun]) {
        for (const [at, customer] of ['ada', 'bob', 'eve'].entries()) {
          const owner = hasCustomers ? { external_customer_id: customer } : {};
          const cardId = await storeCard(shop, owner);
          const order = { cardId, custom: `${run}-${customer}`, total: `${10 + at}.00` };
          await send(shop, { ...order, ...(hasCustomers && { customer }) });
        }
        shop.merchant.clock.advance(600_000);
      }
      expect(await highIn(shop)).toEqual(found);
    });
  },
  onTestTime,
);

const sockets = new TestTransport('socket', onTestTime);
beforeAll(() => sockets.open());
afterAll(() => sockets.close());

it('a second run that uses other connections of a pool is not reported as sent at once', async () => {
  const shop = sockets.shop();
  const pool = [new Worker(shop), new Worker(shop)];
  onTestFinished(() => {
    for (const connection of pool) connection.close();
  });
  const orders = await ordersOf(shop, 'A-7', 'A-8');
  for (const connection of pool) await connection.get('/vault/credit-cards');
  for (let run = 0; run < 2; run++) {
    for (const [at, { cardId, customer = '', total = '', custom = '' }] of orders.entries()) {
      const parts = { cardId, externalCustomerId: customer, total, transaction: { custom } };
      await pool[(at + run) % 2]?.post('/payments/payment', paymentBody(parts), newKey());
    }
  }
  expect(await foundIn(shop, { serviceTimeMs: 60_000 })).toEqual(['high double-charge']);
});
