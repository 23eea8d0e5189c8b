import { beforeAll, describe, expect, it } from 'vitest';
import { onEveryTransport, type TestTransport, type Shop } from '../../support/transports.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { issuesOf } from '../../support/requests/refusals.ts';

type Query = Readonly<Record<string, string>>;

/** A shop with this many payments, a second apart, and their ids from the oldest to the newest. */
async function shopWith(
  transport: TestTransport,
  payments: number,
): Promise<{ shop: Shop; ids: string[] }> {
  const shop = transport.shop();
  const cardId = await storeCard(shop);
  const ids: string[] = [];
  while (ids.length < payments) {
    const { id } = await pay(shop, { cardId });
    ids.push(id);
    shop.merchant.clock.advance(1000);
  }
  return { shop, ids };
}

/** A page as the ids on it and the id that the next one begins with. */
async function page(shop: Shop, query: Query | string = {}) {
  const list = await shop.ask('payment.list', 200, { query });
  expect(list.count).toBe(list.payments.length);
  return { ids: list.payments.map(({ id }) => id), nextId: list.next_id };
}

onEveryTransport('list payments', (transport) => {
  it('200 shows an empty list without next_id', async () => {
    const { text } = await transport.shop().reply('payment.list', 200);
    expect(text).toBe('{"payments":[],"count":0}');
  });

  it('200 shows whole payments, and its members in this order', async () => {
    const { shop, ids } = await shopWith(transport, 2);
    const newest = await shop.ask('payment.get', 200, { params: { payment_id: ids[1] ?? '' } });
    const { text } = await shop.reply('payment.list', 200, { query: { count: '1' } });
    expect(text).toBe(
      `{"payments":[${JSON.stringify(newest)}],"count":1,"next_id":"${String(ids[0])}"}`,
    );
  });

  it("200 shows no other merchant's payments", async () => {
    await shopWith(transport, 1);
    expect(await page(transport.shop())).toEqual({ ids: [], nextId: undefined });
  });

  it('200 keeps the order of creation after updates and for equal times', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const [first, second] = [await pay(shop, { cardId }), await pay(shop, { cardId })];
    await shop.ask('payment.update', 200, {
      params: { payment_id: first.id },
      body: [{ op: 'add', path: '/transactions/0/custom', value: 'later' }],
    });
    expect((await page(shop)).ids).toEqual([second.id, first.id]);
  });

  describe('with 23 payments', () => {
    let shop: Shop;
    let ids: string[];
    let newestFirst: string[];

    beforeAll(async () => {
      ({ shop, ids } = await shopWith(transport, 23));
      newestFirst = ids.toReversed();
    });

    /** Payment number `n` from the oldest, from 0. It was made `n` seconds after the first. */
    const nth = (n: number) => ids[n] ?? '';
    const secondsIn = (seconds: number) =>
      new Date(Date.parse('2026-05-06T07:08:09.123Z') + seconds * 1000).toISOString();

    it('200 shows the ten newest first', async () => {
      expect(await page(shop)).toEqual({ ids: newestFirst.slice(0, 10), nextId: newestFirst[10] });
    });

    it.each([1, 5, 20])('200 shows %i payments for that count', async (count) => {
      expect(await page(shop, { count: String(count) })).toEqual({
        ids: newestFirst.slice(0, count),
        nextId: newestFirst[count],
      });
    });

    it('200 leads through all pages by next_id; the last page has none', async () => {
      const walked: string[][] = [];
      let next: string | undefined = nth(22);
      while (next !== undefined) {
        const { ids: shown, nextId }: Awaited<ReturnType<typeof page>> = await page(shop, {
          start_id: next,
          count: '9',
        });
        walked.push(shown);
        next = nextId;
      }
      expect(walked.map((shown) => shown.length)).toEqual([9, 9, 5]);
      expect(walked.flat()).toEqual(newestFirst);
    });

    it('200 leaves next_id out when the last page is full', async () => {
      const last = await page(shop, { start_id: nth(4), count: '5' });
      expect(last).toEqual({ ids: newestFirst.slice(18), nextId: undefined });
    });

    it.each([
      ['0', 0],
      ['3', 3],
      ['22', 22],
      ['23', 23],
      ['999999999', 23],
    ])('200 skips the first %s for start_index', async (index, skipped) => {
      expect(await page(shop, { start_index: index, count: '5' })).toEqual({
        ids: newestFirst.slice(skipped, skipped + 5),
        nextId: newestFirst[skipped + 5],
      });
    });

    it('200 counts start_index from start_id', async () => {
      const { ids: shown } = await page(shop, { start_id: nth(20), start_index: '2', count: '1' });
      expect(shown).toEqual([nth(18)]);
    });

    it('200 sorts oldest first on request', async () => {
      const query = { sort_order: 'asc', sort_by: 'create_time', count: '5' };
      expect(await page(shop, query)).toEqual({ ids: ids.slice(0, 5), nextId: ids[5] });
      expect(await page(shop, { ...query, start_id: nth(20) })).toEqual({
        ids: ids.slice(20),
        nextId: undefined,
      });
      expect((await page(shop, { ...query, sort_order: 'desc' })).ids[0]).toBe(nth(22));
      const shouted = { ...query, sort_order: 'ASC', sort_by: 'CREATE_TIME' };
      expect(await page(shop, shouted)).toEqual(await page(shop, query));
    });

    it('200 filters by a time range, both ends included', async () => {
      const span = { start_time: secondsIn(5), end_time: secondsIn(8) };
      expect(await page(shop, span)).toEqual({
        ids: [nth(8), nth(7), nth(6), nth(5)],
        nextId: undefined,
      });
      expect(await page(shop, { ...span, count: '3' })).toEqual({
        ids: [nth(8), nth(7), nth(6)],
        nextId: nth(5),
      });
      expect((await page(shop, { ...span, sort_order: 'asc', start_index: '3' })).ids).toEqual([
        nth(8),
      ]);
    });

    it('200 accepts one end of a range, and times in any zone', async () => {
      expect((await page(shop, { start_time: secondsIn(21) })).ids).toEqual([nth(22), nth(21)]);
      expect((await page(shop, { end_time: secondsIn(1) })).ids).toEqual([nth(1), nth(0)]);
      const { ids: shown } = await page(shop, { end_time: '2026-05-06T09:08:10.123+02:00' });
      expect(shown).toEqual([nth(1), nth(0)]);
    });

    it.each([
      ['before all', { end_time: '2026-05-06T07:08:09.122Z' }],
      ['after all', { start_time: '2027-01-01T00:00:00Z' }],
      ['that ends before it starts', { start_time: secondsIn(8), end_time: secondsIn(5) }],
    ])('200 shows nothing for a range %s', async (_, span) => {
      expect(await page(shop, span)).toEqual({ ids: [], nextId: undefined });
    });

    it('200 starts inside the range when start_id is outside of it', async () => {
      const span = { start_time: secondsIn(5), end_time: secondsIn(8), count: '2' };
      const whole = { ids: [nth(8), nth(7)], nextId: nth(6) };
      const nothing = { ids: [], nextId: undefined };
      expect(await page(shop, { ...span, start_id: nth(20) })).toEqual(whole);
      expect(await page(shop, { ...span, start_id: nth(1) })).toEqual(nothing);
      const rising = { ...span, sort_order: 'asc' };
      expect(await page(shop, { ...rising, start_id: nth(20) })).toEqual(nothing);
      expect(await page(shop, { ...rising, start_id: nth(1) })).toEqual({
        ids: [nth(5), nth(6)],
        nextId: nth(7),
      });
    });

    it('200 ignores unknown and empty parameters', async () => {
      const query = 'payee_id=&start_id=&start_time=&count=&sort_order=&page=3&total_required=True';
      expect((await page(shop, query)).ids).toEqual(newestFirst.slice(0, 10));
      expect((await page(shop, 'payee_id=ABC&count=2')).ids).toEqual(newestFirst.slice(0, 2));
    });

    it('200 serves the path with a trailing slash', async () => {
      const path = '/v1/payments/payment/';
      const list = await shop.ask('payment.list', 200, { path, query: 'count=2' });
      expect(list.payments.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2));
    });
  });

  const countIssue = 'Must be a number from 1 to 20';
  const timeIssue = 'Must be an RFC 3339 time, like 2026-05-06T07:08:09Z';

  it.each([
    ['count', '0', countIssue],
    ['count', '21', countIssue],
    ['count', '-1', countIssue],
    ['count', '1.5', countIssue],
    ['count', 'ten', countIssue],
    ['start_index', '-1', 'Must be a number, from 0'],
    ['start_index', 'one', 'Must be a number, from 0'],
    ['start_time', 'yesterday', timeIssue],
    ['start_time', '2026-05-06', timeIssue],
    ['end_time', '2026-13-06T00:00:00Z', timeIssue],
    ['sort_by', 'update_time', 'Must be create_time'],
    ['sort_order', 'newest', 'Must be asc or desc'],
    ['start_id', 'PAY-3AB45678CD901234EKEXAMPL', 'Must be the id of a payment'],
  ])('400 refuses a %s of %s', async (name, value, issue) => {
    expect(await issuesOf(transport.shop(), 'payment.list', { query: { [name]: value } })).toEqual([
      [name, issue],
    ]);
  });

  it("400 refuses another merchant's payment as start_id", async () => {
    const { id } = await pay(transport.shop());
    expect(await issuesOf(transport.shop(), 'payment.list', { query: { start_id: id } })).toEqual([
      ['start_id', 'Must be the id of a payment'],
    ]);
  });
});
