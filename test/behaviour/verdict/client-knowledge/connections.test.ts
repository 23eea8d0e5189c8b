/** When connections were opened, beside when answers left: what it shows of requests that were sent one after the other. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { sell, storeCard } from '../../../support/purchases.ts';
import { testNow, TestTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { memberOf } from '../../../../src/shared/unknown-value.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { Checkout, keyed, onTestTime } from '../support/payment-attempts.ts';
import { sendOnNewConnection } from '../support/own-connection.ts';
import { pans, paymentBody } from '../../../support/samples.ts';

/** How much time has passed on the machine. */
let passedMs = 0;
const transport = new TestTransport('socket', {
  clock: {},
  systemClock: { nowMs: () => Date.parse(testNow) + passedMs },
});
beforeAll(() => transport.open());
afterAll(() => transport.close());

it.each([
  ['slow-close', { linger: 1 }],
  ['slow-dribble', { gap: 1, chunkBytes: 512 }],
] as const)(
  'two payments on new connections were not open at once after a %s',
  async (outcome, parameters) => {
    const till = await Checkout.at(transport.shop());
    till.forceOutcome(outcome, 1, parameters);
    for (let times = 0; times < 2; times++) {
      await sendOnNewConnection(till.shop, 'payment.create', till.body({ custom: 'order-7' }));
    }
    const verdict = await till.shop.merchant.verdict({ serviceTimeMs: 60_000 });
    expect(findingOf(verdict, 'concurrent-duplicates').what).toContain(
      'The sandbox had answered each before the next one came.',
    );
  },
);

it.each([
  ['another seller', 0, { custom: 'order-7', description: 'Seller B' }, 'medium'],
  ['another seller', 1_000, { custom: 'order-7', description: 'Seller B' }, 'high'],
  ['another order', 0, { custom: 'order-8', description: 'Seller A' }, 'medium'],
  ['the same order', 0, { custom: 'order-7', description: 'Seller A' }, 'high'],
])(
  'a payment for %s on a new connection, %i ms after a final decline, may have been sent before it',
  async (_, afterMs, transaction, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    for (const sent of [{ custom: 'order-7', description: 'Seller A' }, transaction]) {
      await sendOnNewConnection(shop, 'payment.create', paymentBody({ cardId, transaction: sent }));
      shop.merchant.clock.advance(afterMs);
    }
    const found = findingOf(await shop.merchant.verdict(), 'charge-after-hard-decline');
    expect(found.severity).toBe(severity);
  },
);

/** Opens a connection now, and sends a request on it later. */
class EarlyConnection {
  readonly #shop: Shop;
  readonly #socket: Socket;

  private constructor(shop: Shop, socket: Socket) {
    this.#shop = shop;
    this.#socket = socket;
  }

