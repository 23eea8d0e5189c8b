/** One worker pays with a card while another one deletes it. Either may come first. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { merchantBalanceMinor, pay, storeCard } from '../../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { see } from '../tolerant-client.ts';

type First = 'deletion' | 'payment';

/** Deletes the card during the next payment. */
function race(shop: Shop, first: First): void {
  const phase = first === 'deletion' ? 'before-commit' : 'after-commit';
  shop.merchant.force({
    op: 'payment.create',
    outcome: { outcome: 'card-deleted-during-payment', with: { phase } },
  });
}

async function isGone(shop: Shop, cardId: string): Promise<void> {
  await shop.ask('card.get', 404, { params: { card_id: cardId } });
  await shop.ask('payment.create', 404, { body: paymentBody({ cardId }) });
}

onEveryTransport('a card that is deleted during a payment', (transport) => {
  it('refuses the payment without moving money if the deletion comes first', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    race(shop, 'deletion');
    const refused = await shop.reply('payment.create', 404, { body: paymentBody({ cardId }) });
    expect(refused.body).toMatchObject({ name: 'INVALID_RESOURCE_ID' });
    expect(refused.headers.get('sandbox-outcome')).toBe('card-deleted-during-payment; by=armed');
    expect(merchantBalanceMinor(shop)).toBe(0);
    await isGone(shop, cardId);
  });

  it('pays once if the payment comes first, and never again', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    race(shop, 'payment');
    const { id } = await pay(shop, { cardId });
    expect(merchantBalanceMinor(shop)).toBe(3011);
    await isGone(shop, cardId);
    await shop.ask('payment.get', 200, { params: { payment_id: id } });
    expect(merchantBalanceMinor(shop)).toBe(3011);
  });

  it.each(['deletion', 'payment'] as const)(
    'is deleted even if the payment request gets no response (%s first)',
    async (first) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      race(shop, first);
      shop.merchant.force({ op: 'payment.create', outcome: 'error-503-before-commit' });
      const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
      expect(seen.status).toBe(503);
      expect(merchantBalanceMinor(shop)).toBe(0);
      await isGone(shop, cardId);
    },
  );

  it.each(['deletion', 'payment'] as const)(
    'answers a retry by the state of the ledger (%s first)',
    async (first) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const call = {
        body: paymentBody({ cardId }),
        headers: { 'PayPal-Request-Id': 'order-1' },
      };
      race(shop, first);
      const status = first === 'deletion' ? 404 : 201;
      await shop.reply('payment.create', status, call);
      await shop.reply('payment.create', status, call);
      expect(merchantBalanceMinor(shop)).toBe(first === 'deletion' ? 0 : 3011);
    },
  );

  it('causes no finding for a client that stores another card and pays with it', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    race(shop, 'deletion');
    await shop.ask('payment.create', 404, { body: paymentBody({ cardId }) });
    await pay(shop);
    const verdict = await shop.merchant.verdict({ failOn: 'medium' });
    expect(verdict.findings).toEqual([]);
    expect(verdict.passed).toBe(true);
  });

  it('leaves an unknown outcome if the payment came first and the response was lost', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    race(shop, 'payment');
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    const seen = await see(shop, 'payment.create', { body: paymentBody({ cardId }) });
    expect(seen.broke).toBe('ECONNRESET');
    const { findings } = await shop.merchant.verdict();
    expect(findings.map(({ rule }) => rule)).toContain('no-read-after-unknown');
  });

  it('waits for a payment with a stored card', async () => {
    const shop = transport.shop();
    race(shop, 'deletion');
    await shop.ask('payment.create', 201, { body: rawPaymentBody() });
    expect(shop.merchant.unfired()).toMatchObject([
      { fired: 0, lastMiss: 'the request names no stored card' },
    ]);
  });
});
