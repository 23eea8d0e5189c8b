/** What ends a hold, other than a release: time, a reset, the end of the sandbox, a client that leaves. */
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { Gates } from '../../../src/world/gates/gates.ts';
import type { Gate } from '../../../src/scenarios/gates.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { waitForHeld } from '../../../src/world/gates/wait-for-held.ts';

const opened: Sandbox[] = [];

afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

function open(options: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox({ seed: 'gates', fixtures: 'empty', ...options });
  opened.push(sandbox);
  return sandbox;
}

/** Pays with a raw card, through the merchant's own fetch. */
const payAt = (
  { fetch }: Pick<Sandbox, 'fetch'>,
  url = 'http://sandbox.local',
  init: RequestInit = {},
) =>
  fetch(`${url}/v1/payments/payment`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...init.headers },
    body: JSON.stringify(rawPaymentBody()),
    ...init,
  });

const patient = { timeoutMs: 120_000 };

onEveryTransport('a held request', (transport) => {
  it('is released after the time of the gate, and the verdict says how many came', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2, timeoutMs: 1 });
    await pay(shop, { cardId });
    const [entry] = shop.merchant.journal({ operation: 'payment.create' }).entries;
    expect(entry?.holds).toMatchObject([{ releasedBy: 'timeout', released: 1 }]);
    const verdict = await shop.merchant.verdict();
    expect(verdict.unfilled).toEqual([{ gate: 'gate-1', came: 1, count: 2 }]);
    expect(verdict.reasons).toEqual([
      {
        kind: 'unfilled-gate',
        text: `Gate gate-1 (payment.create, before-commit) did not fill for merchant ${shop.merchant.id}: 1 of 2 came before its timeoutMs of 1 passed without a further one. If a correct client sends fewer, make the gate optional.`,
      },
    ]);
    await pay(shop, { cardId, transaction: { custom: 'later' } });
    expect(shop.merchant.held()).toEqual([]);
  });

  it.each([{ optional: true }, { allowUnfired: true }])(
    'does not fail a verdict with %o if its gate did not fill',
    async ({ optional, allowUnfired }) => {
      const shop = transport.shop();
      await storeCard(shop);
      shop.merchant.hold({ op: 'payment.create', count: 2, ...(optional && { optional }) });
      expect(await shop.merchant.verdict({ allowUnfired })).toMatchObject({
        passed: true,
        unfilled: optional ? [] : [{ gate: 'gate-1', came: 0, count: 2 }],
      });
    },
  );

  it('counts as unfilled if its gate was released early', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    const payment = pay(shop, { cardId });
    await shop.merchant.waitForHeld({ times: 1, ...patient });
    shop.merchant.release();
    await payment;
    await pay(shop, { cardId, transaction: { custom: 'other' } });
    const { unfilled } = await shop.merchant.verdict();
    expect(unfilled).toEqual([{ gate: 'gate-1', came: 1, count: 2 }]);
  });

  it('names the gate in a verdict that comes too early', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1 });
    const payment = pay(shop, { cardId });
    await shop.merchant.waitForHeld(patient);
    const { reasons } = await shop.merchant.verdict({ waitMs: 0 });
    expect(reasons).toEqual([
      {
        kind: 'open-exchanges',
        text: '1 request is still open. A gate holds it: call release() before the verdict.',
      },
    ]);
    shop.merchant.release();
    await payment;
  });

  it.each(['reset', 'restore', 'import', 'playScenario', 'deleteMerchant'] as const)(
    'ends in the world that %s leaves',
    async (verb) => {
      const shop = transport.shop();
      const { merchant } = shop;
      const cardId = await storeCard(shop);
      const [snapshot, document] = [merchant.snapshot(), merchant.export()];
      merchant.hold({ op: 'payment.create', count: 2 });
      const payment = pay(shop, { cardId });
      await merchant.waitForHeld({ times: 1, ...patient });
      const change = {
        reset: () => merchant.reset(),
        restore: () => merchant.restore(snapshot),
        import: () => merchant.import(document),
        playScenario: () => void merchant.playScenario('lost-answer'),
        deleteMerchant: () => transport.sandbox.deleteMerchant(merchant.id),
      };
      change[verb]();
      expect((await payment).state).toBe('created');
      expect(merchant.ledger().transfers).toEqual([]);
      expect(merchant.held()).toEqual([]);
      expect((await merchant.verdict({ allowUnfired: true })).unfilled).toEqual([]);
    },
  );

  it('leaves no trace of an earlier gate after a reset', async () => {
    const shop = transport.shop();
    const fresh = transport.shop();
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    shop.merchant.reset();
    await storeCard(fresh);
    fresh.merchant.reset();
    for (const { merchant } of [shop, fresh]) {
      expect(merchant.hold({ op: 'payment.create', count: 1 })).toBe('gate-1');
      merchant.reset();
    }
  });

  it('waits again at a gate of a snapshot', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1 });
    const snapshot = shop.merchant.snapshot();
    const first = pay(shop, { cardId });
    await shop.merchant.waitForHeld(patient);
    shop.merchant.restore(snapshot);
    await first;
    const again = pay(shop, { cardId });
    await shop.merchant.waitForHeld(patient);
    shop.merchant.release();
    await again;
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it('is carried out although its client left, and is listed as such', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    const client = new AbortController();
    const left = transport.fetch(`${transport.base}/v1/payments/payment`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${shop.merchant.token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(paymentBody({ cardId })),
      signal: client.signal,
    });
    await shop.merchant.waitForHeld({ times: 1, ...patient });
    client.abort();
    await expect(left, 'before the release').rejects.toThrow(/abort/i);
    const retry = pay(shop, { cardId });
    await shop.merchant.waitForHeld(patient);
    await expect
      .poll(() => shop.merchant.held().map(({ clientLeft }) => clientLeft))
      .toEqual([true, false]);
    shop.merchant.release();
    await retry;
    expect(shop.merchant.ledger().transfers).toHaveLength(2);
    const [entry] = await shop.merchant.waitFor({ delivery: 'lost' }, patient);
    expect(entry).toMatchObject({ committed: true, delivery: { clientLeft: true } });
    expect((await shop.merchant.verdict()).passed).toBe(false);
  });
});