  static async open(shop: Shop): Promise<EarlyConnection> {
    const socket = connect(Number(new URL(shop.transport.base).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return new EarlyConnection(shop, socket);
  }

  pay(body: unknown): Promise<string> {
    return this.send('POST /v1/payments/payment', body);
  }

  async send(target: string, body?: unknown, key?: string): Promise<string> {
    const text = body === undefined ? '' : JSON.stringify(body);
    this.#socket.write(
      `${target} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${this.#shop.merchant.token}\r\n${key === undefined ? '' : `PayPal-Request-Id: ${key}\r\n`}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    const [answer] = await once(this.#socket, 'data');
    return String(answer);
  }
}

it.each<[string, 'sale' | 'authorize', string | undefined, unknown, readonly string[]]>([
  ['refunded', 'sale', 'sale/$id/refund', {}, []],
  [
    'refunded in part',
    'sale',
    'sale/$id/refund',
    { amount: { total: '5.00', currency: 'USD' } },
    ['low double-charge'],
  ],
  ['voided', 'authorize', 'authorization/$id/void', {}, []],
  [
    'captured',
    'authorize',
    'authorization/$id/capture',
    { amount: { total: '30.11', currency: 'USD' } },
    ['high concurrent-duplicates', 'high double-charge'],
  ],
  ['left', 'sale', undefined, {}, ['high concurrent-duplicates', 'high double-charge']],
])(
  'a payment on a new connection is no second click after the first one was %s',
  async (_, intent, path, body, found) => {
    const shop = transport.shop();
    const payment = paymentBody({
      cardId: await storeCard(shop),
      intent,
      transaction: { custom: 'smoke-test' },
    });
    const ask = async (target: string, sent: unknown) =>
      (await EarlyConnection.open(shop)).send(`POST /v1/payments/${target}`, sent);
    const id = /(?:sale|authorization)\/(\w+)"/.exec(await ask('payment', payment))?.[1] ?? '';
    if (path !== undefined) await ask(path.replace('$id', id), body);
    await ask('payment', payment);
    expect((await foundIn(shop)).toSorted()).toEqual(found);
  },
);

it.each([
  ['machine-9', false, 'medium'],
  ['machine-9', true, 'high'],
  ['Till 3', false, 'medium'],
  ['order-3 at till 9', false, 'high'],
  ['tillman-9', false, 'high'],
])('two equal sales of %s, with connections opened before: %s, are %s', async (...story) => {
  const [custom, isEarly, severity] = story;
  const shop = transport.shop();
  const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
  const early = isEarly ? await EarlyConnection.open(shop) : undefined;
  await (await EarlyConnection.open(shop)).pay(body);
  await (early ?? (await EarlyConnection.open(shop))).pay(body);
  expect((await foundIn(shop)).toSorted()).toEqual([
    `${severity} concurrent-duplicates`,
    `${severity} double-charge`,
  ]);
});

it('a payment is a second click although another sale was refunded before it', async () => {
  const shop = transport.shop();
  const cardId = await storeCard(shop);
  const { id } = await sell(shop, { cardId, transaction: { custom: 'another' } });
  const body = paymentBody({ cardId, transaction: { custom: 'smoke-test' } });
  const ask = async (target: string, sent: unknown) =>
    (await EarlyConnection.open(shop)).send(`POST /v1/payments/${target}`, sent);
  await ask('payment', body);
  await ask(`sale/${id}/refund`, {});
  await ask('payment', body);
  expect(await foundIn(shop)).toContain('high double-charge');
});

it.each([
  ['of three months', 'ada-2026-05', 'ada-2026-06', 'ada-2026-07', ['low double-charge']],
  ['of three rooms', 'ada-room-1', 'ada-room-2', 'ada-room-3', ['low double-charge']],
  [
    'of rooms with long numbers',
    'ada-room-10011',
    'ada-room-10012',
    'ada-room-10013',
    ['high concurrent-duplicates', 'high double-charge'],
  ],
  ['of one month', 'ada-a', 'ada-b', 'ada-c', ['high concurrent-duplicates', 'high double-charge']],
  [
    'of two months, one of them twice',
    'ada-2026-05-a',
    'ada-2026-06-a',
    'ada-2026-06-b',
    ['high concurrent-duplicates', 'high double-charge'],
  ],
])('payments %s are sent on connections of their own', async (_, ...stories) => {
  const [first, second, third, found] = stories;
  const shop = transport.shop();
  const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'sub-ada' } });
  for (const key of [first, second, third]) {
    await (await EarlyConnection.open(shop)).send('POST /v1/payments/payment', body, key);
  }
  expect((await foundIn(shop)).toSorted()).toEqual(found);
});

it.each([
  ['on the same connection', 'same', 0, 'high'],
  ['on another one that is kept', 'other', 0, 'low'],
  ['on another one that is kept, later', 'other', 1_000, 'high'],
])(
  'a payment for another order %s is judged after a final decline',
  async (_, on, afterMs, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const one = await EarlyConnection.open(shop);
    const other = await EarlyConnection.open(shop);
    for (const worker of [one, other]) await worker.send('GET /v1/vault/credit-cards');
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
    await one.pay(paymentBody({ cardId, transaction: { custom: 'order-7' } }));
    shop.merchant.clock.advance(afterMs);
    const next = on === 'same' ? one : other;
    await next.pay(paymentBody({ cardId, transaction: { custom: 'order-8' } }));
    const found = findingOf(await shop.merchant.verdict(), 'charge-after-hard-decline');
    expect(found.severity).toBe(severity);
  },
);

it.each([
  ['before the decline, and the clock was moved', 'before', 60_000, 0, 'medium'],
  ['before the decline, and time passed', 'before', 0, 60_000, 'high'],
  ['after the decline, and the clock was moved', 'after', 60_000, 0, 'high'],
])('a payment on a connection that was opened %s is judged', async (_, opened, ...story) => {
  const [movedMs, realMs, severity] = story;
  const shop = transport.shop();
  const cardId = await storeCard(shop);
  const worker = await EarlyConnection.open(shop);
  const early = opened === 'before' ? await EarlyConnection.open(shop) : undefined;
  shop.merchant.force({ op: 'payment.create', outcome: 'decline-lost-or-stolen' });
  await worker.pay(paymentBody({ cardId, transaction: { custom: 'order-7' } }));
  const other = early ?? (await EarlyConnection.open(shop));
  shop.merchant.clock.advance(movedMs);
  passedMs += realMs;
  await other.pay(paymentBody({ cardId, transaction: { custom: 'order-8' } }));
  const found = findingOf(await shop.merchant.verdict(), 'charge-after-hard-decline');
  expect(found.severity).toBe(severity);
});

it.each([
  ['before it had read the decline', false, []],
  ['after it had read the decline', true, ['high charge-after-hard-decline']],
])('a worker that shares `fetch` with another one pays %s', async (_, isKnown, expected) => {
  const shop = transport.shop();
  const cardId = await storeCard(shop);
  const pay = (custom: string) =>
    see(shop, 'payment.create', { body: paymentBody({ cardId, transaction: { custom } }) });
  shop.merchant.force({
    op: 'payment.create',
    outcome: 'decline-lost-or-stolen',
    per: 'merchant',
    nth: 2,
  });
  // Both answers leave together.
  shop.merchant.hold({ op: 'payment.create', count: 2, at: 'before-answer' });
  let isRead = false;
  const first = pay('order-1');
  await shop.merchant.waitForHeld({ times: 1 });
  const second = pay('order-2').then(() => (isRead = true));
  await shop.merchant.waitForHeld();
  shop.merchant.release('arrival');
  await first;
  expect(isRead).toBe(false);
  if (isKnown) await second;
  await pay('order-3');
  await second;
  expect(await foundIn(shop)).toEqual(expected);
});

describe('payments that are sent again after equal waits', () => {
  const retries = 4;

  /** Sends a payment until it succeeds, a second after each failure. Returns whether the waits are reported. */
  async function areWaitsFound(
    outcome: OutcomeId,
    send: (shop: Shop, body: unknown, attempt: number) => Promise<unknown>,
  ): Promise<boolean> {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'A-7' } });
    shop.merchant.force({ op: 'payment.create', outcome, times: retries });
    for (let attempt = 0; attempt <= retries; attempt++) {
      await send(shop, body, attempt);
      passedMs += 1000;
    }
    return (await foundIn(shop)).includes('medium retry-no-backoff');
  }

  it.each(['reset-before-commit', 'error-500-before-commit'] as const)(
    'are found if each comes on a new connection after %s',
    async (outcome) => {
      expect(
        await areWaitsFound(outcome, (shop, body) =>
          sendOnNewConnection(shop, 'payment.create', body),
        ),
      ).toBe(true);
    },
  );

  it.each([0, 1])(
    'are those of two workers if the connection for attempt 1 was opened before answer %i',
    async (openedBefore) => {
      let early: EarlyConnection | undefined;
      const areFound = await areWaitsFound(
        'error-500-before-commit',
        async (shop, body, attempt) => {
          if (attempt === openedBefore) early = await EarlyConnection.open(shop);
          if (attempt === 1) expect(await early?.pay(body)).toContain(' 500 ');
          else await sendOnNewConnection(shop, 'payment.create', body);
        },
      );
      expect(areFound).toBe(openedBefore === 1);
    },
  );

  it('are those of two workers if two were open at once', async () => {
    const areFound = await areWaitsFound('error-500-before-commit', async (shop, body, attempt) => {
      const send = () => sendOnNewConnection(shop, 'payment.create', body);
      if (attempt !== 1) return send();
      shop.merchant.hold({
        op: 'payment.create',
        count: 2,
        at: 'before-answer',
        release: 'arrival',
      });
      return Promise.all([send(), send()]);
    });
    expect(areFound).toBe(false);
  });
});

/** A payment whose client can stop waiting for its answer. */
async function payAndLeave(
  { transport: at, merchant }: Shop,
  body: unknown,
  isBegun = false,
): Promise<{ readonly leave: () => Promise<void> }> {
  const client = new AbortController();
  const transfers = merchant.ledger().transfers.length;
  const answer = at
    .fetch(`${at.base}/v1/payments/payment`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${merchant.token}`,
        'Content-Type': 'application/json',
        ...keyed('one'),
      },
      body: JSON.stringify(body),
      signal: client.signal,
    })
    .then((response) => response.text());
  await expect.poll(() => merchant.ledger().transfers).toHaveLength(transfers + 1);
  return {
    leave: async () => {
      client.abort();
      await expect(answer).rejects.toThrow(/abort/i);
      await merchant.waitFor({ delivery: isBegun ? 'cut' : 'lost' });
    },
  };
}

