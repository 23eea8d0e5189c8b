/** Rules for several merchants, present and future, and hints about rules of another merchant. */
import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../../../../src/client/connect.ts';
import { createSandbox, type Sandbox, type SharedRule } from '../../../../src/index.ts';
import { rawPaymentBody } from '../../../support/samples.ts';

const open: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

/** A sandbox with the verbs in process, by HTTP calls, or of the client. Each must behave the same. */
type Side = 'in process' | 'HTTP' | 'client';

interface Verbs {
  readonly force: (rule: SharedRule) => Promise<readonly string[]>;
  readonly rules: () => Promise<readonly object[]>;
  readonly clear: (id?: string) => Promise<number>;
  readonly reset: () => Promise<void>;
  readonly sandbox: Sandbox;
  /** Pays as a merchant, and returns the status. */
  readonly pay: (merchant: string) => Promise<number>;
}

async function post(url: string, method: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read: Record<string, unknown> = await response.json();
  if (!response.ok) throw new Error(String(read['message']));
  return read;
}

async function verbsOf(
  side: Side,
  options: Parameters<typeof createSandbox>[0] = {},
): Promise<Verbs> {
  const sandbox = createSandbox({ fixtures: 'empty', ...options });
  open.push(sandbox);
  const pay = async (merchant: string) => {
    const response = await sandbox.merchant(merchant).fetch('http://sandbox/v1/payments/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody()),
    });
    return response.status;
  };
  if (side === 'in process') {
    const { all } = sandbox;
    return {
      sandbox,
      pay,
      force: async (rule) => all.force(rule),
      rules: async () => all.rules(),
      clear: async (id) => all.clearRules(id),
      reset: async () => all.reset(),
    };
  }
  const { url } = await sandbox.listen();
  const { all } = connect(url);
  if (side === 'client') {
    return {
      sandbox,
      pay,
      force: all.force,
      rules: all.rules,
      clear: all.clearRules,
      reset: all.reset,
    };
  }
  const rules = `${url}/_sandbox/rules`;
  return {
    sandbox,
    pay,
    force: async ({ merchants, ...rule }) => {
      const prefix = typeof merchants === 'object' ? `prefix=${merchants.prefix}` : 'all=true';
      // The answer always has this list.
      return (await post(`${rules}?${prefix}`, 'POST', rule))['ids'] as string[];
    },
    rules: all.rules,
    clear: async (id) =>
      Number(
        (await post(`${rules}${id === undefined ? '' : `/${id}`}?all=true`, 'DELETE'))['cleared'],
      ),
    reset: async () => {
      await post(`${url}/_sandbox/reset?all=true`, 'POST');
    },
  };
}

const decline: SharedRule = { op: 'payment.create', outcome: 'decline-generic' };

