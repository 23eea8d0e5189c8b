/** A proxy that spreads requests over new connections, and sends one of them twice. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { TestTransport, type Shop } from '../../../support/transports.ts';
import { openProxy } from '../support/doubling-proxy.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const transport = new TestTransport('socket', onTestTime);
beforeAll(() => transport.open());
afterAll(() => transport.close());

/** What to pay for, and with which request id. */
interface Order {
  readonly custom: string;
  readonly key: string | undefined;
}

/** Pays for orders one after the other through a proxy that sends the first of them twice, if it is told to. */
async function payThroughProxy(
  shop: Shop,
  orders: readonly Order[],
  isFirstDoubled: boolean,
): Promise<string[]> {
  const cardId = await storeCard(shop);
  let payments = 0;
  const proxy = await openProxy(
    transport.base,
    ({ url }) => url === '/v1/payments/payment' && ++payments === 1 && isFirstDoubled,
  );
  onTestFinished(() => proxy.close());
  for (const { custom, key } of orders) {
    const answer = await fetch(`${proxy.url}/v1/payments/payment`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${shop.merchant.token}`,
        'Content-Type': 'application/json',
        ...keyed(key),
      },
      body: JSON.stringify(paymentBody({ cardId, transaction: { custom } })),
    });
    expect(answer.status).toBe(201);
    await answer.text();
  }
  const { findings } = await shop.merchant.verdict();
  return findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

it.each([
  ['executes it once if it has a request id', 'one', 1, []],
  [
    'charges twice if it has none',
    undefined,
    2,
    ['high double-charge', 'high concurrent-duplicates'],
  ],
] as const)('a proxy that doubles a payment %s', async (_, key, charges, found) => {
  const shop = transport.shop();
  expect(await payThroughProxy(shop, [{ custom: 'order-7', key }], true)).toEqual(found);
  expect(shop.merchant.ledger().transfers).toHaveLength(charges);
});

it('a proxy that changes connections makes no duplicates of orders with names of their own', async () => {
  const orders = ['order-7', 'order-8', 'order-9'].map((custom) => ({ custom, key: custom }));
  expect(await payThroughProxy(transport.shop(), orders, true)).toEqual([]);
});

it('a retry through a proxy that changes connections is safe with the same request id', async () => {
  const order = { custom: 'order-7', key: 'one' };
  expect(await payThroughProxy(transport.shop(), [order, order], false)).toEqual([]);
});
