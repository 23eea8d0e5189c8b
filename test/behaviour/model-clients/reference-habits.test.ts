/** How the reference client behaves, apart from being right about the money. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Listening, type Merchant } from '../../../src/index.ts';
import { forcible, operationsOf, quickParams } from '../forcing/catalogue/request-plans.ts';
import { dayMs } from '../../support/purchases.ts';
import {
  countTransfers,
  openReferenceShop,
  order,
  requireDone,
  warmUp,
} from './reference/reference-shop.ts';

const sandbox = createSandbox({ seed: 'habits', clock: { frozen: true } });
let transport: Listening;
let shops = 0;

beforeAll(async () => {
  transport = await sandbox.listen({ port: 0 });
});
afterAll(() => sandbox.close());

function open(keys = new Map<string, string>()) {
  return openReferenceShop(sandbox.merchant(`shop-${++shops}`), transport.url, keys);
}

const triesOf = (merchant: Merchant) => merchant.journal({ operation: 'payment.create' }).entries;

function gapsMs(merchant: Merchant): number[] {
  const times = triesOf(merchant).map(({ atMs }) => atMs);
  return times.slice(1).map((atMs, at) => atMs - (times[at] ?? 0));
}

it.each([
  ['sale-pending-then-completed', 'done', 1],
  ['sale-pending-then-denied', 'not-done', 0],
  ['sale-pending-forever', 'pending', 0],
] as const)('learns later how a pending sale ended: %s', async (outcome, state, charges) => {
  const counter = open();
  const before = countTransfers(counter, 'sale');
  counter.merchant.force({ op: 'payment.create', outcome });
  expect(await counter.client.pay(order)).toMatchObject({ state: 'pending' });
  counter.merchant.clock.advance(3 * dayMs);
  expect(await counter.client.recheck(order)).toMatchObject({ state });
  expect(countTransfers(counter, 'sale') - before).toBe(charges);
});

const ofTheToken = forcible.filter(
  (outcome) => operationsOf(outcome).includes('token.create') && outcome.id !== 'connect-refused',
);

it.each(ofTheToken.map((outcome) => [outcome.id, outcome] as const))(
  'is right about the money if its token fails: %s',
  async (id, outcome) => {
    const counter = openReferenceShop(sandbox.merchant(`shop-${++shops}`), transport.url);
    const before = countTransfers(counter, 'sale');
    counter.merchant.force({
      op: 'token.create',
      outcome: { outcome: id, with: quickParams(outcome) },
    });
    const belief = await counter.client.pay(order);
    const charges = countTransfers(counter, 'sale') - before;
    expect([belief.state, charges]).toEqual(charges === 1 ? ['done', 1] : ['not-done', 0]);
  },
);

it('continues with a valid token while it cannot get a new one', async () => {
  const counter = open();
  await warmUp(counter);
  counter.merchant.force({ op: 'token.create', outcome: 'token-endpoint-down', times: 9 });
  // Within the time in which it already tries to renew the token.
  counter.merchant.clock.advance(9 * 3_600_000 - 30_000);
  expect(await counter.client.pay(order)).toMatchObject({ state: 'done' });
});

it('requests one token for all calls, parallel ones included', async () => {
  const { client, merchant } = open();
  const orders = Array.from({ length: 6 }, (_, at) => ({ ...order, invoice: `order-${at}` }));
  const beliefs = await Promise.all(orders.map((one) => client.pay(one)));
  for (const one of orders.slice(0, 2)) beliefs.push(await client.pay({ ...one }));
  expect(beliefs.map(({ state }) => state)).toEqual(beliefs.map(() => 'done'));
  expect(merchant.journal({ operation: 'token.create' }).entries).toHaveLength(1);
});

it('sends one request id for each intent and stores it before the first attempt', async () => {
  const keys = new Map<string, string>();
  const { client, merchant } = open(keys);
  merchant.force({
    op: 'payment.create',
    sequence: ['reset-after-commit', 'truncated-json', 'error-502-after-commit', 'ok'],
  });
  expect(await client.pay(order)).toMatchObject({ state: 'done' });
  const sent = triesOf(merchant).map(({ requestId }) => requestId);
  expect(sent).toHaveLength(4);
  expect(new Set(sent)).toEqual(new Set(keys.values()));
});

it('continues after a crash with the stored request id', async () => {
  const keys = new Map<string, string>();
  const first = open(keys);
  const before = countTransfers(first, 'sale');
  const { paymentId } = requireDone(await first.client.pay(order));
  // Another process with the same database.
  const second = openReferenceShop(first.merchant, transport.url, keys);
  expect(requireDone(await second.client.pay(order)).paymentId).toBe(paymentId);
  const sent = triesOf(first.merchant).map(({ requestId }) => requestId);
  expect(sent).toEqual([...keys.values(), ...keys.values()]);
  expect(countTransfers(first, 'sale') - before).toBe(1);
});

it('finds the payment by its invoice number if the service ignores the request id', async () => {
  const counter = open();
  const before = countTransfers(counter, 'sale');
  counter.merchant.force({
    op: 'payment.create',
    sequence: ['reset-after-commit', 'request-id-ignored'],
  });
  expect(await counter.client.pay(order)).toMatchObject({ state: 'done' });
  expect(triesOf(counter.merchant).map(({ problem }) => problem)).toEqual([
    undefined,
    'DUPLICATE_TRANSACTION',
  ]);
  expect(countTransfers(counter, 'sale') - before).toBe(1);
});

it('finds a payment that is not on the first page of the list', async () => {
  const counter = open();
  requireDone(await counter.client.pay(order));
  for (let at = 0; at < 25; at++) {
    requireDone(await counter.client.pay({ ...order, invoice: `later-${at}` }));
  }
  expect(await counter.client.recheck(order)).toMatchObject({ state: 'done' });
});

it.each(['rate-limited-seconds', 'rate-limited-http-date', 'error-503-before-commit'] as const)(
  'waits at least as long as the answer asks: %s',
  async (outcome) => {
    const { client, merchant } = open();
    merchant.force({
      op: 'payment.create',
      outcome: { outcome, with: { retryAfter: 7 } },
      times: 2,
    });
    expect(await client.pay(order)).toMatchObject({ state: 'done' });
    expect(gapsMs(merchant)).toHaveLength(2);
    // A date has whole seconds.
    expect(Math.min(...gapsMs(merchant))).toBeGreaterThan(6_000);
  },
);

it('waits longer after each attempt if the answer asks for no wait', async () => {
  const { client, merchant } = open();
  merchant.force({ op: 'payment.create', outcome: 'error-500-after-commit', times: 3 });
  expect(await client.pay(order)).toMatchObject({ state: 'done' });
  expect(gapsMs(merchant)).toEqual([750, 1500, 3000]);
});
