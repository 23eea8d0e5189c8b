/** What every operation answers alike, whatever it is about. */
import { expect, it } from 'vitest';
import { operationNames, operations, type OperationName } from '../../src/contract/operations.ts';
import type { Exchange } from '../../src/index.ts';
import { throughEveryDoor, type Door, type Reply, type Shop } from '../support/doors.ts';
import { Gate } from '../support/gate.ts';
import { inOrder } from '../support/in-order.ts';
import { makeSubjects, unknownSubjects, validRequest } from '../support/valid-requests.ts';

const declares = (name: OperationName, status: number): boolean =>
  status in operations[name].responses;

/** Every operation but the token's, whose errors have OAuth's shape. */
const jsonOperations = operationNames.filter((name) => name !== 'token.create');
const withBody = jsonOperations.filter((name) => declares(name, 415));
const withRequestId = jsonOperations.filter((name) => declares(name, 409));
const aboutRecord = jsonOperations.filter((name) => operations[name].path.includes('{'));
const writes = jsonOperations.filter((name) => operations[name].method !== 'get');

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

const information = (name: string): string => `https://developer.paypal.com/docs/api/#${name}`;

/** What a merchant holds, as the merchant sees it. */
async function holdings(shop: Shop): Promise<unknown> {
  return {
    cards: await shop.ask('card.list', 200),
    payments: await shop.ask('payment.list', 200),
    ledger: shop.merchant.ledger(),
  };
}

/** The error body that `name` has, `message` aside. */
function expectProblem(reply: Reply<unknown>, status: number, name: string): void {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body).toEqual({
    name,
    message: expect.stringMatching(/^[A-Z].*[^.]$/),
    information_link: information(name),
    debug_id: reply.headers.get('paypal-debug-id'),
  });
}

throughEveryDoor('every operation asks for a token', (door) => {
  it.each(jsonOperations)('401 %s: no Authorization header', async (name) => {
    const reply = await door
      .shop()
      .send(name, { ...validRequest(name, unknownSubjects), authorization: null });
    expectUnauthenticated(reply, 'Authorization header does not have valid access token');
  });

  it.each(jsonOperations)('401 %s: an empty Authorization header', async (name) => {
    const reply = await door
      .shop()
      .send(name, { ...validRequest(name, unknownSubjects), authorization: '' });
    expectUnauthenticated(reply, 'Authorization header does not have valid access token');
  });

  it.each(jsonOperations)('401 %s: a token that nobody made', async (name) => {
    const shop = door.shop();
    const foreign = [
      'Bearer junk',
      'Bearer A21.my-shop.deadbeef',
      'Bearer sandbox.',
      'Bearer sandbox.not a merchant',
      'Bearer',
      'Token sandbox.my-shop',
      `Basic ${btoa('my-shop:secret')}`,
    ];
    await inOrder(foreign, async (authorization) => {
      const request = { ...validRequest(name, unknownSubjects), authorization };
      expectUnauthenticated(await shop.send(name, request), 'Access Token not found in cache');
    });
  });

  it.each(jsonOperations)(
    "401 %s: a token whose time is over on its merchant's clock",
    async (name) => {
      const shop = door.shop();
      const { access_token: token, expires_in: lifetimeS } = await shop.ask('token.create', 200, {
        body: 'grant_type=client_credentials',
      });
      shop.merchant.clock.advance(lifetimeS * 1000);
      const request = {
        ...validRequest(name, unknownSubjects),
        authorization: `Bearer ${token}`,
      };
      expectUnauthenticated(await shop.send(name, request), 'Token expired');
    },
  );

  it('401 comes before everything that is wrong with the request itself', async () => {
    const request = { body: 'no JSON', headers: { 'Content-Type': 'text/plain' } };
    await door.shop().ask('card.create', 401, { ...request, authorization: null });
  });
});

/** Both families of keys in one body: clients of either generation find theirs (contract.md §1.4). */
function expectUnauthenticated(reply: Reply<unknown>, description: string): void {
  expect(reply.status, reply.text).toBe(401);
  expect(reply.text).toBe(
    JSON.stringify({
      name: 'AUTHENTICATION_FAILURE',
      message: 'Authentication failed due to invalid authentication credentials',
      error: 'invalid_token',
      error_description: description,
      information_link: information('AUTHENTICATION_FAILURE'),
      debug_id: reply.headers.get('paypal-debug-id'),
    }),
  );
  expect(reply.headers.get('www-authenticate')).toBe(
    'Bearer realm="card-vault-sandbox", error="invalid_token"',
  );
}

throughEveryDoor(
  'every operation needs room for its merchant',
  (door) => {
    it.each(jsonOperations)('403 %s: no room for another merchant', async (name) => {
      await door.shop('the-only-one').ask('card.list', 200);
      const one = door.shop('one-too-many');
      const reply = await one.send(name, validRequest(name, unknownSubjects));
      expectProblem(reply, 403, 'PERMISSION_DENIED');
      expect(door.sandbox.merchants()).toEqual(['the-only-one']);
    });

    it('403 token.create: no room for another merchant', async () => {
      await door.shop('the-only-one').ask('card.list', 200);
      const one = door.shop('one-too-many');
      const body = await one.ask('token.create', 403, { body: 'grant_type=client_credentials' });
      expect(body.error).toBe('access_denied');
    });

    it('403 ends once a merchant was deleted', async () => {
      await door.shop('the-only-one').ask('card.list', 200);
      door.sandbox.deleteMerchant('the-only-one');
      await door.shop('one-too-many').ask('card.list', 200);
      door.sandbox.deleteMerchant('one-too-many');
    });
  },
  { limits: { maxMerchants: 1 } },
);

