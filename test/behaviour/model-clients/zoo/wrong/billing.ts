/** Wrong clients that charge the same customers again and again, or keep what they should not. */
import { cardBody, rawPaymentBody } from '../../../../support/samples.ts';
import type { Beliefs, Forced, WrongClient } from '../client.ts';
import {
  bodyOf,
  cardPath,
  paymentPath,
  partIn,
  textAt,
  type Order,
  type ShopCode,
} from '../shop-code.ts';

const lost: readonly Forced[] = [{ op: 'payment.create', outcome: 'reset-after-commit' }];
const dayMs = 24 * 3_600_000;

async function orderOf(code: ShopCode, custom = 'order-1'): Promise<Order> {
  return { cardId: await code.card('ada'), customer: 'ada', custom };
}

/** One order for each customer, each with another total and a name of its own. */
async function billsOf(
  code: ShopCode,
  customers: readonly string[],
  nameOf: (customer: string) => Pick<Order, 'custom' | 'description'>,
): Promise<Order[]> {
  const bills: Order[] = [];
  for (const [at, customer] of customers.entries()) {
    const cardId = await code.card(customer);
    bills.push({ cardId, customer, ...nameOf(customer), total: `${at + 5}.00` });
  }
  return bills;
}

/** Pays one order and believes the same whatever the answer is. */
const payBelieving =
  (belief: Beliefs[string], change: Partial<Order> = {}) =>
  async (code: ShopCode): Promise<Beliefs> => {
    await code.pay({ ...(await orderOf(code)), ...change }, code.newKey());
    return { 'order-1': belief };
  };

/** Stores a card, deletes it and waits a day. */
async function loseCard(code: ShopCode): Promise<void> {
  await code.send('DELETE', `${cardPath}/${await code.card('ada')}`);
  await code.wait(dayMs);
}

