/** How often rules fire: exactly as specified, under concurrency and between other requests. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRules } from '../../../../src/sandbox/arm-rules.ts';
import { call as control } from '../../control/call.ts';
import { TestTransport, onEveryTransport, type Shop } from '../../../support/transports.ts';
import { runsFor } from '../../../properties/support/own-transport.ts';
import { inOrder } from '../../../support/in-order.ts';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { see, type Call } from '../tolerant-client.ts';

const pay = (shop: Shop, call: Call) => see(shop, 'payment.create', call);

/** A separate purchase: its description differs. */
function purchase(cardId: string, description: string): Call {
  return { body: paymentBody({ cardId, transaction: { description } }) };
}

onEveryTransport('a rule with a limited number of firings', (transport) => {
  it('fires exactly that often under concurrent requests', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic', times: 20 });
    const seen = await Promise.all(
      Array.from({ length: 200 }, (_, at) => pay(shop, purchase(cardId, `order ${at}`))),
    );
    const count = (status: number) => seen.filter((one) => one.status === status).length;
    expect([count(400), count(201)]).toEqual([20, 180]);
    expect(shop.merchant.ledger().transfers).toHaveLength(180);
    expect(shop.merchant.rules()).toMatchObject([{ fired: 20, met: 20 }]);
  });

  it('fires once by default, and never after it is removed', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const [id = ''] = shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    const call = purchase(cardId, 'an order');
    const statuses = async () => [(await pay(shop, call)).status, (await pay(shop, call)).status];
    expect(await statuses()).toEqual([400, 201]);
    expect(shop.merchant.clearRules(id)).toBe(1);
    expect(() => shop.merchant.clearRules(id)).toThrow(
      `has no armed rule "${id}". Known: none yet.`,
    );
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    expect(shop.merchant.clearRules()).toBe(2);
    expect(await statuses()).toEqual([201, 201]);
  });

  it('keeps its name reserved after it fired', async () => {
    const shop = transport.shop();
    const call = purchase(await storeCard(shop), 'an order');
    const rule = { name: 'once', op: 'payment.create', outcome: 'decline-generic' } as const;
    shop.merchant.force(rule);
    const again = () => shop.merchant.force({ ...rule, outcome: 'hang-after-commit' });
    const taken =
      'force name: the name "once" is taken by an armed rule. Remove that rule first, with clearRules(\'once\') or DELETE /_sandbox/rules/once, or choose another name.';
    expect(again).toThrow(taken);
    expect((await pay(shop, call)).status).toBe(400);
    expect(again).toThrow(taken);
    expect(shop.merchant.rules()).toMatchObject([{ id: 'once', met: 1, fired: 1 }]);
    shop.merchant.clearRules('once');
    shop.merchant.force(rule);
    expect(shop.merchant.rules()).toMatchObject([{ id: 'once', met: 0, fired: 0 }]);
  });

  it('gets a default name that no other rule has', () => {
    const { merchant } = transport.shop();
    const rule = { op: 'payment.create', outcome: 'decline-generic' } as const;
    expect(merchant.force({ ...rule, name: 'rule-2' })).toEqual(['rule-2']);
    expect(merchant.force(rule)).not.toEqual(['rule-2']);
    expect(new Set(merchant.rules().map(({ id }) => id)).size).toBe(2);
  });

  it('keeps the numbering of names when it is refused or removed', () => {
    const { merchant } = transport.shop();
    const rule = { op: 'payment.create', outcome: 'decline-generic' } as const;
    expect(() => merchant.force({ ...rule, times: 0 })).toThrow('force times');
    expect(merchant.force(rule)).toEqual(['rule-1']);
    merchant.clearRules('rule-1');
    expect(merchant.force(rule)).toEqual(['rule-2']);
  });

  it('is refused beyond the limit of rules until some are removed', async () => {
    const shop = transport.shop();
    const rule = { op: 'payment.create', then: 'decline-generic' } as const;
    const rules = Array.from({ length: maxRules - 1 }, (_, at) => ({ ...rule, name: `r${at}` }));
    shop.merchant.playScenario({ scenario: 'crowd', version: 1, about: 'Very many rules.', rules });
    shop.merchant.force(rule);
    expect(() => shop.merchant.force(rule)).toThrow(
      /^force: this merchant holds 10000 rules, the most it may\. /,
    );
    const overHttp = await control(
      transport,
      `POST /_sandbox/rules?merchant=${shop.merchant.id}`,
      rule,
    );
    expect(overHttp).toMatchObject({ status: 400, body: { error: 'invalid-rule' } });
    shop.merchant.clearRules();
    expect(shop.merchant.force(rule)).toHaveLength(1);
  });

  it('must not have the name of a scenario rule', () => {
    const { merchant } = transport.shop();
    merchant.playScenario('lost-answer');
    const [{ id: name = '' } = {}] = merchant.rules();
    const rule = { name, op: 'payment.create', outcome: 'decline-generic' } as const;
    expect(() => merchant.force(rule)).toThrow(
      `force name: the name "${name}" is taken by a rule of the scenario. Choose another name.`,
    );
    expect(merchant.rules()).toHaveLength(1);
  });
});

