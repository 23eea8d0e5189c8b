/** A handler of MSW forwards calls to the sandbox, whatever client the shop uses. */
import axios from 'axios';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { openShop } from '../runners/shop.ts';

const sandbox = createSandbox({ seed: 'msw', fixtures: 'empty' });
const service = 'https://api.sandbox.paypal.com';

const server = setupServer(
  // A fault of the connection rejects. MSW needs HttpResponse.error() to pass it on.
  http.all(`${service}/*`, ({ request }) =>
    sandbox.fetch(request, { redirect: 'manual' }).catch(() => HttpResponse.error()),
  ),
  http.get('https://shop.example/stock', () => HttpResponse.json({ left: 3 })),
);

describe('MSW', () => {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterAll(async () => {
    server.close();
    await sandbox.close();
  });

  it('forwards payments to the sandbox, and leaves other calls to other handlers', async () => {
    const merchant = sandbox.merchant('by-fetch');
    const shop = openShop({ fetch, clientId: merchant.id, keepsKey: true });
    expect(await shop.buy('order-1')).toBe('completed');
    expect(await (await fetch('https://shop.example/stock')).json()).toEqual({ left: 3 });
    expect((await merchant.verdict()).totals).toEqual([
      { currency: 'USD', charged: '30.11', returned: '0.00', net: '30.11' },
    ]);
  });

  it('passes on a lost answer', async () => {
    const merchant = sandbox.merchant('loses');
    merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    const shop = openShop({ fetch, clientId: merchant.id, keepsKey: false });
    await shop.buy('order-1');
    const { passed, findings } = await merchant.verdict();
    expect([passed, findings[0]?.rule]).toEqual([false, 'double-charge']);
  });

  it('serves a client that uses the http module of Node', async () => {
    const { id, token } = sandbox.merchant('by-axios');
    const { status, data } = await axios.get<unknown>(`${service}/v1/vault/credit-cards`, {
      headers: { Authorization: `Bearer ${token}` },
      adapter: 'http',
    });
    expect([status, data]).toEqual([200, expect.objectContaining({ total_items: 0 })]);
    expect(sandbox.merchant(id).journal().entries).toHaveLength(1);
  });

  it('lets a test override the handler for one outcome', async () => {
    onTestFinished(() => server.resetHandlers());
    server.use(http.post(`${service}/v1/oauth2/token`, () => HttpResponse.error()));
    const shop = openShop({ fetch, clientId: 'overridden', keepsKey: true });
    await expect(shop.buy('order-1')).rejects.toThrow('Failed to fetch');
    expect(sandbox.merchants()).not.toContain('overridden');
  });
});
