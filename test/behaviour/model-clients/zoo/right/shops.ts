/** Right clients with several buyers, sellers, tills, workers or jobs. */
import { at as memberAt } from '../../../forcing/tolerant-client.ts';
import { find, judge, pay, refund, settle } from '../careful.ts';
import type { RightClient } from '../client.ts';
import { payments } from '../outcomes.ts';
import { bodyOf, paymentPath, type Order, type ShopCode } from '../shop-code.ts';

const meets = payments;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

async function payAndSettle(code: ShopCode, order: Order, key?: string): Promise<void> {
  await settle(code, await pay(code, order, key));
}

export const shops: Readonly<Record<string, RightClient>> = {
  'a cart of two sellers': {
    about: 'pays two halves of one sum at once, told apart by their descriptions',
    meets,
    run: async (code) => {
      const half: Order = { cardId: await code.card(), custom: 'cart-1', total: '20.00' };
      await Promise.all([
        payAndSettle(code, { ...half, description: 'Books of Bob' }),
        payAndSettle(code, { ...half, description: 'Shoes of Cyd' }),
      ]);
    },
  },
  'a tip': {
    about: 'takes a second, smaller payment for the same table',
    meets,
    run: async (code) => {
      const meal: Order = { cardId: await code.card(), custom: 'table-7', total: '48.00' };
      await payAndSettle(code, meal);
      await payAndSettle(code, { ...meal, description: 'Tip', total: '6.00' });
    },
  },
  'a deposit and a balance of the same sum': {
    about: 'pays half of a booking now and half a minute later, with other descriptions',
    meets,
    run: async (code) => {
      const half: Order = { cardId: await code.card(), custom: 'booking-9', total: '150.00' };
      await payAndSettle(code, { ...half, description: 'Deposit' });
      await code.wait(minuteMs);
      await payAndSettle(code, { ...half, description: 'Balance' });
    },
  },
  'a coffee bar': {
    about: 'sells three equal coffees to three cards, one after the other on one connection',
    meets,
    run: async (code) => {
      for (const customer of ['ada', 'bob', 'cyd']) {
        const cardId = await code.card(customer);
        await payAndSettle(code, { cardId, customer, custom: 'till-1', total: '3.50' });
        await code.wait(20_000);
      }
    },
  },
  'several tills at once': {
    about: 'two tills sell the same thing to two customers in the same moment',
    meets,
    run: async (code) => {
      const buyers = await Promise.all(
        ['ada', 'bob'].map(async (customer) => ({ customer, cardId: await code.card(customer) })),
      );
      await Promise.all(
        buyers.map((buyer, till) =>
          payAndSettle(code, { ...buyer, custom: `till-${till}`, total: '3.50' }),
        ),
      );
    },
  },
  'tills with one company card': {
    about: 'two terminals charge one card with equal sums, and name the terminal in `custom`',
    meets,
    run: async (code) => {
      const cardId = await code.card('acme');
      const sell = (till: number) =>
        payAndSettle(code, { cardId, customer: 'acme', custom: `terminal-${till}`, total: '9.00' });
      await Promise.all([sell(1), sell(2)]);
      await code.wait(5 * minuteMs);
      await Promise.all([sell(1), sell(2)]);
    },
  },
  'numbered coffees': {
    about: 'sells two equal coffees to one card, and numbers them in the description',
    meets,
    run: async (code) => {
      const coffee: Order = { cardId: await code.card(), custom: 'till-1', total: '3.50' };
      await payAndSettle(code, { ...coffee, description: 'Receipt 1041' });
      await code.wait(30_000);
      await payAndSettle(code, { ...coffee, description: 'Receipt 1042' });
    },
  },
  'two orders of the same sum': {
    about: 'a buyer orders the same thing twice within a minute, under two invoice numbers',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      await payAndSettle(code, { cardId, invoice: 'INV-1' });
      await payAndSettle(code, { cardId, invoice: 'INV-2' });
    },
  },
  'a monthly subscription': {
    about: 'charges the same sum each month under one `custom`, with a request id for each month',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      const months = ['2026-05', '2026-06', '2026-07'];
      for (const month of months) {
        const order = { cardId, customer: 'ada', custom: 'sub-ada', total: '9.99' };
        await payAndSettle(code, order, `sub-ada-${month}`);
        await code.wait(30 * dayMs);
      }
    },
  },
  'a batch that runs twice with the same request ids': {
    about: 'derives each request id from subscription and month, so a second run repeats the first',
    meets,
    run: async (code) => {
      const customers = ['ada', 'bob', 'cyd'];
      const due = await Promise.all(
        customers.map(async (customer) => ({ customer, cardId: await code.card(customer) })),
      );
      const run = async (): Promise<void> => {
        for (const [at, one] of due.entries()) {
          const order = { ...one, custom: `sub-${one.customer}`, total: `${at + 9}.99` };
          await payAndSettle(code, order, `${order.custom}-2026-05`);
        }
      };
      await run();
      await code.wait(10 * minuteMs);
      await run();
    },
  },
  'a batch that goes on where it stopped': {
    about: 'marks each subscription as charged and charges the others after a restart',
    meets,
    run: async (code) => {
      const charged = new Set<string>();
      const keys = new Map<string, string>();
      const cards = new Map<string, string>();
      for (const name of ['ada', 'bob', 'cyd', 'dan']) cards.set(name, await code.card(name));
      const run = async (most: number): Promise<void> => {
        for (const [customer, cardId] of [...cards].slice(0, most)) {
          if (charged.has(customer)) continue;
          const key = keys.get(customer) ?? code.newKey();
          keys.set(customer, key);
          const order = { cardId, customer, custom: `sub-${customer}`, total: '9.99' };
          const known = await settle(code, await pay(code, order, key));
          if (known.state !== 'unknown') charged.add(customer);
        }
      };
      await run(2);
      await code.wait(10 * minuteMs);
      await run(4);
    },
  },
  'a queue with two workers': {
    about: 'a second worker takes a job over after its lease ended, with the request id of the job',
    meets,
    run: async (code) => {
      const job = { cardId: await code.card(), custom: 'job-1' };
      const key = code.newKey();
      await code.pay(job, key);
      await code.wait(180_000);
      const other = await code.send('POST', paymentPath, {
        body: bodyOf(job),
        key,
        newConnection: true,
      });
      const known = other.status < 300 ? judge(other) : undefined;
      await code.wait(Math.max(2_000, other.waitMs));
      await settle(code, known ?? (await pay(code, job, key, 2)));
    },
  },
  'a saga that undoes': {
    about: 'pays a flight, then a hotel; if the hotel fails, it gives the flight back',
    meets,
    run: async (code) => {
      const trip: Order = { cardId: await code.card(), custom: 'trip-1', total: '200.00' };
      const flight = await settle(code, await pay(code, { ...trip, description: 'Flight' }));
      if (flight.state !== 'done') return;
      const hotel = await settle(code, await pay(code, { ...trip, description: 'Hotel' }));
      if (hotel.state === 'not-done') await refund(code, { id: flight.id });
    },
  },
  'a gift of three': {
    about: 'splits 100.00 into 33.33, 33.33 and 33.34 on three cards of three buyers',
    meets,
    run: async (code) => {
      const parts = { ada: '33.33', bob: '33.33', cyd: '33.34' };
      for (const [customer, total] of Object.entries(parts)) {
        const cardId = await code.card(customer);
        await payAndSettle(code, { cardId, customer, custom: 'gift-1', total });
      }
    },
  },
  'a gift of three on cards without owners': {
    about: 'splits a sum into equal parts on three cards at once, each named in the description',
    meets,
    run: async (code) => {
      const names = ['Ada', 'Bob', 'Cyd'];
      const cards = await Promise.all(
        names.map((first_name, at) => code.card(undefined, { first_name, expire_year: 2030 + at })),
      );
      await Promise.all(
        cards.map((cardId, at) =>
          payAndSettle(code, {
            cardId,
            custom: 'gift-1',
            total: '25.00',
            description: names[at] ?? '',
          }),
        ),
      );
    },
  },
  'a migration': {
    about: 'replays the orders of an old system, and skips those whose invoice number is listed',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const orders = ['INV-1', 'INV-2'].map((invoice) => ({ cardId, invoice }));
      for (const order of orders) await payAndSettle(code, order);
      await code.wait(3_600_000);
      for (const order of orders) {
        if ((await find(code, order)) === undefined) await payAndSettle(code, order);
      }
    },
  },
  'a report': {
    about: 'only reads: pages through the list and the sales of a day',
    meets: [
      ...meets.filter(({ op }) => op !== 'payment.create'),
      { op: 'payment.create', outcome: 'sale-pending-then-denied' },
    ],
    run: async (code) => {
      const cardId = await code.card();
      for (const invoice of ['INV-1', 'INV-2', 'INV-3']) {
        await payAndSettle(code, { cardId, invoice });
      }
      for (let page = 0; page < 3; page++) {
        const { body } = await code.get(`${paymentPath}?count=2`);
        const sale = memberAt(
          body,
          'payments',
          0,
          'transactions',
          0,
          'related_resources',
          0,
          'sale',
          'id',
        );
        if (typeof sale === 'string') await code.get(`/v1/payments/sale/${sale}`);
        await code.wait(5_000);
      }
    },
  },
};