/** The status that a step leads to. */
const steps = {
  ok: 201,
  'decline-generic': 400,
  'rate-limited-no-header': 429,
  'error-500-after-commit': 500,
  'html-error-page': 502,
  'token-revoked': 401,
  'not-implemented': 501,
} as const;

type StepName = keyof typeof steps;
const stepNames = Object.keys(steps) as StepName[]; // The keys of the table above.

onEveryTransport('a sequence', (transport) => {
  it('gives the k-th attempt of a purchase its k-th step, regardless of other requests', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...stepNames), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom('red', 'green', 'blue', 'a look', 'another card'), {
          minLength: 1,
          maxLength: 18,
        }),
        fc.boolean(),
        async (sequence, order, atOnce) => {
          const shop = transport.shop();
          const cardId = await storeCard(shop);
          shop.merchant.force({ op: 'payment.create', sequence, per: 'intent', times: 99 });
          const send = (what: string) => {
            if (what === 'a look') return see(shop, 'card.list', {});
            if (what === 'another card') return see(shop, 'card.create', { body: cardBody() });
            return pay(shop, purchase(cardId, what));
          };
          const seen = atOnce ? await Promise.all(order.map(send)) : await inOrder(order, send);
          for (const what of new Set(order)) {
            const met = seen.filter((_, at) => order[at] === what).map(({ status }) => status);
            const expected = met.map((_, at) => {
              if (what === 'a look') return 200;
              if (what === 'another card') return 201;
              return steps[sequence[Math.min(at, sequence.length - 1)] ?? 'ok'];
            });
            expect(met.toSorted()).toEqual(expected.toSorted());
            if (!atOnce) expect(met).toEqual(expected);
          }
        },
      ),
      runsFor(transport.name, 60),
    ));
});

onEveryTransport('attempts', (transport) => {
  it.each([
    ['intent', [400, 400, 400, 400]],
    ['card', [400, 400, 201, 201]],
    ['merchant', [400, 201, 201, 201]],
  ] as const)('are counted for each %s', async (per, statuses) => {
    const shop = transport.shop();
    const [one, two] = [await storeCard(shop), await storeCard(shop)];
    shop.merchant.force({
      op: 'payment.create',
      per,
      sequence: ['decline-generic', 'ok'],
      times: 99,
    });
    const calls = [
      purchase(one, 'first'),
      purchase(two, 'second'),
      purchase(one, 'third'),
      purchase(two, 'fourth'),
    ];
    const seen = await inOrder(calls, (call) => pay(shop, call));
    expect(seen.map(({ status }) => status)).toEqual(statuses);
  });

  it.each(['payment.create', ['payment.create']] as const)(
    'are requests of the operation unless the rule says otherwise: the second payment of %s is declined',
    async (op) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({
        op: typeof op === 'string' ? op : [...op],
        outcome: 'decline-generic',
        nth: 2,
      });
      const seen = await inOrder(['red', 'green', 'blue'], (colour) =>
        pay(shop, purchase(cardId, colour)),
      );
      expect(seen.map(({ status }) => status)).toEqual([201, 400, 201]);
    },
  );

  it('are only those that reach the decision and fit the conditions', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({
      op: 'payment.create',
      match: { 'header:x-tenant': 'red' },
      sequence: ['ok', 'decline-generic', 'ok'],
    });
    const red = { 'X-Tenant': 'red' };
    const call = (description: string, headers: Record<string, string> = red) =>
      pay(shop, { ...purchase(cardId, description), headers });
    const seen = [
      await call('one', { ...red, 'PayPal-Request-Id': 'one' }),
      await call('one', { ...red, 'PayPal-Request-Id': 'one' }), // repeats the answer
      await call('two', { 'X-Tenant': 'blue' }),
      await pay(shop, { body: {}, headers: red }), // invalid
      await see(shop, 'card.list', { headers: red }),
      await call('three'),
      await call('four'),
    ];
    expect(seen.map(({ status }) => status)).toEqual([201, 201, 201, 400, 200, 400, 201]);
    const forced = seen.filter(({ headers }) => headers.has('sandbox-outcome'));
    expect(forced).toEqual([seen[5]]);
  });

  it('are forced only at the n-th, for each purchase', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({
      op: 'payment.create',
      outcome: 'decline-generic',
      per: 'intent',
      nth: 2,
      times: 2,
    });
    const order = ['red', 'green', 'red', 'red', 'green', 'green'];
    const seen = await inOrder(order, (colour) => pay(shop, purchase(cardId, colour)));
    expect(seen.map(({ status }) => status)).toEqual([201, 201, 400, 201, 400, 201]);
  });
});

type Condition = NonNullable<Parameters<Shop['merchant']['force']>[0]['match']>[string];

