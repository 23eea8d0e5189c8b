/** Methods and paths that no operation has. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/service/operations.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { expectWell, send, stateOf } from './answers.ts';

/** Every path served, in both spellings, with the methods that are. */
const served = new Map<string, Set<string>>();
for (const { path, method } of Object.values(operations)) {
  for (const spelling of [path, path.replace('/credit-cards', '/credit-card')]) {
    const methods = served.get(spelling) ?? new Set();
    methods.add(method.toUpperCase());
    if (method === 'get') methods.add('HEAD');
    served.set(spelling, methods);
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH'];

function filled(path: string): string {
  return path.replaceAll(/\{\w+\}/g, 'SOME-ID');
}

onEveryTransport('a method that a path does not allow', (transport) => {
  describe.each([...served.keys()])('%s', (path) => {
    const allowed = served.get(path) ?? new Set();

    it.each(['', '/', '?', '/?x=1'])(
      'gets 405 with the allowed methods (path ends with "%s")',
      async (end) => {
        const shop = transport.shop();
        for (const method of methods.filter((one) => !allowed.has(one))) {
          const { status, headers, name, text } = await send(shop, {
            method,
            path: filled(path) + end,
          });
          expect(status, `${method} ${text}`).toBe(405);
          expect(new Set(headers.get('allow')?.split(', '))).toEqual(allowed);
          expect(name).toBe(method === 'HEAD' ? undefined : 'METHOD_NOT_SUPPORTED');
        }
      },
    );
  });

  it('changes nothing with any body and headers', async () => {
    const shop = transport.shop();
    const before = await stateOf(shop);
    for (const path of served.keys()) {
      for (const method of ['PUT', 'OPTIONS']) {
        await send(shop, { method, path: filled(path), body: '{"x":' });
      }
    }
    expect(await stateOf(shop)).toEqual(before);
  });
});

const unknown = [
  '/v1',
  '/v1/',
  '/v1/vault',
  '/v1/vault/credit-crads',
  '/v1/vault/credit-cards/A/B',
  '/v1/vault/credit-cards//A',
  '/v1//vault/credit-cards',
  '//v1/vault/credit-cards',
  '/V1/vault/credit-cards',
  '/v1/vault/credit%2Dcards/x/y',
  '/v1/vault/credit-cards;x=1',
  '/v1/vault/credit-cards//',
  '/v1/vault/credit-card/CARD-1//',
  '/v1/payments/payment///',
  '/v1/payments',
  '/v1/payments/payment/P/executes',
  '/v1/payments/payoutss',
  '/v1/payments/sale',
  '/v1/payments/authorization/A/settle',
  '/v1/oauth2',
  '/v1/oauth2/token/x',
  '/index.php',
  '/.env',
  '/.git/config',
  '/etc/passwd',
  '/v1/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/..%5c..%5cwindows',
  '/v1/vault/%00',
  '/v1/%zz',
  '/%',
  '/%E0%A4%A',
  '/%c0%ae%c0%ae/',
  '/v1/*',
  '/v1/:id',
  '/v1/{card_id}',
  '/<script>alert(1)</script>',
  `/v1/${'a'.repeat(8000)}`,
  `/${'a/'.repeat(4000)}`,
  `/v1/vault/${'%41'.repeat(2000)}`,
];

onEveryTransport('an unknown path', (transport) => {
  it.each(unknown)('gets 404 and is not repeated: %s', async (path) => {
    const shop = transport.shop();
    const { status, name, text } = await send(shop, { method: 'GET', path });
    expect([status, name], text).toEqual([404, 'NOT_FOUND']);
    const message = String(Reflect.get(Object(JSON.parse(text)), 'message'));
    const nearest = /nearest path is [A-Z, ]+ (\/\S+)\. All/.exec(message)?.[1];
    if (nearest === undefined) expect(message).toMatch(/ All paths are listed at \/docs$/);
    else expect([...served.keys()]).toContain(nearest);
    // The path may hold anything: of the answer, only our own path may be in it.
    const words = decodeAll(path)
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word.length > 3);
    const foreign = words.filter((word) => !nearest?.includes(word) && message.includes(word));
    expect(foreign).toEqual([]);
  });

  it('gets 404 with the nearest path', async () => {
    const messageOf = async (path: string, method = 'GET') =>
      (await send(transport.shop(), { method, path })).text;
    expect(await messageOf('/v1/vault/credit-crads')).toContain('/v1/vault/credit-card');
    expect(await messageOf('/v1/payments/payments')).toContain('/v1/payments/payment');
    expect(await messageOf('/v1/oauth/token', 'POST')).toContain('/v1/oauth2/token');
    expect(await messageOf('/v1/oauth2/token//', 'POST')).toContain('/v1/oauth2/token');
    expect(await messageOf('/etc/passwd')).not.toContain('nearest');
  });
});

function decodeAll(path: string): string {
  return path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const ids = [
  '..',
  '%2e%2e',
  '%2e%2e%2f',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  'CARD-%00',
  '%zz',
  '%',
  '%E0%A4%A',
  '%2F',
  'a%2Fb',
  '%0d%0aX-Injected:%201',
  '%F0%9F%82%A1',
  '{card_id}',
  '*',
  "'%20OR%201=1--",
  '__proto__',
  'constructor',
  'undefined',
  'null',
  '0',
  '-1',
  '[object%20Object]',
  'x'.repeat(10_000),
];

onEveryTransport('an unknown id', (transport) => {
  const withIds = [...served].filter(([path]) => path.includes('{'));

  it.each(ids)('gets 404 from every operation and is never repeated: %s', async (id) => {
    const shop = transport.shop();
    await expectWell(shop);
    const before = await stateOf(shop);
    for (const [path, allowed] of withIds) {
      for (const method of allowed) {
        const at = path.replaceAll(/\{\w+\}/g, id);
        const { status, headers, text } = await send(shop, {
          method,
          path: at,
          ...bodyFor(method, path),
        });
        // Two dots are resolved by the client or are another path.
        expect(
          id.includes('..') || id.includes('%2e') ? [200, 204, 404, 405] : [404],
          `${method} ${at} ${text}`,
        ).toContain(status);
        expect(headers.has('x-injected')).toBe(false);
        expect(text).not.toMatch(/passwd|OR 1=1|xxxx{9}/);
      }
    }
    if (!id.includes('.') && !id.includes('%2e')) expect(await stateOf(shop)).toEqual(before);
  });
});

function bodyFor(method: string, path: string): { body?: string } {
  if (method === 'POST') {
    return {
      body:
        path.includes('capture}') || path.includes('sale')
          ? '{}'
          : '{"amount":{"total":"1.00","currency":"USD"}}',
    };
  }
  if (method !== 'PATCH') return {};
  const target = path.includes('payment') ? '/transactions/0/custom' : '/first_name';
  return { body: JSON.stringify([{ op: 'replace', path: target, value: 'x' }]) };
}

onEveryTransport('a trailing slash or an empty query', (transport) => {
  it.each(['', '/', '?', '/?'])('changes nothing: "%s"', async (end) => {
    const shop: Shop = transport.shop();
    for (const path of [
      '/v1/vault/credit-cards',
      '/v1/vault/credit-card',
      '/v1/payments/payment',
    ]) {
      expect((await send(shop, { method: 'GET', path: path + end })).status).toBe(200);
    }
  });
});
