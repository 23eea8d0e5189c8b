import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { inOrder } from '../../support/in-order.ts';
import { storeCard } from '../../support/purchases.ts';
import { cardBody } from '../../support/samples.ts';

onEveryTransport('show a card', (transport) => {
  it('200 shows the card byte for byte as its creation answered', async () => {
    const shop = transport.shop();
    const stored = await shop.reply('card.create', 201, { body: cardBody({ payer_id: 7 }) });
    const shown = await shop.reply('card.get', 200, { params: { card_id: stored.body.id } });
    expect(shown.text).toBe(stored.text);
  });

  it.each([
    '/v1/vault/credit-cards/{card_id}',
    '/v1/vault/credit-cards/{card_id}/',
    '/v1/vault/credit-card/{card_id}',
    '/v1/vault/credit-card/{card_id}/',
    '/v1/vault/credit-cards/{card_id}?',
    '/v1/vault/credit-cards/{card_id}/?a=&b',
  ])('200 answers at %s', async (path) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const card = await shop.ask('card.get', 200, { path, params: { card_id: cardId } });
    expect(card.id).toBe(cardId);
  });

  it('200 ignores the Content-Type and Accept of the request', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    await inOrder(['application/json', 'text/plain', 'x'], async (type) => {
      await shop.ask('card.get', 200, {
        params,
        headers: { 'Content-Type': type, Accept: 'text/html' },
      });
    });
  });

  it("200 shows the state expired from valid_until on the merchant's clock", async () => {
    const shop = transport.shop();
    const stored = await shop.ask('card.create', 201, { body: cardBody() });
    const params = { card_id: stored.id };
    shop.merchant.clock.set('2029-05-04T23:59:59.999Z');
    expect(await shop.ask('card.get', 200, { params })).toEqual(stored);
    shop.merchant.clock.advance(1);
    expect(await shop.ask('card.get', 200, { params })).toEqual({ ...stored, state: 'expired' });
    expect((await shop.ask('card.list', 200)).items).toEqual([{ ...stored, state: 'expired' }]);
  });

  it('200 answers HEAD without a body', async () => {
    const shop = transport.shop();
    const response = await transport.fetch(
      `${transport.base}/v1/vault/credit-cards/${await storeCard(shop)}`,
      { method: 'HEAD', headers: { Authorization: `Bearer ${shop.merchant.token}` } },
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe('');
  });

  it('404 refuses an id that differs by a character or by case', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const near = [cardId.slice(0, -1), `${cardId}A`, cardId.toLowerCase(), ` ${cardId}`];
    await inOrder(near, async (id) => {
      const refused = await shop.ask('card.get', 404, { params: { card_id: id } });
      expect(refused).toMatchObject({
        name: 'INVALID_RESOURCE_ID',
        message: 'The requested resource ID was not found',
      });
      expect(refused).not.toHaveProperty('details');
    });
  });

  it('404 forgets a card once it is deleted', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    await shop.ask('card.delete', 204, { params });
    await shop.ask('card.get', 404, { params });
  });

  it('404 forgets a card once its merchant is reset', async () => {
    const shop = transport.shop();
    const params = { card_id: await storeCard(shop) };
    shop.merchant.reset();
    await shop.ask('card.get', 404, { params });
  });
});
