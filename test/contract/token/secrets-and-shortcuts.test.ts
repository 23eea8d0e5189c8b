import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';

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

onEveryTransport(
  'a client whose secret is pinned',
  (transport) => {
    it('200 accepts the pinned secret', async () => {
      const shop = transport.shop('pinned');
      await shop.ask('card.list', 200, { authorization: await tokenFor(shop, 'pinned:right:one') });
    });

    it.each([
      'odd:50% + a:b&c=é',
      'odd:50%25+%2B+a%3Ab%26c%3D%C3%A9',
      'o%64d:50%25%20%2B%20a:b%26c=%c3%a9',
    ])('200 accepts the secret plain and form-encoded: %s', async (credentials) => {
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      await transport.shop('odd').ask('token.create', 200, { ...grant, authorization });
    });

    it.each([
      'pinned:wrong',
      'pinned:',
      'pinned',
      'pinned:right',
      'pinned:RIGHT:ONE',
      'pinned:right%253Aone',
    ])('401 refuses %s', async (credentials) => {
      const authorization = basic(credentials);
      const body = await transport.shop().ask('token.create', 401, { ...grant, authorization });
      expect(body).toEqual({
        error: 'invalid_client',
        error_description: 'Client secret does not match for this client',
      });
    });

    it('401 refuses a wrong secret before it checks the grant', async () => {
      const authorization = basic('pinned:wrong');
      await transport.shop().ask('token.create', 401, { body: 'grant_type=x', authorization });
    });

    it('200 accepts any secret of a client without a pinned one', async () => {
      const shop = transport.shop();
      await shop.ask('card.list', 200, { authorization: await tokenFor(shop) });
    });
  },
  {
    fixtures: {
      clients: [
        { client_id: 'pinned', client_secret: 'right:one' },
        { client_id: 'odd', client_secret: '50% + a:b&c=é' },
      ],
    },
  },
);

onEveryTransport(
  'strict tokens',
  (transport) => {
    it('401 refuses Bearer sandbox.<merchant>', async () => {
      const shop = transport.shop();
      const refused = await shop.ask('card.list', 401);
      expect(refused).toMatchObject({ error_description: 'Access Token not found in cache' });
      expect(transport.sandbox.merchants()).not.toContain(shop.merchant.id);
    });

    it('200 accepts an issued token', async () => {
      const shop = transport.shop();
      await shop.ask('card.list', 200, { authorization: await tokenFor(shop) });
    });
  },
  { auth: 'strict' },
);

describe('open tokens', () => {
  it('200 accepts Bearer sandbox.<merchant> for any merchant', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const listed = await sandbox.request('/v1/vault/credit-cards', {
      headers: { Authorization: 'Bearer sandbox.worker-3' },
    });
    expect(listed.status).toBe(200);
    expect(sandbox.merchants()).toEqual(['worker-3']);
  });
});
