/** Two workers on connections of their own: what shows that one waited for the other, and what does not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { authorize, sell, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { TestTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, namesOf } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';
import { Worker } from '../support/worker.ts';

const transport = new TestTransport('socket', onTestTime);
beforeAll(() => transport.open());
afterAll(() => transport.close());

const atOnce = ['high double-charge', 'high concurrent-duplicates'];
const inTurn = ['medium double-charge'];
/** A numbered order that a second worker paid while the first one still tried. */
const inDoubt = ['high double-charge'];

interface Setting {
  readonly shop: Shop;
  readonly cardId: string;
  readonly one: Worker;
  readonly two: Worker;
  /** Pays for an order. All orders have one name unless another is given. */
  readonly pay: (worker: Worker, key: string | undefined, custom?: string) => Promise<string>;
  /** Reads the only payment. */
  readonly read: (worker: Worker) => Promise<string>;
}

async function open(): Promise<Setting> {
  const shop = transport.shop();
  const cardId = await storeCard(shop);
  const [one, two] = [new Worker(shop), new Worker(shop)];
  onTestFinished(() => {
    one.close();
    two.close();
  });
  // Both connections are open before the first payment.
  await one.get('/vault/credit-cards');
  await two.get('/vault/credit-cards');
  return {
    shop,
    cardId,
    one,
    two,
    pay: (worker, key, custom = 'order-7') =>
      worker.post('/payments/payment', paymentBody({ cardId, transaction: { custom } }), key),
    read: async (worker) => {
      const [transfer] = shop.merchant.ledger().transfers;
      return worker.get(`/payments/payment/${transfer?.payment}`);
    },
  };
}

async function duplicatesIn({ shop }: Setting, serviceTimeMs = 60_000): Promise<string[]> {
  return namesOf(await shop.merchant.verdict({ serviceTimeMs })).filter(
    (name) => !name.endsWith('connection-per-request'),
  );
}

it.each<[string, (at: Setting) => Promise<unknown>, readonly string[]]>([
  [
    'count as sent at once if nothing shows that the second one waited',
    (at) => at.pay(at.two, 'b'),
    atOnce,
  ],
  ['were sent in turn if both came on one connection', (at) => at.pay(at.one, 'b'), inTurn],
  [
    'were sent in turn if a fault ended the first connection',
    async ({ shop, one, two, pay }) => {
      shop.merchant.force({ op: 'card.create', outcome: 'reset-before-commit', per: 'merchant' });
      await one.post('/vault/credit-cards', cardBody());
      await pay(two, 'b');
    },
    inTurn,
  ],
  [
    'were sent in turn if an answer that was cut short ended the first connection',
    async ({ shop, one, two, pay }) => {
      shop.merchant.force({ op: 'card.list', outcome: 'truncated-body', per: 'merchant' });
      await one.get('/vault/credit-cards');
      await pay(two, 'b');
    },
    inTurn,
  ],
  [
    'count as sent at once if a fault ended another connection',
    async ({ shop, two, pay }) => {
      shop.merchant.force({ op: 'card.create', outcome: 'reset-before-commit', per: 'merchant' });
      const third = new Worker(shop);
      await third.post('/vault/credit-cards', cardBody());
      third.close();
      await pay(two, 'b');
    },
    atOnce,
  ],
  [
    'were sent in turn if the payment was read on the second connection, then on the first',
    async ({ one, two, pay, read }) => {
      await read(two);
      await read(one);
      await pay(two, 'b');
    },
    inTurn,
  ],
  [
    'count as sent at once if only the second worker read the payment',
    async ({ two, pay, read }) => {
      await read(two);
      await pay(two, 'b');
    },
    atOnce,
  ],
  [
    'count as sent at once if only the first worker read the payment',
    async ({ one, two, pay, read }) => {
      await read(one);
      await pay(two, 'b');
    },
    atOnce,
  ],
  [
    'count as sent at once if the reads came on the connections in the wrong order',
    async ({ one, two, pay, read }) => {
      await read(one);
      await read(two);
      await pay(two, 'b');
    },
    atOnce,
  ],
  [
    'count as sent at once if both read the payment afterwards',
    async ({ one, two, pay, read }) => {
      await pay(two, 'b');
      await read(two);
      await read(one);
    },
    atOnce,
  ],
])('two payments for one order %s', async (_, next, expected) => {
  const at = await open();
  await at.pay(at.one, 'a');
  await next(at);
  expect(await duplicatesIn(at)).toEqual(expected);
});

