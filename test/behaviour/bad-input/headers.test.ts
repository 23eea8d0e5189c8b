/** Headers that mean nothing, too much, or something else than they should. */
import { describe, expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { expectWell, send, stateOf } from './answers.ts';

const cards = '/v1/vault/credit-cards';
const body = JSON.stringify(cardBody());

onEveryTransport('a Content-Type', (transport) => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset=UTF-8; x="y;z"',
    'application/json;',
  ])('accepts JSON as %s', async (type) => {
    const { status, text } = await send(transport.shop(), {
      path: cards,
      body,
      headers: { 'Content-Type': type },
    });
    expect(status, text).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/xml, application/json',
    'json',
    ';',
    'x'.repeat(4000),
  ])('refuses %s', async (type) => {
    const shop = transport.shop();
    const before = await stateOf(shop);
    const { status, name } = await send(shop, {
      path: cards,
      body,
      headers: { 'Content-Type': type },
    });
    expect([status, name]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await stateOf(shop)).toEqual(before);
  });

  it('is not required for requests without a body', async () => {
    const shop = transport.shop();
    for (const type of ['text/plain', 'nonsense']) {
      const answer = await send(shop, {
        method: 'GET',
        path: cards,
        headers: { 'Content-Type': type },
      });
      expect(answer.status).toBe(200);
    }
  });

  it.each(['text/plain', 'application/json', 'multipart/form-data'])(
    'is refused by the token endpoint if it is not a form: %s',
    async (type) => {
      const headers = { 'Content-Type': type, Authorization: `Basic ${btoa('shop:secret')}` };
      const { status, name } = await send(transport.shop(), {
        path: '/v1/oauth2/token',
        headers,
        body: 'grant_type=client_credentials',
      });
      expect([status, name]).toEqual([415, 'invalid_request']);
    },
  );
});

onEveryTransport('a PayPal-Request-Id', (transport) => {
  it.each(['x'.repeat(79), 'x'.repeat(8000)])('is refused if it is too long', async (id) => {
    const shop = transport.shop();
    const before = await stateOf(shop);
    const { status, name } = await send(shop, {
      path: cards,
      body,
      headers: { 'PayPal-Request-Id': id },
    });
    expect([status, name]).toEqual([400, 'PAYMENT_REQUEST_ID_INVALID']);
    expect(await stateOf(shop)).toEqual(before);
  });

  it.each([
    'x',
    'x'.repeat(78),
    '../..',
    '%00',
    '__proto__',
    'constructor',
    'a b',
    '\u00ff',
    "';--",
  ])('may have any other form: %j', async (id) => {
    const shop = transport.shop();
    const sent = { path: cards, body, headers: { 'PayPal-Request-Id': id } };
    const first = await send(shop, sent);
    const again = await send(shop, sent);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });

  it('belongs to one merchant, method and path, even if their joined texts are equal', async () => {
    const shop = transport.shop();
    const { body: payment } = await send(shop, {
      path: '/v1/payments/payment',
      body: JSON.stringify(rawPaymentBody()),
      headers: { 'PayPal-Request-Id': 'a' },
    });
    // If a key were only joined, this one could be taken for that of the payment.
    const trick = await send(shop, {
      path: cards,
      body,
      headers: { 'PayPal-Request-Id': '/v1/payments/payment a' },
    });
    expect(trick.status).toBe(201);
    expect(trick.body).not.toEqual(payment);
  });
});

const badBearers = [
  '',
  'Bearer',
  'Bearer ',
  'bearer',
  'Bearer x',
  'Basic',
  'Bearer sandbox.',
  'Bearer sandbox',
  'Bearer sandbox. ',
  'Bearer sandbox.a b',
  'Bearer sandbox.a/b',
  'Bearer sandbox.%00',
  `Bearer sandbox.${'x'.repeat(129)}`,
  'Bearer sandbox.<script>',
  'Bearer sandbox.é',
  'Bearer A21.',
  'Bearer A21.shop',
  'Bearer A21.shop.0-0-0-0000000000000000',
  'Bearer A21.shop.zz-zz-zz-0123456789abcdef',
  'Bearer A21.shop.1-1-1-0123456789ABCDEF',
  `Bearer A21.${'x'.repeat(5000)}.1-1-1-0123456789abcdef`,
  `Bearer ${'x'.repeat(8000)}`,
  'Bearer sandbox.shop, Bearer sandbox.other',
  'Digest username="shop"',
  'Bearer null',
  'Bearer undefined',
  'Bearer [object Object]',
  `Basic ${btoa('shop:secret')}`,
  'sandbox.shop',
  'Bearer Bearer sandbox.shop',
  'Bearer\u00a0sandbox.shop',
];

