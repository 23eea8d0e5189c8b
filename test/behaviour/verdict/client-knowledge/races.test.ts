/** A verdict on requests that were sent together does not depend on where and how fast the client runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestTransport, type Shop } from '../../../support/transports.ts';
import { authorize, sell, storeCard } from '../../../support/purchases.ts';
import {
  cardBody,
  pans,
  paymentBody,
  rawPaymentBody,
  type PaymentParts,
} from '../../../support/samples.ts';
import { isFullRun } from '../../../support/vitest/runs.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { availableKinds, run, type ClientKind, type ClientRequest } from '../support/race.ts';

/** How often each race is run: `RACE_RUNS=100 npx vitest … races`. */
const runs = Number(process.env['RACE_RUNS'] ?? (isFullRun ? 2 : 1));

const transport = new TestTransport('socket', { clock: {}, limits: { maxMerchants: 100_000 } });
beforeAll(() => transport.open());
afterAll(() => transport.close());

let keys = 0;

function post(shop: Shop, path: string, body: unknown, key = `key-${++keys}`): ClientRequest {
  return {
    path,
    body,
    headers: {
      Authorization: `Bearer ${shop.merchant.token}`,
      'Content-Type': 'application/json',
      'PayPal-Request-Id': key,
    },
  };
}

function read(shop: Shop): ClientRequest {
  return {
    path: '/v1/vault/credit-cards?page_size=1',
    headers: { Authorization: `Bearer ${shop.merchant.token}` },
  };
}

const custom = 'order-77';

/** A name that several purchases may have, however much time passes between them. */
const anyCoffee = { transaction: { custom: 'Coffee' } };

/** A card that is not in the vault. */
const otherCard = { number: pans.mastercard, type: 'mastercard' };

/** A request to pay for one order, unless the parts say otherwise. */
function payment(shop: Shop, cardId: string, parts: Partial<PaymentParts> = {}): ClientRequest {
  const body = paymentBody({ cardId, transaction: { custom }, ...parts });
  return post(shop, '/v1/payments/payment', body);
}

async function send(
  kind: ClientKind,
  shop: Shop,
  ...steps: readonly (readonly ClientRequest[])[]
): Promise<void> {
  await run({ kind, fetch: shop.transport.sandbox.fetch, base: shop.transport.base, steps });
}

/** Payments of two sellers for one cart. */
function sellers(shop: Shop, cardId: string): readonly ClientRequest[] {
  return ['Seller A', 'Seller B'].map((description) =>
    payment(shop, cardId, { transaction: { custom, description } }),
  );
}

function declineForGood({ merchant }: Shop): void {
  merchant.force({
    op: 'payment.create',
    outcome: 'decline-lost-or-stolen',
    times: 2,
    per: 'merchant',
  });
}

/**
 * Two threads that start together may reach a busy machine's processor seconds apart. So long as that is less than the real
 * service is assumed to take, connections decide.
 */
const serviceTimeMs = 60_000;

/** How severe it is that a card was charged after its final decline. */
async function hardDeclinesIn({ merchant }: Shop): Promise<string[]> {
  const { findings } = await merchant.verdict({ serviceTimeMs });
  const found = findings.filter(({ rule }) => rule === 'charge-after-hard-decline');
  return found.map(({ severity }) => severity);
}

/** The findings about duplicates. How a client uses connections is another matter. */
async function duplicatesIn(
  shop: Shop,
  order: { serviceTimeMs?: number } = { serviceTimeMs },
): Promise<string[]> {
  return (await foundIn(shop, order)).filter((name) => !name.endsWith('connection-per-request'));
}

