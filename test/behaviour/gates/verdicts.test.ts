/** Races that gates hold: the verdict is the same every time, in whatever order they are released. */
import { expect, it } from 'vitest';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { authorize, sell, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { onEveryTransport, type Request, type Shop } from '../../support/transports.ts';
import { foundIn } from '../verdict/support/findings.ts';
import { keyed } from '../verdict/support/payment-attempts.ts';

type Call = readonly [name: OperationName, request: Request];

const orders = [
  [1, 2],
  [2, 1],
] as const;
const places = ['before-commit', 'before-answer'] as const;
const cases = orders.flatMap((order) => places.map((at) => ({ order, at })));

/** Sends two requests that a gate holds, and releases them in this order. Returns what the verdict says of duplicates. */
async function race(
  shop: Shop,
  calls: readonly Call[],
  { order, at }: (typeof cases)[number],
): Promise<string[]> {
  shop.merchant.hold({ op: calls.map(([name]) => name), count: calls.length, at });
  const answers = [];
  for (const [index, [name, request]] of calls.entries()) {
    answers.push(shop.send(name, request));
    await shop.merchant.waitForHeld({ times: index + 1, timeoutMs: 120_000 });
  }
  shop.merchant.release(order);
  await Promise.all(answers);
  return foundIn(shop);
}

const payment = (cardId: string, custom: string | undefined, key?: string): Call => [
  'payment.create',
  {
    body: paymentBody({ cardId, transaction: { ...(custom !== undefined && { custom }) } }),
    headers: keyed(key),
  },
];

const refund = (saleId: string, key: string, change: Readonly<Record<string, unknown>>): Call => [
  'sale.refund',
  { params: { sale_id: saleId }, body: change, headers: keyed(key) },
];

const ten = { amount: { total: '10.00', currency: 'USD' } };

onEveryTransport('two requests that a gate holds', (transport) => {
  it.each(cases)('are a double click, released $order, held $at', async (row) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const clicks = [payment(cardId, 'order-7', 'one'), payment(cardId, 'order-7', 'two')];
    expect(await race(shop, clicks, row)).toEqual([
      'high double-charge',
      'high concurrent-duplicates',
    ]);
  });

  it.each(cases)('are a double click without a name, released $order, held $at', async (row) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    expect(await race(shop, [payment(cardId, undefined), payment(cardId, undefined)], row)).toEqual(
      ['high double-charge', 'high concurrent-duplicates'],
    );
  });

  it.each(cases)('may be two orders, released $order, held $at', async (row) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const others = [payment(cardId, 'order-7', 'one'), payment(cardId, 'order-8', 'two')];
    expect(await race(shop, others, row)).toEqual([]);
  });

  it.each(cases)(
    'are a capture and a void, one of which is refused, released $order, held $at',
    async (row) => {
      const shop = transport.shop();
      const params = { authorization_id: (await authorize(shop)).id };
      const body = { amount: { total: '30.11', currency: 'USD' }, is_final_capture: true };
      const calls: Call[] = [
        ['auth.capture', { params, body, headers: keyed('one') }],
        ['auth.void', { params, body: {}, headers: keyed('two') }],
      ];
      expect(await race(shop, calls, row)).toEqual([]);
    },
  );

  it.each(cases)('are two refunds of one item, released $order, held $at', async (row) => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    expect(await race(shop, [refund(id, 'one', ten), refund(id, 'two', ten)], row)).toEqual([
      'high double-refund',
      'high concurrent-duplicates',
    ]);
  });

  it.each(cases)('are refunds of two items, released $order, held $at', async (row) => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const items = ['a', 'b'].map((item) =>
      refund(id, item, { ...ten, description: `item ${item}` }),
    );
    expect(await race(shop, items, row)).toEqual([]);
  });

  it.each(cases)(
    'are full refunds, one of which the service refuses, released $order, held $at',
    async (row) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      expect(await race(shop, [refund(id, 'one', {}), refund(id, 'two', {})], row)).toEqual([
        'low double-refund',
        'low concurrent-duplicates',
      ]);
    },
  );

  it.each(cases)(
    'are partial refunds, one of which is more than what is left, released $order, held $at',
    async (row) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const most = { amount: { total: '20.00', currency: 'USD' } };
      expect(await race(shop, [refund(id, 'one', most), refund(id, 'two', most)], row)).toEqual([
        'low concurrent-duplicates',
      ]);
    },
  );

  it('are full refunds, one of which was refused by chance, so the other one could have been made twice', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-already-done', nth: 2 });
    expect(
      await race(shop, [refund(id, 'one', ten), refund(id, 'two', ten)], {
        order: [1, 2],
        at: 'before-commit',
      }),
    ).toEqual(['medium concurrent-duplicates']);
  });

  it.each(cases)(
    'are a refresh of the token by each call, released $order, held $at',
    async (row) => {
      const shop = transport.shop();
      const token: Call = ['token.create', { body: 'grant_type=client_credentials' }];
      expect(await race(shop, [token, token], row)).toEqual(['low token-stampede']);
    },
  );

  it('fail the verdict if only one of them came, because the test proves nothing', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    const [name, request] = payment(cardId, 'order-7', 'one');
    const only = shop.send(name, request);
    await shop.merchant.waitForHeld({ times: 1, timeoutMs: 120_000 });
    shop.merchant.release();
    await only;
    const { passed, reasons, unfilled } = await shop.merchant.verdict();
    expect([passed, unfilled]).toEqual([false, [{ gate: 'gate-1', came: 1, count: 2 }]]);
    expect(reasons.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^Gate gate-1 .* did not fill .*: 1 of 2 came before release\(\) was called\. If a correct client sends fewer, make the gate optional\.$/,
      ),
    ]);
    expect((await shop.merchant.verdict({ allowUnfired: true })).passed).toBe(true);
  });

  it('may not come if the gate is optional', async () => {
    const shop = transport.shop();
    shop.merchant.hold({ op: 'payment.create', count: 2, optional: true });
    await storeCard(shop);
    expect((await shop.merchant.verdict()).reasons).toEqual([]);
  });
});
