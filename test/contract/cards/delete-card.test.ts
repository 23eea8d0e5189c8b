import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { inOrder } from '../../support/in-order.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';

onEveryTransport('delete a card', (transport) => {
  it('204 answers without a body and a Content-Type', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    const reply = await shop.reply('card.delete', 204, { params });
    expect(reply.text).toBe('');
    expect(reply.headers.get('content-type')).toBeNull();
    expect(reply.headers.get('date')).toBe('Wed, 06 May 2026 07:08:09 GMT');
  });

  it.each([undefined, 'null', '{}', '[]', '', 'no JSON', '{"number":'])(
    '204 ignores a body of %j',
    async (body) => {
      const shop = transport.shop();
      await shop.ask('card.delete', 204, { params: { card_id: await storeCard(shop) }, body });
    },
  );

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    '204 ignores a body of type %s',
    async (type) => {
      const shop = transport.shop();
      const params = { card_id: await storeCard(shop) };
      const headers = { 'Content-Type': type };
      await shop.ask('card.delete', 204, { params, headers, body: '{}' });
    },
  );

  it.each([
    '/v1/vault/credit-cards/{card_id}',
    '/v1/vault/credit-cards/{card_id}/',
    '/v1/vault/credit-card/{card_id}',
    '/v1/vault/credit-card/{card_id}/',
    '/v1/vault/credit-cards/{card_id}?',
  ])('204 deletes the card at %s', async (path) => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.delete', 204, { path, params });
    await shop.ask('card.get', 404, { params });
  });

  it('404 refuses to delete a card twice', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.delete', 204, { params });
    const refused = await shop.ask('card.delete', 404, { params });
    expect(refused.name).toBe('INVALID_RESOURCE_ID');
  });

  it('404 refuses every operation on a deleted card', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { external_customer_id: 'cust-42' });
    const kept = await storeCard(shop, { external_customer_id: 'cust-42' });
    const params = { card_id: cardId };
    await shop.ask('card.delete', 204, { params });
    await shop.ask('card.get', 404, { params });
    const body = [{ op: 'replace', path: '/first_name', value: 'Grace' }];
    await shop.ask('card.update', 404, { params, body });
    const payment = paymentBody({ cardId, externalCustomerId: 'cust-42' });
    await shop.ask('payment.create', 404, { body: payment });
    const query = { external_customer_id: 'cust-42' };
    const { items } = await shop.ask('card.list', 200, { query });
    expect(items.map((card) => card.id)).toEqual([kept]);
  });

  it('204 leaves payments with the card unchanged', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const payment = await pay(shop, { cardId });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    const params = { payment_id: payment.id };
    expect(await shop.ask('payment.get', 200, { params })).toEqual(payment);
  });

  it('204 answers only one of many concurrent requests', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => shop.send('card.delete', { params })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });

  it('204 deletes an expired card', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    shop.merchant.clock.set('2040-01-01T00:00:00Z');
    await shop.ask('card.delete', 204, { params });
  });

  it('204 never reuses the id of a deleted card', async () => {
    const shop = transport.shop();
    const ids = await inOrder([1, 2, 3], async () => {
      const cardId = await storeCard(shop);
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      return cardId;
    });
    expect(new Set(ids).size).toBe(3);
  });
});