throughEveryDoor('every operation knows its own records alone', (door) => {
  it.each([...aboutRecord, 'payment.create' as const])('404 %s: an id nobody has', async (name) => {
    const reply = await door.shop().send(name, validRequest(name, unknownSubjects));
    expectProblem(reply, 404, 'INVALID_RESOURCE_ID');
  });

  it.each([...aboutRecord, 'payment.create' as const])(
    "404 %s: another merchant's id looks like one nobody has",
    async (name) => {
      const subjects = await makeSubjects(door.shop());
      const request = validRequest(name, subjects);
      const reply = await door.shop().send(name, request);
      expectProblem(reply, 404, 'INVALID_RESOURCE_ID');
      const unknown = await door.shop().send(name, validRequest(name, unknownSubjects));
      const named = (text: string) => text.replaceAll(/"debug_id":"\w+"/g, '');
      expect(named(reply.text)).toBe(named(unknown.text));
    },
  );

  it.each(aboutRecord)('404 %s: an id that is no id', async (name) => {
    const shop = door.shop();
    const strange = { ...validRequest(name, unknownSubjects), path: operations[name].path };
    await inOrder(
      ['0', 'null', '..', '%zz', 'CARD-/1', '__proto__', 'x'.repeat(2000)],
      async (id) => {
        const params = Object.fromEntries(
          [...operations[name].path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, id]),
        );
        // A path of dots is gone before any server sees it: URLs are made so.
        if (id === '..') return;
        expectProblem(await shop.send(name, { ...strange, params }), 404, 'INVALID_RESOURCE_ID');
      },
    );
  });
});

const gate = new Gate();

throughEveryDoor(
  'every operation that takes a request id',
  (door) => {
    it.each(withRequestId)('409 %s: the first request has not ended', async (name) => {
      const shop = door.shop();
      const subjects = await makeSubjects(shop);
      const request = {
        ...validRequest(name, subjects),
        headers: { 'PayPal-Request-Id': 'held' },
      };
      const arrived = gate.close();
      const first = shop.send(name, request);
      await arrived;
      const repeat = await shop.send(name, request);
      gate.open();
      const done = await first;
      expectProblem(repeat, 409, 'PREVIOUS_REQUEST_IN_PROGRESS');
      expect([200, 201]).toContain(done.status);

      const replayed = await shop.send(name, request);
      expect(replayed.body).toEqual(done.body);
      expect(replayed.headers.get('sandbox-replayed')).toBe('true');
      expect(done.headers.get('sandbox-replayed')).toBeNull();
    });

    it.each([...withRequestId, 'auth.reauthorize' as const])(
      '400 %s: a request id of no or of more than 78 characters',
      async (name) => {
        const shop = door.shop();
        await inOrder(['', 'x'.repeat(79)], async (id) => {
          const request = {
            ...validRequest(name, unknownSubjects),
            headers: { 'PayPal-Request-Id': id },
          };
          expectProblem(await shop.send(name, request), 400, 'PAYMENT_REQUEST_ID_INVALID');
        });
      },
    );
  },
  { phases: { beforeCommit: gate.pass } },
);

const maxBodyBytes = 1500;

throughEveryDoor(
  'every operation with a body bounds it',
  (door) => {
    it.each(withBody)('413 %s: a body that says it is too large', async (name) => {
      const shop = door.shop();
      const { body, path } = validRequest(name, unknownSubjects);
      const large = textOf(body).padEnd(maxBodyBytes + 1);
      const reply = await shop.send(name, { path: path ?? '', body: large });
      expectProblem(reply, 413, 'REQUEST_BODY_TOO_LARGE');
      const largest = textOf(body).padEnd(maxBodyBytes);
      const taken = await shop.send(name, { path: path ?? '', body: largest });
      expect(taken.status).not.toBe(413);
    });

    it.each(withBody)('413 %s: a body in chunks that turns out to be too large', async (name) => {
      const shop = door.shop();
      const { body, path = '' } = validRequest(name, unknownSubjects);
      const large = textOf(body).padEnd(maxBodyBytes + 1);
      const response = await sendInChunks(door, shop, operations[name].method, path, large);
      expect(response.status).toBe(413);
      const chunked = await sendInChunks(door, shop, operations[name].method, path, textOf(body));
      expect(chunked.status).not.toBe(413);
    });

    it('413 of a body far too large reaches its client, and the next request is served', async () => {
      const shop = door.shop();
      const large = ' '.repeat(8 * 1024 * 1024);
      await shop.ask('card.create', 413, { body: large });
      const chunked = await sendInChunks(door, shop, 'post', '/v1/vault/credit-cards', large);
      expect(chunked.status).toBe(413);
      await shop.ask('card.list', 200);
    });

    it('413 token.create: a form that is too large', async () => {
      const body = `grant_type=client_credentials&x=${'x'.repeat(maxBodyBytes)}`;
      const refused = await door.shop().ask('token.create', 413, { body });
      expect(refused.error).toBe('invalid_request');
    });
  },
  { limits: { maxBodyBytes } },
);

