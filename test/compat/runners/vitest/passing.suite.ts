/** Run by `vitest.test.ts` in a vitest of its own: all of it passes. */
import { afterAll, afterEach, expect, vi } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { sandboxTest } from '../../../../src/vitest/index.ts';
import { openShop } from '../shop.ts';

const test = sandboxTest({ sandbox: { seed: 'runners', fixtures: 'empty' } });

afterEach(() => {
  vi.useRealTimers();
});

test('pays once though the answer is lost', async ({ sandbox, merchant }) => {
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
  expect(await merchant.verdict()).toPass();
});

test('pays over a socket', async ({ sandboxUrl, merchant }) => {
  const shop = openShop({ fetch, baseUrl: sandboxUrl, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
  expect(merchant.journal().entries.map(({ operation }) => operation)).toEqual([
    'token.create',
    'payment.create',
  ]);
});

test('lives with a finding', async ({ sandbox, merchant }) => {
  const reason = 'it is what this test shows';
  merchant.atEnd({ suppress: [{ rule: 'double-charge', reason }] });
  merchant.atEnd({ suppress: [{ rule: 'orphaned-charge', reason }] });
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: false });
  await shop.buy('order-1');
  const { transfers } = merchant.ledger();
  expect(transfers).toHaveLength(2);
  merchant.atEnd({
    suppress: [{ rule: 'new-key-on-retry', reason }],
    beliefs: { [transfers[0]?.payment ?? '']: 'paid' },
  });
  expect(await merchant.verdict()).not.toPass();
});

test('may have charged twice', async ({ sandbox, merchant }) => {
  const withoutId: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('PayPal-Request-Id');
    return sandbox.fetch(input, { ...init, headers });
  };
  const shop = openShop({ fetch: withoutId, clientId: merchant.id });
  await shop.buy('order-1');
  await shop.buy('order-1');
});

test('asks nothing, and says so', ({ merchant }) => {
  merchant.atEnd({ allowNoRequests: true });
  expect(merchant.ledger().transfers).toEqual([]);
});

test('is not judged', ({ merchant }) => {
  merchant.atEnd({ judge: false });
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  expect(merchant.unfired()).toHaveLength(1);
});

test('takes no merchant, and has none', ({ sandbox }) => {
  expect(sandbox.merchants()).toEqual([]);
});

test('is judged under fake timers', async ({ sandbox, merchant }) => {
  vi.useFakeTimers();
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
});

test('throws at once for options that no verdict has', ({ merchant }) => {
  merchant.atEnd({ allowNoRequests: true });
  // A caller without types may call it like this.
  const atEnd = merchant.atEnd as (order: unknown) => void;
  expect(() => atEnd(undefined)).toThrow('atEnd expects an object with any of judge, failOn,');
  expect(() => atEnd({ jugde: false })).toThrow(
    'atEnd: unknown key "jugde". Did you mean "judge"?',
  );
  expect(() => atEnd({ judge: 'no' })).toThrow('judge must be true or false, got "no".');
  expect(() => atEnd({ suppress: null })).toThrow('verdict suppress: must be a list');
  expect(() => sandboxTest({ verdict: { failOn: 'low' } as object })).toThrow(/^verdict failOn: /);
  expect(() => sandboxTest({ verdict: null } as object)).toThrow('verdict expects an object');
});

let tries = 0;

test('resets the merchant before each try', { retry: 1 }, async ({ sandbox, merchant }) => {
  tries += 1;
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  await shop.buy('order-1');
  expect(merchant.ledger().transfers).toHaveLength(1);
  expect(tries).toBe(2);
});

test.describe.concurrent('side by side', () => {
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`has its own money: ${count} orders`, async ({ sandbox, merchant }) => {
      const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
      for (let order = 1; order <= count; order++) {
        await shop.buy(`order-${order}`);
        // Lets the others take their turn between two orders.
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(merchant.ledger().transfers).toHaveLength(count);
    });
  }
});

const remote = createSandbox({ seed: 'elsewhere' });
const { url } = await remote.listen({ port: 0 });
afterAll(() => remote.close());

const testThere = sandboxTest({ url, prefix: 'ci-7', keep: true });

testThere('drives a sandbox that runs elsewhere', async ({ sandbox, sandboxUrl, merchant }) => {
  expect([sandbox.url, sandboxUrl]).toEqual([url, url]);
  await merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const shop = openShop({ fetch: sandbox.fetch, clientId: merchant.id, keepsKey: true });
  expect(await shop.buy('order-1')).toBe('completed');
  expect(remote.merchants()).toEqual([
    expect.stringMatching(/^ci-7-drives-a-sandbox-that-runs-elsewhere~[\w-]+$/),
  ]);
  expect(merchant.id).toBe(remote.merchants()[0]);
});
