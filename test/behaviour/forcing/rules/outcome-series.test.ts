/** Outcomes that consist of others: a few failures, then success. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { see } from '../tolerant-client.ts';

const statuses = (shop: Shop, cardId: string, orders: readonly string[]) =>
  inOrder(orders, async (description) => {
    const body = paymentBody({ cardId, transaction: { description } });
    return (await see(shop, 'payment.create', { body })).status;
  });

const five = Array.from({ length: 5 }, () => 'one order');

onEveryTransport('a series of outcomes', (transport) => {
  it.each([
    ['soft-decline-then-approve', [400, 400, 201, 201, 201]],
    ['error-then-ok', [500, 500, 201, 201, 201]],
    ['token-expires-mid-flow', [401, 201, 201, 201, 201]],
    ['token-401-burst', [401, 401, 401, 401, 401]],
  ] as const)(
    '%s fails as often as the catalogue says, then succeeds',
    async (outcome, expected) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome });
      expect(await statuses(shop, cardId, five)).toEqual(expected);
      expect(await statuses(shop, cardId, ['one order'])).toEqual([201]);
      expect(shop.merchant.rules()).toMatchObject([
        { fired: expected.filter((one) => one !== 201).length },
      ]);
    },
  );

  it('fails as often as its parameter says, for each purchase if a scenario counts per intent', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario({
      scenario: 'soft',
      version: 1,
      about: 'Money comes later.',
      rules: [
        {
          op: 'payment.create',
          per: 'intent',
          then: { outcome: 'soft-decline-then-approve', with: { times: 1 } },
        },
      ],
    });
    const cardId = await storeCard(shop);
    const orders = ['red', 'green', 'red', 'green', 'green', 'blue'];
    expect(await statuses(shop, cardId, orders)).toEqual([400, 400, 201, 201, 201, 400]);
  });

  it('counts from its own position in a longer sequence', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({
      op: 'payment.create',
      sequence: ['rate-limited-seconds', 'error-then-ok'],
    });
    expect(await statuses(shop, cardId, five)).toEqual([429, 500, 500, 201, 201]);
  });

  it('fails once if another step follows it', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({
      op: 'payment.create',
      sequence: ['error-then-ok', 'ok', 'decline-generic'],
    });
    expect(await statuses(shop, cardId, five)).toEqual([500, 201, 400, 201, 201]);
    expect(shop.merchant.rules()).toMatchObject([{ fired: 3 }]);
  });

  it('names in each response the outcome that applied', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'error-then-ok' });
    const said = await inOrder([1, 2, 3], async () => {
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      return seen.headers.get('sandbox-outcome');
    });
    expect(said).toEqual([
      'error-500-before-commit; by=armed',
      'error-500-before-commit; by=armed',
      null,
    ]);
  });
});