async function inProcess(): Promise<TestTransport> {
  const other = new TestTransport('in process', onTestTime);
  await other.open();
  onTestFinished(() => other.close());
  return other;
}

const places = [
  ['in process', inProcess],
  ['over connections', () => Promise.resolve(transport)],
] as const;

describe('a payment that the client stopped waiting for', () => {
  it.each([
    ['was sent at once with one that came before that', 'in process', 'hang-after-commit', true],
    ['counts as given up if noticed in 50 ms', 'over connections', 'hang-after-commit', false],
    ['counts as given up if noticed in 50 ms', 'over connections', 'slow-dribble', false],
  ] as const)('%s, %s, after a %s', async (_, place, outcome, isAtOnce) => {
    const at = await new Map<string, () => Promise<TestTransport>>(places).get(place)?.();
    if (at === undefined) throw new Error('There is no such place.');
    const till = await Checkout.at(at.shop());
    const isBegun = outcome === 'slow-dribble';
    till.forceOutcome(outcome, 1, isBegun ? { gap: 60_000 } : {});
    const first = await payAndLeave(till.shop, till.body({ custom: 'order-7' }), isBegun);
    await till.pay({ key: 'b', custom: 'order-7' });
    await first.leave();
    expect((await foundIn(till.shop)).includes('high concurrent-duplicates')).toBe(isAtOnce);
  });
});

