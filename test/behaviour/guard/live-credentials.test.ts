/** Live-looking credentials, at the token endpoint and as a bearer token. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { looksLikeLiveCredential } from '../../../src/guard/live-credentials.ts';
import type { Exchange } from '../../../src/index.ts';
import { onEveryTransport } from '../../support/transports.ts';

const live = [
  'A21AAFakeFakeFakeFakeFakeFakeFakeFake',
  'A101.FakeFakeFakeFakeFakeFake',
  'sk_live_FakeFakeFakeFake',
  'rk_live_FakeFakeFakeFake',
];

const basic = (id: string, secret: string) => `Basic ${btoa(`${id}:${secret}`)}`;
const grant = { body: 'grant_type=client_credentials' };

const warning = {
  kind: 'live-looking-credential',
  text: expect.stringMatching(/^These look like live credentials/),
};

describe('looksLikeLiveCredential', () => {
  it.each(live)('detects a live credential: %s', (credential) => {
    expect(looksLikeLiveCredential(credential)).toBe(true);
  });

  it.each([
    'my-shop',
    'secret',
    'A21AA',
    'A21.my-shop.issue',
    'sk_test_FakeFakeFakeFake',
    // Client ids of the real service look the same for its sandbox and for live.
    'AeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFakeFa',
  ])('accepts %s', (credential) => {
    expect(looksLikeLiveCredential(credential)).toBe(false);
  });
});

onEveryTransport('a live-looking credential, by default', (transport) => {
  it.each(live)('200 with a warning as a secret: %s', async (secret) => {
    const shop = transport.shop();
    const authorization = basic(shop.merchant.id, secret);
    const { headers, text } = await shop.reply('token.create', 200, { ...grant, authorization });
    expect(headers.get('sandbox-warning')).toMatch(/^live-looking-credential; text="[^\d"]+"$/);
    const { entries: requests } = shop.merchant.journal();
    expect(requests).toMatchObject([{ status: 200, warnings: [warning] }]);
    expect(text + inspect(requests, { depth: 9 })).not.toContain(secret);
  });

  it('401 with a warning as a bearer token', async () => {
    const [token = ''] = live;
    const authorization = `Bearer ${token}`;
    const { headers } = await transport.shop().reply('card.list', 401, { authorization });
    expect(headers.get('sandbox-warning')).toMatch(/^live-looking-credential; /);
  });

  it('200 without a warning for a token of this sandbox or any other text', async () => {
    const shop = transport.shop();
    const { headers, body } = await shop.reply('token.create', 200, grant);
    expect(headers.get('sandbox-warning')).toBeNull();
    for (const token of [body.access_token, 'anything']) {
      const answer = await shop.send('card.list', { authorization: `Bearer ${token}` });
      expect(answer.headers.get('sandbox-warning')).toBeNull();
    }
  });
});

const exchanges: Exchange[] = [];

onEveryTransport(
  'a live-looking credential, with realCards refuse',
  (transport) => {
    const refusal = {
      error: 'invalid_client',
      error_description:
        'The client credentials look like live ones, which this sandbox refuses (--real-cards refuse); use any others',
    };

    it.each(live)('401 as a secret, which is stored nowhere: %s', async (secret) => {
      exchanges.length = 0;
      const shop = transport.shop();
      const authorization = basic(shop.merchant.id, secret);
      const reply = await shop.reply('token.create', 401, { ...grant, authorization });
      expect(reply.body).toEqual(refusal);
      expect(reply.headers.get('sandbox-warning')).toMatch(/^live-looking-credential; /);
      const { entries: requests } = shop.merchant.journal();
      expect(requests).toMatchObject([{ status: 401, warnings: [warning] }]);
      const all = inspect([reply, requests, exchanges, shop.merchant.export()], { depth: 9 });
      expect(all).not.toContain(secret.slice(8));
    });

    it.each(live)('401 as a client id, without creating a merchant: %s', async (id) => {
      exchanges.length = 0;
      const shop = transport.shop();
      const authorization = basic(id, 'secret');
      const reply = await shop.reply('token.create', 401, { ...grant, authorization });
      expect(reply.body).toEqual(refusal);
      expect(exchanges).toMatchObject([{ merchant: undefined, warnings: [warning] }]);
      expect(
        inspect([reply, exchanges, transport.sandbox.merchants()], { depth: 9 }),
      ).not.toContain(id);
    });

    it.each([
      ['grant_type=password', 'unsupported grant_type'],
      ['', 'Grant Type is NULL'],
    ])('400 for an invalid grant as usual: %j', async (body, description) => {
      for (const authorization of [
        basic('sk_live_Fake', 'secret'),
        basic('shop', 'sk_live_Fake'),
      ]) {
        const refused = await transport.shop().ask('token.create', 400, { body, authorization });
        expect(refused.error_description).toBe(description);
      }
    });
  },
  { realCards: 'refuse', listeners: { onExchange: (exchange) => exchanges.push(exchange) } },
);

onEveryTransport(
  'a live-looking credential, with realCards off',
  (transport) => {
    it('200 without a warning', async () => {
      const [secret = ''] = live;
      const shop = transport.shop();
      const authorization = basic(shop.merchant.id, secret);
      const { headers } = await shop.reply('token.create', 200, { ...grant, authorization });
      expect(headers.get('sandbox-warning')).toBeNull();
      const unknown = await shop.reply('card.list', 401, { authorization: `Bearer ${secret}` });
      expect(unknown.headers.get('sandbox-warning')).toBeNull();
    });
  },
  { realCards: 'off' },
);
