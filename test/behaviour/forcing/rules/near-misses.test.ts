/** Rules that do not fire explain why, and armed rules expire. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { TestTransport, onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { dayMs, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { unknownSubjects } from '../../../support/requests/valid-requests.ts';
import { see } from '../tolerant-client.ts';

type Rule = Parameters<Shop['merchant']['force']>[0];

/** It is not a known test number. */
const realPan = '4929851042331971';

const decline = { op: 'payment.create', outcome: 'decline-generic' } as const;

onEveryTransport('a rule that did not fire', (transport) => {
  it.each<readonly [Omit<Rule, 'op' | 'outcome'>, string]>([
    [
      { match: { 'transactions[0].amount.total': { gte: '500.00' } } },
      'transactions[0].amount.total is not {"gte":"500.00"}',
    ],
    [{ match: { 'header:x-tenant': 'red' } }, 'header:x-tenant is not "red"'],
    [{ match: { $card: unknownSubjects.cardId } }, `$card is not "${unknownSubjects.cardId}"`],
    [{ match: { $attempt: { gt: 1 } } }, '$attempt is not {"gt":1}'],
    [{ nth: 2 }, 'it applies to request 2, and this was request 1'],
    [{ after: '+P1D' }, 'it does not apply yet'],
    [{ probability: 0 }, 'the random draw decided against it (probability 0)'],
  ])('explains why: %o', async (part, why) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const [id = ''] = shop.merchant.force({ ...decline, ...part });
    const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
    expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([201, null]);
    expect(shop.merchant.unfired()).toEqual([expect.objectContaining({ id, lastMiss: why })]);
    const entry = shop.merchant.explain(seen.headers.get('paypal-debug-id') ?? '');
    expect(entry?.nearMisses).toContainEqual({ rule: id, why });
  });

  it.each<readonly [NonNullable<Rule['match']>[string], readonly number[]]>([
    [30.1, [400, 201]],
    [{ in: [7, 30.1] }, [400, 201]],
    [{ ne: 30.1 }, [201, 400]],
    ['30.1', [201, 201]],
    ['30.10', [400, 201]],
  ])(
    'compares a number with a decimal string as numbers, and text as text: %j',
    async (total, met) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const match = { 'transactions[0].amount.total': total };
      shop.merchant.force({ ...decline, match, times: 9 });
      const seen = await inOrder(['30.10', '30.20'], (asked) =>
        see(shop, 'payment.create', { body: paymentBody({ cardId, total: asked }) }),
      );
      expect(seen.map(({ status }) => status)).toEqual(met);
    },
  );

  it.each(['X-Tenant', 'Set-Cookie'])(
    'compares with all values of a repeated header, joined: %s',
    async (name) => {
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop) });
      shop.merchant.force({ ...decline, match: { [`header:${name}`]: 'red, blue' } });
      const headers = new Headers();
      for (const value of ['red', 'blue']) headers.append(name, value);
      expect((await shop.send('payment.create', { body, headers })).status).toBe(400);
    },
  );

  it('has no reason before a request arrives, or after it fired', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ ...decline, match: { 'header:x-tenant': 'red' } });
    expect(shop.merchant.unfired()).toMatchObject([{ met: 0, lastMiss: undefined }]);
    await see(shop, 'card.list', {});
    expect(shop.merchant.unfired()).toMatchObject([{ met: 0, lastMiss: undefined }]);
    const body = paymentBody({ cardId });
    await see(shop, 'payment.create', { body });
    expect(shop.merchant.unfired()).toMatchObject([{ lastMiss: 'header:x-tenant is not "red"' }]);
    await see(shop, 'payment.create', { body, headers: { 'X-Tenant': 'red' } });
    expect(shop.merchant.unfired()).toEqual([]);
    expect(shop.merchant.rules()).toMatchObject([{ fired: 1, lastMiss: undefined }]);
    await see(shop, 'payment.create', { body, headers: { 'X-Tenant': 'red' } });
    expect(shop.merchant.rules()).toMatchObject([{ lastMiss: 'it has fired 1 of 1 times' }]);
  });

  it.each<readonly [string, NonNullable<Rule['match']>, string]>([
    ['a number', { number: realPan }, 'number is not "xxxxxxxxxxxx1971"'],
    ['a code', { cvv2: '8741' }, 'cvv2 is not "[redacted]"'],
    ['codes', { cvv2: { in: ['8741', '8742'] } }, 'cvv2 is not {"in":"[redacted]"}'],
    ['its form', { number: { matches: `^${realPan}$` } }, 'number is not {"matches":"[redacted]"}'],
    ['one in a name', { last_name: realPan }, 'last_name is not "xxxxxxxxxxxx1971"'],
    ['a header', { 'header:x-card': realPan }, 'header:x-card is not "xxxxxxxxxxxx1971"'],
    ['its absence', { cvv2: { exists: false } }, 'cvv2 is not {"exists":false}'],
  ])('is shown without the card data of its conditions: %s', async (_, match, why) => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'card.create', outcome: 'error-500-after-commit', match });
    const seen = await see(shop, 'card.create', { body: cardBody() });
    const { merchant } = shop;
    const [unfired] = merchant.unfired();
    expect(unfired?.lastMiss).toBe(why);
    const explained = JSON.stringify([
      merchant.rules(),
      merchant.explain(seen.headers.get('paypal-debug-id') ?? ''),
      await merchant.verdict(),
    ]);
    // A time of the machine may have the same digits in it.
    expect(explained).not.toMatch(new RegExp(`${realPan}|\\b874[12]\\b`));
  });

  it('is listed among the latest twenty used-up rules, and always in the report', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const body = paymentBody({ cardId });
    const armed: (string | undefined)[] = [];
    for (let times = 0; times < 25; times++) {
      armed.push(...shop.merchant.force(decline));
      expect((await see(shop, 'payment.create', { body })).status).toBe(400);
    }
    const [last] = shop.merchant.force(decline);
    const entry = shop.merchant.explain(
      (await see(shop, 'payment.create', { body })).headers.get('paypal-debug-id') ?? '',
    );
    expect(entry?.outcomes).toMatchObject([{ rule: last }]);
    expect(entry?.nearMisses.map(({ rule }) => rule)).toEqual(armed.slice(-20));
    expect(shop.merchant.rules().map(({ id, fired }) => [id, fired])).toEqual(
      [...armed, last].map((id) => [id, 1]),
    );
    expect((await see(shop, 'payment.create', { body })).status).toBe(201);
  });

  it('is listed among the nearest twenty misses, and the rest are counted', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const body = paymentBody({ cardId });
    const arm = (part: object) => shop.merchant.force({ ...decline, ...part });
    const [resting] = arm({ after: '+P1D' });
    const others = Array.from({ length: 29 }, () => arm({ match: { 'header:x-tenant': 'red' } }));
    const [turned] = arm({ nth: 2 });
    const { headers } = await see(shop, 'payment.create', { body });
    const entry = shop.merchant.explain(headers.get('paypal-debug-id') ?? '');
    const named = entry?.nearMisses.map(({ rule }) => rule);
    expect(named).toEqual([turned, ...others.flat().slice(0, 19)]);
    expect(named).not.toContain(resting);
    expect(entry?.nearMissesLeftOut).toBe(11);
    expect(entry?.summary).toContain('Other rules that did not fire: 11.');
  });

  it('is not reported if it is optional', async () => {
    const shop = transport.shop();
    shop.merchant.force({ ...decline, optional: true });
    expect(shop.merchant.unfired()).toEqual([]);
    expect(shop.merchant.rules()).toHaveLength(1);
  });

  it('applies only within its times and its state', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario({
      scenario: 'hours',
      version: 1,
      about: 'Closed for a day, then half open.',
      states: ['open', 'half-open'],
      timeline: [{ at: '+P2D', goto: 'half-open' }],
      rules: [
        { name: 'closed', op: 'payment.create', before: '+P1D', then: 'maintenance-window' },
        { name: 'half', op: 'payment.create', while: 'half-open', then: 'decline-generic' },
      ],
    });
    const cardId = await storeCard(shop);
    const seen = await inOrder([0, 1, 2], async () => {
      const answer = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      shop.merchant.clock.advance(dayMs);
      return answer.status;
    });
    expect(seen).toEqual([503, 201, 400]);
    expect(shop.merchant.rules().map(({ lastMiss }) => lastMiss)).toEqual([
      'it no longer applies',
      undefined,
    ]);
  });
});

