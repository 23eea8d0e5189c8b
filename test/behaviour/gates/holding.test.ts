/** Gates hold requests before their commit or before their answer, and release them in the order that a test chooses. */
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { authorize, pay, saleOf, sell, storeCard } from '../../support/purchases.ts';
import { runs } from '../../support/vitest/runs.ts';
import { paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';

/** The parts of a payment for a purchase with this name. Each of them has its own amount. */
const named = (custom: string | undefined) => ({
  transaction: { ...(custom !== undefined && { custom }) },
  total: `${(1 + Math.max(0, 'ABCDE'.indexOf(custom ?? 'A'))) * 10}.00`,
});

/** Starts a payment for each name, one after the other at the gate. Returns their answers in order of arrival. */
async function payEach(
  shop: Shop,
  cardId: string,
  names: readonly (string | undefined)[],
  seen: (string | undefined)[] = [],
) {
  const answers = [];
  for (const [at, name] of names.entries()) {
    answers.push(
      pay(shop, { cardId, ...named(name) }).then((payment) => {
        seen.push(name);
        return payment;
      }),
    );
    await shop.merchant.waitForHeld({ times: at + 1, timeoutMs: 120_000 });
  }
  return answers;
}

/** The names of the payments in the order of the ledger. The name is the tenth of the amount: A costs 10.00. */
function ledgerOrder({ merchant }: Shop): string[] {
  return merchant.ledger().transfers.map(({ amount }) => 'ABCDE'.charAt(amount.minor / 1000 - 1));
}

onEveryTransport('a gate', (transport) => {
  it.each(['before-commit', 'before-answer'] as const)(
    '%s: answers three payments in the order 3-1-2',
    async (at) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.hold({ op: 'payment.create', count: 3, at });
      const seen: (string | undefined)[] = [];
      const answers = await payEach(shop, cardId, ['A', 'B', 'C'], seen);
      expect(shop.merchant.held().map(({ purchase }) => purchase)).toEqual(['A', 'B', 'C']);
      expect(ledgerOrder(shop)).toEqual(at === 'before-commit' ? [] : ['A', 'B', 'C']);

      const released = shop.merchant.release([3, 1, 2]);
      expect(released.map(({ purchase }) => purchase)).toEqual(['C', 'A', 'B']);
      expect(ledgerOrder(shop), 'when release returns').toEqual(
        at === 'before-commit' ? ['C', 'A', 'B'] : ['A', 'B', 'C'],
      );
      await Promise.all(answers);
      expect(seen).toEqual(['C', 'A', 'B']);
      expect(shop.merchant.held()).toEqual([]);
    },
  );

  it('commits in any order of release', async () => {
    const names = ['A', 'B', 'C', 'D'];
    const order = fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), async (numbers, byDebugId) => {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        shop.merchant.hold({ op: 'payment.create', count: 4 });
        const answers = await payEach(shop, cardId, names);
        const ids = shop.merchant.held().map(({ debugId }) => debugId);
        shop.merchant.release(byDebugId ? numbers.flatMap((at) => ids[at - 1] ?? []) : numbers);
        await Promise.all(answers);
        expect(ledgerOrder(shop)).toEqual(numbers.map((at) => names[at - 1]));
      }),
      { numRuns: runs(transport.name === 'socket' ? 5 : 25) },
    );
  });

  it('releases by itself in its own order once all requests came', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 3, release: [3, 1, 2] });
    const answers = await payEach(shop, cardId, ['A', 'B']);
    await Promise.all([...answers, pay(shop, { cardId, ...named('C') })]);
    expect(ledgerOrder(shop)).toEqual(['C', 'A', 'B']);
  });

  it('lists a request with its ids and its purchase', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const gate = shop.merchant.hold({ op: 'payment.create', count: 1 });
    const payment = shop.reply('payment.create', 201, {
      body: paymentBody({ cardId, transaction: { invoice_number: 'INV-7', custom: 'x' } }),
      headers: { 'PayPal-Request-Id': 'order-7' },
    });
    const held = await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    const [entry] = shop.merchant.journal({ delivery: 'open' }).entries;
    expect(held).toEqual([
      {
        gate,
        at: 'before-commit',
        arrived: 1,
        debugId: entry?.debugId,
        operation: 'payment.create',
        requestId: 'order-7',
        intent: expect.any(String),
        purchase: 'INV-7',
        clientLeft: false,
      },
    ]);
    expect(shop.merchant.explain(entry?.debugId ?? '')?.summary).toContain(
      'It waits at gate gate-1 before its commit, as request 1.',
    );
    shop.merchant.release(['order-7']);
    const { headers } = await payment;
    const explanation = shop.merchant.explain(headers.get('paypal-debug-id'));
    expect(explanation?.intent).toBe(held[0]?.intent);
    expect(explanation?.holds).toEqual([
      { gate, at: 'before-commit', arrived: 1, released: 1, releasedBy: 'release' },
    ]);
    expect(explanation?.summary).toContain(
      'It waited at gate gate-1 before its commit, as request 1, and was released as number 1 by release.',
    );
  });

  it('holds only requests that match, and lets those beyond its count pass', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({
      op: ['payment.create', 'card.create'],
      match: { 'transactions[0].custom': 'A' },
      count: 1,
    });
    await pay(shop, { cardId, ...named('B') });
    const [held] = await payEach(shop, cardId, ['A']);
    await pay(shop, { cardId, ...named('A') });
    shop.merchant.release();
    await held;
    expect(ledgerOrder(shop)).toEqual(['B', 'A', 'A']);
  });

  it('answers 409 to a repeat while the first request is held, and replays it afterwards', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1 });
    const request = { body: paymentBody({ cardId }), headers: { 'PayPal-Request-Id': 'key' } };
    const first = shop.reply('payment.create', 201, request);
    await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    expect((await shop.ask('payment.create', 409, request)).name).toBe(
      'PREVIOUS_REQUEST_IN_PROGRESS',
    );
    shop.merchant.release();
    const { body } = await first;
    const again = await shop.reply('payment.create', 201, request);
    expect(again.headers.get('sandbox-replayed')).toBe('true');
    expect(again.body.id).toBe(body.id);
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it.each([
    { order: 'arrival', names: ['order-7', 'order-7'] },
    { order: 'reverse', names: ['order-7', 'order-7'] },
    { order: 'arrival', names: [undefined, undefined] },
    { order: 'reverse', names: [undefined, undefined] },
  ] as const)(
    'lets a double click without a key charge twice, which fails the verdict ($order, $names)',
    async ({ order, names }) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.hold({ op: 'payment.create', count: 2 });
      const answers = await payEach(shop, cardId, names);
      shop.merchant.release(order);
      const sales = (await Promise.all(answers)).map((payment) => saleOf(payment).id);
      expect(new Set(sales).size).toBe(2);
      const { passed, findings } = await shop.merchant.verdict();
      expect(passed).toBe(false);
      expect(findings.map(({ rule }) => rule)).toContain('double-charge');
    },
  );

  it.each([
    { order: [1, 2], first: 'auth.capture' },
    { order: [2, 1], first: 'auth.void' },
  ])('executes only $first when a capture and a void are released $order', async (row) => {
    const shop = transport.shop();
    const params = { authorization_id: (await authorize(shop)).id };
    shop.merchant.hold({ op: ['auth.capture', 'auth.void'], count: 2 });
    const body = { amount: { total: '30.11', currency: 'USD' }, is_final_capture: true };
    const answers = [shop.send('auth.capture', { params, body })];
    await shop.merchant.waitForHeld({ times: 1, timeoutMs: 120_000 });
    answers.push(shop.send('auth.void', { params, body: {} }));
    await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    shop.merchant.release(row.order);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    const { entries } = shop.merchant.journal({ committed: true });
    expect(entries.at(-1)?.operation).toBe(row.first);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 400)).toHaveLength(1);
  });

  it('accepts one of two full refunds that are held together', async () => {
    const shop = transport.shop();
    const params = { sale_id: (await sell(shop, named('order-9'))).id };
    shop.merchant.hold({ op: 'sale.refund', count: 2 });
    const refunds = [1, 2].map(() => shop.send('sale.refund', { params, body: {} }));
    const held = await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    expect(held.map(({ purchase }) => purchase)).toEqual(['order-9', 'order-9']);
    shop.merchant.release('reverse');
    const statuses = (await Promise.all(refunds)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 400)).toHaveLength(1);
  });

  it.each(['before-commit', 'before-answer'] as const)('holds token requests %s', async (at) => {
    const shop = transport.shop();
    shop.merchant.hold({ op: 'token.create', count: 2, at });
    const tokens = [1, 2].map(() =>
      shop.ask('token.create', 200, { body: 'grant_type=client_credentials' }),
    );
    const held = await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    expect(held.map(({ operation }) => operation)).toEqual(['token.create', 'token.create']);
    shop.merchant.release();
    const [one, other] = await Promise.all(tokens);
    expect(one?.access_token).not.toBe(other?.access_token);
  });

  it('shows what a read saw before it was held', async () => {
    const shop = transport.shop();
    const sale = await sell(shop);
    const params = { sale_id: sale.id };
    shop.merchant.hold({ op: 'sale.get', count: 1, at: 'before-answer' });
    const read = shop.ask('sale.get', 200, { params });
    await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    await shop.ask('sale.refund', 201, { params, body: {} });
    shop.merchant.release();
    expect((await read).state).toBe('completed');
  });

  it('does not take equal payments with a key each for one purchase', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    const answers = ['key-1', 'key-2'].map((key) =>
      shop.ask('payment.create', 201, {
        body: paymentBody({ cardId }),
        headers: { 'PayPal-Request-Id': key },
      }),
    );
    await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    shop.merchant.release();
    await Promise.all(answers);
    expect((await shop.merchant.verdict()).reasons).toEqual([]);
  });

  it('plans a released request again', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1 });
    const refused = shop.ask('payment.create', 404, { body: paymentBody({ cardId }) });
    await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    shop.merchant.release();
    expect((await refused).name).toBe('INVALID_RESOURCE_ID');
  });

  it('counts rules in the order of release', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({
      op: 'payment.create',
      per: 'merchant',
      outcome: 'error-500-before-commit',
    });
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    const answers = [];
    for (const custom of ['A', 'B']) {
      answers.push(
        shop.send('payment.create', { body: paymentBody({ cardId, ...named(custom) }) }),
      );
      await shop.merchant.waitForHeld({ times: answers.length, timeoutMs: 120_000 });
    }
    shop.merchant.release('reverse');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 500]);
  });

  it('holds a request at one gate after the other', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1, at: 'before-answer', name: 'answer' });
    shop.merchant.hold({ op: 'payment.create', count: 1, name: 'commit' });
    const payment = pay(shop, { cardId });
    await shop.merchant.waitForHeld({ times: 1, timeoutMs: 120_000 });
    expect(shop.merchant.held()).toMatchObject([{ gate: 'commit' }]);
    shop.merchant.release();
    expect(shop.merchant.held()).toMatchObject([{ gate: 'answer' }]);
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
    shop.merchant.release();
    await payment;
    const [entry] = shop.merchant.journal({ operation: 'payment.create' }).entries;
    expect(entry?.holds.map(({ gate }) => gate)).toEqual(['commit', 'answer']);
  });

  it.each([
    ['card.delete', 204, {}],
    ['card.update', 200, { body: [{ op: 'replace', path: '/first_name', value: 'Eve' }] }],
  ] as const)('holds %s before its commit', async (name, status, request) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    shop.merchant.hold({ op: 'any-write', count: 1 });
    const answer = shop.send(name, { params, ...request });
    await shop.merchant.waitForHeld({ timeoutMs: 120_000 });
    expect((await shop.ask('card.get', 200, { params })).first_name).toBe('Ada');
    shop.merchant.release();
    expect((await answer).status).toBe(status);
  });
});