it('two payments, each on a connection of its own, count as sent at once though a worker read the first', async () => {
  const at = await open();
  const { one, pay, read } = at;
  one.close();
  await pay(one, 'a');
  one.close();
  await read(one);
  one.close();
  await pay(one, 'b');
  expect(await duplicatesIn(at)).toEqual(atOnce);
});

it.each([
  ['over a socket', 'socket', 0, true],
  ['over a socket, after the service would have answered', 'socket', 2_000, false],
  ['in process, where it is certain', 'in process', 0, false],
] as const)(
  'two payments for one order in turn %s: a gate is advised if they may be a slow double click',
  async (_, name, afterMs, isAdvised) => {
    const own = new TestTransport(name, onTestTime);
    await own.open();
    onTestFinished(() => own.close());
    const shop = own.shop();
    const cardId = await storeCard(shop);
    for (const key of ['a', 'b']) {
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      await shop.ask('payment.create', 201, { body, headers: keyed(key) });
      shop.merchant.clock.advance(afterMs);
    }
    const verdict = await shop.merchant.verdict({ serviceTimeMs: 1_000 });
    const { severity, remedy } = findingOf(verdict, 'double-charge');
    expect([severity, remedy.includes('hold them at a gate')]).toEqual(['medium', isAdvised]);
  },
);

const intended = ['medium double-charge', 'medium concurrent-duplicates'];

it.each<[string, number, readonly string[]]>([
  ['count as sent at once if the third one may have waited for a connection', 0, atOnce],
  ['may be intended if the third one came after the service would have answered', 2_000, intended],
])('three payments for one order on two connections %s', async (_, afterMs, expected) => {
  const at = await open();
  const { shop, one, two, pay } = at;
  await Promise.all([pay(one, 'a'), pay(two, 'b')]);
  shop.merchant.clock.advance(afterMs);
  await pay(one, 'c');
  expect(await duplicatesIn(at, 1_000)).toEqual(expected);
});

const refundedAtOnce = ['high double-refund', 'high concurrent-duplicates'];

it.each<
  [
    string,
    (at: Setting, look: (worker: Worker) => Promise<string>) => Promise<unknown>,
    readonly string[],
  ]
>([
  [
    'may be for two items if the client read the sale between them',
    ({ one }, look) => {
      one.close();
      return look(one);
    },
    [],
  ],
  [
    'are reported if the client read something else between them',
    ({ one }) => {
      one.close();
      return one.get('/vault/credit-cards');
    },
    refundedAtOnce,
  ],
  ['are reported if the client read nothing between them', async () => {}, refundedAtOnce],
  [
    'are reported if a worker that keeps its connection read the sale',
    ({ two }, look) => look(two),
    refundedAtOnce,
  ],
  [
    'are reported if the worker that read the sale used that connection again',
    async ({ two }, look) => {
      two.close();
      await look(two);
      await two.get('/vault/credit-cards');
    },
    refundedAtOnce,
  ],
  [
    'are reported if the first worker read the sale on the connection of its refund',
    ({ one }, look) => look(one),
    refundedAtOnce,
  ],
])('two equal refunds, each on a connection of its own, %s', async (_, between, expected) => {
  const at = await open();
  const { shop, one } = at;
  const { id } = await sell(shop);
  const giveBack = (key: string) =>
    one.post(`/payments/sale/${id}/refund`, { amount: { total: '5.00', currency: 'USD' } }, key);
  one.close();
  await giveBack('a');
  await between(at, (worker) => worker.get(`/payments/sale/${id}`));
  one.close();
  await giveBack('b');
  expect(await duplicatesIn(at)).toEqual(expected);
});