describe('a bill that is charged to two cards', () => {
  const likely = 'high double-charge';

  async function open(at: TestTransport) {
    const shop = at.shop();
    const secondCard = { number: pans.mastercard, type: 'mastercard' };
    const [one, other] = [await storeCard(shop), await storeCard(shop, secondCard)];
    const bodyOf = (cardId: string) => paymentBody({ cardId, transaction: { custom: 'table-4' } });
    return { shop, first: bodyOf(one), second: bodyOf(other) };
  }

  async function foundAt(shop: Shop): Promise<string | undefined> {
    return (await foundIn(shop)).find((name) => name.endsWith('double-charge'));
  }

  it.each([
    ['reset-after-commit', 'after', likely],
    ['reset-after-commit', 'before', undefined],
    ['truncated-json', 'after', likely],
    ['truncated-json', 'before', undefined],
    ['truncated-body', 'after', likely],
    ['truncated-body', 'before', undefined],
    ['error-500-after-commit', 'after', likely],
    ['error-500-after-commit', 'before', undefined],
  ] as const)(
    'after a %s, with the second connection opened %s its end, is found as %s',
    async (outcome, opened, found) => {
      const { shop, first, second } = await open(transport);
      shop.merchant.force({ op: 'payment.create', outcome });
      const early = opened === 'before' ? await EarlyConnection.open(shop) : undefined;
      await sendOnNewConnection(shop, 'payment.create', first).catch(() => undefined);
      const late = early ?? (await EarlyConnection.open(shop));
      expect(await late.pay(second)).toContain(' 201 ');
      expect(await foundAt(shop)).toBe(found);
    },
  );

  it.each([
    ['in process', 0, undefined],
    ['in process', 100, undefined],
    ['over connections', 0, likely],
    ['over connections', 100, undefined],
  ] as const)(
    '%s, whose first client leaves %i ms after the second request, is found as %s',
    async (place, afterMs, found) => {
      const at = await new Map<string, () => Promise<TestTransport>>(places).get(place)?.();
      if (at === undefined) throw new Error('There is no such place.');
      const { shop, first, second } = await open(at);
      shop.merchant.force({ op: 'payment.create', outcome: 'hang-after-commit' });
      const { leave } = await payAndLeave(shop, first);
      await shop.ask('payment.create', 201, { body: second, headers: keyed('two') });
      shop.merchant.clock.advance(afterMs);
      await leave();
      expect(await foundAt(shop)).toBe(found);
    },
  );

  it.each(places)('%s, whose first client left before, is paid twice', async (_, at) => {
    const { shop, first, second } = await open(await at());
    shop.merchant.force({ op: 'payment.create', outcome: 'hang-after-commit' });
    const { leave } = await payAndLeave(shop, first);
    await leave();
    await shop.ask('payment.create', 201, { body: second, headers: keyed('two') });
    expect(await foundAt(shop)).toBe(likely);
  });
});

