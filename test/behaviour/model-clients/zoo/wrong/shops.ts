/** Wrong clients with several sellers, workers or jobs, and those that waste tokens. */
import type { WrongClient } from '../client.ts';
import { bodyOf, partIn, paymentPath, textAt, type Order, type ShopCode } from '../shop-code.ts';

interface Due extends Order {
  readonly custom: string;
}

async function subscriptions(code: ShopCode): Promise<Due[]> {
  const totals = { ada: '9.99', bob: '19.99', cyd: '44.99' };
  const due: Due[] = [];
  for (const [customer, total] of Object.entries(totals)) {
    due.push({ cardId: await code.card(customer), customer, custom: `sub-${customer}`, total });
  }
  return due;
}

export const shops: Readonly<Record<string, WrongClient>> = {
  'a batch that runs twice': {
    about: 'a billing job is started again ten minutes later and charges everybody again',
    found: 'double-charge',
    beside: 'a batch that runs twice with the same request ids',
    run: async (code) => {
      const due = await subscriptions(code);
      for (let run = 0; run < 2; run++) {
        for (const one of due) await code.pay(one, code.newKey());
        await code.wait(600_000);
      }
    },
  },
  'a batch that starts at the beginning': {
    about: 'stops in the middle and starts with the first subscription again',
    found: 'double-charge',
    beside: 'a batch that goes on where it stopped',
    run: async (code) => {
      const due = await subscriptions(code);
      for (const one of due.slice(0, 2)) await code.pay(one, code.newKey());
      await code.wait(600_000);
      for (const one of due) await code.pay(one, code.newKey());
    },
  },
  'a cart sent again as a whole': {
    about: 'repeats both halves of a cart with new request ids because one answer was lost',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit', nth: 2 }],
    found: 'double-charge',
    beside: 'a cart of two sellers',
    run: async (code) => {
      const half: Order = { cardId: await code.card(), custom: 'cart-1', total: '20.00' };
      for (let run = 0; run < 2; run++) {
        for (const description of ['Books of Bob', 'Shoes of Cyd']) {
          await code.pay({ ...half, description }, code.newKey());
        }
        await code.wait(5_000);
      }
    },
  },
  'a cart clicked twice': {
    about: 'a double click pays both halves of a cart twice',
    found: 'double-charge',
    beside: 'a cart of two sellers',
    run: async (code) => {
      const half: Order = { cardId: await code.card(), custom: 'cart-1', total: '20.00' };
      const pay = () =>
        ['Books of Bob', 'Shoes of Cyd'].map((description) =>
          code.pay({ ...half, description }, code.newKey()),
        );
      await Promise.all([...pay(), ...pay()]);
    },
  },
  'a till pressed again': {
    about: 'the printer is slow, and the cashier charges the same receipt on a second connection',
    found: 'double-charge',
    beside: 'tills with one company card',
    run: async (code) => {
      const body = bodyOf({ cardId: await code.card(), custom: 'receipt-1041', total: '9.00' });
      const press = () =>
        code.send('POST', paymentPath, { body, key: code.newKey(), newConnection: true });
      await Promise.all([press(), press()]);
    },
  },
  'a saga that forgets': {
    about: 'the answer for the hotel is lost: it gives the flight back and forgets the hotel',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit', nth: 2 }],
    found: 'orphaned-charge',
    beside: 'a saga that undoes',
    run: async (code) => {
      const trip: Order = { cardId: await code.card(), custom: 'trip-1', total: '200.00' };
      const flight = await code.pay({ ...trip, description: 'Flight' }, code.newKey());
      const hotel = await code.pay({ ...trip, description: 'Hotel' }, code.newKey());
      if (hotel.status === 201) return;
      await code.post(`/v1/payments/sale/${partIn(flight).id}/refund`, {}, code.newKey());
    },
  },
  'a queue without stored request ids': {
    about: 'a second worker takes the job over with a request id of its own',
    meets: [{ op: 'payment.create', outcome: 'hang-after-commit' }],
    found: 'double-charge',
    beside: 'a queue with two workers',
    run: async (code) => {
      const job = { cardId: await code.card(), custom: 'job-1' };
      await code.pay(job, code.newKey());
      await code.wait(30_000);
      await code.pay(job, code.newKey());
    },
  },
  'a migration that replays everything': {
    about: 'pays all orders of the old system again, because its request ids are not kept',
    found: 'double-charge',
    beside: 'a migration',
    run: async (code) => {
      const due = await subscriptions(code);
      for (let run = 0; run < 2; run++) {
        for (const one of due) await code.pay(one);
        await code.wait(3_600_000);
      }
    },
  },
  'a token for each parallel call': {
    about: 'asks for a token in each of eight calls that start together, and keeps the last one',
    found: 'token-stampede',
    isRemark: true,
    beside: 'one token for all',
    run: async (code) => {
      const call = async (): Promise<void> => {
        await code.requestToken();
        await code.get(`${paymentPath}?count=1`);
      };
      await Promise.all(Array.from({ length: 8 }, call));
      for (let later = 0; later < 10; later++) {
        await code.wait(60_000);
        await code.get(`${paymentPath}?count=1&start_index=${later}`);
      }
    },
  },
  'polls without a pause': {
    about: 'reads a payment again and again until it changes',
    found: 'polling-too-fast',
    isRemark: true,
    beside: 'polls a pending sale',
    run: async (code) => {
      const answer = await code.pay({ cardId: await code.card(), invoice: 'INV-1' }, code.newKey());
      for (let times = 0; times < 40; times++) {
        await code.get(`${paymentPath}/${textAt(answer.body, 'id')}`);
      }
    },
  },
};
