/** Pages of other origins cannot use the control API. The refusal gives the reason. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { call } from '../call.ts';

onEveryTransport('the control API and browsers', (transport) => {
  it.each<[string, Record<string, string>]>([
    ['another host', { Origin: 'https://shop.example' }],
    ['another port of this host', { Origin: 'http://127.0.0.1:1' }],
    ['a file or a sandboxed frame', { Origin: 'null' }],
    ['another site, by a read without an origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another port, by a read without an origin', { 'Sec-Fetch-Site': 'same-site' }],
  ])('403 refuses a page of %s', async (_what, headers) => {
    const shop = transport.shop('default');
    const { status, body } = await call(transport, 'POST /_sandbox/reset', undefined, headers);
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: 'other-origin' });
    expect(shop.merchant.clock.read().frozen).toBe(true);
  });

  it('changes nothing for a page of another origin', async () => {
    const { id, clock } = transport.shop().merchant;
    const headers = { Origin: 'https://shop.example' };
    const change = { advance: 'P1D' };
    const before = clock.read();
    await call(transport, `POST /_sandbox/clock?merchant=${id}`, change, headers);
    expect(clock.read()).toEqual(before);
  });

  it('answers its own pages and clients other than browsers', async () => {
    const own = { Origin: transport.base, 'Sec-Fetch-Site': 'same-origin' };
    expect((await call(transport, 'GET /_sandbox/health', undefined, own)).status).toBe(200);
    const typed = { 'Sec-Fetch-Site': 'none' };
    expect((await call(transport, 'GET /_sandbox/health', undefined, typed)).status).toBe(200);
  });

  it('sends no CORS headers to pages of another origin', async () => {
    const { status, headers } = await call(transport, 'OPTIONS /_sandbox/reset', undefined, {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
    });
    expect(status).toBe(403);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each(['https://sandbox.test', 'https://sandbox.test:443'])(
    'treats an omitted port like the default port: %s',
    async (origin) => {
      const { hostname } = new URL(origin);
      const response = await transport.sandbox.fetch(`${origin}/_sandbox/health`, {
        headers: { Origin: `https://${hostname}`, Host: new URL(origin).host },
      });
      expect(response.status).toBe(200);
    },
  );
});
