/** Bytes on a socket that break the rules of HTTP, and the answers to them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestTransport, type Shop } from '../../support/transports.ts';
import { cardBody } from '../../support/samples.ts';
import { expectSound, expectWell, send, stateOf } from './answers.ts';
import { exchange, RawSocket, request, type RawAnswer } from './raw-socket.ts';

const cards = '/v1/vault/credit-cards';
const body = JSON.stringify(cardBody());

const transport = new TestTransport('socket', {});
beforeAll(() => transport.open());
afterAll(() => transport.close());

/** Bytes that are no request. They get an error in the shape of the service, and the connection closes. */
const noHttp: Readonly<Record<string, string | Uint8Array>> = {
  'no bytes but line ends': '\r\n\r\n\r\n\0\r\n\r\n',
  words: 'hello there\r\n\r\n',
  'another protocol': 'SSH-2.0-OpenSSH_9.0\r\n',
  'a TLS greeting': new Uint8Array([0x16, 3, 1, 0, 0xa5, 1, 0, 0, 0xa1, 3, 3, 0, 1, 2, 3, 4]),
  'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a version of the future': `GET ${cards} HTTP/9.9\r\nHost: a\r\n\r\n`,
  'an unknown method': `FETCH ${cards} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'a method in lower case': `get ${cards} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'no Host': `GET ${cards} HTTP/1.1\r\n\r\n`,
  'a space in the path': `GET ${cards}/a b HTTP/1.1\r\nHost: a\r\n\r\n`,
  'a NUL in the path': `GET ${cards}/\0 HTTP/1.1\r\nHost: a\r\n\r\n`,
  'a header without a colon': `GET ${cards} HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n`,
  'a header with a space in its name': `GET ${cards} HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n`,
  'a NUL in a header': `GET ${cards} HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n`,
  'a lone line end in a header': `GET ${cards} HTTP/1.1\r\nHost: a\r\nX: a\rX-Injected: 1\r\n\r\n`,
  'two different lengths': `POST ${cards} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
  'a length that is no number': `POST ${cards} HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n`,
  'a negative length': `POST ${cards} HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n`,
  'a length and chunks': `POST ${cards} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'headers of 20 KB': `GET ${cards} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  'a path of 20 KB': `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
};

describe('data that is not HTTP', () => {
  it.each(Object.keys(noHttp))(
    'gets a 400 or 431 in the shape of the service, and nothing else: %s',
    async (kind) => {
      const shop = transport.shop();
      const answers = await exchange(transport, noHttp[kind] ?? '');
      expect(answers).toHaveLength(1);
      for (const answer of answers) {
        const { status } = expectSound(kind, answer, answer.text);
        expect([400, 431]).toContain(status);
      }
      await expectWell(shop);
    },
  );
});

const hosts: readonly string[] = [
  'localhost',
  'shop.test:8443',
  '[::1]:3000',
  'a.b.c.d.e.f',
  '',
  ' ',
  '/',
  'a/b',
  '../..',
  'evil.test/path?x=1#y',
  'user:secret@evil.test',
  'a b',
  'a,b',
  '<script>alert(1)</script>',
  '"quoted"',
  'a\\b',
  '%00',
  '%0d%0aX-Injected: 1',
  'a:99999999',
  'a:b',
  ':80',
  '[::1',
  '[]',
  '\u00e9',
  '__proto__',
  'x'.repeat(5000),
  '0x7f.1',
  '-',
  '.',
  '*',
];

describe('a Host header', () => {
  it.each(hosts)('appears as text in links and causes no error: %s', async (host) => {
    const shop = transport.shop();
    const [answer] = await exchange(
      transport,
      request(shop, {
        method: 'POST',
        path: cards,
        body,
        headers: { Host: host, Connection: 'close' },
      }),
    );
    expect(answer, 'some answer').toBeDefined();
    if (answer === undefined) return;
    expect(answer.headers.has('x-injected')).toBe(false);
    const sound = expectSound(`POST ${cards}`, answer, answer.text);
    if (answer.status === 201) {
      const links = Reflect.get(Object(sound.body), 'links') as readonly { href: string }[];
      for (const { href } of links) expect(() => new URL(href), href).not.toThrow();
    } else {
      expect(sound).toMatchObject({ status: 400, name: 'MALFORMED_REQUEST' });
      expect(await stateOf(shop)).toMatchObject([
        { items: [] },
        { payments: [] },
        { transfers: [] },
      ]);
    }
    await expectWell(shop);
  });
});

const noAddresses: Readonly<Record<string, string>> = {
  'an asterisk': '*',
  'a backslash': `${cards}\\CARD-1`,
  'another scheme': 'ftp://sandbox.test/v1',
  'a URL with a host that is none': 'http://a:b/v1',
};

