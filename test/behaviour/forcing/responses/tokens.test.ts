/** Forced token outcomes: lifetimes, an endpoint that is down, and temporary 401s. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { at, see } from '../tolerant-client.ts';

const form = { body: 'grant_type=client_credentials' };

async function tokenOf(shop: Shop) {
  const token = await shop.ask('token.create', 200, form);
  return { ...token, authorization: `Bearer ${token.access_token}` };
}

onEveryTransport('a forced token', (transport) => {
  it('expires exactly after its expires_in', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'token.create',
      outcome: { outcome: 'token-short-lived', with: { expiresIn: 30 } },
    });
    const { expires_in: expiresIn, authorization } = await tokenOf(shop);
    expect(expiresIn).toBe(30);
    shop.merchant.clock.advance(30_000 - 1);
    await shop.ask('card.list', 200, { authorization });
    shop.merchant.clock.advance(1);
    const refused = await shop.ask('card.list', 401, { authorization });
    expect(at(refused, 'error_description')).toBe('Token expired');
    expect((await tokenOf(shop)).expires_in).toBe(32_400);
  });

  it('is refused with the same response as an expired token', async () => {
    const shop = transport.shop();
    const { authorization } = await tokenOf(shop);
    shop.merchant.force({ op: 'card.list', outcome: 'token-expired' });
    const forced = await shop.reply('card.list', 401, { authorization });
    shop.merchant.clock.advance(32_400_000);
    const natural = await shop.reply('card.list', 401, { authorization });
    const { debug_id: _one, ...said } = forced.body;
    const { debug_id: _other, ...saidByItself } = natural.body;
    expect(said).toEqual(saidByItself);
    expect(forced.headers.get('www-authenticate')).toBe(natural.headers.get('www-authenticate'));
  });

  it('is refused a few times and then accepted, for each operation', async () => {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'card.list',
      outcome: { outcome: 'token-401-burst', with: { times: 3 } },
    });
    const seen = await inOrder([1, 2, 3, 4, 5], () => see(shop, 'card.list', {}));
    expect(seen.map(({ status }) => status)).toEqual([401, 401, 401, 200, 200]);
  });

  it('expires during a purchase, which succeeds with a new token', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'token-expires-mid-flow' });
    const call = { body: paymentBody({ cardId }), headers: { 'PayPal-Request-Id': 'one' } };
    expect((await see(shop, 'payment.create', call)).status).toBe(401);
    const { authorization } = await tokenOf(shop);
    expect((await see(shop, 'payment.create', { ...call, authorization })).status).toBe(201);
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it.each([
    ['token-endpoint-down', { body: 'html' }, 503, 'text/html'],
    ['token-endpoint-down', { body: 'error' }, 503, 'application/json'],
    ['rate-limited-token', {}, 429, 'application/json'],
    ['client-credentials-bad', {}, 401, 'application/json'],
    ['rate-limited-seconds', {}, 429, 'application/json'],
  ] as const)('is not issued: %s %o', async (outcome, params, status, type) => {
    const shop = transport.shop();
    const old = await tokenOf(shop);
    shop.merchant.force({ op: 'token.create', outcome: { outcome, with: params } });
    const seen = await see(shop, 'token.create', form);
    expect([seen.status, seen.headers.get('content-type')]).toEqual([status, type]);
    if (type === 'application/json') {
      expect(Object.keys(Object(JSON.parse(seen.text)))).toEqual(['error', 'error_description']);
    }
    await shop.ask('card.list', 200, { authorization: old.authorization });
    expect(at(await tokenOf(shop), 'expires_in')).toBe(32_400);
  });
});