/** Sends on the connection of an agent, or on a new one. The status is 0 if the connection breaks. */
function sendOn(
  agent: Agent | false,
  { merchant, transport: { base } }: Shop,
  { path, body, key }: { readonly path: string; readonly body?: unknown; readonly key?: string },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = {
    Authorization: `Bearer ${merchant.token}`,
    'Content-Type': 'application/json',
    ...keyed(key),
  };
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(base + path, { method, agent, headers }, (answer) => {
      void json(answer).then((read) => {
        resolve({ status: answer.statusCode ?? 0, body: read });
      });
    });
    sent.on('error', () => {
      resolve({ status: 0, body: undefined });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function agentWithOneConnection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
  });
  return agent;
}

describe.each(['sale.refund', 'payment.create'] as const)('a second %s', (name) => {
  const finding = name === 'payment.create' ? 'double-charge' : 'double-refund';

  it.each([
    ['in turn, is not sent at once', true, 700, 'medium'],
    ['beside the other, is sent at once', false, 700, 'high'],
    ['beside the other, is sent at once however long the retry waits', false, 5_000, 'high'],
  ] as const)(
    'whose retry needs a new connection, and that was first sent %s',
    async (_, isInTurn, waitMs, severity) => {
      const shop = transport.shop();
      const [one, other] = [agentWithOneConnection(), agentWithOneConnection()];
      const sale = name === 'sale.refund' ? await sell(shop) : undefined;
      const cardId = await storeCard(shop);
      const sent =
        sale === undefined
          ? {
              path: '/v1/payments/payment',
              body: paymentBody({ cardId, transaction: { custom: 'order-7' } }),
            }
          : {
              path: `/v1/payments/sale/${sale.id}/refund`,
              body: { amount: { total: '10.00', currency: 'USD' } },
            };
      const first = await sendOn(one, shop, { ...sent, key: 'one' });
      expect(first.status).toBe(201);
      if (isInTurn) {
        const record = name === 'payment.create' ? 'payment' : 'refund';
        const path = `/v1/payments/${record}/${String(memberOf(first.body, 'id'))}`;
        for (const agent of [other, one]) {
          expect((await sendOn(agent, shop, { path })).status).toBe(200);
        }
      }
      shop.merchant.force({ op: name, outcome: 'reset-before-commit' });
      expect((await sendOn(other, shop, { ...sent, key: 'two' })).status).toBe(0);
      shop.merchant.clock.advance(waitMs);
      expect((await sendOn(false, shop, { ...sent, key: 'two' })).status).toBe(201);
      const found = (await foundIn(shop)).filter((words) => words.endsWith(finding));
      expect(found).toEqual(isInTurn && sale !== undefined ? [] : [`${severity} ${finding}`]);
    },
  );
});

