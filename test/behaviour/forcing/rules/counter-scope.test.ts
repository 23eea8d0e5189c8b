/** Which attempts a rule counts together: per card, sale or purchase. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { saleOf, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { see } from '../tolerant-client.ts';
import { worldDocumentOf } from '../../../support/worlds/world-document.ts';

const numbers = ['4417119669820331', '4242424242424242', '4417119669820331'];

/** Sends payments with these bodies in sequence and returns their statuses. */
async function paying(shop: Shop, bodies: readonly unknown[]): Promise<(number | undefined)[]> {
  const seen = await inOrder(bodies, (body) => see(shop, 'payment.create', { body }));
  return seen.map(({ status }) => status);
}

/** Declines the second payment of each card. */
const secondDeclined = {
  op: 'payment.create',
  per: 'card',
  outcome: 'decline-generic',
  nth: 2,
  times: 9,
} as const;

onEveryTransport('a rule that counts per card', (transport) => {
  it('counts the payments with each vaulted card separately', async () => {
    const shop = transport.shop();
    const ids = [await storeCard(shop), await storeCard(shop)];
    shop.merchant.force(secondDeclined);
    const bodies = [...ids, ...ids, ...ids].map((cardId) => paymentBody({ cardId }));
    expect(await paying(shop, bodies)).toEqual([201, 201, 400, 400, 201, 201]);
  });

  it('counts the payments with each raw card separately', async () => {
    const shop = transport.shop();
    shop.merchant.force(secondDeclined);
    const bodies = numbers.map((number) => rawPaymentBody({ number }));
    expect(await paying(shop, bodies)).toEqual([201, 201, 400]);
  });

  it('counts the requests that store each number separately', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'card.create',
      per: 'card',
      outcome: 'error-500-before-commit',
      nth: 2,
      times: 9,
    });
    const seen = await inOrder(numbers, (number) =>
      see(shop, 'card.create', { body: { ...cardBody(), number } }),
    );
    expect(seen.map(({ status }) => status)).toEqual([201, 201, 500]);
  });
});

onEveryTransport('a rule that counts per sale', (transport) => {
  it('counts the refunds of each sale separately', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const sales = await inOrder(
      ['10.00', '20.00'],
      async (total) =>
        saleOf(await shop.ask('payment.create', 201, { body: paymentBody({ cardId, total }) })).id,
    );
    shop.merchant.force({
      op: 'sale.refund',
      per: 'sale',
      outcome: 'error-500-before-commit',
      nth: 1,
      times: 9,
    });
    const seen = await inOrder([...sales, ...sales], (sale) =>
      see(shop, 'sale.refund', {
        path: `/v1/payments/sale/${sale}/refund`,
        body: { amount: { total: '1.00', currency: 'USD' } },
      }),
    );
    expect(seen.map(({ status }) => status)).toEqual([500, 500, 201, 201]);
  });
});

onEveryTransport('a rule that counts per purchase', (transport) => {
  it('forgets the oldest of ten thousand purchases when another one arrives', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    merchant.force({ op: 'card.create', outcome: 'error-500-before-commit', nth: 2, times: 9 });
    const world = worldDocumentOf(merchant);
    const [rule] = world.ruleBook.rules;
    if (rule === undefined) throw new Error('No rule was armed.');
    const attempts = Array.from({ length: 10_000 }, (_, at) => [`purchase ${at}`, 1] as const);
    const changed = { ...world, ruleBook: { ...world.ruleBook, rules: [{ ...rule, attempts }] } };
    merchant.import(changed);
    await see(shop, 'card.create', { body: cardBody() });
    const [counted] = worldDocumentOf(merchant).ruleBook.rules;
    expect(counted?.attempts).toHaveLength(10_000);
    expect(counted?.attempts[0]).toEqual(['purchase 1', 1]);
  });
});
