/** Stale reads: until the lag is over, and only for the kind of change that the outcome names. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { sell, storeCard } from '../../../support/purchases.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

const lag = '3s';
const lagMs = 3000;

const force = (
  shop: Shop,
  op: 'card.get' | 'card.list' | 'payment.list' | 'sale.get',
  id: OutcomeId,
) => shop.merchant.force({ op, times: 99, outcome: { outcome: id, with: { lag } } });

const rename = (shop: Shop, cardId: string, name: string) =>
  shop.ask('card.update', 200, {
    params: { card_id: cardId },
    body: [{ op: 'replace', path: '/first_name', value: name }],
  });

const nameOf = async (shop: Shop, cardId: string) =>
  (await shop.ask('card.get', 200, { params: { card_id: cardId } })).first_name;

onEveryTransport('a stale list', (transport) => {
  it('omits records that were created within the lag, exact to the millisecond', async () => {
    const shop = transport.shop();
    force(shop, 'card.list', 'list-lags-create');
    const early = await storeCard(shop);
    shop.merchant.clock.advance(1000);
    const late = await storeCard(shop);
    const listed = async () => {
      const { items, total_items: total } = await shop.ask('card.list', 200);
      expect(total).toBe(items.length);
      return items.map(({ id }) => id);
    };
    expect(await listed()).toEqual([]);
    shop.merchant.clock.advance(lagMs - 1001);
    expect(await listed()).toEqual([]);
    shop.merchant.clock.advance(1);
    expect(await listed()).toEqual([early]);
    shop.merchant.clock.advance(1000);
    expect(await listed()).toEqual([early, late]);
    expect(shop.merchant.rules()[0]?.lastMiss).toBe(
      'no record that the request reads was made within the lag',
    );
  });

  it('omits new payments, but shows changes and deletions', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await sell(shop, { cardId });
    shop.merchant.clock.advance(lagMs);
    await sell(shop, { cardId });
    await rename(shop, cardId, 'Grace');
    force(shop, 'payment.list', 'list-lags-create');
    force(shop, 'card.list', 'list-lags-create');
    expect((await shop.ask('payment.list', 200)).count).toBe(1);
    const { items } = await shop.ask('card.list', 200);
    expect(items.map(({ first_name: name }) => name)).toEqual(['Grace']);
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    expect((await shop.ask('card.list', 200)).items).toEqual([]);
  });
});

onEveryTransport('a stale read', (transport) => {
  it('returns a card as it was before all changes within the lag', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    force(shop, 'card.get', 'stale-read-after-update');
    shop.merchant.clock.advance(lagMs);
    await rename(shop, cardId, 'Grace');
    shop.merchant.clock.advance(lagMs - 1);
    await rename(shop, cardId, 'Edsger');
    expect(await nameOf(shop, cardId)).toBe('Ada');
    shop.merchant.clock.advance(1);
    expect(await nameOf(shop, cardId)).toBe('Grace');
    shop.merchant.clock.advance(lagMs - 1);
    expect(await nameOf(shop, cardId)).toBe('Edsger');
  });

  it('returns a sale as it was before its refund, although the money has moved', async () => {
    const shop = transport.shop();
    const sale = await sell(shop, { total: '10.00' });
    shop.merchant.clock.advance(lagMs);
    const params = { sale_id: sale.id };
    await shop.ask('sale.refund', 201, { params, body: {} });
    force(shop, 'sale.get', 'stale-read-after-update');
    expect((await shop.ask('sale.get', 200, { params })).state).toBe('completed');
    expect(shop.merchant.ledger().balances.USD?.merchant).toBe(0);
    await shop.ask('sale.refund', 400, { params, body: {} });
    shop.merchant.clock.advance(lagMs);
    expect((await shop.ask('sale.get', 200, { params })).state).toBe('refunded');
  });

  it('returns a deleted card until the lag is over, although payments with it fail', async () => {
    const shop = transport.shop();
    const ids = await inOrder(['one', 'two', 'three'], () => storeCard(shop));
    const [, second = ''] = ids;
    shop.merchant.clock.advance(lagMs);
    const params = { card_id: second };
    await shop.ask('card.delete', 204, { params });
    force(shop, 'card.get', 'stale-read-after-delete');
    force(shop, 'card.list', 'stale-read-after-delete');
    const listed = async () => (await shop.ask('card.list', 200)).items.map(({ id }) => id);
    expect((await shop.ask('card.get', 200, { params })).id).toBe(second);
    expect(await listed()).toEqual(ids);
    await expect(sell(shop, { cardId: second })).rejects.toThrow('INVALID_RESOURCE_ID');
    await shop.ask('card.delete', 404, { params });
    shop.merchant.clock.advance(lagMs);
    await shop.ask('card.get', 404, { params });
    expect(await listed()).toEqual(ids.filter((id) => id !== second));
  });

  it('survives a snapshot', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.clock.advance(lagMs);
    await rename(shop, cardId, 'Grace');
    force(shop, 'card.get', 'stale-read-after-update');
    const name = shop.merchant.snapshot();
    await rename(shop, cardId, 'Edsger');
    shop.merchant.clock.advance(lagMs);
    shop.merchant.restore(name);
    expect(await nameOf(shop, cardId)).toBe('Ada');
  });
});

onEveryTransport('shifted pages', (transport) => {
  const pagesOf = async (shop: Shop, order: string) => {
    const ids: string[] = [];
    let path: string | undefined = `/v1/vault/credit-cards?page_size=2&sort_order=${order}`;
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof ask>> = await ask(shop, path);
      ids.push(...page.items.map(({ id }) => id));
      const next = page.links?.find(({ rel }) => rel === 'next')?.href;
      path = next?.slice(next.indexOf('/v1'));
    }
    return ids;
  };
  const ask = (shop: Shop, path: string) => shop.ask('card.list', 200, { path });

  it.each([
    ['insertion', 'asc', [0, 1, 1, 2, 2, 3, 3, 4]],
    ['deletion', 'asc', [0, 1, 3, 4]],
    ['insertion', 'desc', [4, 3, 3, 2, 2, 1, 1, 0]],
  ] as const)(
    'shows items twice or not at all after an %s, in order %s',
    async (change, order, places) => {
      const shop = transport.shop();
      const ids = await inOrder([1, 2, 3, 4, 5], () => storeCard(shop));
      shop.merchant.force({
        op: 'card.list',
        times: 99,
        outcome: { outcome: 'page-shift', with: { change } },
      });
      expect(await pagesOf(shop, order)).toEqual(places.map((at) => ids[at]));
    },
  );

  it('repeat payments, whether the client uses the next id or an index', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await inOrder(['1.00', '2.00', '3.00'], (total) => sell(shop, { cardId, total }));
    const totals = async (query: Record<string, string>) =>
      (await shop.ask('payment.list', 200, { query })).payments.map(
        ({ transactions: [transaction] }) => transaction?.amount.total,
      );
    const { next_id: next = '' } = await shop.ask('payment.list', 200, { query: { count: '1' } });
    shop.merchant.force({ op: 'payment.list', times: 9, outcome: 'page-shift' });
    expect(await totals({ start_id: next, count: '2' })).toEqual(['3.00', '2.00']);
    expect(await totals({ start_index: '2' })).toEqual(['2.00', '1.00']);
    expect(await totals({})).toEqual(['3.00', '2.00', '1.00']);
    expect(shop.merchant.rules()[0]?.lastMiss).toBe(
      'the request reads the first page, which cannot shift',
    );
  });
});
