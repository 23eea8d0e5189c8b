import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { testNow, onEveryTransport, type Shop } from '../../support/transports.ts';
import { inOrder } from '../../support/in-order.ts';
import { cardBody } from '../../support/samples.ts';

const golden = JSON.stringify({
  scope:
    'openid https://uri.paypal.com/services/invoicing https://api.paypal.com/v1/payments/.* https://api.paypal.com/v1/vault/credit-card https://api.paypal.com/v1/vault/credit-card/.*',
  access_token: 'A21.golden.motptv6r-p00-hlbrexa3lnei-ef898c7c47c6de7c',
  token_type: 'Bearer',
  app_id: 'APP-4UC45309XI8120140',
  expires_in: 32_400,
  nonce: '2026-05-06T07:08:09Zjq8nap3ucehx',
});

const grant = { body: 'grant_type=client_credentials' };

const basic = (credentials: string): string => `Basic ${btoa(credentials)}`;

/** What POST /v1/oauth2/token gives for these credentials. */
async function tokenFor(shop: Shop, credentials = `${shop.merchant.id}:secret`): Promise<string> {
  const { access_token: token } = await shop.ask('token.create', 200, {
    ...grant,
    authorization: basic(credentials),
  });
  return `Bearer ${token}`;
}

onEveryTransport('a token', (transport) => {
  it('200 has the recorded keys in the recorded order', async () => {
    const reply = await transport.shop('golden').reply('token.create', 200, grant);
    expect(reply.text).toBe(golden);
    expect(reply.headers.get('date')).toBe('Wed, 06 May 2026 07:08:09 GMT');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('pragma')).toBe('no-cache');
  });

  it('200 issues a new token each time, with the same app_id', async () => {
    const shop = transport.shop();
    const first = await shop.ask('token.create', 200, grant);
    const second = await shop.ask('token.create', 200, grant);
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.nonce).not.toBe(first.nonce);
    expect(second.app_id).toBe(first.app_id);
    expect((await transport.shop().ask('token.create', 200, grant)).app_id).not.toBe(first.app_id);
  });

  it('200 accepts any secret, an empty one, and one with colons', async () => {
    const shop = transport.shop();
    const { id } = shop.merchant;
    await inOrder([`${id}:`, id, `${id}:a:b:c`, `${id}:ünïcode`.normalize()], async (pair) => {
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      await shop.ask('token.create', 200, { ...grant, authorization });
    });
  });

  it('200 accepts form-encoded credentials', async () => {
    const shop = transport.shop('ci@w1+a');
    const fromEncoded = await tokenFor(shop, 'ci%40w1%2Ba:s%26cret');
    await shop.ask('card.create', 201, { body: cardBody(), authorization: fromEncoded });
    const plain = await tokenFor(shop);
    const { items } = await shop.ask('card.list', 200, { authorization: plain });
    expect(items).toHaveLength(1);
  });

  it('200 accepts parameters in the content type, other keys, and a trailing slash', async () => {
    const shop = transport.shop();
    await shop.ask('token.create', 200, {
      body: 'response_type=token&grant_type=client_credentials&target_subject=x',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    });
    await shop.ask('token.create', 200, { ...grant, path: '/v1/oauth2/token/' });
    await shop.ask('token.create', 200, { ...grant, path: '/v1/oauth2/token?' });
  });

  it('200 accepts a form without a content type', async () => {
    const response = await transport.fetch(`${transport.base}/v1/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: basic('untyped:secret') },
      // Bytes, because fetch gives a text a type of its own.
      body: new TextEncoder().encode(grant.body),
    });
    expect(response.status).toBe(200);
  });

  it.each(['a', 'my.shop', 'AeA1Q-_~@+9', 'sandbox.x', 'A21.x', 'x'.repeat(128)])(
    '200 opens the world of client %s',
    async (id) => {
      const shop = transport.shop(id);
      const authorization = await tokenFor(shop);
      expect(authorization.startsWith(`Bearer A21.${id}.`)).toBe(true);
      const card = await shop.ask('card.create', 201, {
        authorization,
        body: {
          number: '4417119669820331',
          type: 'visa',
          expire_month: 11,
          expire_year: 2031,
        },
      });
      const seen = await shop.ask('card.get', 200, { params: { card_id: card.id } });
      expect(seen).toEqual(card);
    },
  );

  it('200 issues a token that survives a reset of its merchant', async () => {
    const shop = transport.shop();
    const authorization = await tokenFor(shop);
    shop.merchant.reset();
    await shop.ask('card.list', 200, { authorization });
    transport.sandbox.all.reset();
    await shop.ask('card.list', 200, { authorization });
  });

  it("401 refuses a token from the millisecond at which it expires on its merchant's clock", async () => {
    const shop = transport.shop();
    const other = transport.shop();
    const mine = await tokenFor(shop);
    const theirs = await tokenFor(other);
    shop.merchant.clock.advance(32_400_000 - 1);
    await shop.ask('card.list', 200, { authorization: mine });
    shop.merchant.clock.advance(1);
    const refused = await shop.ask('card.list', 401, { authorization: mine });
    expect(refused).toMatchObject({ error_description: 'Token expired' });
    await other.ask('card.list', 200, { authorization: theirs });
    await shop.ask('card.list', 200, { authorization: await tokenFor(shop) });
  });

  it('401 refuses an altered token', async () => {
    const shop = transport.shop('honest');
    const authorization = await tokenFor(shop);
    const [, issued = '', lifetime = ''] = /\.([0-9a-z]+)-([0-9a-z]+)-/.exec(authorization) ?? [];
    const last = authorization.at(-1) === '0' ? '1' : '0';
    const altered = [
      authorization.replace('.honest.', '.other.'),
      authorization.replace(`.${issued}-`, `.${issued}0-`),
      authorization.replace(`-${lifetime}-`, `-${lifetime}0-`),
      authorization.slice(0, -1) + last,
      authorization.slice(0, -1),
      `${authorization}0`,
      authorization.replace('A21', 'A22'),
      authorization.toUpperCase(),
    ];
    await inOrder(altered, async (forged) => {
      const refused = await shop.ask('card.list', 401, { authorization: forged });
      expect(refused).toMatchObject({ error_description: 'Access Token not found in cache' });
    });
    await shop.ask('card.list', 200, { authorization });
    expect(transport.sandbox.merchants()).not.toContain('other');
  });

  it('200 accepts any case and spaces in the Authorization scheme', async () => {
    const shop = transport.shop();
    const token = (await tokenFor(shop)).slice('Bearer '.length);
    await inOrder(['bearer ', 'BEARER ', 'Bearer   '], async (scheme) => {
      await shop.ask('card.list', 200, { authorization: scheme + token });
    });
  });

  it('401 refuses a token of a sandbox with another seed', async () => {
    const clock = { start: testNow, frozen: true };
    const shop = transport.shop('wanderer');
    const same = createSandbox({ seed: 'test', fixtures: 'empty', clock });
    const other = createSandbox({ seed: 'another', fixtures: 'empty', clock });
    const authorization = await tokenFor(shop);
    const listed = (sandbox: typeof same) =>
      sandbox.request('/v1/vault/credit-cards', { headers: { Authorization: authorization } });
    expect((await listed(same)).status).toBe(200);
    expect((await listed(other)).status).toBe(401);
  });
});

it('200 issues valid tokens before 1970', async () => {
  const { request } = createSandbox({
    clock: { start: '1969-06-01T00:00:00Z', frozen: true },
    fixtures: 'empty',
  });
  const made = await request('/v1/oauth2/token', {
    method: 'POST',
    headers: {
      Authorization: basic('early:secret'),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: grant.body,
  });
  const { access_token: token } = (await made.json()) as { readonly access_token: string };
  const headers = { Authorization: `Bearer ${token}` };
  expect((await request('/v1/vault/credit-cards', { headers })).status).toBe(200);
});
