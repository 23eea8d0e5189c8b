/** An answer to HEAD is a head alone: nothing of a body is sent, spoilt or counted. */
import { expect, it } from 'vitest';
import { request } from '../bad-input/raw-socket.ts';
import { Door, throughEveryDoor } from '../support/doors.ts';
import { storeCard } from '../support/purchases.ts';
import { Line } from './tcp.ts';

throughEveryDoor('HEAD', (door) => {
  it.each([
    'ok',
    'malformed-chunk',
    'truncated-body',
    'truncated-json',
    'empty-body-200',
    'wrong-content-encoding',
    'slow-dribble',
    'unknown-field-added',
  ])('is journaled as it went out, without a body: %s', async (outcome) => {
    const shop = door.shop();
    const path = `/v1/vault/credit-cards/${await storeCard(shop)}`;
    if (outcome !== 'ok') shop.merchant.force({ op: 'card.get', outcome });
    const answer = await door.fetch(door.base + path, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
    });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    const [entry] = await shop.merchant.waitFor({ operation: 'card.get' });
    expect(entry).toMatchObject({
      method: 'HEAD',
      status: 200,
      concludes: 'OK',
      delivery: { state: 'delivered', bytesTotal: 0, bytesDelivered: 0 },
    });
    expect(entry?.response).toBeUndefined();
  });

  it('of which nothing came is lost all the same', async () => {
    const shop = door.shop();
    shop.merchant.force({ op: 'card.list', outcome: 'garbage-then-close' });
    const asked = door.fetch(`${door.base}/v1/vault/credit-cards`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${shop.merchant.token}` },
    });
    await expect(asked).rejects.toThrow('fetch failed');
    const [entry] = await shop.merchant.waitFor({ operation: 'card.list' });
    expect(entry).toMatchObject({ concludes: 'UNKNOWN', delivery: { state: 'lost' } });
  });
});

it.each(['malformed-chunk', 'truncated-body', 'slow-dribble'])(
  'HEAD leaves the line clean for the next request: %s',
  async (outcome) => {
    const door = new Door('socket', {});
    await door.open();
    const shop = door.shop();
    const path = `/v1/vault/credit-cards/${await storeCard(shop)}`;
    shop.merchant.force({ op: 'card.get', outcome });
    const line = new Line(door);
    line.send(request(shop, { method: 'HEAD', path }));
    await expect.poll(() => line.text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
    const head = line.text;
    line.send(request(shop, { path: '/v1/vault/credit-cards/CARD-0AA00000AA0000000AAAAAAA' }));
    await expect.poll(() => line.text.slice(head.length)).toMatch(/^HTTP\/1\.1 404 /);
    line.leave();
    await door.close();
  },
);
