/** A client that sends far too much gets its answer, whenever it comes to read it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restGone } from '../../src/doors/rest-of-body.ts';
import { Door, type Shop } from '../support/doors.ts';

const megabyte = Buffer.alloc(1_048_576, ' ');

describe('over a socket', () => {
  const door = new Door('socket', {});
  beforeAll(() => door.open());
  afterAll(() => door.close());

  /** Sends so much before it reads anything, as clients do that block: what came, or the error that sending ended with. */
  async function sendAll(shop: Shop, framing: string, pieces: readonly Buffer[]): Promise<string> {
    const { hostname, port } = new URL(door.base);
    const socket = connect(Number(port), hostname).pause();
    const head = [
      'POST /v1/vault/credit-cards HTTP/1.1',
      'Host: sandbox.test',
      `Authorization: Bearer ${shop.merchant.token}`,
      'Content-Type: application/json',
      framing,
    ];
    let text = '';
    const sent = new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
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

  it.each([
    [
      'says how long it is',
      `Content-Length: ${20 * megabyte.byteLength}`,
      Array<Buffer>(20).fill(megabyte),
    ],
    ['comes in chunks', 'Transfer-Encoding: chunked', inChunks(20)],
  ])('413 arrives after a body of 20 MB that %s', async (_how, framing, pieces) => {
    const shop = door.shop();
    const text = await sendAll(shop, framing, pieces);
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"name":"REQUEST_BODY_TOO_LARGE"[^}]*\}$/);
    expect(text).toMatch(/^connection: close\r$/im);
    const [entry] = shop.merchant.requests().requests;
    expect(entry).toMatchObject({ status: 413, delivery: { state: 'delivered' } });
  });

  it('whoever goes on beyond all bounds is cut off', async () => {
    const length = 200 * megabyte.byteLength;
    const text = await sendAll(
      door.shop(),
      `Content-Length: ${length}`,
      Array<Buffer>(200).fill(megabyte),
    );
    expect(text).toMatch(/EPIPE|ECONNRESET/);
  });

  it('the line serves the next request where the answer was about something else', async () => {
    const shop = door.shop();
    shop.merchant.force({ op: 'card.create', outcome: 'rate-limited-seconds' });
    const { hostname, port } = new URL(door.base);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    const head = (method: string, framing: string) =>
      `${method} /v1/vault/credit-cards HTTP/1.1\r\nHost: sandbox.test\r\nAuthorization: Bearer ${shop.merchant.token}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
    socket.write(head('POST', 'Transfer-Encoding: chunked'));
    socket.write(Buffer.concat(inChunks(2)));
    socket.write(head('GET', 'Accept: */*'));
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 429 [^]*HTTP\/1\.1 200 OK\r\n/);
    socket.destroy();
  });
});

describe('the rest of a body', () => {
  it('is waited for until it ends', async () => {
    const body = new PassThrough();
    const gone = restGone(body, { bytes: 10, ms: 60_000 });
    body.end('123');
    await gone;
    expect(body.readableEnded).toBe(true);
  });

  it.each([
    ['more than so many bytes have come', { bytes: 2, ms: 60_000 }],
    ['so much time has passed', { bytes: 10, ms: 1 }],
  ])('is left where it is once %s', async (_when, bounds) => {
    const body = new PassThrough();
    const gone = restGone(body, bounds);
    body.write('123');
    await gone;
    expect([body.readableEnded, body.isPaused()]).toEqual([false, true]);
  });

  it('is not waited for where its client has left', async () => {
    const body = new PassThrough();
    body.destroy();
    await restGone(body, { bytes: 10, ms: 60_000 });
    const other = new PassThrough();
    const gone = restGone(other, { bytes: 10, ms: 60_000 });
    other.destroy();
    await gone;
    expect(other.destroyed).toBe(true);
  });
});