/** A body that does not say how long it is. */
function sendInChunks(
  door: Door,
  shop: Shop,
  method: string,
  path: string,
  text: string,
): Promise<Response> {
  const bytes = new TextEncoder().encode(text);
  const half = Math.floor(bytes.byteLength / 2);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, half));
      controller.enqueue(bytes.slice(half));
      controller.close();
    },
  });
  const init = {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${shop.merchant.token}`,
      'Content-Type': 'application/json',
    },
    body,
    // Asked for by fetch with every streamed body.
    duplex: 'half',
  };
  return door.fetch(door.base + path, init);
}

throughEveryDoor('every operation with a body takes JSON alone', (door) => {
  const otherTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'json',
    'text/json; application/json',
  ];

  it.each(withBody)('415 %s: a body of another type', async (name) => {
    const shop = door.shop();
    const request = validRequest(name, unknownSubjects);
    await inOrder(otherTypes, async (type) => {
      const reply = await shop.send(name, { ...request, headers: { 'Content-Type': type } });
      expectProblem(reply, 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  });

  it.each(withBody)('415 %s: a body of no type', async (name) => {
    const { body, path = '' } = validRequest(name, unknownSubjects);
    const shop = door.shop();
    const response = await door.fetch(door.base + path, {
      method: operations[name].method.toUpperCase(),
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
      // Bytes, because fetch gives a text a type of its own.
      body: new TextEncoder().encode(textOf(body)),
    });
    expect(response.status).toBe(415);
  });

  it.each(withBody)('%s takes parameters and any case in the type', async (name) => {
    const shop = door.shop();
    const request = validRequest(name, unknownSubjects);
    const types = ['application/json; charset=utf-8', 'Application/JSON', 'application/json;'];
    await inOrder(types, async (type) => {
      const reply = await shop.send(name, { ...request, headers: { 'Content-Type': type } });
      expect([201, 404]).toContain(reply.status);
    });
  });
});

/** What goes wrong at a phase, if anything. */
class Bug {
  at: 'beforeRead' | 'beforeCommit' | undefined;
  readonly seen: Readonly<Exchange>[] = [];

  readonly strike = (phase: 'beforeRead' | 'beforeCommit') => (): void => {
    if (this.at === phase) throw new Error(`a bug ${phase}`);
  };
}

const bug = new Bug();

throughEveryDoor(
  'every operation survives a bug',
  (door) => {
    it.each(jsonOperations)('500 %s: a bug before anything is read', async (name) => {
      await expectQuietFailure(door, name, 'beforeRead');
    });

    // Reauthorizing is refused before it comes to a commit.
    it.each(writes.filter((name) => name !== 'auth.reauthorize'))(
      '500 %s: a bug before anything is done',
      async (name) => {
        await expectQuietFailure(door, name, 'beforeCommit');
      },
    );

    it('500 token.create: a bug answers in the shape of OAuth', async () => {
      const shop = door.shop();
      bug.at = 'beforeRead';
      const body = await shop.ask('token.create', 500, { body: 'grant_type=client_credentials' });
      bug.at = undefined;
      expect(body).toEqual({
        error: 'server_error',
        error_description: 'An internal service error has occurred',
      });
      await shop.ask('token.create', 200, { body: 'grant_type=client_credentials' });
    });
  },
  {
    phases: {
      beforeRead: bug.strike('beforeRead'),
      beforeCommit: bug.strike('beforeCommit'),
    },
    onExchange: (exchange) => {
      bug.seen.push(exchange);
    },
  },
);

/** Nothing is stored, whoever listens is told why, and the same request then succeeds. */
async function expectQuietFailure(
  door: Door,
  name: OperationName,
  phase: 'beforeRead' | 'beforeCommit',
): Promise<void> {
  const shop = door.shop();
  const request = {
    ...validRequest(name, await makeSubjects(shop)),
    headers: { 'PayPal-Request-Id': 'struck' },
  };
  const before = await holdings(shop);
  bug.at = phase;
  const reply = await shop.send(name, request);
  bug.at = undefined;

  expectProblem(reply, 500, 'INTERNAL_SERVICE_ERROR');
  expect(reply.text).not.toContain('a bug');
  expect(bug.seen.at(-1)).toMatchObject({
    operation: name,
    status: 500,
    problem: 'INTERNAL_SERVICE_ERROR',
    failure: new Error(`a bug ${phase}`),
    debugId: reply.headers.get('paypal-debug-id'),
  });
  expect(await holdings(shop)).toEqual(before);

  const again = await shop.send(name, request);
  expect(again.status).not.toBe(500);
  expect(again.headers.get('sandbox-replayed')).toBeNull();
}
