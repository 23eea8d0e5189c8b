/** Events that fall due while a request is read or held happen before its response. */
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestTransport, testNow, type Shop } from '../../../support/transports.ts';
import { saleOf, storeCard } from '../../../support/purchases.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';

let nowMs = Date.parse(testNow);
/** How long and where the next requests are held. */
let held: { readonly at?: 'beforeRead' | 'beforeCommit'; readonly ms?: number } = {};
const holdAt = (at: 'beforeRead' | 'beforeCommit') => async () => {
  if (held.at === at) nowMs += held.ms ?? 0;
};
const transport = new TestTransport('socket', {
  clock: {},
  systemClock: { nowMs: () => nowMs },
  hooks: { beforeRead: holdAt('beforeRead'), beforeCommit: holdAt('beforeCommit') },
});
beforeAll(() => transport.open());
afterAll(() => transport.close());
beforeEach(() => {
  held = {};
});

async function pendingSale(shop: Shop) {
  const cardId = await storeCard(shop);
  shop.merchant.force({
    op: 'payment.create',
    then: { outcome: 'sale-pending-then-completed', with: { settleAfter: '10s' } },
  });
  return saleOf(await shop.ask('payment.create', 201, { body: paymentBody({ cardId }) }));
}

describe.each(['beforeRead', 'beforeCommit'] as const)('a request that is held (%s)', (at) => {
  it('changes a card after the events that happened meanwhile, so that update_time increases', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'card.create',
      then: { outcome: 'card-auto-updated', with: { after: '10s' } },
    });
    const { id } = await shop.ask('card.create', 201, { body: cardBody() });
    held = { at, ms: 20_000 };
    const params = { card_id: id };
    const changed = await shop.ask('card.update', 200, {
      params,
      body: [{ op: 'replace', path: '/first_name', value: 'Zoe' }],
    });
    held = {};
    expect(await shop.ask('card.get', 200, { params })).toMatchObject({
      update_time: changed.update_time,
      expire_year: changed.expire_year,
    });
  });
});

it('sees the sale as it is when the request is released', async () => {
  const shop = transport.shop();
  const { id } = await pendingSale(shop);
  held = { at: 'beforeRead', ms: 20_000 };
  await shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });
});

it('sees the sale as it is when the whole body has arrived', async () => {
  const shop = transport.shop();
  const { id } = await pendingSale(shop);
  const { hostname, port } = new URL(transport.base);
  const socket = connectTcp(Number(port), hostname);
  socket.write(
    [
      `POST /v1/payments/sale/${id}/refund HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${shop.merchant.token}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      '\r\n',
    ].join('\r\n'),
  );
  await shop.merchant.waitFor({ operation: 'sale.refund', delivery: 'open' });
  nowMs += 20_000;
  socket.write('{}');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
});