describe('the end of a sandbox', () => {
  it.each(['in process', 'socket'])('answers held requests (%s)', async (kind) => {
    const sandbox = open();
    const url = kind === 'socket' ? (await sandbox.listen({ port: 0 })).url : undefined;
    sandbox.hold({ op: 'payment.create', count: 2 });
    const payment =
      url === undefined
        ? payAt(sandbox.merchant('default'))
        : payAt({ fetch: globalThis.fetch }, url, {
            headers: {
              'Content-Type': 'application/json',
              Authorization: `Bearer ${sandbox.token}`,
            },
          });
    await sandbox.waitForHeld({ times: 1, ...patient });
    await sandbox.close();
    expect((await payment).status).toBe(201);
  });

  it('ends waits for held requests', async () => {
    const sandbox = open();
    sandbox.hold({ op: 'payment.create', count: 2 });
    const wait = sandbox.waitForHeld(patient);
    void sandbox.close();
    await expect(wait).rejects.toMatchObject({ code: 'wait-ended' });
  });
});

describe('a wait for held requests', () => {
  it('ends with its time, its signal and a reset', async () => {
    const sandbox = open();
    sandbox.hold({ op: 'payment.create', count: 2 });
    await expect(sandbox.waitForHeld({ timeoutMs: 0 })).rejects.toMatchObject({
      code: 'wait-timeout',
      message: expect.stringMatching(/^Waited 0 ms\. 0 of 2 requests were held\.\n/),
      seen: [],
    });
    const own = new AbortController();
    const aborted = sandbox.waitForHeld({ ...patient, signal: own.signal });
    own.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const ended = sandbox.waitForHeld(patient);
    sandbox.reset();
    await expect(ended).rejects.toMatchObject({ code: 'wait-ended' });
  });

  it('ends as soon as a gate releases by itself, and shows what had come', async () => {
    const merchant = open().merchant('shop');
    merchant.hold({ op: 'payment.create', count: 2 });
    const wait = merchant.waitForHeld(patient);
    const payment = payAt(merchant);
    await merchant.waitForHeld({ times: 1, ...patient });
    merchant.release();
    await expect(wait).rejects.toMatchObject({
      code: 'wait-timeout',
      message: [
        'The requests were released before all came. 1 of 2 requests were held.',
        'Gate gate-1 (payment.create, before-commit): 1 of 2 came before release() was called.',
        'Arrived and not held:',
        '  nothing',
      ].join('\n'),
      seen: [{ operation: 'payment.create', status: 0 }],
    });
    await payment;
  });

  it('ends with the time of a gate, and shows which request did not match', async () => {
    const merchant = open().merchant('shop');
    const match = { 'transactions.0.custom': 'A-7' };
    merchant.hold({ op: 'payment.create', count: 2, match, timeoutMs: 1 });
    const payFor = (custom: string) => {
      const body = JSON.stringify(rawPaymentBody({}, { transaction: { custom } }));
      return payAt(merchant, undefined, { body });
    };
    await payFor('A-8');
    const wait = merchant.waitForHeld(patient);
    const payment = payFor('A-7');
    await expect(wait).rejects.toMatchObject({
      message: expect.stringMatching(
        /: 1 of 2 came before its timeoutMs of 1 passed without a further one\. 1 other did not match: transactions\.0\.custom is not "A-7"\.\nArrived and not held:\n.+\n  #\d+ +payment\.create +201/,
      ),
    });
    await payment;
  });

  it('resolves with the requests of a gate that releases by itself', async () => {
    const merchant = open().merchant('shop');
    merchant.hold({ op: 'payment.create', count: 2, release: 'reverse' });
    const wait = merchant.waitForHeld(patient);
    await Promise.all([payAt(merchant), payAt(merchant)]);
    expect(await wait).toMatchObject([{ arrived: 1 }, { arrived: 2 }]);
  });
});

