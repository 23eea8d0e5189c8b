/**
 * A request that takes longer than Node's time limits. The tests say that the time is over, because Node looks only every
 * thirty seconds.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UnreadableRequest } from '../../../src/index.ts';
import { expectSound } from '../bad-input/answers.ts';
import { RawSocket } from '../bad-input/raw-socket.ts';
import { TestTransport } from '../../support/transports.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

const reported: UnreadableRequest[] = [];
const transport = new TestTransport('socket', {
  listeners: { onUnreadable: (unreadable) => reported.push(unreadable) },
});
let server: Server;

beforeAll(async () => {
  await transport.open();
  server = await serverOf(transport.base);
});
afterAll(() => transport.close());
beforeEach(() => {
  reported.length = 0;
});

/** The server of Node that answers at an address. */
async function serverOf(base: string): Promise<Server> {
  const seen: Server[] = [];
  // The channel of Node publishes this.
  const note = (message: unknown): void => void seen.push((message as { server: Server }).server);
  subscribe('http.server.request.start', note);
  await fetch(`${base}/_sandbox/health`);
  unsubscribe('http.server.request.start', note);
  const [found] = seen;
  if (found === undefined) throw new Error('No server was seen.');
  return found;
}

/** Sends a part of a request, and says that its time is over as soon as the sandbox has read it. */
async function sendSlowly(part: string): Promise<RawSocket> {
  const connected = new Promise<Socket>((resolve) => {
    server.once('connection', resolve);
  });
  const client = new RawSocket(transport);
  await client.write(part);
  const socket = await connected;
  while (socket.bytesRead < part.length) await new Promise(setImmediate);
  // Node destroys the connection itself if nothing listens to this event.
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.emit('clientError', error, socket);
  return client;
}

const card = '4417119669820331';
const head = `POST /v1/vault/credit-cards HTTP/1.1\r\nHost: a\r\nX-Card: ${card}\r\n`;
const slow: Readonly<Record<string, string>> = {
  'a request line': 'GET /v1/vault',
  headers: head,
  'a body': `${head}Authorization: Bearer sandbox.slow\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"number":"${card}"`,
  'a chunk of a body': `${head}Authorization: Bearer sandbox.slow\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`,
};

describe('a request that does not arrive in time', () => {
  it.each(Object.keys(slow))('408 in the shape of the service: %s', async (what) => {
    const client = await sendSlowly(slow[what] ?? '');
    const answers = await client.answers(2);
    expect(answers).toHaveLength(1);
    const [answer] = answers;
    if (answer === undefined) return;
    expect(expectSound(what, answer, answer.text)).toMatchObject({
      status: 408,
      name: 'REQUEST_TIMEOUT',
    });
    expect(answer.headers.get('connection')).toBe('close');
    expect(reported).toEqual([
      {
        reason: 'A client did not send its whole request in time. Send it without long pauses.',
      },
    ]);
    expect(client.received).not.toContain(card);
    await client.close();
  });

  it('changes nothing', async () => {
    const shop = transport.shop('slow');
    const before = JSON.stringify(worldDocumentOf(shop.merchant).records);
    const client = await sendSlowly(slow['a body'] ?? '');
    await client.answers(2);
    await client.close();
    expect(JSON.stringify(worldDocumentOf(shop.merchant).records)).toBe(before);
    expect(JSON.stringify(shop.merchant.journal())).not.toContain(card);
  });

  it('is not reported if nothing of it arrived', async () => {
    const client = await sendSlowly('');
    await client.answers(1);
    await client.close();
    expect(reported).toEqual([]);
  });

  it('leaves the server as it was', async () => {
    const client = await sendSlowly(slow['headers'] ?? '');
    await client.answers(2);
    await client.close();
    expect((await fetch(`${transport.base}/_sandbox/health`)).status).toBe(200);
  });
});
