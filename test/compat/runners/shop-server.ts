/** The shop with a page to buy on: its server pays. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openShop, type ShopSettings } from './shop.ts';

export interface RunningShop {
  readonly url: string;
  close(): Promise<void>;
}

const pageOf = (content: string): string =>
  `<!doctype html><html lang="en"><title>Shop</title><main>${content}</main></html>`;
const buyPage = pageOf('<form method="post"><button>Buy</button></form>');

/** Listens on a free port. */
export async function startShop(settings: Omit<ShopSettings, 'fetch'>): Promise<RunningShop> {
  const shop = openShop({ ...settings, fetch });
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.method !== 'POST') return response.end(buyPage);
    const state = await shop.buy('INV-7').catch(() => 'lost');
    return response.end(pageOf(state === 'completed' ? 'Thank you' : 'Sorry'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
