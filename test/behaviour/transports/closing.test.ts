/** How a server closes: clients may read their answers to the end, and no client is invited to send another request. */
import { once } from 'node:events';
import { Agent, get, request, type IncomingMessage } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../src/client/connect.ts';
import { createSandbox, type SandboxOptions } from '../../../src/index.ts';
import { cardBody } from '../../support/samples.ts';
import { Gate } from '../../support/gate.ts';

/** Longer than any test takes: what ends before it ends by itself. */
const graceMs = 60_000;
const cards = '/v1/vault/credit-cards';

async function withTransport(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ seed: 'closing', fixtures: 'empty', ...options });
  onTestFinished(() => sandbox.close());
  const transport = await sandbox.listen({ port: 0 });
  const headers = { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' };
  return { sandbox, transport, url: transport.url, port: transport.port, headers };
}

/** A connection that stays half open, so that it can write when the server has ended. */
async function connected(port: number): Promise<Socket> {
  const socket = connectTo({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const head = 'GET /_sandbox/health HTTP/1.1\r\nHost: a\r\n';

async function answered(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

it('lets a slow client read its answer to the end', async () => {
  const { sandbox, url, headers } = await withTransport({
    limits: { maxJournalBytes: 64 * 1024 * 1024, maxJournalEntries: 1_000 },
  });
  const body = JSON.stringify({ ...cardBody(), first_name: 'x'.repeat(16_000) });
  await Promise.all(
    Array.from({ length: 900 }, () => sandbox.request(cards, { method: 'POST', headers, body })),
  );
  const [answer] = (await once(get(`${url}/_sandbox/journal`), 'response')) as [IncomingMessage];
  // Nothing of it is read yet, and most of it cannot have left: no system buffers that much.
  expect(Number(answer.headers['content-length'])).toBeGreaterThan(12_000_000);
  const closed = sandbox.close(graceMs);
  expect(JSON.parse(await text(answer))).toMatchObject({ dropped: 0 });
  await closed;
});

it('sends Connection: close to a client whose request is in progress', async () => {
  const gate = new Gate();
  const { transport, url, headers } = await withTransport({ hooks: { beforeCommit: gate.pass } });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const reached = gate.close();
  const post = request(url + cards, { method: 'POST', agent, headers });
  post.end(JSON.stringify(cardBody()));
  await reached;
  const closed = transport.close(graceMs);
  gate.open();
  const [answer] = (await once(post, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(201);
  expect(answer.headers.connection).toBe('close');
  await text(answer);
  await closed;
});

it('answers a request whose headers have arrived in part', async () => {
  const { sandbox, url, port } = await withTransport();
  const socket = await connected(port);
  socket.write(head);
  // What is answered after it was written has been read after it.
  await (await fetch(`${url}/_sandbox/health`)).text();
  const closed = sandbox.close(graceMs);
  socket.write('\r\n');
  expect(await answered(socket)).toMatch(/^HTTP\/1\.1 503 [^]*\r\nConnection: close\r\n/);
  socket.end();
  await closed;
});

it('closes an idle connection in good order and ignores a request that arrives meanwhile', async () => {
  const { sandbox, port } = await withTransport();
  const socket = await connected(port);
  socket.write(`${head}\r\n`);
  expect(await answered(socket)).toMatch(/^HTTP\/1\.1 200 /);
  const closed = sandbox.close(graceMs);
  socket.write(
    `GET ${cards} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${sandbox.token}\r\n\r\n`,
  );
  const said: Buffer[] = [];
  socket.on('data', (bytes) => said.push(bytes));
  // A reset would be an error, and reject this.
  await once(socket, 'end');
  socket.end();
  await closed;
  expect(said).toEqual([]);
  expect(sandbox.journal()).toEqual({ dropped: 0, entries: [] });
});

it('does not wait for a client that ignores the close', async () => {
  const { sandbox, port } = await withTransport();
  const silent = await connected(port);
  const idle = await connected(port);
  idle.write(`${head}\r\n`);
  await answered(idle);
  await sandbox.close(graceMs);
  expect([silent.writableEnded, idle.writableEnded]).toEqual([false, false]);
});

it.each([['5s'], [-1], [Number.NaN]])('refuses a time to close that is none: %s', async (given) => {
  const sandbox = createSandbox();
  const message = /^close: graceMs must be a number of milliseconds, 0 or more, got /;
  // A program without types passes anything.
  await expect(sandbox.close(given as number)).rejects.toThrow(message);
  expect((await sandbox.request(cards)).status, 'it is still open').not.toBe(0);
});

it('closes at once if a test runner passes its own argument', async () => {
  for (const given of [{ name: 'after' }, () => undefined, null, undefined]) {
    const sandbox = createSandbox();
    const hook = sandbox.close as (context: unknown) => Promise<void>;
    await hook(given);
    await expect(sandbox.request(cards)).rejects.toThrow('fetch failed');
  }
});

it('refuses later requests in process and over a socket, and still judges the earlier ones', async () => {
  const { sandbox, url, headers } = await withTransport();
  await sandbox.request(cards, { headers });
  await sandbox.close();
  const refused = { name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } };
  await expect(fetch(url + cards, { headers })).rejects.toMatchObject(refused);
  const inProcess = [
    () => sandbox.fetch(url + cards, { headers }),
    () => sandbox.merchant('shop').fetch(url + cards),
    () => sandbox.request(cards, { headers }),
    () => sandbox.request('/_sandbox/health'),
  ];
  for (const send of inProcess) {
    await expect(send()).rejects.toMatchObject({
      ...refused,
      cause: { message: 'connect ECONNREFUSED (the sandbox is closed)' },
    });
  }
  await expect(connect(url).health()).rejects.toMatchObject({ code: 'unreachable' });
  expect((await sandbox.app.request(cards, { headers })).status).toBe(200);
  expect(sandbox.journal().entries).toHaveLength(2);
  expect((await sandbox.verdict()).counts.requests).toBe(2);
});