it.each([
  ['a remark if a second worker deletes it', true, 'low mishandles-204'],
  ['reported if one worker deletes it again', false, 'medium mishandles-204'],
])('a card that is deleted twice is %s', async (_, areTwo, expected) => {
  const shop = transport.shop();
  const params = { card_id: await storeCard(shop) };
  const second = areTwo ? await EarlyConnection.open(shop) : undefined;
  await shop.ask('card.delete', 204, { params });
  if (second === undefined) await shop.ask('card.delete', 404, { params });
  else
    expect(await second.send(`DELETE /v1/vault/credit-cards/${params.card_id}`)).toContain(' 404 ');
  expect(await foundIn(shop)).toContain(expected);
});

describe('a card that is deleted again after its 204 is', () => {
  const remark = 'low mishandles-204';
  const reported = 'medium mishandles-204';

  /** A card that two connections may delete. The last requests are those of one worker. */
  async function open() {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    const path = `/v1/vault/credit-cards/${params.card_id}`;
    return {
      shop,
      path,
      reset: (times: number) => {
        shop.merchant.force({ op: 'card.delete', outcome: 'reset-before-commit', times });
      },
      foundAtEnd: async () => {
        await shop.ask('card.delete', 204, { params });
        await shop.ask('card.delete', 404, { params });
        return (await foundIn(shop)).filter((words) => words.endsWith('mishandles-204'));
      },
    };
  }

  async function isReset(answer: Promise<string>): Promise<void> {
    await expect(answer).rejects.toThrow('ECONNRESET');
  }

  it.each([
    ['a remark if a connection was opened before the reset of', 'before', remark],
    ['reported if one worker opened a connection after the reset of', 'after', reported],
  ])('%s an earlier deletion', async (_, opened, expected) => {
    const { shop, path, reset, foundAtEnd } = await open();
    reset(2);
    const early = opened === 'before' ? await EarlyConnection.open(shop) : undefined;
    await see(shop, 'card.delete', { path });
    const second = early ?? (await EarlyConnection.open(shop));
    await isReset(second.send(`DELETE ${path}`));
    expect(await foundAtEnd()).toEqual([expected]);
  });

  it.each([
    ['a remark if two workers had sent it at once', true, remark],
    ['reported if one worker had sent it on one connection after the other', false, reported],
  ])('%s on kept connections', async (_, isAtOnce, expected) => {
    const { shop, path, reset, foundAtEnd } = await open();
    const kept = [await EarlyConnection.open(shop), await EarlyConnection.open(shop)];
    for (const one of kept) expect(await one.send('GET /v1/vault/credit-cards')).toContain(' 200 ');
    reset(2);
    if (isAtOnce) await Promise.all(kept.map((one) => isReset(one.send(`DELETE ${path}`))));
    else for (const one of kept) await isReset(one.send(`DELETE ${path}`));
    expect(await foundAtEnd()).toEqual([expected]);
  });

  it.each([
    ['a remark if two workers looked for it after a lost answer', 'after', remark],
    ['reported if two had looked at the card before its first deletion', 'before', reported],
  ])('%s', async (_, looked, expected) => {
    const { shop, path, reset, foundAtEnd } = await open();
    reset(1);
    if (looked === 'after') await see(shop, 'card.delete', { path });
    const second = await EarlyConnection.open(shop);
    await shop.ask('card.get', 200, { path });
    expect(await second.send(`GET ${path}`)).toContain(' 200 ');
    if (looked === 'before') await see(shop, 'card.delete', { path });
    expect(await foundAtEnd()).toEqual([expected]);
  });

  it('reported if one worker had sent it again after it gave up', async () => {
    const { shop, path } = await open();
    shop.merchant.force({ op: 'card.delete', outcome: 'hang-before-commit' });
    const client = new AbortController();
    const first = see(shop, 'card.delete', { path, signal: client.signal });
    await expect.poll(() => shop.merchant.unfired()).toEqual([]);
    client.abort();
    await first;
    await shop.merchant.waitFor({ delivery: 'lost' });
    const next = await EarlyConnection.open(shop);
    for (const status of [' 204 ', ' 404 ']) {
      expect(await next.send(`DELETE ${path}`)).toContain(status);
    }
    expect(await foundIn(shop)).toContain(reported);
  });

  it('reported if two workers deleted another card at once', async () => {
    const { shop, reset, foundAtEnd } = await open();
    const second = await EarlyConnection.open(shop);
    const path = `/v1/vault/credit-cards/${await storeCard(shop)}`;
    reset(2);
    await see(shop, 'card.delete', { path });
    await isReset(second.send(`DELETE ${path}`));
    expect(await foundAtEnd()).toEqual([reported]);
  });
});