describe('an armed rule', () => {
  /** A shop whose real clock is set by the test. */
  async function atTime() {
    let nowMs = 1_000_000;
    const transport = new TestTransport('in process', { systemClock: { nowMs: () => nowMs } });
    await transport.open();
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    return {
      shop,
      wait: (ms: number) => {
        nowMs += ms;
      },
      pay: async () =>
        (await see(shop, 'payment.create', { body: paymentBody({ cardId }) })).status,
    };
  }

  it('expires after its ttlMs of real time, and lists when', async () => {
    const { shop, wait, pay } = await atTime();
    shop.merchant.force({ ...decline, ttlMs: 5_000, times: 2 });
    const expiresAt = new Date(1_005_000).toISOString();
    expect(shop.merchant.rules()).toMatchObject([{ state: 'live', expiresAt, endsAt: undefined }]);
    wait(4_999);
    expect(await pay()).toBe(400);
    wait(1);
    expect(await pay()).toBe(201);
    expect(shop.merchant.rules()).toMatchObject([
      { state: 'expired', expiresAt, fired: 1, lastMiss: 'it has expired' },
    ]);
  });

  it('does not expire without ttlMs', async () => {
    const { shop, wait, pay } = await atTime();
    shop.merchant.force({ ...decline, times: 2 });
    wait(365 * dayMs);
    expect(shop.merchant.rules()).toMatchObject([{ state: 'live', expiresAt: undefined }]);
    expect(await pay()).toBe(400);
  });

  it.each<readonly [string, Partial<Rule>, readonly string[]]>([
    ['without an end', {}, ['live', 'used-up', 'used-up']],
    ['for the second request', { nth: 2 }, ['live', 'live', 'used-up']],
    ['for a later day', { after: '+P1D' }, ['waiting', 'waiting', 'waiting']],
    ['for this day only', { before: '+P1D', times: 9 }, ['live', 'live', 'live', 'expired']],
    ['with two firings', { times: 2 }, ['live', 'live', 'used-up', 'used-up']],
  ])('lists its state: %s', async (_, part, states) => {
    const { shop, pay } = await atTime();
    shop.merchant.force({ ...decline, ...part });
    const stateOf = () => shop.merchant.rules()[0]?.state;
    const seen = [stateOf()];
    await inOrder([1, 2], async () => {
      await pay();
      seen.push(stateOf());
    });
    shop.merchant.clock.advance(dayMs);
    if (states.length === 4) seen.push(stateOf());
    expect(seen).toEqual(states);
    expect(shop.merchant.rules()[0]?.endsAt === undefined).toBe(part.before === undefined);
    expect(shop.merchant.rules()[0]?.startsAt === undefined).toBe(part.after === undefined);
  });

  it.each(['ttl', 'ttlms', 'ttlS'])('names ttlMs for the key %s', async (key) => {
    const { shop } = await atTime();
    // A program without types passes anything.
    const rule: Rule = { ...decline, [key]: '5s' };
    expect(() => shop.merchant.force(rule)).toThrow('"ttlMs"');
  });

  it("does not expire by the merchant's clock", async () => {
    const { shop, pay } = await atTime();
    shop.merchant.force(decline);
    shop.merchant.clock.advance(365 * dayMs);
    expect(await pay()).toBe(400);
  });

  it('is removed by a reset, and does not affect another merchant', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    sandbox.merchant('one').force(decline);
    expect(sandbox.merchant('two').rules()).toEqual([]);
    sandbox.merchant('two').reset();
    expect(sandbox.merchant('one').rules()).toHaveLength(1);
    sandbox.merchant('one').reset();
    expect(sandbox.merchant('one').rules()).toEqual([]);
    await sandbox.close();
  });
});
