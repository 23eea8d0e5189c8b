import { expect, it } from 'vitest';
import { onEveryTransport, type ReplyBody, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { cardBody } from '../../../support/samples.ts';

type Card = ReplyBody<'card.get', 200>;

/** Stores this many cards, one a second, the first at the shop's present time. */
async function storeMany(shop: Shop, count: number): Promise<Card[]> {
  return inOrder(
    Array.from({ length: count }, (_, i) => i),
    async (i) => {
      if (i > 0) shop.merchant.clock.advance(1000);
      return shop.ask('card.create', 201, { body: cardBody({ external_card_id: `card-${i}` }) });
    },
  );
}

async function listed(shop: Shop, query: Readonly<Record<string, string>> | string) {
  const { items } = await shop.ask('card.list', 200, { query });
  return items.map((card) => card.id);
}

const idsOf = (cards: readonly Card[]): string[] => cards.map((card) => card.id);

onEveryTransport('a list of cards', (transport) => {
  it('200 shows an empty list before any card is stored', async () => {
    const reply = await transport.shop().reply('card.list', 200);
    expect(reply.text).toBe(
      JSON.stringify({
        items: [],
        total_items: 0,
        total_pages: 0,
        links: [
          { href: `${transport.base}/v1/vault/credit-cards?page=1`, rel: 'self', method: 'GET' },
        ],
      }),
    );
  });

  it('200 shows each card like card.get does, oldest first', async () => {
    const shop = transport.shop();
    const cards = await storeMany(shop, 3);
    const page = await shop.ask('card.list', 200);
    expect(page.items).toEqual(cards);
    expect(page).toMatchObject({ total_items: 3, total_pages: 1 });
    expect(Object.keys(page)).toEqual(['items', 'total_items', 'total_pages', 'links']);
  });

  it('200 keeps the order of cards that were stored in the same instant', async () => {
    const shop = transport.shop();
    const cards = await inOrder([1, 2, 3, 4], () =>
      shop.ask('card.create', 201, { body: cardBody() }),
    );
    expect(await listed(shop, {})).toEqual(idsOf(cards));
    expect(await listed(shop, { sort_order: 'desc' })).toEqual(idsOf(cards).toReversed());
  });

  it.each([
    '/v1/vault/credit-cards',
    '/v1/vault/credit-cards/',
    '/v1/vault/credit-card',
    '/v1/vault/credit-card/',
    '/v1/vault/credit-cards?',
    '/v1/vault/credit-card/?',
  ])('200 lists the cards at %s', async (path) => {
    const shop = transport.shop();
    await storeMany(shop, 1);
    expect((await shop.ask('card.list', 200, { path })).total_items).toBe(1);
  });

  it.each([
    'merchant_id=&external_card_id=&external_customer_id=&start_time=&end_time=',
    'page=&page_size=&sort_by=&sort_order=&total_required=&after=',
    'count=10&start_id=&start_index=0&payer_id=',
    'colour=green&page_sizes=0&constructor=x&__proto__=y',
    '&&=&a',
  ])('200 ignores empty and unknown parameters: %s', async (query) => {
    const shop = transport.shop();
    const [card] = await storeMany(shop, 1);
    expect(await listed(shop, query)).toEqual([card?.id]);
  });

  it('200 shows no card of another merchant', async () => {
    await storeMany(transport.shop(), 2);
    expect(await listed(transport.shop(), {})).toEqual([]);
  });
});

onEveryTransport('a list of cards, in pages', (transport) => {
  it('200 shows ten cards a page by default', async () => {
    const shop = transport.shop();
    const ids = idsOf(await storeMany(shop, 25));
    const pages = [
      ['0', ids.slice(0, 10)],
      ['1', ids.slice(0, 10)],
      ['2', ids.slice(10, 20)],
      ['3', ids.slice(20)],
      ['4', []],
      ['999999999', []],
    ] as const;
    await inOrder(pages, async ([page, expected]) => {
      const answer = await shop.ask('card.list', 200, { query: { page } });
      expect(idsOf(answer.items)).toEqual(expected);
      expect(answer).toMatchObject({ total_items: 25, total_pages: 3 });
    });
    expect(await listed(shop, {})).toEqual(ids.slice(0, 10));
    const newest = ids.toReversed();
    expect(await listed(shop, { sort_order: 'desc', page: '0' })).toEqual(newest.slice(0, 10));
    expect(await listed(shop, { sort_order: 'desc', page: '3' })).toEqual(newest.slice(20));
    expect(await listed(shop, { sort_order: 'desc', page: '4' })).toEqual([]);
  });

  it.each([
    ['1', 25],
    ['7', 4],
    ['19', 2],
    ['20', 2],
  ])('200 shows %s cards a page on request', async (size, pages) => {
    const shop = transport.shop();
    const ids = idsOf(await storeMany(shop, 25));
    const query = { page_size: size, page: '2' };
    const answer = await shop.ask('card.list', 200, { query });
    expect(idsOf(answer.items)).toEqual(ids.slice(Number(size), 2 * Number(size)));
    expect(answer.total_pages).toBe(pages);
  });

  it.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
  ])('200 counts with total_required=%s: %s', async (flag, counts) => {
    const shop = transport.shop();
    await storeMany(shop, 1);
    const page = await shop.ask('card.list', 200, { query: { total_required: flag } });
    expect('total_items' in page).toBe(counts);
    expect('total_pages' in page).toBe(counts);
  });
});

