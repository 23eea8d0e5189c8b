/** Pages are walked by their links, while cards come and go. */
import { expect, it } from 'vitest';
import { CardListOut } from '../../../../src/contract/service/vault.ts';
import { onEveryTransport, type ReplyBody, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { storeCard } from '../../../support/purchases.ts';

type Page = ReplyBody<'card.list', 200>;

const idsOf = (page: Page): string[] => page.items.map((card) => card.id);

const relsOf = (page: Page): string[] => page.links.map((link) => link.rel);

/** The page behind a link, or `undefined` where the page has none of that name. */
async function follow(shop: Shop, page: Page, rel: string): Promise<Page | undefined> {
  const link = page.links.find((one) => one.rel === rel);
  if (link === undefined) return undefined;
  const response = await shop.follow(link);
  expect(response.status).toBe(200);
  return CardListOut.parse(await response.json());
}

/** The ids on this page and on all that follow it. */
async function walk(shop: Shop, page: Page): Promise<string[]> {
  const next = await follow(shop, page, 'next');
  return [...idsOf(page), ...(next === undefined ? [] : await walk(shop, next))];
}

async function storeMany(shop: Shop, count: number): Promise<string[]> {
  return inOrder(Array.from({ length: count }), () => {
    shop.merchant.clock.advance(1000);
    return storeCard(shop, { external_customer_id: 'ada' });
  });
}

const rename = (cardId: string) => ({
  params: { card_id: cardId },
  body: [{ op: 'replace', path: '/first_name', value: 'Grace' }],
});

onEveryTransport('links of a list of cards', (transport) => {
  it('lead to the page itself, the next and the previous one', async () => {
    const shop = transport.shop();
    await storeMany(shop, 5);
    const first = await shop.ask('card.list', 200, { query: { page_size: '2' } });
    expect(relsOf(first)).toEqual(['self', 'next']);
    expect(await follow(shop, first, 'self')).toEqual(first);
    const second = await follow(shop, first, 'next');
    if (second === undefined) throw new Error('There is no second page.');
    expect(relsOf(second)).toEqual(['self', 'next', 'previous']);
    expect(await follow(shop, second, 'self')).toEqual(second);
    expect(await follow(shop, second, 'previous')).toEqual(first);
    const third = await follow(shop, second, 'next');
    if (third === undefined) throw new Error('There is no third page.');
    expect(relsOf(third)).toEqual(['self', 'previous']);
    expect((await follow(shop, third, 'previous'))?.items).toEqual(second.items);
  });

  it('lead back from beyond the end to the last page, if there is one', async () => {
    const shop = transport.shop();
    const beyond = { page_size: '2', page: '999' };
    const none = await shop.ask('card.list', 200, { query: beyond });
    expect(relsOf(none)).toEqual(['self']);
    const stored = await storeMany(shop, 5);
    const empty = await shop.ask('card.list', 200, { query: beyond });
    expect(empty.items).toEqual([]);
    expect(relsOf(empty)).toEqual(['self', 'previous']);
    const last = await follow(shop, empty, 'previous');
    expect(last?.items.map(({ id }) => id)).toEqual(stored.slice(4));
  });

  it('keep the parameters of the request', async () => {
    const shop = transport.shop();
    await storeMany(shop, 3);
    const page = await shop.ask('card.list', 200, {
      query: {
        page_size: '1',
        sort_by: 'create_time',
        sort_order: 'desc',
        start_time: '2026-05-06T07:08:09Z',
        end_time: '2026-05-06T07:08:12Z',
        external_customer_id: 'ada',
        total_required: 'False',
        colour: 'green',
      },
    });
    const next = new URL(page.links.find((link) => link.rel === 'next')?.href ?? '');
    expect(next.origin + next.pathname).toBe(`${transport.base}/v1/vault/credit-cards`);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      page_size: '1',
      sort_by: 'create_time',
      sort_order: 'desc',
      external_customer_id: 'ada',
      total_required: 'false',
      start_time: '2026-05-06T07:08:09.000Z',
      end_time: '2026-05-06T07:08:12.999Z',
      page: '2',
      after: '3',
    });
  });

  it.each(['', '&external_customer_id=ada', '&start_time=2020-01-01T00:00:00Z'])(
    'lead through every card once, in every order (%s)',
    async (filter) => {
      const shop = transport.shop();
      const ids = await storeMany(shop, 7);
      await inOrder(['create_time', 'update_time'], async (sortBy) => {
        const query = `page_size=3&sort_by=${sortBy}${filter}`;
        const up = await shop.ask('card.list', 200, { query });
        expect(await walk(shop, up)).toEqual(ids);
        const down = await shop.ask('card.list', 200, { query: `${query}&sort_order=desc` });
        expect(await walk(shop, down)).toEqual(ids.toReversed());
      });
    },
  );

  it.each(['asc', 'desc'])(
    'skip and repeat no card while others come and go (%s)',
    async (order) => {
      const shop = transport.shop();
      const stored = await storeMany(shop, 9);
      const ids = order === 'asc' ? stored : stored.toReversed();
      const query = { page_size: '3', sort_order: order };
      const first = await shop.ask('card.list', 200, { query });
      expect(idsOf(first)).toEqual(ids.slice(0, 3));
      // One that was shown, the very last that was shown, and one that was not.
      await inOrder([ids[0] ?? '', ids[2] ?? '', ids[4] ?? ''], (cardId) =>
        shop.ask('card.delete', 204, { params: { card_id: cardId } }),
      );
      const added = await storeMany(shop, 1);
      const second = await follow(shop, first, 'next');
      if (second === undefined) throw new Error('There is no second page.');
      expect(idsOf(second)).toEqual([ids[3], ids[5], ids[6]]);
      const rest = order === 'asc' ? [...ids.slice(7), ...added] : ids.slice(7);
      expect(await walk(shop, second)).toEqual([...idsOf(second), ...rest]);
    },
  );

  it('skip no card while others are updated', async () => {
    const shop = transport.shop();
    const ids = await storeMany(shop, 6);
    const query = { page_size: '2', sort_by: 'update_time' };
    const first = await shop.ask('card.list', 200, { query });
    await shop.ask('card.update', 200, rename(ids[1] ?? ''));
    await shop.ask('card.update', 200, rename(ids[0] ?? ''));
    const seen = await walk(shop, first);
    // What was shown and changed since comes again, at its new place.
    expect(seen).toEqual([...ids, ids[1], ids[0]]);
  });

  it('end when the remaining cards are deleted', async () => {
    const shop = transport.shop();
    const ids = await storeMany(shop, 3);
    const first = await shop.ask('card.list', 200, { query: { page_size: '2' } });
    await shop.ask('card.delete', 204, { params: { card_id: ids[2] ?? '' } });
    const second = await follow(shop, first, 'next');
    expect(second).toMatchObject({ items: [], total_items: 2, total_pages: 1 });
    expect(second && relsOf(second)).toEqual(['self', 'previous']);
  });

  it('show nothing after a reset', async () => {
    const shop = transport.shop();
    await storeMany(shop, 3);
    const first = await shop.ask('card.list', 200, { query: { page_size: '2' } });
    shop.merchant.reset();
    expect(await follow(shop, first, 'next')).toMatchObject({ items: [], total_items: 0 });
  });
});