describe('a scenario that is read again', () => {
  it('keeps gates that did not change, and releases what the others hold', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-gates-'));
    const file = join(folder, 'held.yaml');
    const write = (gates: string): void =>
      writeFileSync(file, `scenario: held\nversion: 1\nabout: Held.\nhold:\n${gates}`);
    const tokens = '  - { op: token.create, at: before-answer, count: 1, name: token }\n';
    write(`${tokens}  - { op: payment.create, count: 2, timeoutMs: 240000 }\n`);
    const sandbox = createSandbox({ scenario: file });
    onTestFinished(async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    });
    const ask = (path: string, headers: HeadersInit, body: string) =>
      sandbox.request(path, { method: 'POST', headers, body });
    const token = () =>
      ask(
        '/v1/oauth2/token',
        {
          Authorization: `Basic ${btoa('default:x')}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        'grant_type=client_credentials',
      );
    const first = token();
    await sandbox.waitForHeld({ times: 1, timeoutMs: 120_000 });
    sandbox.release();
    await first;
    const payment = ask(
      '/v1/payments/payment',
      { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
      JSON.stringify(rawPaymentBody()),
    );
    await sandbox.waitForHeld({ times: 1, timeoutMs: 120_000 });
    const read = new Promise<string>((resolve, reject) => {
      sandbox.watchScenario({ onReload: resolve, onError: reject });
    });
    write(tokens);
    await read;
    expect((await payment).status).toBe(201);
    expect((await token()).status, 'the gate of tokens is done').toBe(200);
    expect(sandbox.held()).toEqual([]);
  });
});

describe('a merchant without gates', () => {
  it('refuses to wait for requests and to release them', async () => {
    const sandbox = createSandbox();
    await expect(sandbox.waitForHeld()).rejects.toThrow(
      'waitForHeld: no gate waits for requests. Call hold() first, and release() afterwards.',
    );
    expect(sandbox.release()).toEqual([]);
    expect(() => sandbox.release(['x'])).toThrow('No request is held.');
    expect(sandbox.merchants()).toEqual([]);
  });
});
