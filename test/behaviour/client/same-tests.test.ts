/** One and the same test, in process and against a running sandbox: a single line is another. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  createSandbox,
  QueryError,
  WaitEndedError,
  WaitTimeoutError,
  type Remote,
  type Sandbox,
  type WorldExport,
} from '../../../src/index.ts';
import { worldCreated } from '../../support/worlds/world-created.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { testNow } from '../../support/transports.ts';
import type { RuleDocument } from '../../../src/scenarios/document.ts';
import { asCardOptions, asRule } from '../../support/requests/unchecked-input.ts';

const options = {
  seed: 'same',
  fixtures: 'empty',
  clock: { start: testNow, frozen: true },
} as const;
const running = createSandbox(options);

/** The line that is another. */
const kinds: readonly (readonly [string, () => Promise<Sandbox | Remote>])[] = [
  ['in process', async () => createSandbox(options)],
  ['over HTTP', async () => connect((await running.listen({ port: 0 })).url)],
];

describe.each(kinds)('a test of a shop (%s)', (_kind, open) => {
  let sandbox: Sandbox | Remote;
  beforeAll(async () => {
    sandbox = await open();
  });
  beforeEach(async () => {
    await sandbox.all.reset();
  });
  afterAll(async () => {
    await sandbox.close();
  });

  const post = async (path: string, body: object, token = sandbox.token) =>
    sandbox.request(path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('plays a scenario of 800 rules and gets a verdict with 4,000 expectations', async () => {
    const numbers = Array.from({ length: 4000 }, (_, at) => `INV-2026-${at}`);
    const rules = numbers.slice(0, 800).map((invoice): RuleDocument => ({
      op: 'payment.create',
      match: { 'transactions.0.invoice_number': invoice },
      then: 'decline-generic',
      optional: true,
    }));
    await sandbox.playScenario({ scenario: 'long', version: 1, about: 'Many declines.', rules });
    expect((await post('/v1/payments/payment', rawPaymentBody())).status).toBe(201);
    const beliefs = Object.fromEntries(numbers.map((number) => [number, 'not-paid' as const]));
    expect((await sandbox.verdict({ beliefs })).passed).toBe(true);
  });

  it('forces a decline, and sees it in the answer and the ledger', async () => {
    expect(await sandbox.force({ op: 'payment.create', outcome: 'decline-generic' })).toEqual([
      'rule-1',
    ]);
    expect(await sandbox.unfired()).toMatchObject([{ id: 'rule-1', fired: 0 }]);
    expect((await post('/v1/payments/payment', rawPaymentBody())).status).toBe(400);
    expect((await post('/v1/payments/payment', rawPaymentBody())).status).toBe(201);
    expect(await sandbox.rules()).toMatchObject([{ fired: 1, source: 'armed' }]);
    expect(await sandbox.unfired()).toEqual([]);
    const { transfers, balances, sums, totals } = await sandbox.ledger();
    expect(transfers).toMatchObject([{ cause: 'sale', amount: { minor: 747, currency: 'USD' } }]);
    expect(balances).toEqual({ USD: { cardholders: -747, merchant: 747 } });
    expect(sums).toEqual({ USD: 0 });
    const { purchases } = await sandbox.verdict();
    expect(totals.purchases).toMatchObject([{ key: purchases[0]?.key, chargedMinor: 747 }]);
    const named = { name: 'lost', op: 'card.list', outcome: 'hang-before-commit' } as const;
    await sandbox.force(named);
    await sandbox.all.force({ ...named, name: 'shared' });
    await expect(async () => sandbox.clearRules('lots')).rejects.toMatchObject({
      name: 'ArgumentError',
      code: 'unknown-rule',
      message:
        'The merchant default has no armed rule "lots". Did you mean "lost"? Known: rule-1, lost.',
      allowed: ['rule-1', 'lost'],
      nearest: 'lost',
    });
    await expect(async () => sandbox.clearRules('shared')).rejects.toMatchObject({
      code: 'unknown-rule',
      message: expect.stringContaining("Remove it with sandbox.all.clearRules('shared')"),
    });
    await expect(async () => sandbox.all.clearRules('sahred')).rejects.toMatchObject({
      code: 'unknown-rule',
      allowed: ['shared'],
      nearest: 'shared',
    });
    expect(await sandbox.clearRules('lost')).toBe(1);
    expect(await sandbox.all.clearRules('shared')).toBe(1);
    expect(await sandbox.clearRules('rule-1')).toBe(1);
    expect(await sandbox.clearRules()).toBe(0);
  });

  it('answers requests for any host', async () => {
    const answer = await sandbox.fetch('https://api.sandbox.paypal.com/v1/vault/credit-cards', {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(cardBody()),
    });
    expect(answer.status).toBe(201);
    const listed = await sandbox.fetch(
      new Request('https://api.sandbox.paypal.com/v1/vault/credit-cards?page_size=1', {
        headers: { Authorization: `Bearer ${sandbox.token}` },
      }),
    );
    expect(await listed.json()).toMatchObject({ items: [{ state: 'ok' }] });
  });

  it('isolates merchants', async () => {
    const [one, other] = [sandbox.merchant('one'), sandbox.merchant('other')];
    await post('/v1/payments/payment', rawPaymentBody(), one.token);
    expect((await one.ledger()).transfers).toHaveLength(1);
    expect((await other.ledger()).transfers).toEqual([]);
    expect(await sandbox.merchants()).toEqual(['one']);
    await other.clock.freeze();
    expect(await sandbox.merchants()).toEqual(['one', 'other']);
    await one.reset();
    expect((await one.ledger()).transfers).toEqual([]);
    await sandbox.deleteMerchant('one');
    expect(await sandbox.merchants()).toEqual(['other']);
    expect((await sandbox.health()).merchants).toBe(1);
  });

  it('advances the clock', async () => {
    const { clock } = sandbox;
    expect(await clock.read()).toEqual({ now: testNow, frozen: true });
    expect(await clock.advance(1500)).toMatchObject({ now: '2026-05-06T07:08:10.623Z' });
    expect(await clock.advance('P1MT1H')).toMatchObject({ now: '2026-06-06T08:08:10.623Z' });
    expect(await clock.advance('1.5s')).toMatchObject({ now: '2026-06-06T08:08:12.123Z' });
    for (const wrong of [0.5, '1 day', 'PT0.5S']) {
      await expect(async () => clock.advance(wrong)).rejects.toThrow(
        `Advance a clock by a duration or by a whole number of milliseconds such as 60000, got ${JSON.stringify(wrong)}. Write a duration as a number with ms, s, m, h or d, such as 90s, or ISO 8601, such as P1D or PT90M.`,
      );
    }
    const time = '2027-01-01T00:00:00.000Z';
    expect(await clock.set(new Date(time))).toEqual({ now: time, frozen: true });
    expect(await clock.set('2027-01-01T01:00:00Z')).toMatchObject({ frozen: true });
    expect(await clock.resume()).toMatchObject({ frozen: false });
    expect(await clock.freeze()).toMatchObject({ frozen: true });
  });

  it('plays scenarios: by name, as a document, from a file', async () => {
    expect(await sandbox.playScenario('pending-then-denied')).toBe('pending-then-denied');
    expect(await sandbox.rules()).toMatchObject([{ source: 'scenario' }]);
    expect(
      await sandbox.playScenario({
        scenario: 'mine',
        version: 1,
        about: 'Mine.',
        rules: [{ op: 'payment.create', then: 'decline-generic' }],
      }),
    ).toBe('mine');
    expect((await post('/v1/payments/payment', rawPaymentBody())).status).toBe(400);
    expect(await sandbox.playScenario('./scenarios/lost-answer.yaml')).toBe('lost-answer');
    expect(await sandbox.scenarios()).toContainEqual(
      expect.objectContaining({ name: 'lost-answer' }),
    );
  });

  it('generates card numbers that trigger an outcome', async () => {
    const [card, other] = await sandbox.generateCards({ outcome: 'decline-generic', count: 2 });
    expect(card?.number).not.toBe(other?.number);
    const stored = await post('/v1/vault/credit-cards', cardBody({ ...card }));
    const { id: cardId } = (await stored.json()) as { id: string };
    const paid = await post('/v1/payments/payment', paymentBody({ cardId }));
    expect(paid.headers.get('sandbox-outcome')).toBe('decline-generic; by=card');
    expect(await sandbox.generateCards()).toHaveLength(1);
  });

  it('restores a snapshot', async () => {
    await post('/v1/payments/payment', rawPaymentBody());
    expect(await sandbox.snapshot('paid')).toBe('paid');
    expect(await sandbox.snapshot()).toBe('snapshot-1');
    await post('/v1/payments/payment', rawPaymentBody());
    await sandbox.restore('paid');
    expect((await sandbox.ledger()).transfers).toHaveLength(1);
    expect(await sandbox.snapshots()).toEqual([
      { name: 'paid', at: testNow, records: 2 },
      { name: 'snapshot-1', at: testNow, records: 2 },
    ]);
    await sandbox.dropSnapshot('snapshot-1');
    expect(await sandbox.snapshots()).toHaveLength(1);
    await expect(Promise.resolve().then(() => sandbox.restore('piad'))).rejects.toMatchObject({
      name: 'SnapshotError',
      code: 'unknown-snapshot',
      allowed: ['paid'],
      nearest: 'paid',
      message: expect.stringContaining('Did you mean "paid"?'),
    });
  });

  it('imports the exported world of another merchant', async () => {
    await post('/v1/payments/payment', rawPaymentBody());
    const world = await sandbox.export();
    const copy = sandbox.merchant('copy');
    await copy.import(world);
    const { transfers, totals } = await sandbox.ledger();
    const { transfers: moved, totals: came } = await copy.ledger();
    expect([moved, came.cards, came.customers]).toEqual([
      transfers,
      totals.cards,
      totals.customers,
    ]);
    expect(await copy.export()).toEqual(world);
    const broken: WorldExport = { ...world, writtenBy: 7 as unknown as string }; // As a file could have it.
    await expect(Promise.resolve().then(() => copy.import(broken))).rejects.toMatchObject({
      name: 'ExportError',
      message: expect.stringContaining('export writtenBy: must be text'),
    });
  });

  it('reads the journal, explains an answer and verifies expected requests', async () => {
    const refused = await post('/v1/vault/credit-cards', {});
    await post('/v1/payments/payment', rawPaymentBody());
    const { dropped, entries: requests } = await sandbox.journal();
    expect(dropped).toBe(0);
    expect(requests.map(({ operation }) => operation)).toEqual(['card.create', 'payment.create']);
    expect((await sandbox.journal({ status: 201, limit: 1 })).entries).toEqual([requests[1]]);
    const debugId = refused.headers.get('paypal-debug-id') ?? '';
    expect(await sandbox.explain(debugId)).toMatchObject({
      reason: expect.stringContaining('Required field missing'),
      summary: expect.arrayContaining(["It did not change the merchant's records."]),
    });
    for (const none of ['0a1b2c3d4e5f6', 'no such', '', '..']) {
      expect(await sandbox.explain(none)).toBeUndefined();
    }
    const payment = { match: { operation: 'payment.create' } } as const;
    expect(await sandbox.verify({ ...payment, times: 1 })).toMatchObject({
      status: 'ok',
      ok: true,
    });
    const failed = await sandbox.verify({ ...payment, times: 2 });
    expect(failed).toMatchObject({ status: 'failed', ok: false, seen: [{ seq: 2 }] });
    expect(failed.message).toContain(
      'Expected 2 exchanges with operation payment.create; received 1.',
    );
  });

  it('waits for the requests of a background job', async () => {
    const match = { operation: 'payment.create' } as const;
    const came = sandbox.waitFor(match, { times: 2 });
    await post('/v1/payments/payment', rawPaymentBody());
    await post('/v1/payments/payment', rawPaymentBody());
    expect(await came).toMatchObject([{ seq: 1 }, { seq: 2 }]);
    const late = sandbox.waitFor(match, { times: 3, timeoutMs: 1 });
    // In process the wait alone keeps no program alive.
    const awake = setTimeout(() => undefined, 5_000);
    await expect(late).rejects.toThrow(WaitTimeoutError);
    clearTimeout(awake);
    await expect(late).rejects.toMatchObject({
      name: 'WaitTimeoutError',
      seen: [{ seq: 1 }, { seq: 2 }],
      message: expect.stringContaining('Waited 1 ms for 3 exchanges'),
    });
  });

  it('rejects a wait when its merchant is reset', async () => {
    const merchant = sandbox.merchant('waiting');
    const wait = merchant.waitFor({ operation: 'card.get' });
    const ended = wait.catch((error: unknown) => error);
    await worldCreated(sandbox, 'waiting');
    await merchant.reset();
    expect(await ended).toBeInstanceOf(WaitEndedError);
    const givenUp = new AbortController();
    const { signal } = givenUp;
    const other = sandbox.merchant('another').waitFor({ operation: 'card.get' }, { signal });
    const left = other.catch((error: unknown) => error);
    await worldCreated(sandbox, 'another');
    givenUp.abort(new Error('enough'));
    expect(await left).toEqual(new Error('enough'));
  });

  it.each<[string, string, () => unknown]>([
    ['an unknown key', 'operation', () => sandbox.journal({ opration: 'card.get' } as object)],
    [
      'an unknown key in match',
      'operation',
      () => sandbox.verify({ match: { opration: 'x' } as object }),
    ],
    [
      'an unknown operation',
      'payment.create',
      () => sandbox.waitFor({ operation: 'payment.creat' as never }),
    ],
  ])('reports %s in a query', async (_what, nearest, ask) => {
    const asked = Promise.resolve().then(ask);
    await expect(asked).rejects.toThrow(QueryError);
    await expect(asked).rejects.toMatchObject({
      name: 'QueryError',
      nearest,
      allowed: expect.arrayContaining([nearest]),
      place: expect.stringMatching(/^(?:match\.)?op/),
    });
  });

  it('lists the catalogue', async () => {
    const all = await sandbox.outcomes();
    const some = await sandbox.outcomes({ operation: 'sale.refund', tier: 1 });
    expect(some.length).toBeLessThan(all.length);
    expect(all).toEqual(expect.arrayContaining([...some]));
    expect(await sandbox.outcome('hang-after-commit')).toEqual(
      all.find(({ id }) => id === 'hang-after-commit'),
    );
  });

  it('describes itself and its health', async () => {
    expect(await sandbox.about()).toMatchObject({ seed: 'same', profile: 'documented' });
    expect(await sandbox.health()).toMatchObject({ status: 'ready' });
  });

  it.each([
    [
      'an unknown outcome',
      'Did you mean "decline-generic"?',
      () => sandbox.outcome('decline-genric'),
    ],
    [
      'an unknown outcome in a rule',
      'Did you mean "decline-generic"?',
      () => sandbox.force(asRule({ op: 'payment.create', outcome: 'decline-genric' })),
    ],
    [
      'an unknown scenario',
      'Did you mean "lost-answer"?',
      () => sandbox.playScenario('lost-answr'),
    ],
    [
      'an unknown outcome for a card',
      'Did you mean "decline-generic"?',
      () => sandbox.generateCards(asCardOptions({ outcome: 'decline-genric' })),
    ],
    ['a time in the past', 'backwards', () => sandbox.clock.set('2020-01-01T00:00:00Z')],
  ])('reports %s', async (_what, words, ask) => {
    await expect(Promise.resolve().then<unknown>(ask)).rejects.toThrow(words);
  });
});
