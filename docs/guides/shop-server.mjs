/** The shop with a page to buy on. Its server pays. */
import { createServer } from 'node:http';
import { openShop } from './shop.mjs';

const page = (content) =>
  `<!doctype html><html lang="en"><title>Shop</title><main>${content}</main></html>`;

export async function startShop(settings) {
  const shop = openShop({ fetch, ...settings });
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.method !== 'POST') {
      return response.end(page('<form method="post"><button>Buy</button></form>'));
    }
    const state = await shop.buy('INV-7').catch(() => 'lost');
    return response.end(page(state === 'completed' ? 'Thank you' : 'Sorry'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