onEveryTransport('a list of cards, sorted', (transport) => {
  it('200 sorts by creation and by update, in both directions', async () => {
    const shop = transport.shop();
    const [first = '', second = '', third = ''] = idsOf(await storeMany(shop, 3));
    shop.merchant.clock.advance(1000);
    await shop.ask('card.update', 200, {
      params: { card_id: first },
      body: [{ op: 'replace', path: '/first_name', value: 'Grace' }],
    });
    const created = [first, second, third];
    const updated = [second, third, first];
    expect(await listed(shop, { sort_by: 'create_time' })).toEqual(created);
    expect(await listed(shop, { sort_by: 'create_time', sort_order: 'asc' })).toEqual(created);
    expect(await listed(shop, { sort_order: 'desc' })).toEqual(created.toReversed());
    expect(await listed(shop, { sort_by: 'update_time' })).toEqual(updated);
    expect(await listed(shop, { sort_by: 'UPDATE_TIME', sort_order: 'Desc' })).toEqual(
      await listed(shop, { sort_by: 'update_time', sort_order: 'desc' }),
    );
    expect(await listed(shop, { sort_by: 'update_time', sort_order: 'desc' })).toEqual(
      updated.toReversed(),
    );
  });

  it('200 sorts by update within filters and time ranges', async () => {
    const shop = transport.shop();
    const ids = await inOrder(['a', 'b', 'a', 'a'], async (customer) => {
      shop.merchant.clock.advance(1000);
      const body = cardBody({ external_customer_id: customer });
      return (await shop.ask('card.create', 201, { body })).id;
    });
    shop.merchant.clock.advance(1000);
    await shop.ask('card.update', 200, {
      params: { card_id: ids[0] ?? '' },
      body: [{ op: 'replace', path: '/first_name', value: 'Grace' }],
    });
    const query = { sort_by: 'update_time', external_customer_id: 'a' };
    expect(await listed(shop, query)).toEqual([ids[2], ids[3], ids[0]]);
    expect(
      await listed(shop, { sort_by: 'update_time', end_time: '2026-05-06T07:08:12Z' }),
    ).toEqual([ids[1], ids[2], ids[0]]);
  });
});