describe('an address that cannot be read', () => {
  it.each(Object.keys(noAddresses))('is refused, and the journal says why: %s', async (kind) => {
    const shop = transport.shop();
    const bad = request(shop, { method: 'POST', path: noAddresses[kind] ?? '', body });
    const answers = await exchange(transport, bad + request(shop, { path: cards }), 2);
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    const headers = expectMalformed(answers);
    const reported = shop.merchant.explain(headers.get('paypal-debug-id') ?? '');
    expect(reported).toMatchObject({ method: 'POST', status: 400, committed: false });
    expect(reported?.reason).toMatch(/^The request has no valid address: .+\. Send a path /);
    await expectTotal(shop, 0);
  });

  it('is recorded without its card number', async () => {
    const shop = transport.shop();
    const path = `${cards}\\4417119669820331`;
    expectMalformed(await exchange(transport, request(shop, { path })));
    const [kept] = shop.merchant.journal().entries;
    expect(kept?.path).toBe(`${cards}\\xxxxxxxxxxxx0331`);
  });

  it('is refused alike if the control API has its own port', async () => {
    const apart = await transport.sandbox.listen({ port: 0, control: { port: 0 } });
    const asked = 'GET * HTTP/1.1\r\nHost: a\r\n\r\n';
    expectMalformed(await exchange({ base: apart.url }, asked));
    expectMalformed(await exchange({ base: apart.control.url }, asked));
    await apart.close();
  });
});

function expectMalformed([refused]: readonly RawAnswer[]): Headers {
  if (refused === undefined) throw new Error('There was no answer.');
  const { status, name, headers } = expectSound('a bad address', refused, refused.text);
  expect([status, name]).toEqual([400, 'MALFORMED_REQUEST']);
  return headers;
}

async function expectTotal(shop: Shop, total: number): Promise<void> {
  const { body: list } = await send(shop, { method: 'GET', path: cards });
  expect(list).toMatchObject({ total_items: total });
}

describe('an unusual client', () => {
  it('is served over HTTP/1.0, and the connection is closed', async () => {
    const shop = transport.shop();
    const [answer] = await exchange(
      transport,
      request(shop, { method: 'POST', path: cards, body, version: '1.0' }),
    );
    expect(answer?.status).toBe(201);
    expect(answer?.headers.get('connection')).toBe('close');
  });

  it('may omit Host over HTTP/1.0, as health checks of load balancers do', async () => {
    const [health] = await exchange(transport, 'GET /_sandbox/health HTTP/1.0\r\n\r\n');
    expect(health?.status).toBe(200);
    const { merchant } = transport.shop();
    const [list] = await exchange(
      transport,
      `GET ${cards} HTTP/1.0\r\nAuthorization: Bearer ${merchant.token}\r\n\r\n`,
    );
    expect(list?.status).toBe(200);
    expect(list?.text).toContain('"href":"http://localhost/v1/vault/credit-cards');
    const [bare] = await exchange(transport, `GET ${cards}\r\n\r\n`);
    expect(bare?.status, 'without a version, and so without a token').toBe(401);
  });

  it('may pipeline requests: each is answered in order', async () => {
    const shop = transport.shop();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const pipeline = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0
        ? request(shop, { method: 'POST', path: cards, body })
        : request(shop, { path: `${cards}?page_size=1` }),
    );
    const answers = await exchange(transport, pipeline.join(''), 20);
    expect(answers.map(({ status }) => status)).toEqual(
      pipeline.map((_, at) => (at % 2 === 0 ? 201 : 200)),
    );
    process.off('warning', onWarning);
    expect(warnings, 'of Node, which takes many answers that wait for a leak').toEqual([]);
    // Node begins with a request while the body of the one before it is still read, so a list may miss the last card.
    await expectTotal(shop, 10);
  });

  it('may send the next request before a refusal arrives', async () => {
    const shop = transport.shop();
    const bad = request(shop, { method: 'POST', path: cards, body: '{"number":' });
    const unread = request(shop, { method: 'POST', path: '/v1/nowhere', body });
    const denied = request(shop, {
      method: 'POST',
      path: cards,
      body,
      headers: { Authorization: 'Bearer x' },
    });
    const good = request(shop, { method: 'POST', path: cards, body });
    const answers = await exchange(transport, bad + unread + denied + good, 4);
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 401, 201]);
  });

  it('may wait for 100 Continue', async () => {
    const shop = transport.shop();
    const whole = request(shop, {
      method: 'POST',
      path: cards,
      body,
      headers: { Expect: '100-continue' },
    });
    const socket = new RawSocket(transport);
    await socket.write(whole.slice(0, -body.length));
    expect((await socket.answers(1)).map(({ status }) => status)).toEqual([100]);
    await socket.write(body);
    expect((await socket.answers(2)).map(({ status }) => status)).toEqual([100, 201]);
    await socket.close();
  });

  it('is refused for any other expectation', async () => {
    const shop = transport.shop();
    const [answer] = await exchange(
      transport,
      request(shop, { method: 'POST', path: cards, body, headers: { Expect: 'a-miracle' } }),
    );
    expect(answer).toMatchObject({ status: 417 });
    expect(answer?.text).toContain('EXPECTATION_FAILED');
  });

  it('may send its body in chunks, byte by byte', async () => {
    const shop = transport.shop();
    const head = request(shop, {
      method: 'POST',
      path: cards,
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    });
    const socket = new RawSocket(transport);
    await socket.write(head);
    for (const byte of body) await socket.write(`1\r\n${byte}\r\n`);
    await socket.write('0\r\n\r\n');
    expect((await socket.answers(1))[0]?.status).toBe(201);
    await socket.close();
  });

  it('may be slow while others are served', async () => {
    const shop = transport.shop();
    const whole = request(shop, { method: 'POST', path: cards, body });
    const socket = new RawSocket(transport);
    for (let at = 0; at < whole.length; at += 40) {
      await socket.write(whole.slice(at, at + 40));
      await sleep(2);
    }
    await expectWell(shop);
    expect((await socket.answers(1))[0]?.status).toBe(201);
    await socket.close();
  });

  it('may send unknown headers', async () => {
    const shop = transport.shop();
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`X-${at}`, '']));
    const [answer] = await exchange(transport, request(shop, { path: cards, headers }));
    expect(answer?.status).toBe(200);
  });

  it('may not send an ambiguous length, as RFC 9112 (6.3) requires', async () => {
    const shop = transport.shop();
    const headers = { 'Transfer-Encoding': 'gzip' };
    const answers = await exchange(transport, request(shop, { path: cards, headers }));
    expectMalformed(answers);
    await expectWell(shop);
  });

  it('may not send malformed chunks', async () => {
    const shop = transport.shop();
    const head = request(shop, {
      method: 'POST',
      path: cards,
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    });
    for (const chunk of [
      'zz\r\nhello\r\n0\r\n\r\n',
      '-1\r\nx\r\n',
      'fffffffffffffffff\r\nx',
      '5\r\nhelloworld\r\n0\r\n\r\n',
    ]) {
      for (const { status } of await exchange(transport, head + chunk)) expect(status).toBe(400);
    }
    expect(await stateOf(shop)).toMatchObject([{ items: [] }, { payments: [] }, { transfers: [] }]);
    await expectWell(shop);
  });

  it('may not send endless chunks: a body that grows too large is refused early', async () => {
    const shop = transport.shop();
    const head = request(shop, {
      method: 'POST',
      path: cards,
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    });
    const socket = new RawSocket(transport);
    await socket.write(head);
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent < 40 && socket.received === ''; sent++) await socket.write(chunk);
    expect((await socket.answers(1))[0]?.status).toBe(413);
    await socket.close();
    await expectWell(shop);
  });
});

