/** Links behind a proxy. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { storeCard } from '../../support/purchases.ts';

type Headers = Readonly<Record<string, string>>;

/** The headers of a proxy, and the origin of links behind it; `undefined` for the origin of the request. */
const rows: readonly (readonly [headers: Headers, origin: string | undefined])[] = [
  [{}, undefined],
  [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test' }, 'https://shop.test'],
  [
    { 'x-forwarded-proto': 'HTTPS, http', 'x-forwarded-host': 'shop.test:8443, inner' },
    'https://shop.test:8443',
  ],
  [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test:443' }, 'https://shop.test'],
  [{ 'x-forwarded-host': '[2001:db8::1]:8080' }, 'http://[2001:db8::1]:8080'],
  [
    { forwarded: 'for=10.0.0.1;proto=https;host=shop.test, for=10.0.0.2;host=inner' },
    'https://shop.test',
  ],
  [{ forwarded: 'Proto=https; Host="shop.test:8443"' }, 'https://shop.test:8443'],
  [{ forwarded: 'proto=https;host=a.test', 'x-forwarded-host': 'b.test' }, 'https://a.test'],
  [{ forwarded: 'for=10.0.0.1', 'x-forwarded-host': 'b.test' }, 'http://b.test'],
  // Invalid values count as absent.
  [{ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'shop.test' }, 'http://shop.test'],
  [{ 'x-forwarded-host': 'shop.test/path' }, undefined],
  [{ 'x-forwarded-host': 'user@shop.test' }, undefined],
  [{ 'x-forwarded-host': 'shop.test:99999' }, undefined],
  [{ 'x-forwarded-host': 'shop.test"><script>' }, undefined],
  [{ 'x-forwarded-host': '' }, undefined],
  [{ forwarded: 'proto=https;host="shop.test' }, undefined],
  [{ forwarded: ';;;' }, undefined],
];

onEveryTransport(
  'a sandbox that trusts its proxy',
  (transport) => {
    it.each(rows)('starts links after %j with %s', async (headers, origin) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const card = await shop.ask('card.get', 200, { params: { card_id: cardId }, headers });
      const base = origin ?? new URL(transport.base).origin;
      expect(card.links?.map(({ href }) => new URL(href).origin)).toEqual(
        card.links?.map(() => base),
      );
    });

    it('shows that origin on its landing page', async () => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.test' };
      const page = await transport.fetch(`${transport.base}/`, { headers });
      expect(await page.text()).toContain('https://shop.test');
    });
  },
  { trustProxy: true },
);

onEveryTransport('a sandbox that trusts no proxy', (transport) => {
  it('ignores the headers of one', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const headers = { 'x-forwarded-proto': 'https', forwarded: 'host=shop.test' };
    const card = await shop.ask('card.get', 200, { params: { card_id: cardId }, headers });
    expect(JSON.stringify(card.links)).not.toMatch(/https|shop\.test/);
  });
});

onEveryTransport(
  'a sandbox with a base URL',
  (transport) => {
    it('prefers it to the headers of a proxy', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const headers = { 'x-forwarded-host': 'shop.test' };
      const card = await shop.ask('card.get', 200, { params: { card_id: cardId }, headers });
      expect(card.links?.[0]?.href).toMatch(/^https:\/\/base\.test\//);
    });
  },
  { trustProxy: true, baseUrl: 'https://base.test' },
);