it.each<[string, string | undefined, readonly string[]]>([
  ['without a request id was sent again by a library', undefined, ['high hidden-transport-retry']],
  ['with its request id may have been sent again by the client', 'a', []],
])(
  'a payment whose connection broke %s, also if the other connection is an old one',
  async (_, key, expected) => {
    const at = await open();
    at.shop.merchant.force({ op: 'payment.create', outcome: 'reset-before-commit' });
    await at.pay(at.one, key);
    await at.pay(at.two, key);
    expect((await duplicatesIn(at)).filter((name) => name.includes('hidden'))).toEqual(expected);
  },
);

it('two payments count as sent at once if a fault ended the first connection before them', async () => {
  const at = await open();
  at.shop.merchant.force({ op: 'card.create', outcome: 'reset-before-commit', per: 'merchant' });
  await at.one.post('/vault/credit-cards', cardBody());
  await at.pay(at.one, 'a');
  await at.pay(at.two, 'b');
  expect(await duplicatesIn(at)).toEqual(atOnce);
});

it('two payments were sent in turn if the first was refused, and the next worker tried again', async () => {
  const at = await open();
  at.shop.merchant.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
  await at.pay(at.one, 'a');
  await at.pay(at.two, 'b');
  expect(await duplicatesIn(at)).toEqual([]);
});

it('two payments were sent in turn if the service takes less time than lay between them', async () => {
  const at = await open();
  await at.pay(at.one, 'a');
  at.shop.merchant.clock.advance(2_000);
  await at.pay(at.two, 'b');
  expect(await duplicatesIn(at, 1_000)).toEqual(inTurn);
  expect(await duplicatesIn(at, 60_000)).toEqual(atOnce);
});

it('a repeat with the same request id on another connection is safe', async () => {
  const at = await open();
  await at.pay(at.one, 'a');
  await at.pay(at.two, 'a');
  expect(await duplicatesIn(at)).toEqual([]);
});

it('a third request that repeats the first one does not make a pair with the second', async () => {
  const at = await open();
  await at.pay(at.one, 'a');
  await at.pay(at.one, 'b');
  await at.pay(at.two, 'a');
  expect(await duplicatesIn(at)).toEqual(inTurn);
});

it('two workers may store one card, each for another buyer', async () => {
  const at = await open();
  const store = (worker: Worker, key: string) =>
    worker.post('/vault/credit-cards', cardBody({ external_customer_id: 'ada' }), key);
  await store(at.one, 'a');
  await store(at.two, 'b');
  expect((await duplicatesIn(at)).filter((name) => name.includes('concurrent'))).toEqual([]);
});

it.each([
  ['two captures that exceed the authorization count as one thing', '16.00', 'high'],
  ['two captures that fit into the authorization may be two parcels', '15.00', 'low'],
])('%s', async (_, total, severity) => {
  const at = await open();
  const { id } = await authorize(at.shop);
  const take = (worker: Worker, key: string) =>
    worker.post(
      `/payments/authorization/${id}/capture`,
      { amount: { total, currency: 'USD' } },
      key,
    );
  await take(at.one, 'a');
  await take(at.two, 'b');
  expect((await duplicatesIn(at)).filter((name) => name.includes('concurrent'))).toEqual([
    `${severity} concurrent-duplicates`,
  ]);
});

it('two equal refunds on two connections count as sent at once', async () => {
  const at = await open();
  const { id } = await sell(at.shop, { transaction: { custom: 'order-9' } });
  const back = (worker: Worker, key: string) =>
    worker.post(
      `/payments/sale/${id}/refund`,
      { amount: { total: '10.00', currency: 'USD' } },
      key,
    );
  await back(at.one, 'a');
  await back(at.two, 'b');
  expect(await duplicatesIn(at)).toEqual(['high double-refund', 'high concurrent-duplicates']);
});