describe.each(availableKinds)('a client with %s', (kind) => {
  it.each([
    ['cold', 0],
    ['warm', 1],
    ['long used', 4],
  ])('always fails if it pays for one order twice at once: %s', async (_, reads) => {
    for (let times = 0; times < runs; times++) {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const warmUp = Array.from({ length: reads }, () => [read(shop), read(shop)]);
      await send(kind, shop, ...warmUp, [payment(shop, cardId), payment(shop, cardId)]);
      expect(await duplicatesIn(shop), `run ${times}`).toEqual([
        'high double-charge',
        'high concurrent-duplicates',
      ]);
    }
  });

  it.each([
    ['cold', 0],
    ['warm', 1],
    ['long used', 4],
  ])(
    'never fails if it pays two sellers at once with a card that is declined for good: %s',
    async (_, reads) => {
      for (let times = 0; times < runs; times++) {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        declineForGood(shop);
        const warmUp = Array.from({ length: reads }, () => [read(shop), read(shop)]);
        await send(kind, shop, ...warmUp, sellers(shop, cardId));
        expect(await hardDeclinesIn(shop), `run ${times}`).not.toContain('high');
      }
    },
  );

  it('fails if it tries the same order again after that', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    declineForGood(shop);
    await send(kind, shop, [payment(shop, cardId)], [payment(shop, cardId)]);
    expect(await hardDeclinesIn(shop)).toEqual(['high']);
  });

  it('fails if it pays the second seller after that, unless its connections leave it open', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    declineForGood(shop);
    await send(kind, shop, ...sellers(shop, cardId).map((one) => [one]));
    const found = await hardDeclinesIn(shop);
    if (kind === 'threads with a connection for each call') expect(found).toEqual(['medium']);
    // The `fetch` of another process may open a second connection.
    else if (kind === 'fetch of another process') expect(['medium', 'high']).toContain(found[0]);
    else expect(found).toEqual(['high']);
  });

  it('fails if it pays for both parts of a split order twice at once', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const parts = ['Seller A', 'Seller B'].map((description) => ({
      transaction: { custom, description },
    }));
    await send(
      kind,
      shop,
      [...parts, ...parts].map((part) => payment(shop, cardId, part)),
    );
    expect(await duplicatesIn(shop)).toEqual([
      'high double-charge',
      'high double-charge',
      'high concurrent-duplicates',
      'high concurrent-duplicates',
    ]);
  });

  it.each<[string, (shop: Shop, cardId: string) => readonly ClientRequest[]]>([
    [
      'description',
      (shop, cardId) =>
        ['A', 'B'].map((description) =>
          payment(shop, cardId, { transaction: { custom, description } }),
        ),
    ],
    [
      'items',
      (shop, cardId) =>
        ['A', 'B'].map((name) =>
          payment(shop, cardId, {
            transaction: {
              custom,
              item_list: { items: [{ name, quantity: '1', price: '30.11', currency: 'USD' }] },
            },
          }),
        ),
    ],
    [
      'shipping address',
      (shop, cardId) =>
        ['1 Road', '2 Road'].map((line1) =>
          payment(shop, cardId, {
            transaction: {
              custom,
              item_list: {
                shipping_address: {
                  recipient_name: 'Ada',
                  line1,
                  city: 'Sampleton',
                  country_code: 'US',
                },
              },
            },
          }),
        ),
    ],
    [
      'part of the amount',
      (shop, cardId) =>
        ['tax', 'shipping'].map((part) => {
          const details = { subtotal: '20.11', [part]: '10.00' };
          const amount = { total: '30.11', currency: 'USD', details };
          return payment(shop, cardId, { transaction: { custom, amount } });
        }),
    ],
    [
      'billing address of a card that is not stored',
      (shop) =>
        ['1 Road', '2 Road'].map((line1) => {
          const address = { line1, city: 'Sampleton', state: 'OH', postal_code: '43001' };
          const body = rawPaymentBody(
            { ...otherCard, billing_address: { ...address, country_code: 'US' } },
            { transaction: { custom } },
          );
          return post(shop, '/v1/payments/payment', body);
        }),
    ],
    [
      'last name on a card that is not stored',
      (shop) =>
        ['Ash', 'Birch'].map((last_name) => {
          const body = rawPaymentBody(
            { ...otherCard, first_name: undefined, last_name },
            { transaction: { custom } },
          );
          return post(shop, '/v1/payments/payment', body);
        }),
    ],
    [
      'customer',
      (shop, cardId) =>
        ['ada', 'bob'].map((externalCustomerId) =>
          payment(shop, cardId, { externalCustomerId, transaction: { custom } }),
        ),
    ],
    [
      'reference',
      (shop, cardId) =>
        ['A', 'B'].map((reference_id) =>
          payment(shop, cardId, { transaction: { custom, reference_id } }),
        ),
    ],
    [
      'custom',
      (shop, cardId) =>
        ['A', 'B'].map((name) => payment(shop, cardId, { transaction: { custom: name } })),
    ],
  ])('passes if two equal halves sent at once have another %s', async (_, halves) => {
    const shop = transport.shop();
    await send(kind, shop, halves(shop, await storeCard(shop)));
    expect(await duplicatesIn(shop)).toEqual([]);
    expect((await shop.merchant.verdict()).counts.purchases).toBe(2);
  });

  it('fails if it refunds one sale twice at once', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const refund = () =>
      post(shop, `/v1/payments/sale/${id}/refund`, { amount: { total: '10.00', currency: 'USD' } });
    await send(kind, shop, [refund(), refund()]);
    expect(await duplicatesIn(shop)).toEqual(['high double-refund', 'high concurrent-duplicates']);
  });

  it.each(['reason', 'description', 'invoice_number'])(
    'passes if two refunds sent at once have another %s',
    async (name) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const refunds = ['item 1', 'item 2'].map((value) =>
        post(shop, `/v1/payments/sale/${id}/refund`, {
          amount: { total: '10.00', currency: 'USD' },
          [name]: value,
        }),
      );
      await send(kind, shop, refunds);
      expect(await duplicatesIn(shop)).toEqual([]);
    },
  );

  it.each([
    [
      'fails if they exceed the authorized amount',
      '16.00',
      ['high concurrent-duplicates', 'high double-charge'],
    ],
    ['passes if they fit into it', '15.00', ['low concurrent-duplicates']],
    [
      'fails if their notes name one parcel',
      '15.00',
      ['high concurrent-duplicates', 'high double-charge'],
      ['Parcel 1', 'Parcel 1'],
    ],
    ['passes if their notes name two parcels', '15.00', [], ['Parcel 1', 'Parcel 2']],
    [
      'passes if their notes name no parcel',
      '15.00',
      ['low concurrent-duplicates'],
      ['Thank you', 'Thank you'],
    ],
  ] as const)('is judged if it sends two equal captures at once: %s', async (...story) => {
    const [, total, found, notes = [undefined, undefined]] = story;
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const takes = notes.map((note_to_payer) =>
      post(shop, `/v1/payments/authorization/${id}/capture`, {
        amount: { total, currency: 'USD' },
        note_to_payer,
      }),
    );
    await send(kind, shop, takes);
    expect((await duplicatesIn(shop)).toSorted()).toEqual(found);
  });
});