onEveryTransport('attempts that a condition selects', (transport) => {
  it.each<readonly [Condition, readonly number[]]>([
    [2, [201, 400, 201, 201]],
    [{ gte: 2 }, [201, 400, 400, 400]],
    [{ lte: 2 }, [400, 400, 201, 201]],
    [{ in: [1, 3] }, [400, 201, 400, 201]],
  ])('are those that fit otherwise: %o', async ($attempt, statuses) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({
      op: 'payment.create',
      match: { $attempt, 'header:x-tenant': 'red' },
      outcome: 'decline-generic',
      times: 99,
    });
    const call = purchase(cardId, 'an order');
    const seen = await inOrder([1, 2, 3, 4], async () => {
      expect((await pay(shop, call)).status).toBe(201);
      return pay(shop, { ...call, headers: { 'X-Tenant': 'red' } });
    });
    expect(seen.map(({ status }) => status)).toEqual(statuses);
    expect(shop.merchant.rules()).toMatchObject([
      { met: 4, fired: statuses.filter((status) => status === 400).length },
    ]);
  });
});

describe('chance', () => {
  const rule = {
    op: 'payment.create',
    outcome: 'decline-generic',
    probability: 0.3,
    times: 10_000,
  } as const;

  /** Returns which purchases are declined, with other requests in between. */
  async function declined(seed: string, orders: readonly string[], between: readonly string[]) {
    const transport = new TestTransport('in process', { seed });
    await transport.open();
    const shop = transport.shop('chancy');
    const cardId = await storeCard(shop);
    shop.merchant.force({ ...rule, name: 'now and then' });
    shop.merchant.force({
      op: 'card.get',
      outcome: 'error-forever',
      probability: 0.5,
      times: 10_000,
    });
    const seen = await inOrder(orders, async (order) => {
      await inOrder(between, (other) => pay(shop, purchase(cardId, `${other} before ${order}`)));
      if (between.length > 0)
        await see(shop, 'card.get', { path: `/v1/vault/credit-cards/${cardId}` });
      return pay(shop, purchase(cardId, order));
    });
    await transport.close();
    return seen.map(({ status }) => status === 400);
  }

  const orders = Array.from({ length: 200 }, (_, at) => `order ${at}`);

  it('draws the same for the same seed regardless of other requests, about as often as its probability', async () => {
    const alone = await declined('one', orders, []);
    expect(await declined('one', orders, [])).toEqual(alone);
    expect(await declined('one', orders, ['tea', 'cake'])).toEqual(alone);
    expect(await declined('two', orders, [])).not.toEqual(alone);
    const share = alone.filter(Boolean).length / orders.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
  });

  it('draws again for each attempt, and is certain at 0 and 1', async () => {
    const attempts = await declined(
      'one',
      Array.from({ length: 60 }, () => 'the same'),
      [],
    );
    expect(new Set(attempts).size).toBe(2);
    const transport = new TestTransport('in process', {});
    await transport.open();
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ ...rule, probability: 0, optional: true });
    expect((await pay(shop, purchase(cardId, 'never'))).status).toBe(201);
    expect(shop.merchant.rules()[0]?.lastMiss).toBe(
      'the random draw decided against it (probability 0)',
    );
    shop.merchant.clearRules();
    shop.merchant.force({ ...rule, probability: 1 });
    const seen = await inOrder(orders.slice(0, 20), (order) => pay(shop, purchase(cardId, order)));
    expect(seen.every(({ status }) => status === 400)).toBe(true);
    await transport.close();
  });

  it.each(['merchant', 'card', 'intent'] as const)(
    'draws for each purchase by itself, also if requests are counted per %s',
    async (per) => {
      const draws = async (seed: string, order: readonly string[]) => {
        const transport = new TestTransport('in process', { seed });
        await transport.open();
        const shop = transport.shop('chancy');
        const cardId = await storeCard(shop);
        shop.merchant.force({ ...rule, per, name: 'now and then' });
        const seen = await inOrder(order, (one) => pay(shop, purchase(cardId, one)));
        await transport.close();
        return new Map(order.map((one, at) => [one, seen[at]?.status]));
      };
      const some = orders.slice(0, 60);
      const forwards = await draws('one', some);
      expect([...(await draws('one', some.toReversed()))].toReversed()).toEqual([...forwards]);
      expect(new Set(forwards.values())).toEqual(new Set([201, 400]));
    },
  );

  it('draws every outcome of a list by the seed', async () => {
    const draw = async (seed: string) => {
      const transport = new TestTransport('in process', { seed });
      await transport.open();
      const shop = transport.shop('chancy');
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'brownout', times: 60 });
      const seen = await inOrder(orders.slice(0, 60), (order) =>
        pay(shop, purchase(cardId, order)),
      );
      await transport.close();
      return seen.map(({ headers }) => headers.get('sandbox-outcome'));
    };
    const first = await draw('one');
    expect(new Set(first)).toEqual(
      new Set(
        ['error-500-before-commit', 'error-500-after-commit', 'error-503-before-commit'].map(
          (id) => `${id}; by=armed`,
        ),
      ),
    );
    expect(await draw('one')).toEqual(first);
    expect(await draw('two')).not.toEqual(first);
  });
});
