/** The journal over HTTP: what the verbs in process answer, by the same words, and every way it refuses. */
import { expect, it } from 'vitest';
import type { ForcedRule, VerifyOptions } from '../../../../src/index.ts';
import { onEveryTransport, type Shop, type TestTransport } from '../../../support/transports.ts';
import { pay, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { call } from '../call.ts';

const ofShop = (shop: Shop): string => `merchant=${shop.merchant.id}`;
/** As it comes out of an answer: without what is undefined. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function debugIdOf(shop: Shop, body: object): Promise<string> {
  const { headers } = await shop.send('card.create', { body });
  return headers.get('paypal-debug-id') ?? '';
}

/** Verifies what only dropped or hidden exchanges would decide. */
async function expectUnsure(
  transport: TestTransport,
  shop: Shop,
  expected: VerifyOptions,
): Promise<void> {
  const { body } = await call(transport, `POST /_sandbox/journal/verify?${ofShop(shop)}`, expected);
  expect(body).toMatchObject({ status: 'unsure', message: expect.stringContaining('Cannot tell') });
  expect(body).not.toHaveProperty('ok');
}

onEveryTransport('the journal over HTTP', (transport) => {
  it('200 lists requests and answers, but no control calls', async () => {
    const shop = transport.shop();
    await pay(shop);
    await call(transport, `GET /_sandbox/journal?${ofShop(shop)}`);
    await call(transport, `GET /_sandbox/clock?${ofShop(shop)}`);
    await call(transport, `POST /_sandbox/rules?${ofShop(shop)}`, { op: 'nothing' });
    const { status, body } = await call(transport, `GET /_sandbox/journal?${ofShop(shop)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dropped: 0,
      entries: [{ operation: 'card.create' }, { operation: 'payment.create' }],
    });
    expect(body).toEqual(sent(shop.merchant.journal()));
  });

  it.each([
    ['operation=card.*', { operation: 'card.*' }, 2],
    ['status=4xx', { status: '4xx' }, 1],
    ['status=201', { status: 201 }, 2],
    ['outcome=decline-generic', { outcome: 'decline-generic' }, 1],
    ['problem=CREDIT_CARD_REFUSED', { problem: 'CREDIT_CARD_REFUSED' }, 1],
    ['committed=true', { committed: true }, 2],
    ['replayed=false&limit=1', { replayed: false, limit: 1 }, 1],
    ['concludes=FAIL', { concludes: 'FAIL' }, 1],
    ['delivery=delivered', { delivery: 'delivered' }, 3],
    ['from=2026-05-06T07:08:09Z', { from: '2026-05-06T07:08:09Z' }, 3],
    ['until=2026-05-06T07:08:08Z', { until: '2026-05-06T07:08:08Z' }, 0],
    ['until=1778051289123', { until: 1778051289123 }, 3],
  ] as const)('200 lists the exchanges of %s', async (query, asked, count) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    await shop.ask('payment.create', 400, { body: paymentBody({ cardId }) });
    const { body } = await call(transport, `GET /_sandbox/journal?${query}&${ofShop(shop)}`);
    expect(Object(body).entries).toHaveLength(count);
    expect(body).toEqual(sent(shop.merchant.journal(asked)));
  });

  it('200 lists exchanges by card, purchase and request id', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const headers = { 'PayPal-Request-Id': 'once & for all' };
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId }), headers });
    const [paid] = shop.merchant.journal({ operation: 'payment.create' }).entries;
    for (const query of [
      `card=${cardId}&operation=payment.create`,
      `intent=${encodeURIComponent(paid?.intent ?? 'none')}`,
      `requestId=${encodeURIComponent('once & for all')}`,
      `debugId=${paid?.debugId}`,
    ]) {
      const { body } = await call(transport, `GET /_sandbox/journal?${query}&${ofShop(shop)}`);
      expect(Object(body).entries, query).toEqual([sent(paid)]);
    }
  });

  it.each([
    ['opration=card.get', 'unknown-parameter', 'query.opration', 'operation'],
    ['merchnt=a', 'unknown-parameter', 'query.merchnt', 'merchant'],
    ['operation=payment.creat', 'invalid-parameter', 'query.operation', 'payment.create'],
    ['delivery=lots', 'invalid-parameter', 'query.delivery', 'lost'],
    ['outcome=decline-generc', 'invalid-query', 'query.outcome', 'decline-generic'],
    ['problem=CREDIT_CARD_REFUSD', 'invalid-query', 'query.problem', 'CREDIT_CARD_REFUSED'],
    ['limit=-1', 'invalid-parameter', 'query.limit', undefined],
    ['limit=many', 'invalid-parameter', 'query.limit', undefined],
    ['limit=', 'invalid-parameter', 'query.limit', undefined],
    ['limit=1&limit=2', 'invalid-parameter', 'query.limit', undefined],
    ['status=9xx', 'invalid-parameter', 'query.status', undefined],
    ['from=noon', 'invalid-parameter', 'query.from', undefined],
    ['replayed=yes', 'invalid-parameter', 'query.replayed', undefined],
    ['merchant=a%20b', 'invalid-parameter', 'query.merchant', undefined],
  ])('400 refuses %s', async (query, error, place, nearest) => {
    const { status, body } = await call(transport, `GET /_sandbox/journal?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error, place, ...(nearest === undefined ? {} : { nearest }) });
  });

  it('200 explains a refusal to a program and to a person', async () => {
    const shop = transport.shop();
    const [rule = ''] = shop.merchant.force({
      op: 'card.create',
      match: { 'header:x-tenant': 'red' },
      outcome: 'error-500-after-commit',
    });
    const debugId = await debugIdOf(shop, {});
    const path = `/_sandbox/journal/${debugId}?${ofShop(shop)}`;
    const { body } = await call(transport, `GET ${path}`);
    expect(body).toEqual(sent(shop.merchant.explain(debugId)));
    expect(body).toMatchObject({
      debugId,
      status: 400,
      reason: expect.stringContaining('number: Required field missing'),
      summary: [
        'POST /v1/vault/credit-cards returned 400 VALIDATION_ERROR.',
        expect.stringMatching(/^Why: number: Required field missing/),
        `${rule} did not fire: header:x-tenant is not "red".`,
        "It did not change the merchant's records.",
        'The complete response was sent: the client knows that the operation was not executed.',
      ],
    });
    const missed = await debugIdOf(shop, cardBody());
    const { body: near } = await call(transport, `GET /_sandbox/journal/${missed}?${ofShop(shop)}`);
    const why = 'header:x-tenant is not "red"';
    expect(near).toMatchObject({ nearMisses: [{ rule, why }] });
    expect(Object(near).summary).toContain(`${rule} did not fire: ${why}.`);
    const text = await (await transport.fetch(transport.base + path)).text();
    expect(text.split('\n').length, 'one line for each member').toBeGreaterThan(20);
  });

  it('200 explains a forced outcome and what a correct client does', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const [rule] = shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    const paid = await shop.send('payment.create', { body: paymentBody({ cardId }) });
    const debugId = paid.headers.get('paypal-debug-id') ?? '';
    const { body } = await call(transport, `GET /_sandbox/journal/${debugId}?${ofShop(shop)}`);
    const { cause, correctClient } = transport.sandbox.outcome('decline-generic');
    expect(Object(body).summary).toContain(
      `Forced outcome: decline-generic, by ${rule}. ${cause} A correct client: ${correctClient}`,
    );
  });

  it('404 refuses a debug id that is unknown or belongs to another merchant', async () => {
    const [shop, other] = [transport.shop(), transport.shop()];
    const debugId = await debugIdOf(shop, {});
    for (const path of [`nothing?${ofShop(shop)}`, `${debugId}?${ofShop(other)}`, 'verify']) {
      const { status, body } = await call(transport, `GET /_sandbox/journal/${path}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: 'unknown-request', place: 'path.debugId' });
    }
  });

  it.each<[VerifyOptions, string]>([
    [{ match: { operation: 'card.create' }, times: 2 }, 'ok'],
    [{ match: { operation: 'card.create' }, atLeast: 1, atMost: 2 }, 'ok'],
    [{ match: { operation: 'card.create' }, atMost: 1 }, 'failed'],
    [{ sequence: [{ operation: 'card.create' }, { operation: 'payment.create' }] }, 'ok'],
    [{ sequence: [{ operation: 'payment.create' }, { operation: 'card.create' }] }, 'failed'],
    [{ fields: { 'body.transactions[0].amount.total': '30.11' } }, 'ok'],
    [{ fields: { 'body.transactions[0].amount.total': '30.12' } }, 'failed'],
    [{ fields: { 'body.cvv2': '123' } }, 'failed'],
    [{}, 'ok'],
  ])('200 verifies %j with the result %s', async (expected, verdict) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { cvv2: undefined });
    await storeCard(shop, { cvv2: undefined });
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) });
    const { status, body } = await call(
      transport,
      `POST /_sandbox/journal/verify?${ofShop(shop)}`,
      expected,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: verdict, ok: verdict === 'ok' });
    expect(body).toEqual(sent(shop.merchant.verify(expected)));
  });

  it('200 answers unsure if the journal dropped the exchanges that would decide', async () => {
    const shop = transport.shop();
    await storeCard(shop, { cvv2: '874' });
    await expectUnsure(transport, shop, { fields: { 'body.cvv2': '874' } });
  });

  it.each<[string, number, object, unknown]>([
    [
      'verify',
      400,
      { error: 'invalid-query', place: 'body.tmies', nearest: 'times' },
      { tmies: 1 },
    ],
    [
      'verify',
      400,
      { error: 'invalid-query', place: 'body.sequence[1].statsu', nearest: 'status' },
      { sequence: [{}, { statsu: 201 }] },
    ],
    [
      'verify',
      400,
      { place: 'body.match.operation', nearest: 'payment.create' },
      { match: { operation: 'payment.creat' } },
    ],
    [
      'verify',
      400,
      { place: 'body.match.outcome', nearest: 'decline-generic' },
      { match: { outcome: 'decline-generc' }, times: 0 },
    ],
    [
      'verify',
      400,
      { place: 'body.sequence[1].outcome', nearest: 'reset-after-commit' },
      { sequence: [{}, { outcome: 'lost-answer' }] },
    ],
    [
      'verify',
      400,
      { place: 'body.match.problem', nearest: 'VALIDATION_ERROR' },
      { match: { problem: 'VALIDATON_ERROR' }, times: 0 },
    ],
    [
      'verify',
      400,
      { place: 'body.sequence[0].problem', nearest: 'invalid_client' },
      { sequence: [{ problem: 'invalid-client' }] },
    ],
    ['wait', 400, { place: 'body.match.outcome' }, { match: { outcome: 'none-such' } }],
    ['verify', 400, { place: 'body' }, { times: 1, atLeast: 1 }],
    ['verify', 400, { place: 'body.times' }, { times: -1 }],
    ['verify', 400, { place: 'body.fields.total' }, { fields: { total: '1' } }],
    ['verify', 400, { error: 'invalid-query', place: 'body' }, []],
    ['verify', 400, { error: 'malformed-json' }, '{'],
    ['verify', 413, { error: 'body-too-large' }, { match: { card: 'x'.repeat(70_000) } }],
    ['verify?merchnt=a', 400, { error: 'unknown-parameter', place: 'query.merchnt' }, {}],
    ['wait', 400, { place: 'body.timeotMs', nearest: 'timeoutMs' }, { timeotMs: 1 }],
    ['wait', 400, { place: 'body.timeoutMs' }, { timeoutMs: 'soon' }],
    ['wait', 400, { place: 'body.timeoutMs' }, { timeoutMs: 2 ** 31 }],
    ['wait', 400, { place: 'body.match.limit' }, { match: { limit: 1 } }],
    ['wait', 413, { error: 'body-too-large' }, { match: { card: 'x'.repeat(70_000) } }],
  ])('POST %s answers %i: %j', async (path, status, answer, body) => {
    const refused = await call(transport, `POST /_sandbox/journal/${path}`, body);
    expect(refused).toMatchObject({ status, body: answer });
  });

  const own = { outcome: 'new-error-name', with: { name: 'MY_OWN' } } as const;

  it.each<[string, Pick<ForcedRule, 'outcome' | 'params'>]>([
    ['an outcome', { outcome: 'new-error-name', params: { name: 'MY_OWN' } }],
    ['a second outcome', { outcome: { outcome: 'slow-dribble', and: own } }],
    ['one of several outcomes', { outcome: { oneOf: ['decline-generic', own] } }],
  ])('200 expects errors of a name that %s gives them', async (_, given) => {
    const shop = transport.shop();
    const expectNone = () =>
      call(transport, `POST /_sandbox/journal/verify?${ofShop(shop)}`, {
        match: { problem: 'MY_OWN' },
        times: 0,
      });
    expect(await expectNone()).toMatchObject({
      status: 400,
      body: { place: 'body.match.problem' },
    });
    shop.merchant.force({ op: 'payment.create', ...given });
    expect(await expectNone()).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('200 counts errors by a name that an outcome gave them', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'card.create',
      outcome: 'new-error-name',
      params: { name: 'MY_OWN' },
    });
    await debugIdOf(shop, cardBody());
    shop.merchant.clearRules();
    const expected = { match: { problem: 'MY_OWN' }, times: 1 };
    const { body } = await call(
      transport,
      `POST /_sandbox/journal/verify?${ofShop(shop)}`,
      expected,
    );
    expect(body).toMatchObject({ ok: true });
  });

  it.each(['verify', 'wait'])('415 refuses a body that is not JSON: %s', async (path) => {
    const headers = { 'Content-Type': 'text/yaml' };
    const refused = await call(transport, `POST /_sandbox/journal/${path}`, 'times: 1', headers);
    expect(refused).toMatchObject({ status: 415, body: { allowed: ['application/json'] } });
  });

  it('is not affected by rules', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'any', outcome: 'reset-after-commit', times: 5 });
    for (const line of ['GET /_sandbox/journal', 'POST /_sandbox/journal/verify']) {
      const body = line.startsWith('POST') ? {} : undefined;
      expect((await call(transport, `${line}?${ofShop(shop)}`, body)).status).toBe(200);
    }
    expect(shop.merchant.rules()).toMatchObject([{ met: 0, fired: 0 }]);
  });
});

onEveryTransport(
  'a full journal',
  (transport) => {
    it('200 counts dropped exchanges and answers unsure', async () => {
      const shop = transport.shop();
      for (const name of ['Ada', 'Eve', 'Joe'])
        await debugIdOf(shop, cardBody({ first_name: name }));
      const listed = await call(transport, `GET /_sandbox/journal?${ofShop(shop)}`);
      expect(listed.body).toMatchObject({ dropped: 1, entries: [{ seq: 2 }, { seq: 3 }] });
      await expectUnsure(transport, shop, { times: 2 });
    });
  },
  { limits: { maxJournalEntries: 2 } },
);