describe('the timer of a gate', () => {
  const gate: Gate = {
    id: 'gate-1',
    source: 'armed',
    operations: ['payment.create'],
    match: undefined,
    count: 3,
    at: 'before-commit',
    timeoutMs: 700,
    release: undefined,
    optional: false,
  };
  const facts = { operation: 'payment.create' } as Parameters<Gates['hold']>[0]; // All that a gate without match reads.

  it('starts again with each request, and stops with the last release', async () => {
    const timers = new Set<() => void>();
    const delays: number[] = [];
    const gates = new Gates(undefined, (action, delayMs) => {
      timers.add(action);
      delays.push(delayMs);
      return () => timers.delete(action);
    });
    const resumed: string[] = [];
    const arrive = (debugId: string): void =>
      gates
        .hold(facts, 'before-commit', {
          debugId,
          operation: 'payment.create',
          requestId: undefined,
          intent: undefined,
          purchase: undefined,
        })
        ?.begin(() => resumed.push(debugId));
    gates.add(gate, 1);
    expect(timers.size, 'before the first request').toBe(0);
    arrive('a');
    arrive('b');
    expect(delays).toEqual([700, 700]);
    expect(timers.size).toBe(1);
    gates.release(['a']);
    expect(timers.size, 'one is still held').toBe(1);
    const wait = waitForHeld({ gates, journal: new Journal({}, () => 0) }, patient);
    for (const fire of timers) fire();
    expect(resumed).toEqual(['a', 'b']);
    expect(timers.size).toBe(0);
    arrive('c');
    expect(resumed, 'the gate is over').toHaveLength(2);
    expect(gates.unfilled()).toMatchObject([{ came: 2 }]);
    await expect(wait).rejects.toMatchObject({ code: 'wait-timeout' });
  });
});
