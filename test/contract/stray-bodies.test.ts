/** Bodies where none belongs. `fetch` cannot send one with GET, so these requests are written by node:http. */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../support/transports.ts';
import { inOrder } from '../support/in-order.ts';
import { storeCard } from '../support/purchases.ts';

function getWithBody(shop: Shop, path: string, body: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(
      shop.transport.base + path,
      {
        method: 'GET',
        headers: {
          Authorization: `Bearer ${shop.merchant.token}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          resolve([response.statusCode ?? 0, text]);
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

onEveryTransport('a GET with a body', (transport) => {
  // In process a request is a web-standard Request, and that cannot hold one.
  const bodies =
    transport.name === 'socket' ? ['null', '{}', '[]', 'no JSON', 'x'.repeat(100_000)] : [];

  it('200 ignores a body on a request that takes none', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const shown = await shop.reply('card.get', 200, { params: { card_id: cardId } });
    const listed = await shop.reply('card.list', 200);
    await inOrder(bodies, async (body) => {
      const one = await getWithBody(shop, `/v1/vault/credit-cards/${cardId}`, body);
      expect(one).toEqual([200, shown.text]);
      const all = await getWithBody(shop, '/v1/vault/credit-cards', body);
      expect(all).toEqual([200, listed.text]);
    });
  });
});
