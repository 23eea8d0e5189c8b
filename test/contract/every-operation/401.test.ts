import { expect, it } from 'vitest';
import { onEveryTransport, type Reply } from '../../support/transports.ts';
import { information, jsonOperations } from '../../support/requests/every-operation.ts';
import { inOrder } from '../../support/in-order.ts';
import { unknownSubjects, validRequest } from '../../support/requests/valid-requests.ts';

onEveryTransport('every operation requires a token', (transport) => {
  it.each(jsonOperations)(
    '401 %s: refuses a request without an Authorization header',
    async (name) => {
      const reply = await transport
        .shop()
        .send(name, { ...validRequest(name, unknownSubjects), authorization: null });
      expectUnauthenticated(reply, 'Authorization header does not have valid access token');
    },
  );

  it.each(jsonOperations)('401 %s: refuses an empty Authorization header', async (name) => {
    const reply = await transport
      .shop()
      .send(name, { ...validRequest(name, unknownSubjects), authorization: '' });
    expectUnauthenticated(reply, 'Authorization header does not have valid access token');
  });

  it.each(jsonOperations)(
    '401 %s: refuses a token that this sandbox did not issue',
    async (name) => {
      const shop = transport.shop();
      const foreign = [
        'Bearer junk',
        'Bearer A21.my-shop.deadbeef',
        'Bearer sandbox.',
        'Bearer sandbox.not a merchant',
        'Bearer',
        'Token sandbox.my-shop',
        `Basic ${btoa('my-shop:secret')}`,
      ];
      await inOrder(foreign, async (authorization) => {
        const request = { ...validRequest(name, unknownSubjects), authorization };
        expectUnauthenticated(await shop.send(name, request), 'Access Token not found in cache');
      });
    },
  );

  it.each(jsonOperations)(
    "401 %s: refuses a token that has expired on its merchant's clock",
    async (name) => {
      const shop = transport.shop();
      const { access_token: token, expires_in: lifetimeS } = await shop.ask('token.create', 200, {
        body: 'grant_type=client_credentials',
      });
      shop.merchant.clock.advance(lifetimeS * 1000);
      const request = {
        ...validRequest(name, unknownSubjects),
        authorization: `Bearer ${token}`,
      };
      expectUnauthenticated(await shop.send(name, request), 'Token expired');
    },
  );

  it('401 is answered before the request is validated', async () => {
    const request = { body: 'no JSON', headers: { 'Content-Type': 'text/plain' } };
    await transport.shop().ask('card.create', 401, { ...request, authorization: null });
  });
});

/** Both families of keys in one body: clients of either generation find theirs (contract.md §1.4). */
function expectUnauthenticated(reply: Reply<unknown>, description: string): void {
  expect(reply.status, reply.text).toBe(401);
  expect(reply.text).toBe(
    JSON.stringify({
      name: 'AUTHENTICATION_FAILURE',
      message: 'Authentication failed due to invalid authentication credentials',
      error: 'invalid_token',
      error_description: description,
      information_link: information('AUTHENTICATION_FAILURE'),
      debug_id: reply.headers.get('paypal-debug-id'),
    }),
  );
  expect(reply.headers.get('www-authenticate')).toBe(
    'Bearer realm="card-vault-sandbox", error="invalid_token"',
  );
}