onEveryTransport('a list of cards, by when they were stored', (transport) => {
  it('200 includes both ends of a range, by the times that the cards show', async () => {
    const shop = transport.shop();
    const cards = await storeMany(shop, 5);
    const [a, b, c, d, e] = idsOf(cards);
    const [, second, third, fourth] = cards.map((card) => card.create_time);
    if (second === undefined || third === undefined || fourth === undefined)
      throw new Error('The cards show no times.');
    expect(await listed(shop, { start_time: second })).toEqual([b, c, d, e]);
    expect(await listed(shop, { end_time: fourth })).toEqual([a, b, c, d]);
    expect(await listed(shop, { start_time: second, end_time: fourth })).toEqual([b, c, d]);
    expect(await listed(shop, { start_time: third, end_time: third })).toEqual([c]);
    expect(await listed(shop, { start_time: fourth, end_time: second })).toEqual([]);
    const query = { start_time: second, end_time: fourth, sort_order: 'desc', page_size: '2' };
    const page = await shop.ask('card.list', 200, { query });
    expect(idsOf(page.items)).toEqual([d, c]);
    expect(page).toMatchObject({ total_items: 3, total_pages: 2 });
  });

  it('200 includes both ends of a range to the millisecond', async () => {
    const shop = transport.shop();
    const [a, b] = idsOf(await storeMany(shop, 2));
    // Stored at 07:08:09.123 and a second later.
    expect(await listed(shop, { start_time: '2026-05-06T07:08:09.123Z' })).toEqual([a, b]);
    expect(await listed(shop, { start_time: '2026-05-06T07:08:09.124Z' })).toEqual([b]);
    expect(await listed(shop, { end_time: '2026-05-06T07:08:10.123Z' })).toEqual([a, b]);
    expect(await listed(shop, { end_time: '2026-05-06T07:08:10.122Z' })).toEqual([a]);
  });

  it('200 reads times in lower case, and leap days', async () => {
    const shop = transport.shop();
    const [a, b] = idsOf(await storeMany(shop, 2));
    expect(await listed(shop, { start_time: '2026-05-06t07:08:09.124z' })).toEqual([b]);
    expect(await listed(shop, { start_time: '2024-02-29T23:59:59Z' })).toEqual([a, b]);
  });

  it('200 reads times in any zone', async () => {
    const shop = transport.shop();
    const [a, b] = idsOf(await storeMany(shop, 2));
    expect(await listed(shop, { start_time: '2026-05-06T09:08:10+02:00' })).toEqual([b]);
    expect(await listed(shop, { end_time: '2026-05-06T02:08:09-05:00' })).toEqual([a]);
    expect(await listed(shop, { end_time: '2014-12-31T00:00:00Z' })).toEqual([]);
  });
});

onEveryTransport('a list of cards, filtered', (transport) => {
  it('200 filters by each of the three ids, and by several together', async () => {
    const shop = transport.shop();
    const store = async (customer: string, card: string, merchant: string) => {
      const body = cardBody({
        external_customer_id: customer,
        external_card_id: card,
        merchant_id: merchant,
      });
      return (await shop.ask('card.create', 201, { body })).id;
    };
    const a = await store('ada', 'one', 'north');
    const b = await store('ada', 'two', 'south');
    const c = await store('bob', 'one', 'south');
    await shop.ask('card.create', 201, { body: cardBody() });

    expect(await listed(shop, { external_customer_id: 'ada' })).toEqual([a, b]);
    expect(await listed(shop, { external_card_id: 'one' })).toEqual([a, c]);
    expect(await listed(shop, { merchant_id: 'south' })).toEqual([b, c]);
    expect(await listed(shop, { external_customer_id: 'ada', merchant_id: 'south' })).toEqual([b]);
    expect(await listed(shop, { external_card_id: 'one', merchant_id: 'south' })).toEqual([c]);
    expect(
      await listed(shop, {
        external_customer_id: 'ada',
        external_card_id: 'one',
        merchant_id: 'north',
      }),
    ).toEqual([a]);
    expect(await listed(shop, { external_customer_id: 'bob', external_card_id: 'two' })).toEqual(
      [],
    );
    expect(await listed(shop, { external_customer_id: 'ADA' })).toEqual([]);
    expect(await listed(shop, { external_customer_id: 'unknown' })).toEqual([]);
    const page = await shop.ask('card.list', 200, {
      query: { external_customer_id: 'ada', page_size: '1', sort_order: 'desc' },
    });
    expect(idsOf(page.items)).toEqual([b]);
    expect(page).toMatchObject({ total_items: 2, total_pages: 2 });
  });

  it('200 finds an id that was stored as a number', async () => {
    const shop = transport.shop();
    const { id } = await shop.ask('card.create', 201, {
      body: cardBody({ external_customer_id: 42 }),
    });
    expect(await listed(shop, { external_customer_id: '42' })).toEqual([id]);
  });

  it('200 filters by any text', async () => {
    const shop = transport.shop();
    await inOrder(['a b&c=d', 'ünïcode', '100%', '__proto__', 'customer x'], async (customer) => {
      const body = cardBody({ external_customer_id: customer });
      const { id } = await shop.ask('card.create', 201, { body });
      expect(await listed(shop, { external_customer_id: customer })).toEqual([id]);
    });
  });
});

onEveryTransport(
  'a list of cards, as recorded',
  (transport) => {
    it('200 writes the expiry as strings', async () => {
      const shop = transport.shop();
      const cards = await storeMany(shop, 1);
      const page = await shop.ask('card.list', 200);
      expect(page.items).toEqual(cards);
      expect(page.items[0]).toMatchObject({ expire_month: '11', expire_year: '2031' });
    });
  },
  { profile: 'recorded' },
);