it.each<[string, (at: Setting) => Worker, string]>([
  [
    'may not know of it, if its own connection shows that it is another worker',
    (at) => at.two,
    'low',
  ],
  ['ignores it on the same connection', (at) => at.one, 'high'],
])(
  'a worker that sends a request again before Retry-After is over %s',
  async (_, next, severity) => {
    const at = await open();
    at.shop.merchant.force({ op: 'payment.create', outcome: 'rate-limited-seconds' });
    await at.pay(at.one, 'a');
    at.shop.merchant.clock.advance(600);
    await at.pay(next(at), 'a');
    expect(await duplicatesIn(at)).toEqual([`${severity} ignores-retry-after`]);
  },
);

it('a client that opens a connection for each request ignores Retry-After', async () => {
  const at = await open();
  at.one.close();
  at.shop.merchant.force({ op: 'payment.create', outcome: 'rate-limited-seconds' });
  await at.pay(at.one, 'a');
  at.one.close();
  at.shop.merchant.clock.advance(600);
  await at.pay(at.one, 'a');
  expect(await duplicatesIn(at)).toEqual(['high ignores-retry-after']);
});

/** Opens a connection that carries nothing, as the clients of Go and .NET do for a request that another one can take. */
async function openUnused(): Promise<Socket> {
  const socket = connect(Number(new URL(transport.base).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function readOn(socket: Socket, { merchant }: Shop): Promise<void> {
  socket.write(
    `GET /v1/vault/credit-cards HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer ${merchant.token}\r\n\r\n`,
  );
  await once(socket, 'data');
}

it.each<
  [
    string,
    (at: Setting, pay: (key: string) => Promise<string>) => Promise<unknown>,
    readonly string[],
  ]
>([
  [
    'count as sent at once if the client asked for another connection for the second one',
    async (_, pay) => {
      await openUnused();
      await pay('a');
      await pay('b');
    },
    atOnce,
  ],
  [
    'count as sent at once if that connection carried a later request of the client',
    async ({ shop }, pay) => {
      const unused = await openUnused();
      await pay('a');
      await pay('b');
      await readOn(unused, shop);
    },
    atOnce,
  ],
  [
    'were sent in turn if another client used that connection later',
    async (_, pay) => {
      const unused = await openUnused();
      await pay('a');
      await pay('b');
      await readOn(unused, transport.shop());
    },
    inTurn,
  ],
  [
    'were sent in turn if an earlier request may have needed that connection',
    async ({ one }, pay) => {
      await openUnused();
      await one.get('/vault/credit-cards');
      await pay('a');
      await pay('b');
    },
    inTurn,
  ],
  [
    'were sent in turn if that connection was closed before the second one',
    async ({ one }, pay) => {
      const unused = await openUnused();
      await pay('a');
      unused.destroy();
      await once(unused, 'close');
      await one.get('/vault/credit-cards');
      await pay('b');
    },
    inTurn,
  ],
])('two payments on one connection %s', async (_, send, expected) => {
  const at = await open();
  await send(at, (key) => at.pay(at.one, key));
  expect(await duplicatesIn(at)).toEqual(expected);
});

/** A name that tells nothing of an order: a customer, a shop or an order. */
const uuid = '0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11';

it.each<[string, OutcomeId, string, number, readonly string[]]>([
  ['is refused', 'rate-limited-seconds', uuid, 0, atOnce],
  ['fails before the commit', 'error-500-before-commit', uuid, 0, atOnce],
  ['fails after the commit', 'error-500-after-commit', uuid, 0, atOnce],
  ['is refused, and the other came minutes later', 'rate-limited-seconds', uuid, 90_000, inTurn],
  ['fails, and the other came minutes later', 'error-500-after-commit', uuid, 90_000, inTurn],
  ['loses its connection', 'reset-after-commit', uuid, 0, inTurn],
  ['loses its connection under an order', 'reset-after-commit', 'order-7', 0, inDoubt],
  ['is refused, minutes before', 'rate-limited-seconds', 'order-7', 90_000, inDoubt],
  ['fails, minutes before', 'error-500-after-commit', 'order-7', 90_000, inDoubt],
])(
  'two workers that pay for one order are judged if the first request %s and is repeated after the second',
  async (_, outcome, name, gapMs, expected) => {
    const at = await open();
    at.shop.merchant.force({ op: 'payment.create', outcome });
    await at.pay(at.one, 'a', name);
    at.shop.merchant.clock.advance(gapMs);
    await at.pay(at.two, 'b', name);
    at.shop.merchant.clock.advance(Math.max(gapMs, 5_000));
    await at.pay(outcome === 'reset-after-commit' ? at.two : at.one, 'a', name);
    const found = await duplicatesIn(at);
    expect(found.filter((one) => /double-charge|concurrent-duplicates/.test(one))).toEqual(
      expected,
    );
  },
);

it.each<[string, (at: Setting) => Promise<unknown>, readonly string[]]>([
  [
    'is sent again with another id after the second was paid',
    (at) => at.pay(at.one, 'c', uuid),
    atOnce,
  ],
  ['is sent again without an id', (at) => at.pay(at.one, undefined, uuid), atOnce],
  ['is not sent again', () => Promise.resolve(), []],
])('of two requests, one fails, and it %s', async (_, next, expected) => {
  const at = await open();
  at.shop.merchant.force({ op: 'payment.create', outcome: 'error-500-before-commit' });
  await at.pay(at.one, 'a', uuid);
  await at.pay(at.two, 'b', uuid);
  at.shop.merchant.clock.advance(90_000);
  await next(at);
  const found = await duplicatesIn(at);
  expect(found.filter((one) => /double-charge|concurrent-duplicates/.test(one))).toEqual(expected);
});

it('two payments in turn are no double click because the first is confirmed by a repeat', async () => {
  const at = await open();
  await at.pay(at.one, 'a');
  await at.pay(at.one, 'b');
  await at.pay(at.one, 'a');
  expect(await duplicatesIn(at)).toEqual(inTurn);
});

it.each([
  [
    'fails if one part of the second click is declined',
    'order-7',
    [...atOnce, 'medium concurrent-duplicates'],
  ],
  [
    'passes if the parts of another purchase have the name, too',
    'shop',
    ['medium double-charge', 'medium concurrent-duplicates', 'medium concurrent-duplicates'],
  ],
])('a cart with two sellers that is clicked twice %s', async (_, name, expected) => {
  const at = await open();
  const seller = (worker: Worker, key: string, description: string) =>
    worker.post(
      '/payments/payment',
      paymentBody({ cardId: at.cardId, transaction: { custom: name, description } }),
      key,
    );
  at.shop.merchant.force({ op: 'payment.create', outcome: 'decline-insufficient-funds', nth: 4 });
  await seller(at.one, 'a', 'Seller A');
  await seller(at.two, 'b', 'Seller A');
  await seller(at.one, 'c', 'Seller B');
  await seller(at.two, 'd', 'Seller B');
  if (name === 'shop') {
    await seller(at.one, 'e', 'Seller C');
    // A repeat with its request id is no second purchase.
    await seller(at.one, 'e', 'Seller C');
  }
  expect(await duplicatesIn(at)).toEqual(expected);
});

/** Reads the cards of a merchant in another process, which keeps its connection open. */
async function readInOtherProcess({ merchant }: Shop): Promise<void> {
  const child = spawn(process.execPath, [
    '-e',
    `const [url, token] = process.argv.slice(1);
    fetch(url, { headers: { Authorization: 'Bearer ' + token } }).then((r) => r.text()).then(console.log);
    setInterval(() => {}, 60_000);`,
    `${transport.base}/v1/vault/credit-cards`,
    merchant.token,
  ]);
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
}

it.each([
  ['counts as sent at once', false, atOnce],
  [
    'may be sold in turn while another client of the machine is connected',
    true,
    ['medium double-charge', 'medium concurrent-duplicates'],
  ],
])(
  'the second coffee of a till that comes while a connection is unused %s',
  async (_, isShared, expected) => {
    const at = await open();
    if (isShared) await readInOtherProcess(transport.shop());
    await openUnused();
    await at.pay(at.one, 'a', 'till-3');
    await at.pay(at.one, 'b', 'till-3');
    expect(await duplicatesIn(at)).toEqual(expected);
  },
);
