/** Mistakes with tokens. */
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

const list = '/v1/vault/credit-cards';

/** `token-per-call`: requests a token for each call. */
async function tokenPerCall(shop: CornerShop): Promise<void> {
  for (let calls = 0; calls < 6; calls++) {
    await shop.newToken();
    await shop.ask('GET', list);
    await shop.wait(5_000);
  }
}

/** `token-stampede`: lets each of several parallel calls request a token. */
async function tokenStampede(shop: CornerShop): Promise<void> {
  shop.meets('token.create', { outcome: 'slow-first-byte', with: { delay: '300ms' } });
  await Promise.all(Array.from({ length: 4 }, () => shop.newToken()));
  for (let calls = 0; calls < 8; calls++) await shop.ask('GET', list);
}

/** `refresh-loop`: renews a refused token without end. */
async function refreshLoop(shop: CornerShop): Promise<void> {
  shop.meets('card.list', 'token-revoked', { times: 4 });
  for (let status = 401; status === 401;) {
    await shop.newToken();
    status = (await shop.ask('GET', list)).status;
    await shop.wait(1_500);
  }
}

/** `token-in-url`: puts the token where proxies log it. */
async function tokenInUrl(shop: CornerShop): Promise<void> {
  const token = (await shop.newToken()).replace('Bearer ', '');
  await shop.ask('GET', `${list}?access_token=${token}`);
}

export const tokens: Readonly<Record<string, BadClient>> = {
  'a token for each call': { rule: 'token-per-call', run: tokenPerCall },
  'a token for each parallel call': { rule: 'token-stampede', run: tokenStampede },
  'tokens renewed without an end': { rule: 'refresh-loop', run: refreshLoop },
  'a token in the URL': { rule: 'token-in-url', run: tokenInUrl },
};
