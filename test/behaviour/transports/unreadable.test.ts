/** Bytes on a socket that are not a request: the sandbox reports why, and what to change. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, type UnreadableRequest } from '../../../src/index.ts';
import { exchange, RawSocket } from '../bad-input/raw-socket.ts';
import { TestTransport } from '../../support/transports.ts';

const reported: UnreadableRequest[] = [];
const transport = new TestTransport('socket', {
  listeners: { onUnreadable: (unreadable) => reported.push(unreadable) },
});
beforeAll(() => transport.open());
afterAll(() => transport.close());
beforeEach(() => {
  reported.length = 0;
});

const overTls = () => transport.base.replace('http:', 'https:');

it('a socket reports a client that uses TLS because its base URL has https', async () => {
  await expect(fetch(`${overTls()}/v1/oauth2/token`)).rejects.toThrow('fetch failed');
  expect(reported).toEqual([
    {
      reason:
        'A client used TLS, as for https, on a port of plain HTTP. Use http:// in the base URL, or start the sandbox with --tls and use the port of https.',
    },
  ]);
});

it('connect explains in its error that the sandbox does not speak https', async () => {
  await expect(connect(overTls()).health()).rejects.toThrow(
    /^Nothing answers at https:\/\/.+ \(ERR_SSL_[A-Z_]+: use http:\/\/ instead of https:\/\/\)\./,
  );
});

const card = '4417119669820331';

it.each([
  [
    'HTTP/2',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    /^A client used HTTP\/2\. The sandbox speaks HTTP\/1\.1: /,
  ],
  ['long headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, / 16 KiB, /],
  [
    'an unknown method',
    `PAY /${card} HTTP/1.1\r\n\r\n`,
    /: Invalid method encountered\. Send a request line such as GET /,
  ],
  [
    'a space in the name of a header',
    `GET /v1?${card} HTTP/1.1\r\nX ${card}: y\r\n\r\n`,
    /: Invalid header token\. Send each header on a line of its own/,
  ],
])('a socket reports %s and quotes nothing', async (_, bytes, reason) => {
  await exchange(transport, bytes);
  expect(reported).toEqual([{ reason: expect.stringMatching(reason) }]);
  expect(JSON.stringify(reported)).not.toContain(card);
});

it('a socket does not report a client that disconnects', async () => {
  const socket = new RawSocket(transport);
  await socket.write('GET /v1 HTTP/1.1\r\nHos');
  socket.end();
  await socket.answers(1);
  await socket.close();
  await exchange(transport, 'GET /_sandbox/health HTTP/1.0\r\n\r\n');
  expect(reported).toEqual([]);
});