it.each([
  ['was sent at once with them', 0, 'high'],
  ['may be intended if it came after the service would have answered', 2_000, 'medium'],
])(
  'a third payment on the connection of one of two that were sent at once %s',
  async (_, afterMs, severity) => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'till-77' } });
    const [one, two] = [await EarlyConnection.open(shop), await EarlyConnection.open(shop)];
    await Promise.all([one.pay(body), two.pay(body)]);
    shop.merchant.clock.advance(afterMs);
    expect(await one.pay(body)).toContain(' 201 ');
    const { findings } = await shop.merchant.verdict({ serviceTimeMs: 1_000 });
    const found = findings.map(({ severity: weight, rule }) => `${weight} ${rule}`);
    expect(found).toContain(`${severity} double-charge`);
  },
);

it('a third payment in process, after two that were sent at once, may be intended', async () => {
  const shop = (await inProcess()).shop();
  const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'till-77' } });
  const pay = () => shop.ask('payment.create', 201, { body });
  await Promise.all([pay(), pay()]);
  await pay();
  const { findings } = await shop.merchant.verdict();
  expect(findings.find(({ rule }) => rule === 'double-charge')?.severity).toBe('medium');
});

it.each([
  ['before it could read the first answer', true, 'high'],
  ['once it had read the first answer', false, 'medium'],
])(
  'a second payment that this process sends %s is judged by that',
  async (_, isEarly, severity) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const look = () => shop.ask('card.get', 200, { params: { card_id: cardId } });
    // With two connections at hand, neither payment need open one.
    await Promise.all([look(), look()]);
    const pay = () => {
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      return see(shop, 'payment.create', { body, headers: keyed(crypto.randomUUID()) });
    };
    const answered = new Promise<void>((resolve) => {
      const onFinish = (): void => {
        unsubscribe('http.server.response.finish', onFinish);
        resolve();
      };
      subscribe('http.server.response.finish', onFinish);
    });
    const first = pay();
    await (isEarly ? answered : first);
    await Promise.all([first, pay()]);
    expect(findingOf(await shop.merchant.verdict(), 'double-charge').severity).toBe(severity);
  },
);

it('a request that fetch sends on a second connection too early is no other worker', async () => {
  const till = await Checkout.at(transport.shop());
  const { shop } = till;
  till.forceOutcome('rate-limited-seconds', 1, { retryAfter: 30 });
  await till.pay({ key: 'a', invoice: 'INV-7' });
  const lists: Promise<unknown>[] = [];
  // The second round keeps all connections busy that were not free yet in the first one.
  for (let round = 0; round < 2; round++) {
    const count = 8;
    shop.merchant.hold({ op: 'card.list', at: 'before-answer', count });
    for (let sent = 0; sent < count; sent++) lists.push(shop.ask('card.list', 200));
    await shop.merchant.waitForHeld();
  }
  await till.pay({ key: 'a', invoice: 'INV-7', afterMs: 600 });
  shop.merchant.release();
  await Promise.all(lists);
  expect(await foundIn(shop)).toContain('high ignores-retry-after');
});