export const billing: Readonly<Record<string, WrongClient>> = {
  'a biller that runs on two hosts': {
    about:
      'two hosts charge the same subscriptions at the same minute, one some orders behind the other',
    found: 'double-charge',
    beside: 'a daily biller',
    run: async (code) => {
      const due = await billsOf(code, ['ada', 'bob', 'cyd', 'dan'], (customer) => ({
        custom: `sub-${customer}`,
      }));
      const steps = [0, 1, 0, 2, 1, 3, 2, 3];
      for (const step of steps) {
        const one = due[step];
        if (one !== undefined) await code.pay(one, code.newKey());
        await code.wait(3_000);
      }
    },
  },
  'a biller with descriptions that runs twice': {
    about: 'names its subscriptions in the description alone, and runs again ten minutes later',
    found: 'double-charge',
    beside: 'a biller that catches up',
    run: async (code) => {
      const due = await billsOf(code, ['ada', 'bob', 'cyd'], (customer) => ({
        description: `Plan of ${customer}`,
      }));
      for (let run = 0; run < 2; run++) {
        for (const one of due) await code.pay(one, code.newKey());
        await code.wait(600_000);
      }
    },
  },
  'a month charged again after a lost answer': {
    about: 'charges last month again in the next run, with a request id of the day',
    meets: lost,
    found: 'double-charge',
    beside: 'a dunning run',
    run: async (code) => {
      const one = await orderOf(code, 'sub-ada-2026-05');
      await code.pay(one, 'sub-ada-2026-05-01');
      await code.wait(10 * 3_600_000);
      await code.pay(one, 'sub-ada-2026-05-02');
    },
  },
  'a request id of the cart': {
    about: 'buys again from the same cart with its request id, and counts the second order as paid',
    found: 'belief',
    beside: 'two on purpose, minutes apart',
    run: async (code): Promise<Beliefs> => {
      const cardId = await code.card('ada');
      const believed: Record<string, 'paid' | 'not-paid'> = {};
      for (const custom of ['order-1', 'order-2']) {
        const answer = await code.pay({ cardId, customer: 'ada', custom }, 'cart-77');
        believed[custom] = answer.status < 500 ? 'paid' : 'not-paid';
        await code.wait(600_000);
      }
      return believed;
    },
  },
  'a request id made from the amount': {
    about: 'two customers pay the same sum with the same request id',
    found: 'key-reused-for-other-intent',
    beside: 'two orders of the same sum',
    run: async (code) => {
      for (const customer of ['ada', 'bob']) {
        const one = {
          cardId: await code.card(customer),
          customer,
          custom: `order-${customer}`,
          total: '20.00',
        };
        await code.pay(one, `pay-${one.total}`);
      }
    },
  },
  'a request id made from the second': {
    about: 'two orders in the same second share the request id',
    found: 'key-reused-for-other-intent',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const cardId = await code.card('ada');
      for (const invoice of ['INV-1', 'INV-2'])
        await code.pay({ cardId, customer: 'ada', invoice }, '1778051289');
    },
  },
  'a raw card after a lost answer': {
    about: 'pays with the number of the card because the payment with the stored card was lost',
    meets: lost,
    found: 'double-charge',
    beside: 'a stored card replaced by its owner',
    run: async (code) => {
      const one = await orderOf(code);
      await code.pay(one, code.newKey());
      await code.wait(5_000);
      const body = rawPaymentBody(
        { external_customer_id: 'ada' },
        { total: '30.11', transaction: { custom: 'order-1', description: 'A test order' } },
      );
      await code.post(paymentPath, body, code.newKey());
    },
  },
  'a kept number with a new expiry': {
    about: 'deletes a card and charges its number with the expiry that the buyer told later',
    found: 'raw-card-instead-of-token',
    beside: 'another card with the same last digits',
    run: async (code) => {
      await loseCard(code);
      const body = rawPaymentBody(
        { external_customer_id: 'ada', cvv2: undefined, expire_year: 2034, first_name: 'A.' },
        { transaction: { custom: 'order-1' } },
      );
      await code.post(paymentPath, body, code.newKey());
    },
  },
  'a kept number without its owner': {
    about: 'deletes a card and charges its number without a customer id and without a code',
    found: 'raw-card-instead-of-token',
    beside: 'a card entered again after it was deleted',
    run: async (code) => {
      await loseCard(code);
      await code.post(
        paymentPath,
        rawPaymentBody({ cvv2: undefined }, { transaction: { custom: 'order-1' } }),
        code.newKey(),
      );
    },
  },
  'a storm of many workers': {
    about: 'ten workers repeat one job without waits while the service is down',
    meets: [{ op: 'payment.create', outcome: 'error-503-before-commit', times: 60 }],
    found: 'retry-storm',
    beside: 'three workers with one request id',
    run: async (code) => {
      const one = await orderOf(code);
      const key = code.newKey();
      for (let round = 0; round < 6; round++)
        await Promise.all(Array.from({ length: 10 }, () => code.pay(one, key)));
    },
  },
  'yen sent with decimals': {
    about: 'sends 20.50 yen, does not look at the refusal and counts the order as paid',
    found: 'belief',
    beside: 'yen given back',
    run: payBelieving('paid', { total: '20.50', currency: 'JPY' }),
  },
  'a timeout taken for a failure': {
    about: 'ships nothing and says so, although the card was charged',
    meets: [{ op: 'payment.create', outcome: 'hang-after-commit' }],
    found: 'belief',
    beside: 'gives up after reading',
    run: payBelieving('not-paid'),
  },
  'a timeout taken for a success': {
    about: 'ships after a timeout, although nothing was charged',
    meets: [{ op: 'payment.create', outcome: 'hang-before-commit' }],
    found: 'belief',
    beside: 'gives up after reading',
    run: payBelieving('paid'),
  },
  'a pending sale asked once': {
    about: 'reads a pending sale after a minute, delivers and never asks again',
    meets: [{ op: 'payment.create', outcome: 'sale-pending-then-denied' }],
    found: 'sale-not-checked',
    isRemark: true,
    beside: 'polls a pending sale',
    run: async (code) => {
      const { id } = partIn(await code.pay(await orderOf(code), code.newKey()));
      await code.wait(60_000);
      await code.get(`/v1/payments/sale/${id}`);
      await code.wait(20 * dayMs);
    },
  },
  'a stale read believed': {
    about: 'refunds, reads a stale `completed`, and counts the order as paid',
    meets: [{ op: 'sale.get', outcome: 'stale-read-after-update' }],
    found: 'belief',
    beside: 'a dispute seen first',
    run: async (code): Promise<Beliefs> => {
      const { id } = partIn(await code.pay(await orderOf(code), code.newKey()));
      await code.post(`/v1/payments/sale/${id}/refund`, {}, code.newKey());
      const state = textAt((await code.get(`/v1/payments/sale/${id}`)).body, 'state');
      return { 'order-1': state === 'completed' ? 'paid' : 'not-paid' };
    },
  },
  'a new request id after 409': {
    about: 'is told that the first request is in progress, and starts another one',
    meets: [
      { op: 'payment.create', outcome: 'reset-after-commit' },
      { op: 'payment.create', outcome: 'request-in-progress' },
    ],
    found: 'double-charge',
    beside: 'a worker that waits for the first one',
    run: async (code) => {
      const one = await orderOf(code);
      const key = code.newKey();
      await code.pay(one, key);
      await code.wait(2_000);
      if ((await code.pay(one, key)).status === 409) await code.pay(one, code.newKey());
    },
  },
  'a card stored and charged again': {
    about: 'stores the card again after a lost payment, and pays with the new entry',
    meets: lost,
    found: 'double-charge',
    beside: 'a stored card replaced by its owner',
    run: async (code) => {
      const one = await orderOf(code);
      await code.pay(one, code.newKey());
      await code.wait(5_000);
      const stored = await code.post(
        cardPath,
        cardBody({ external_customer_id: 'ada' }),
        code.newKey(),
      );
      await code.pay({ ...one, cardId: textAt(stored.body, 'id') }, code.newKey());
    },
  },
  'a checkout opened in two tabs': {
    about: 'pays one order from two tabs, half a second apart, each on a connection of its own',
    found: 'double-charge',
    beside: 'two on purpose, minutes apart',
    run: async (code) => {
      const body = bodyOf(await orderOf(code));
      const press = () =>
        code.send('POST', paymentPath, { body, key: code.newKey(), newConnection: true });
      const first = press();
      await code.wait(500);
      await Promise.all([first, press()]);
    },
  },
};
