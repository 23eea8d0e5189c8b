/** Plays of answers that never come, come broken, or come late. */
import { expect } from 'vitest';
import { inOrder } from '../../../support/in-order.ts';
import { at, fired, see } from '../../forcing/tolerant-client.ts';
import { heard, orderBody, type Buyer } from './buyer.ts';
import type { Play } from './play.ts';

const orders = ['red', 'green', 'blue'];

const lostAnswer: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const all = await Promise.all(orders.map((name) => buyer.buy({ cardId, name })));
    expect(all.map(heard)).toEqual(orders.map(() => ['ECONNRESET', 201]));
    expect(all.map((tries) => tries.at(-1)?.headers.get('sandbox-replayed'))).toEqual(
      orders.map(() => 'true'),
    );
  },
  fired: { 'lose the first answer of every purchase': 3 },
  balanceMinor: 3 * 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await buyer.pay({ cardId, name: 'red' });
    await buyer.pay({ cardId, name: 'red' });
  },
  breaks: ['sales.perIntent', 'orphans'],
};

const gatewayTimeouts: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const tries = await buyer.buy({ cardId, name: 'red' });
    expect(heard(tries)).toEqual([504, 504, 201]);
    expect(tries.map(({ headers }) => headers.get('content-type'))).toEqual([
      'text/html',
      'text/html',
      'application/json',
    ]);
    const again = await buyer.pay({ cardId, name: 'red' }, 'red');
    expect([again.status, at(again.body, 'id')]).toEqual([201, at(tries.at(-1)?.body, 'id')]);
  },
  fired: { 'time out twice': 4 },
  waited: [300, 300, 1000],
  balanceMinor: 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await inOrder([1, 2, 3], () => buyer.pay({ cardId, name: 'red' }));
  },
  breaks: ['sales.perIntent', 'findings.none.retry-without-key'],
};

/** Pays and disconnects once the rule that makes it hang has fired. */
async function payAndLeave(
  buyer: Buyer,
  cardId: string,
  times: number,
  headers: Readonly<Record<string, string>> = { 'PayPal-Request-Id': 'red' },
): Promise<void> {
  const leave = new AbortController();
  const body = orderBody({ cardId, name: 'red' });
  const seen = see(buyer.shop, 'payment.create', { body, headers, signal: leave.signal });
  await fired(buyer.shop);
  await expect.poll(() => buyer.shop.merchant.rules()[0]?.fired, { interval: 2 }).toBe(times);
  leave.abort();
  expect((await seen).status).toBeUndefined();
}

const hang: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const balance = () => buyer.shop.merchant.ledger().balances.USD?.merchant ?? 0;
    await payAndLeave(buyer, cardId, 1);
    expect(balance()).toBe(0);
    await payAndLeave(buyer, cardId, 2);
    expect(balance()).toBe(3011);
    expect(heard(await buyer.buy({ cardId, name: 'red' }))).toEqual([201]);
  },
  fired: { 'hang twice': 3 },
  waited: [10_000, 10_000],
  balanceMinor: 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await payAndLeave(buyer, cardId, 1, {});
    await payAndLeave(buyer, cardId, 2, {});
  },
  breaks: ['findings.none.retry-without-key'],
};

const truncatedAnswers: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const names = ['body', 'json', 'words', 'page', 'nothing'];
    const all = await inOrder(names, (name) => buyer.buy({ cardId, name }));
    expect(all.map(heard)).toEqual([
      ['UND_ERR_SOCKET', 201],
      [201, 201],
      [201, 201],
      [200, 201],
      [201, 201],
    ]);
    expect(all.map(([first]) => first?.body)).toEqual(names.map(() => undefined));
  },
  fired: { 'damage each response in another way': 10 },
  balanceMinor: 5 * 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await buyer.pay({ cardId, name: 'body' });
    await buyer.pay({ cardId, name: 'body' });
  },
  breaks: ['sales.perIntent', 'orphans'],
};

const slowProvider: Play = {
  good: async (buyer) => {
    const call = { body: 'grant_type=client_credentials' };
    const [token] = await buyer.persist('token.create', call);
    expect(token?.status).toBe(200);
    const cardId = await buyer.store();
    expect(heard(await buyer.buy({ cardId, name: 'red' }))).toEqual([201]);
    const listed = await buyer.send('payment.list', {});
    expect(at(listed.body, 'count')).toBe(1);
    expect(listed.headers.get('sandbox-outcome')).toBe('slow-dribble; by=scenario');
  },
  fired: { 'slow payments': 1, 'slow token': 1, 'slow lists': 1 },
  waited: [2000, 3000],
  balanceMinor: 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    await Promise.all(['one', 'two'].map((id) => buyer.pay({ cardId, name: 'red' }, id)));
  },
  breaks: ['sales.perIntent', 'findings.none.concurrent-duplicates'],
};

const forgottenRequestId: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const order = { cardId, name: 'red', invoice: 'INV-red' };
    expect((await buyer.pay(order, 'red')).broke).toBe('ECONNRESET');
    // The outcome is unknown, so the client reads before it retries.
    const { body } = await buyer.send('payment.list', {});
    expect(at(body, 'payments', 0, 'transactions', 0, 'invoice_number')).toBe('INV-red');
  },
  fired: { 'lose a response and ignore a request id': 1 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    const cardId = await buyer.store();
    const tries = await buyer.buy({ cardId, name: 'red' });
    expect(heard(tries)).toEqual(['ECONNRESET', 201]);
    expect(tries.at(-1)?.headers.get('sandbox-replayed')).toBeNull();
    await buyer.pay({ cardId, name: 'green' }, 'green');
  },
  breaks: ['sales.perIntent', 'findings.none.no-read-after-unknown'],
};

const executedTwice: Play = {
  good: async (buyer) => {
    const cardId = await buyer.store();
    const [known] = await buyer.buy({ cardId, name: 'red' });
    const { body } = await buyer.send('payment.list', {});
    const payments = at(body, 'payments');
    const stranger = (Array.isArray(payments) ? payments : []).find(
      (one: unknown) => at(one, 'id') !== at(known?.body, 'id'),
    );
    const sale = at(stranger, 'transactions', 0, 'related_resources', 0, 'sale', 'id');
    const path = `/v1/payments/sale/${String(sale)}/refund`;
    expect(heard(await buyer.persist('sale.refund', { path, body: {} }, 'back'))).toEqual([201]);
  },
  fired: { 'a proxy repeats the payment': 1 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    await buyer.buy({ cardId: await buyer.store(), name: 'red' });
  },
  breaks: ['sales.perIntent'],
};

export const lostAnswers = {
  'executed-twice': executedTwice,
  'forgotten-request-id': forgottenRequestId,
  'gateway-timeouts': gatewayTimeouts,
  hang,
  'lost-answer': lostAnswer,
  'slow-provider': slowProvider,
  'truncated-answers': truncatedAnswers,
} as const;