describe('a client that disconnects', () => {
  const whole = (shop: Shop) => request(shop, { method: 'POST', path: cards, body });
  const leaving = {
    'in the request line': (text: string) => text.slice(0, 10),
    'in the headers': (text: string) => text.slice(0, 60),
    'before its body': (text: string) => text.slice(0, -body.length),
    'in the middle of its body': (text: string) => text.slice(0, -40),
    'before the last byte': (text: string) => text.slice(0, -1),
  };

  it.each(Object.entries(leaving))('changes nothing: %s', async (_, cut) => {
    const shop = transport.shop();
    for (const how of ['end', 'reset'] as const) {
      const socket = new RawSocket(transport);
      await socket.write(cut(whole(shop)));
      await sleep(5);
      socket[how]();
      for (const { status } of await socket.answers(1, 200)) expect(status).toBe(400);
      await socket.close();
    }
    expect(await stateOf(shop)).toMatchObject([{ items: [] }, { payments: [] }, { transfers: [] }]);
    await expectWell(shop);
  });

  it('stores its card if it disconnects after the last byte', async () => {
    const shop = transport.shop();
    for (let i = 0; i < 5; i++) {
      const socket = new RawSocket(transport);
      await socket.write(whole(shop));
      socket.reset();
    }
    const total = async () => (await send(shop, { method: 'GET', path: cards })).text;
    const untilMs = performance.now() + 2000;
    while (!(await total()).includes('"total_items":5') && performance.now() < untilMs)
      await sleep(5);
    // A reset may overtake the bytes before it, so some cards may be missing; none may be there twice.
    expect(Number(/"total_items":(\d+)/.exec(await total())?.[1])).toBeLessThanOrEqual(5);
    await expectWell(shop);
  });

  it('does no harm in large numbers', async () => {
    const shop = transport.shop();
    const sockets = Array.from({ length: 100 }, () => new RawSocket(transport));
    await Promise.all(sockets.map((socket, at) => socket.write(whole(shop).slice(0, at * 5))));
    for (const [at, socket] of sockets.entries()) {
      if (at % 2 === 0) socket.reset();
      else socket.end();
    }
    await expectWell(shop);
    await Promise.all(sockets.map((socket) => socket.close()));
    await expectWell(shop);
  });
});