/** Clients that keep to one connection while they wait, or share the event loop of the sandbox. */
const certainKinds = availableKinds.filter(
  (kind) => kind === 'in process' || kind === 'fetch' || kind.endsWith('each thread'),
);

describe('a client that waits for each answer', () => {
  it.each(certainKinds)(
    'may sell two equal coffees under the name of the till: %s',
    async (kind) => {
      for (let times = 0; times < runs; times++) {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        // Then its pool has several connections.
        const warmUp = [read(shop), read(shop)];
        await send(
          kind,
          shop,
          warmUp,
          [payment(shop, cardId, anyCoffee)],
          [payment(shop, cardId, anyCoffee)],
        );
        expect(await duplicatesIn(shop), `run ${times}`).toEqual(['medium double-charge']);
      }
    },
  );

  it('may open a connection for each call if its purchases are further apart than the service takes', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const kind = 'fetch of another process';
    await send(kind, shop, [payment(shop, cardId, anyCoffee)]);
    shop.merchant.clock.advance(3_000);
    await send(kind, shop, [payment(shop, cardId, anyCoffee)]);
    expect(await duplicatesIn(shop, {})).toEqual(['medium double-charge']);
  });

  it('counts as two that pay at once if it changes connections, and may say that it waits', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (let times = 0; times < 2; times++) {
      await send('fetch of another process', shop, [payment(shop, cardId, anyCoffee)]);
    }
    const verdict = await shop.merchant.verdict({ serviceTimeMs });
    expect(findingOf(verdict, 'concurrent-duplicates').what).toMatch(
      /^2 requests for purchase "Coffee" were sent \S+ m?s apart on different connections, and 2 of them were executed\. The sandbox had answered each before the next one came\. They count as sent at once, because a client that waits for an answer uses its connection again, and the real service is assumed to take 60 s \(serviceTimeMs\)\. If your code waits for each answer, set serviceTimeMs to 0\. To be certain, hold them at a gate: if your code waits, the second one never comes\.$/,
    );
    expect(findingOf(verdict, 'double-charge').what).toMatch(
      / Both requests were sent \S+ m?s apart on different connections, which counts as sent at once, and the second request /,
    );
    expect(await foundIn(shop, { serviceTimeMs: 0 })).toEqual(['medium double-charge']);
  });
});

const oneConnection = 'threads with a connection for each thread';

describe.runIf(availableKinds.includes(oneConnection))(
  'a client that refunds two equal items on two connections',
  () => {
    /** Refunds an item in one process, and another one in a second process. */
    async function refundTwo(isLost: boolean): Promise<readonly string[]> {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const refund = () =>
        post(shop, `/v1/payments/sale/${id}/refund`, {
          amount: { total: '10.00', currency: 'USD' },
        });
      if (isLost) {
        shop.merchant.force({ op: 'card.create', outcome: 'reset-before-commit', per: 'merchant' });
      }
      const first = send(
        oneConnection,
        shop,
        [refund()],
        [post(shop, '/v1/vault/credit-cards', cardBody())],
      );
      if (isLost) await expect(first).rejects.toThrow('Error');
      else await first;
      await send(oneConnection, shop, [refund()]);
      return (await foundIn(shop, { serviceTimeMs })).filter((name) =>
        /double-refund|concurrent/.test(name),
      );
    }

    it('fails if nothing shows that the second refund waited', async () => {
      expect(await refundTwo(false)).toEqual(['high double-refund', 'high concurrent-duplicates']);
    });

    it('passes if a fault ended the first connection', async () => {
      expect(await refundTwo(true)).toEqual(['medium double-refund']);
    });
  },
);