onEveryTransport('an Authorization header without an issued token', (transport) => {
  it.each(badBearers)('is refused with 401 before any other check: %s', async (authorization) => {
    const shop = transport.shop();
    const before = await stateOf(shop);
    const merchants = transport.sandbox.merchants();
    for (const sent of [
      { path: cards, body },
      { path: cards, body: '{' },
      { path: '/v1/payments/payment', body: 'x'.repeat(2_000_000) },
      { method: 'GET', path: `${cards}?page_size=x` },
    ]) {
      const { status, name, headers } = await send(shop, {
        ...sent,
        headers: { Authorization: authorization },
      });
      expect([status, name]).toEqual([401, 'AUTHENTICATION_FAILURE']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="[\w-]+"/);
    }
    expect(await stateOf(shop)).toEqual(before);
    expect(transport.sandbox.merchants()).toEqual(merchants);
  });

  it('is refused if any character of an issued token is changed', async () => {
    const shop = transport.shop();
    const form = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${btoa('shop-x:secret')}`,
    };
    const { body: grant } = await send(shop, {
      path: '/v1/oauth2/token',
      headers: form,
      body: 'grant_type=client_credentials',
    });
    const token = String(Reflect.get(Object(grant), 'access_token'));
    const statusOf = async (bent: string) =>
      (
        await send(shop, {
          method: 'GET',
          path: cards,
          headers: { Authorization: `Bearer ${bent}` },
        })
      ).status;
    expect(await statusOf(token)).toBe(200);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === '0' ? '1' : '0';
      expect(await statusOf(token.slice(0, at) + other + token.slice(at + 1)), `at ${at}`).toBe(
        401,
      );
    }
    expect(await statusOf(token.slice(0, -1))).toBe(401);
    expect(await statusOf(`${token}0`)).toBe(401);
  });
});

const badBasics: readonly (readonly [authorization: string | undefined, status: number])[] = [
  [undefined, 401],
  ['', 401],
  ['Basic', 401],
  ['Basic ', 401],
  ['Basic !!!', 401],
  ['Basic ====', 401],
  [`Basic ${btoa(':secret')}`, 401],
  [`Basic ${btoa('a b:secret')}`, 401],
  [`Basic ${btoa('a/b:secret')}`, 401],
  [`Basic ${btoa('../x:secret')}`, 401],
  [`Basic ${btoa('a\0b:secret')}`, 401],
  [`Basic ${btoa('a\r\nX-Injected: 1:secret')}`, 401],
  [`Basic ${btoa(`${'x'.repeat(129)}:s`)}`, 401],
  [`Basic ${Buffer.from('Zoë:secret').toString('base64')}`, 401],
  [`Basic ${btoa('x'.repeat(5000))}`, 401],
  ['Bearer sandbox.shop', 401],
  ['Digest x', 401],
];

onEveryTransport('invalid credentials', (transport) => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

  it.each(badBasics)('get no token: %s', async (authorization, status) => {
    const merchants = transport.sandbox.merchants();
    const response = await transport.fetch(`${transport.base}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        ...form,
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body: 'grant_type=client_credentials',
    });
    expect([response.status, Reflect.get(Object(await response.json()), 'error')]).toEqual([
      status,
      'invalid_client',
    ]);
    expect(response.headers.has('x-injected')).toBe(false);
    expect(transport.sandbox.merchants()).toEqual(merchants);
  });

  it.each([
    '',
    'grant_type',
    'grant_type=',
    'grant_type=password',
    'grant_type=CLIENT_CREDENTIALS',
    'GRANT_TYPE=client_credentials',
    '{"grant_type":"client_credentials"}',
    '%zz',
    '&=&=&',
    'grant_type=%ff%fe',
    'grant_type=refresh_token',
    'grant_type=authorization_code',
    'grant_type=password&grant_type=client_credentials',
    'grant_type=client_credentials\0',
    '\0',
    `x=${'y'.repeat(100_000)}`,
  ])('get no token for an invalid grant: %j', async (grant) => {
    const { status } = await send(transport.shop(), {
      path: '/v1/oauth2/token',
      headers: { ...form, Authorization: `Basic ${btoa('shop:secret')}` },
      body: grant,
    });
    expect(status).toBe(400);
  });
});

describe('a header that other servers obey', () => {
  onEveryTransport('the service', (transport) => {
    const odd: Readonly<Record<string, string>> = {
      'X-HTTP-Method-Override': 'DELETE',
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Proto': 'https',
      Forwarded: 'host=evil.test;proto=https',
      'X-Original-URL': '/v1/payments/payment',
      'X-Rewrite-Url': '/v1/payments/payment',
      'If-None-Match': '*',
      'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT',
      Range: 'bytes=0-5',
      'Accept-Encoding': 'gzip, br',
      Accept: 'text/html',
      'Content-Encoding': 'gzip',
      Origin: 'https://evil.test',
      Cookie: 'a=b; '.repeat(200),
      'PayPal-Mock-Response': '{"mock_application_codes":',
      __proto__: 'x',
      constructor: 'x',
      'X-Long': 'x'.repeat(7000),
    };

    it.each(Object.keys(odd))('ignores it: %s', async (header) => {
      const shop: Shop = transport.shop();
      const headers = { [header]: odd[header] ?? '' };
      const { status, text } = await send(shop, { method: 'GET', path: cards, headers });
      expect(status, text).toBe(200);
      expect(text).not.toContain('evil.test');
      expect(text.startsWith('{"items":[]')).toBe(true);
      await expectWell(shop);
    });
  });
});
