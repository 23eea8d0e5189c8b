import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';

const grant = { body: 'grant_type=client_credentials' };

const basic = (credentials: string): string => `Basic ${btoa(credentials)}`;

onEveryTransport('a token that is refused', (transport) => {
  const refusals: readonly (readonly [string, string, 400 | 401, string, string])[] = [
    ['', 'no grant', 400, 'unsupported_grant_type', 'Grant Type is NULL'],
    ['grant_type=', 'an empty grant', 400, 'unsupported_grant_type', 'Grant Type is NULL'],
    ['scope=openid', 'no grant', 400, 'unsupported_grant_type', 'Grant Type is NULL'],
    [
      'grant_type=password',
      'an unknown grant',
      400,
      'unsupported_grant_type',
      'unsupported grant_type',
    ],
    [
      'grant_type=refresh_token&refresh_token=R23AAFake',
      'a refresh token',
      400,
      'invalid_request',
      'Invalid refresh token',
    ],
    [
      'grant_type=authorization_code&response_type=token&redirect_uri=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&code=C1Fake',
      'an authorization code',
      400,
      'invalid_request',
      'Invalid auth code',
    ],
  ];

  it.each(refusals)('400 refuses %s: %s', async (body, _what, _status, error, description) => {
    const reply = await transport.shop().reply('token.create', 400, { body });
    expect(reply.text).toBe(JSON.stringify({ error, error_description: description }));
    expect(reply.headers.get('www-authenticate')).toBeNull();
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('pragma')).toBe('no-cache');
  });

  it('400 refuses a request without a body', async () => {
    const body = await transport.shop().ask('token.create', 400);
    expect(body).toEqual({
      error: 'unsupported_grant_type',
      error_description: 'Grant Type is NULL',
    });
  });

  it.each([null, ''])(
    '401 asks for credentials if there are none (Authorization %j)',
    async (authorization) => {
      const reply = await transport.shop().reply('token.create', 401, { ...grant, authorization });
      expect(reply.body).toEqual({
        error: 'invalid_client',
        error_description: 'Client credentials are missing',
      });
      expect(reply.headers.get('www-authenticate')).toBe('Basic realm="card-vault-sandbox"');
    },
  );

  it('401 asks for credentials before it looks at the grant', async () => {
    await transport.shop().ask('token.create', 401, { authorization: null });
  });

  it.each([
    'Bearer sandbox.my-shop',
    'Digest username="my-shop"',
    'my-shop:secret',
    'Basic',
    'Basic !!!',
  ])('401 asks for Basic if the credentials are in another form: %s', async (authorization) => {
    const reply = await transport.shop().reply('token.create', 401, { ...grant, authorization });
    expect(reply.body).toEqual({
      error: 'invalid_client',
      error_description:
        'The client credentials are invalid: send Authorization: Basic and client_id:client_secret in base64',
    });
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="card-vault-sandbox"');
  });

  it.each([
    basic(':secret'),
    basic('my shop:secret'),
    basic('my/shop:secret'),
    basic('<script>:secret'),
    basic('my%2Fshop:secret'),
    basic('my%shop:secret'),
    basic('%:secret'),
    basic(`${'x'.repeat(129)}:secret`),
    `Basic ${Buffer.from('größe:secret').toString('base64')}`,
  ])('401 refuses credentials without a valid client id: %s', async (authorization) => {
    const before = transport.sandbox.merchants();
    const reply = await transport.shop().reply('token.create', 401, { ...grant, authorization });
    expect(reply.body).toEqual({
      error: 'invalid_client',
      error_description:
        'The client credentials are invalid: a client id here has 1 to 128 letters, digits and . _ ~ @ + -',
    });
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="card-vault-sandbox"');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(transport.sandbox.merchants()).toEqual(before);
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    '415 refuses a body of type %s',
    async (type) => {
      const body = await transport.shop().ask('token.create', 415, {
        body: '{"grant_type":"client_credentials"}',
        headers: { 'Content-Type': type },
      });
      expect(body).toEqual({
        error: 'invalid_request',
        error_description: 'Send the body as application/x-www-form-urlencoded',
      });
    },
  );

  it('405 answers another method in the shape of the service', async () => {
    const response = await transport.fetch(`${transport.base}/v1/oauth2/token`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toMatchObject({ name: 'METHOD_NOT_SUPPORTED' });
  });

  it('415 refuses a body with a Content-Encoding', async () => {
    const body = await transport.shop().ask('token.create', 415, {
      body: gzipSync('grant_type=client_credentials'),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Encoding': 'gzip',
      },
    });
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: 'Send the body uncompressed, without Content-Encoding',
    });
  });
});
