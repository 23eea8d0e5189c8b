/** What no HTTP client can send: hosts of every form, proxies, passwords in targets, and random bytes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UnreadableRequest } from '../../../src/index.ts';
import { TestTransport } from '../../support/transports.ts';
import { cardBody } from '../../support/samples.ts';
import { expectSound } from './answers.ts';
import { exchange } from './raw-socket.ts';
import { fuzz } from './raw-fuzz.ts';

const cards = '/v1/vault/credit-cards';
const body = JSON.stringify(cardBody());
const reported: UnreadableRequest[] = [];
const failures: unknown[] = [];
const transport = new TestTransport('socket', {
  listeners: {
    onUnreadable: (unreadable) => reported.push(unreadable),
    onControlFailure: (failure) => failures.push(failure),
  },
});
beforeAll(() => transport.open());
afterAll(() => transport.close());
beforeEach(() => {
  reported.length = 0;
  failures.length = 0;
});

const head = (line: string, ...lines: string[]) => [line, ...lines, '', ''].join('\r\n');

const store = (target: string, ...hosts: string[]) =>
  head(
    `POST ${target} HTTP/1.1`,
    ...hosts.map((host) => `Host: ${host}`),
    'Authorization: Bearer sandbox.hosts',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ) + body;

const validHosts = [
  'localhost:',
  'LOCALHOST:3000',
  'a_b.test',
  'xn--mnchen-3ya.test',
  'localhost:0',
  'localhost:00080',
  '%6cocalhost:3000',
  '[::1]',
  '[::1]:',
  '[FE80::1]:3000',
  '[::ffff:127.0.0.1]:80',
  "a!$&'()*+,;=~-.b",
];

describe('a valid Host header', () => {
  it.each(validHosts)('is kept in links, which can be parsed: %s', async (host) => {
    const [answer] = await exchange(transport, store(cards, host));
    expect(answer?.status, answer?.text).toBe(201);
    const { links } = JSON.parse(answer?.text ?? '') as { links: readonly { href: string }[] };
    for (const { href } of links) {
      expect(href.startsWith(`http://${host}/v1/`), href).toBe(true);
      expect(URL.canParse(href), href).toBe(true);
    }
    for (const path of ['/', '/_sandbox/health', '/_sandbox/rules', '/docs']) {
      const asked = head(`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
      expect((await exchange(transport, asked))[0]?.status, path).toBe(200);
    }
  });

  it.each(['[fe80::1%25eth0]:3000', '[fe80::1%25eth0]', '[v1.a:b]'])(
    'is kept in links although no URL may have it: %s',
    async (host) => {
      const [answer] = await exchange(transport, store(cards, host));
      expect(answer?.status).toBe(201);
      expect(answer?.text).toContain(`http://${host}/v1/`);
      const asked = head('GET / HTTP/1.1', `Host: ${host}`, 'Connection: close');
      expect((await exchange(transport, asked))[0]?.status).toBe(200);
    },
  );

  it('is replaced by the host of a whole URL', async () => {
    const [answer] = await exchange(transport, store(`HTTP://Other.test:1${cards}`, 'localhost'));
    expect(answer?.text).toContain('http://Other.test:1/v1/');
  });
});

const invalid: Readonly<Record<string, string>> = {
  'no Host': store(cards),
  'two Hosts': store(cards, 'a', 'b'),
  'a port that is too large': store(cards, 'a:65536'),
  'brackets around a name': store(cards, '[a]'),
  'a zone without an address': store(cards, '[%25eth0]'),
  'a bad percent sign': store(cards, '%zz'),
  'an encoded slash': store(cards, 'a%2fb'),
  'letters beyond ASCII': store(cards, 'm\u00fcnchen.test'),
  'an asterisk': store('*', 'a'),
  'a coding that is not chunked': head(
    `POST ${cards} HTTP/1.1`,
    'Host: a',
    'Transfer-Encoding: gzip',
  ),
};

describe('an invalid address', () => {
  it.each(Object.keys(invalid))('gets 400 in the shape of the service: %s', async (kind) => {
    const answers = await exchange(transport, invalid[kind] ?? '');
    expect(answers).toHaveLength(1);
    const [answer] = answers;
    if (answer === undefined) return;
    expect(expectSound(kind, answer, answer.text)).toMatchObject({
      status: 400,
      name: 'MALFORMED_REQUEST',
    });
  });
});

describe('a header that is sent twice', () => {
  it.each([
    ['Authorization: Bearer sandbox.other', 401, 'AUTHENTICATION_FAILURE'],
    ['Content-Type: text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['Content-Type: application/json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['Content-Encoding: identity\r\nContent-Encoding: gzip', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('has both values, as in process: %s', async (line, status, name) => {
    const bytes = store(cards, 'a').replace('\r\n', `\r\n${line}\r\n`);
    const [answer] = await exchange(transport, bytes);
    expect([answer?.status, answer?.text]).toEqual([status, expect.stringContaining(name)]);
  });

  it('is one request id of both values', async () => {
    const card = async (...ids: string[]) => {
      const lines = ids.map((id) => `PayPal-Request-Id: ${id}\r\n`).join('');
      const [answer] = await exchange(transport, store(cards, 'a').replace('\r\n', `\r\n${lines}`));
      return answer?.text;
    };
    expect(await card('one', 'two')).toBe(await card('one, two'));
  });
});

it('OPTIONS * is about the whole server', async () => {
  const [answer] = await exchange(
    transport,
    head('OPTIONS * HTTP/1.1', 'Host: a', 'Connection: close'),
  );
  expect([answer?.status, answer?.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

describe('a password in a target', () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];
  const places = [
    '/_sandbox/reset',
    '/_sandbox/nowhere',
    '/docs',
    '/docs/control',
    '/v1/vault/credit-cards',
    '/',
    '',
  ];

  it.each(methods)('is neither answered nor kept: %s', async (method) => {
    for (const place of places) {
      for (const target of [
        `http://user:hunter2@host${place}`,
        `//user:hunter2@host${place}`,
        `http:///user:hunter2@host${place}`,
        `/x/http://user:hunter2@host${place}`,
        `/_sandbox/http://user:hunter2@host${place}`,
        `${place || '/'}?next=http%3A%2F%2Fuser%3Ahunter2%40host`,
        `ftp://user:hunter2@host${place}`,
      ]) {
        const lines = ['Host: a', 'Authorization: Bearer sandbox.secret', 'Connection: close'];
        const [answer] = await exchange(transport, head(`${method} ${target} HTTP/1.1`, ...lines));
        expect(answer, target).toBeDefined();
        expect(answer?.status, `${method} ${target} ${answer?.text}`).toBeLessThan(500);
        expect(answer?.text, target).not.toContain('hunter2');
      }
    }
    expect(failures).toEqual([]);
    const kept = JSON.stringify(transport.sandbox.merchant('secret').journal());
    expect(kept).not.toContain('hunter2');
    expect(JSON.stringify(reported)).not.toContain('hunter2');
  });
});

const unread: Readonly<Record<string, readonly [bytes: string, status: number, reason: RegExp]>> = {
  'a proxy request': [
    head('CONNECT u:p@api.paypal.test:443 HTTP/1.1', 'Host: api.paypal.test'),
    405,
    /CONNECT\).+base URL, and unset proxy settings/,
  ],
  'a SOCKS greeting': ['\u0005\u0001\u0000', 400, /SOCKS proxy/],
  'two lengths': [
    head('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'),
    400,
    /one Content-Length/,
  ],
  'a length and chunks': [
    head('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    400,
    /one Content-Length/,
  ],
  'a head of 20 KB': [head('GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`), 431, /16 KiB/],
};

describe('a request that Node refuses', () => {
  it.each(Object.keys(unread))('is answered and reported once: %s', async (kind) => {
    const [bytes = '', status, reason = /never/] = unread[kind] ?? [];
    const answers = await exchange(transport, bytes);
    expect(answers).toHaveLength(1);
    const [answer] = answers;
    if (answer === undefined) return;
    expect(expectSound(kind, answer, answer.text).status).toBe(status);
    expect(reported).toEqual([{ reason: expect.stringMatching(reason) }]);
  });

  it('is answered after the answers to the requests before it', async () => {
    const first = head(`GET ${cards} HTTP/1.1`, 'Host: a', 'Authorization: Bearer sandbox.x');
    const answers = await exchange(transport, `${first + first}nonsense\r\n\r\n`, 3);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  });

  it('does not hide 3,000 short headers', async () => {
    const many = Array.from({ length: 3_000 }, () => 'a:');
    const lines = ['Host: a', ...many, 'Authorization: Bearer sandbox.x', 'Connection: close'];
    const [answer] = await exchange(transport, head(`GET ${cards} HTTP/1.1`, ...lines));
    expect(answer?.status).toBe(200);
  });

  it('serves a client that offers another protocol over HTTP/1.1', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const lines = ['Host: a', 'Connection: Upgrade', `Upgrade: ${protocol}`];
      const [answer] = await exchange(transport, head('GET /_sandbox/health HTTP/1.1', ...lines));
      expect(answer?.status).toBe(200);
    }
  });
});

it('every random request gets an answer or a close, and the next good one is answered', async () => {
  const result = await fuzz({ base: transport.base, count: 600, seed: 7 });
  expect(result.unanswered).toEqual([]);
  expect(result.goodAnswers).toBe(result.goodRequests);
  expect(failures).toEqual([]);
  expect(JSON.stringify(reported)).not.toMatch(/4417119669820331|hunter2/);
});