describe.each<Side>(['in process', 'HTTP', 'client'])(
  'a rule for several merchants (%s)',
  (side) => {
    it('applies to present and future merchants, and each counts by itself', async () => {
      const { force, rules, pay } = await verbsOf(side);
      expect(await pay('before')).toBe(201);
      expect(await force({ ...decline, nth: 2 })).toEqual(['all-1']);
      for (const merchant of ['before', 'after']) {
        expect([await pay(merchant), await pay(merchant), await pay(merchant)]).toEqual([
          201, 400, 201,
        ]);
      }
      expect(await rules()).toMatchObject([
        { id: 'all-1', source: 'shared', merchants: 'all', state: 'live', seen: 6, fired: 2 },
      ]);
    });

    it('applies only to merchants with its prefix', async () => {
      const { force, rules, pay } = await verbsOf(side);
      await pay('ci-1');
      await force({ ...decline, merchants: { prefix: 'ci-' }, times: 9 });
      expect([await pay('ci-1'), await pay('ci-2'), await pay('my-shop')]).toEqual([400, 400, 201]);
      expect(await rules()).toMatchObject([{ merchants: { prefix: 'ci-' }, fired: 2 }]);
    });

    it('is armed again by a reset of one merchant, and removed by a reset of all', async () => {
      const { force, rules, pay, sandbox, reset } = await verbsOf(side);
      await force(decline);
      const shop = sandbox.merchant('my-shop');
      expect([await pay('my-shop'), await pay('my-shop')]).toEqual([400, 201]);
      shop.reset();
      expect(shop.rules()).toMatchObject([{ id: 'all-1', source: 'shared', fired: 0 }]);
      expect([await pay('my-shop'), await pay('my-shop')]).toEqual([400, 201]);
      await reset();
      expect(await rules()).toEqual([]);
      expect(await pay('my-shop')).toBe(201);
    });

    it('is removed from every merchant by its id, and stays when a merchant clears its own rules', async () => {
      const { force, clear, pay, sandbox } = await verbsOf(side);
      await force({ ...decline, name: 'one', times: 99 });
      await force({ op: 'card.list', outcome: 'error-forever', times: 99 });
      const shop = sandbox.merchant('my-shop');
      expect(await pay('my-shop')).toBe(400);
      expect(shop.clearRules()).toBe(0);
      expect(() => shop.clearRules('one')).toThrow(
        '"one" is a rule for several merchants. Remove it with sandbox.all.clearRules(\'one\') or DELETE /_sandbox/rules/one?all=true.',
      );
      expect(await pay('my-shop')).toBe(400);
      expect(await clear('one')).toBe(1);
      await expect(async () => clear('one')).rejects.toThrow(
        'No rule for several merchants is called "one". Known: all-2.',
      );
      expect([await pay('my-shop'), await pay('other')]).toEqual([201, 201]);
      expect(shop.rules()).toMatchObject([{ id: 'all-2' }]);
      expect(await clear()).toBe(1);
      expect(shop.rules()).toEqual([]);
    });

    it('comes after the rules of the merchant itself', async () => {
      const { force, pay, sandbox } = await verbsOf(side);
      await force({ ...decline, times: 99 });
      const shop = sandbox.merchant('my-shop');
      shop.force({ op: 'payment.create', outcome: 'ok' });
      expect([await pay('my-shop'), await pay('my-shop')]).toEqual([201, 400]);
    });

    it.each<readonly [SharedRule, string]>([
      [{ ...decline, name: 'taken' }, 'the name "taken" is taken by a rule for several merchants'],
      [{ ...decline, name: 'own' }, 'merchant my-shop has a rule of the name "own"'],
      [{ ...decline, nth: 0 }, 'force nth: Must be 1 or more'],
    ])('is refused if it is invalid or its name is taken: %o', async (rule, words) => {
      const { force, rules, sandbox } = await verbsOf(side);
      await force({ ...decline, name: 'taken' });
      sandbox.merchant('my-shop').force({ op: 'payment.create', outcome: 'ok', name: 'own' });
      await expect((async () => force(rule))()).rejects.toThrow(words);
      expect(await rules()).toHaveLength(1);
    });

    it('fails the verdict of a merchant only if that merchant sent a request of its operation', async () => {
      const { force, pay, sandbox } = await verbsOf(side);
      await force({ ...decline, nth: 5 });
      await pay('my-shop');
      await sandbox.merchant('quiet').fetch('http://sandbox/v1/vault/credit-cards');
      const unfired = async (id: string) =>
        (await sandbox.merchant(id).verdict()).unfired.map(({ rule }) => rule);
      expect([await unfired('my-shop'), await unfired('quiet')]).toEqual([['all-1'], []]);
    });
  },
);

describe('a rule for several merchants', () => {
  it.each<readonly [unknown]>([
    ['ci-'],
    [{ prefix: '' }],
    [{ prefix: 'a b' }],
    [{ prefix: 'a', all: true }],
    [['a']],
  ])('is refused with the merchants %o', async (merchants) => {
    const { sandbox } = await verbsOf('in process');
    const rule = { ...decline, merchants } as SharedRule; // A program without types passes anything.
    expect(() => sandbox.all.force(rule)).toThrow('force merchants: must be "all", or { "prefix"');
    expect(() => sandbox.merchant('my-shop').force(rule)).toThrow('sandbox.all.force()');
  });

  it('expires in real time for every merchant, and later merchants do not get it', async () => {
    let nowMs = 1_000_000;
    const { sandbox, pay } = await verbsOf('in process', { systemClock: { nowMs: () => nowMs } });
    sandbox.all.force({ ...decline, ttlMs: 1_000, times: 99 });
    expect(await pay('my-shop')).toBe(400);
    nowMs += 1_000;
    expect([await pay('my-shop'), await pay('later')]).toEqual([201, 201]);
    expect(sandbox.all.rules()).toMatchObject([{ state: 'expired', fired: 1 }]);
    expect(sandbox.merchant('later').rules()).toEqual([]);
  });

  it('is the same after a snapshot is restored, unless it was removed or armed since', async () => {
    const { sandbox, pay } = await verbsOf('in process');
    const shop = sandbox.merchant('my-shop');
    sandbox.all.force({ ...decline, name: 'old', times: 2 });
    sandbox.all.force({ ...decline, name: 'gone', times: 2 });
    expect(await pay('my-shop')).toBe(400);
    shop.snapshot('here');
    sandbox.all.clearRules('gone');
    sandbox.all.force({ ...decline, name: 'new' });
    shop.restore('here');
    expect(shop.rules().map(({ id, fired }) => [id, fired])).toEqual([
      ['old', 1],
      ['new', 0],
    ]);
  });

  it('is exported as a rule of the merchant', async () => {
    const { sandbox, pay } = await verbsOf('in process');
    sandbox.all.force({ ...decline, times: 2 });
    await pay('my-shop');
    const other = await verbsOf('in process');
    other.sandbox.merchant('copy').import(sandbox.merchant('my-shop').export());
    expect(other.sandbox.merchant('copy').rules()).toMatchObject([
      { id: 'all-1', source: 'armed', fired: 1 },
    ]);
    expect([await other.pay('copy'), await other.pay('copy')]).toEqual([400, 201]);
  });
});

