/** A client that sends far too much still gets its answer, whenever it reads it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { discardRest } from '../../../src/transports/unread/discard-rest.ts';
import { TestTransport } from '../../support/transports.ts';
import { cardBody } from '../../support/samples.ts';

const megabyte = Buffer.alloc(1_048_576, ' ');

describe('a refused body over a socket', () => {
  const transport = new TestTransport('socket', {});
  beforeAll(() => transport.open());
  afterAll(() => transport.close());
  afterEach(() => vi.useRealTimers());

  function connected(): Socket {
    const { hostname, port } = new URL(transport.base);
    return connect(Number(port), hostname);
  }

  const headOf = (line: string, ...more: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: sandbox.test', 'Content-Type: application/json', ...more].join('\r\n')}\r\n\r\n`;

  const storing = (token: string, framing: string) =>
    headOf('POST /v1/vault/credit-cards', `Authorization: Bearer ${token}`, framing);

  /** Sends so much before it reads anything, as clients do that block: what came, or the error that sending ended with. */
  async function sendAll(head: string, pieces: readonly Buffer[]): Promise<string> {
    const socket = connected().pause();
    let text = '';
    const sent = new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(head);
      socket.write(Buffer.concat(pieces), (failure) => {
        if (!failure) resolve();
      });
    });
    try {
      await sent;
      socket.on('data', (bytes) => (text += bytes.toString())).resume();
      await once(socket, 'close');
      return text;
    } catch (failure) {
      return String(failure);
    }
  }

  const inChunks = (count: number) => [
    ...Array.from({ length: count }, () => [
      Buffer.from('100000\r\n'),
      megabyte,
      Buffer.from('\r\n'),
    ]).flat(),
    Buffer.from('0\r\n\r\n'),
  ];

  const far: readonly (readonly [how: string, framing: string, pieces: readonly Buffer[]])[] = [
    [
      'announces its length',
      `Content-Length: ${20 * megabyte.byteLength}`,
      Array<Buffer>(20).fill(megabyte),
    ],
    ['arrives in chunks', 'Transfer-Encoding: chunked', inChunks(20)],
  ];

  it.each(far)('gets 413 if it has 20 MB and %s', async (_how, framing, pieces) => {
    const { merchant } = transport.shop();
    const text = await sendAll(storing(merchant.token, framing), pieces);
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"name":"REQUEST_BODY_TOO_LARGE"[^}]*\}$/);
    expect(text).toMatch(/^connection: close\r$/im);
    const [entry] = merchant.journal().entries;
    expect(entry).toMatchObject({ status: 413, delivery: { state: 'delivered' } });
  });

  it.each(far)('gets 413 from the control API if it %s', async (_how, framing, pieces) => {
    const text = await sendAll(headOf('POST /_sandbox/clock', framing), pieces);
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"error":"body-too-large"[^}]*\}$/);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  it('is cut off if it does not end', async () => {
    const length = 200 * megabyte.byteLength;
    const text = await sendAll(
      storing(transport.shop().merchant.token, `Content-Length: ${length}`),
      Array<Buffer>(200).fill(megabyte),
    );
    expect(text).toMatch(/EPIPE|ECONNRESET/);
  });

  it('keeps its connection if the refusal has another reason', async () => {
    const { merchant } = transport.shop();
    merchant.force({ op: 'card.create', outcome: 'rate-limited-seconds' });
    const socket = connected();
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.write(storing(merchant.token, 'Transfer-Encoding: chunked'));
    socket.write(Buffer.concat(inChunks(2)));
    socket.write(headOf('GET /v1/vault/credit-cards', `Authorization: Bearer ${merchant.token}`));
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 429 [^]*HTTP\/1\.1 200 OK\r\n/);
    socket.destroy();
  });

  it.each<[whose: string, head: (token: string, card: string) => string, ...statuses: number[]]>([
    ['of the service', () => storing('none', 'Content-Length: 2'), 401, 401],
    [
      'that has none itself',
      (token, card) =>
        headOf(
          `DELETE /v1/vault/credit-cards/${card}`,
          `Authorization: Bearer ${token}`,
          'Content-Length: 2',
        ),
      204,
      404,
    ],
    [
      'of the control API',
      () => headOf('POST /_sandbox/clock', 'Origin: http://shop.test', 'Content-Length: 2'),
      403,
      403,
    ],
  ])(
    'keeps its connection if the body arrives long after an answer %s',
    async (_whose, head, ...said) => {
      const shop = transport.shop();
      const card = await shop.ask('card.create', 201, { body: cardBody() });
      // What the adapter would end the connection by.
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      const sent = head(shop.merchant.token, card.id);
      const socket = connected();
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString()));
      const statuses = () =>
        [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
      socket.write(sent);
      await expect.poll(statuses).toEqual(said.slice(0, 1));
      await vi.advanceTimersByTimeAsync(5000);
      socket.write(`{}${sent}{}`);
      await expect.poll(statuses).toEqual(said);
      socket.destroy();
    },
  );
});

describe('the rest of a body', () => {
  it('is discarded until it ends', async () => {
    const body = new PassThrough();
    const gone = discardRest(body, { bytes: 10, ms: 60_000 });
    body.end('123');
    await gone;
    expect(body.readableEnded).toBe(true);
  });

  it.each([
    ['more than so many bytes have come', { bytes: 2, ms: 60_000 }],
    ['so much time has passed', { bytes: 10, ms: 1 }],
  ])('is left unread once %s', async (_when, bounds) => {
    const body = new PassThrough();
    const gone = discardRest(body, bounds);
    body.write('123');
    await gone;
    expect([body.readableEnded, body.isPaused()]).toEqual([false, true]);
  });

  it('is not awaited if the client has disconnected', async () => {
    const body = new PassThrough();
    body.destroy();
    await discardRest(body, { bytes: 10, ms: 60_000 });
    const other = new PassThrough();
    const gone = discardRest(other, { bytes: 10, ms: 60_000 });
    other.destroy();
    await gone;
    expect(other.destroyed).toBe(true);
  });
});