describe('a request of another merchant than a rule is for', () => {
  const paid = async (sandbox: Sandbox, merchant: string, body = rawPaymentBody()) => {
    const shop = sandbox.merchant(merchant);
    const response = await shop.fetch('http://sandbox/v1/payments/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return shop.explain(response.headers.get('Paypal-Debug-Id'))?.summary ?? [];
  };
  const hint =
    'Rule rule-1 of merchant default would have matched this request; this is merchant my-shop.';

  it('is explained with the rule that would have matched', async () => {
    const { sandbox } = await verbsOf('in process');
    sandbox.force(decline);
    expect(await paid(sandbox, 'my-shop')).toContain(hint);
  });

  it.each<readonly [string, (sandbox: Sandbox) => unknown]>([
    [
      'another operation',
      (sandbox) => sandbox.force({ op: 'sale.refund', outcome: 'refund-already-done' }),
    ],
    [
      'other conditions',
      (sandbox) => sandbox.force({ ...decline, match: { 'header:x-tenant': 'red' } }),
    ],
    ['a rule that may stay unused', (sandbox) => sandbox.force({ ...decline, optional: true })],
    ['a rule that was removed', (sandbox) => (sandbox.force(decline), sandbox.clearRules())],
    ['a merchant that was reset', (sandbox) => (sandbox.force(decline), sandbox.reset())],
    [
      'a merchant that pays itself',
      async (sandbox) => (sandbox.force(decline), paid(sandbox, 'default')),
    ],
    [
      'a rule of its own',
      (sandbox) => (sandbox.force(decline), sandbox.merchant('my-shop').force(decline)),
    ],
  ])('is not explained so for %s', async (_, arm) => {
    const { sandbox } = await verbsOf('in process');
    await arm(sandbox);
    expect((await paid(sandbox, 'my-shop')).join(' ')).not.toContain('of merchant default');
  });

  it('makes a control call without a merchant hint at the merchant that sends requests', async () => {
    const { sandbox, pay } = await verbsOf('HTTP');
    const { url } = await sandbox.listen();
    const rules = `${url}/_sandbox/rules`;
    expect(await post(rules, 'POST', decline)).toEqual({ merchant: 'default', ids: ['rule-1'] });
    await pay('my-shop');
    const hinted = await post(rules, 'POST', decline);
    expect(hinted).toEqual({
      merchant: 'default',
      ids: ['rule-2'],
      hint: 'No merchant was named, so this acted on merchant default, which has sent no requests. Requests came from: my-shop. Add merchant=my-shop to the query.',
    });
    expect(await post(`${url}/_sandbox/hold`, 'POST', { op: 'payment.create', count: 1 })).toEqual({
      merchant: 'default',
      id: 'gate-1',
      hint: hinted['hint'],
    });
    const named = await post(`${rules}?merchant=my-shop`, 'POST', decline);
    expect(named).toEqual({ merchant: 'my-shop', ids: ['rule-1'] });
    expect(await post(`${rules}?prefix=my-`, 'POST', decline)).toEqual({
      merchants: ['my-shop'],
      ids: ['all-1'],
    });
  });
});
