/** Faults as a plain TCP client sees them. */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { request } from '../../bad-input/raw-socket.ts';
import { TestTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { merchantBalanceMinor, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { fired, see } from '../tolerant-client.ts';
import { Line } from './tcp-client.ts';
import type { StepDocument } from '../../../../src/scenarios/document.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

const transport = new TestTransport('socket', {});
const lines: Line[] = [];

beforeAll(() => transport.open());
afterEach(() => {
  for (const line of lines.splice(0)) line.leave();
});
afterAll(() => transport.close());

function newLine(): Line {
  const opened = new Line(transport);
  lines.push(opened);
  return opened;
}

/** The bytes of a payment of 10.00. */
async function payment(shop: Shop, total = '10.00'): Promise<string> {
  const cardId = await storeCard(shop);
  const body = JSON.stringify(paymentBody({ cardId, total }));
  return request(shop, { method: 'POST', path: '/v1/payments/payment', body });
}

/** Sends a payment on a new connection, with an armed outcome. */
async function paid(shop: Shop, outcome: Parameters<Shop['merchant']['force']>[0]['outcome']) {
  const bytes = await payment(shop);
  shop.merchant.force({ op: 'payment.create', outcome });
  const sent = newLine();
  const sentAtMs = performance.now();
  sent.send(bytes);
  return { sent, sentAtMs };
}

/** The headers and body of the only response. */
function answerIn(text: string): { readonly head: string; readonly body: string } {
  const end = text.indexOf('\r\n\r\n');
  return { head: text.slice(0, end), body: text.slice(end + 4) };
}

const lengthIn = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1]);

describe('a fault over TCP', () => {
  it.each([
    ['reset-before-commit', 0],
    ['reset-after-commit', 1000],
  ] as const)('resets the connection without a byte: %s', async (outcome, balanceMinor) => {
    const shop = transport.shop();
    const { sent } = await paid(shop, outcome);
    expect([await sent.ended, sent.text]).toEqual(['ECONNRESET', '']);
    expect(merchantBalanceMinor(shop)).toBe(balanceMinor);
  });

  it('closes the connection in good order without a byte: close-after-commit', async () => {
    const shop = transport.shop();
    const { sent } = await paid(shop, 'close-after-commit');
    expect([await sent.ended, sent.text]).toEqual(['FIN', '']);
    expect(merchantBalanceMinor(shop)).toBe(1000);
  });

  it.each([0, 1, 40] as const)(
    'ends after %i bytes of a longer body: truncated-body',
    async (bytes) => {
      const { sent } = await paid(transport.shop(), { outcome: 'truncated-body', with: { bytes } });
      expect(await sent.ended).toBe('FIN');
      const { head, body } = answerIn(sent.text);
      expect(head).toMatch(/^HTTP\/1\.1 201 /);
      expect(body).toHaveLength(bytes);
      expect(lengthIn(head)).toBeGreaterThan(400);
    },
  );

  it('always omits at least one byte: truncated-body', async () => {
    const { sent } = await paid(transport.shop(), {
      outcome: 'truncated-body',
      with: { bytes: 90_000 },
    });
    expect(await sent.ended).toBe('FIN');
    const { head, body } = answerIn(sent.text);
    expect(body).toHaveLength(lengthIn(head) - 1);
  });

  it('waits between chunks and sends everything: slow-dribble', async () => {
    const step: StepDocument = { outcome: 'slow-dribble', with: { chunkBytes: 250, gap: '25ms' } };
    const { sent, sentAtMs } = await paid(transport.shop(), step);
    await sent.answers(1);
    const { head, body } = answerIn(sent.text);
    expect(JSON.parse(body)).toMatchObject({ state: 'created' });
    expect(body).toHaveLength(lengthIn(head));
    const chunks = Math.ceil(body.length / 250);
    expect(chunks).toBeGreaterThan(2);
    // A busy machine may deliver chunks late, but never early, so all gaps are measured from the request.
    const lastAtMs = sent.pieces.at(-1)?.atMs ?? 0;
    expect(lastAtMs - sentAtMs).toBeGreaterThanOrEqual((chunks - 1) * 24);
    expect(sent.pieces.every(({ text }) => text.length <= head.length + 4 + 250)).toBe(true);
  });

  it('sends at least one byte at a time: slow-dribble', async () => {
    const step: StepDocument = { outcome: 'slow-dribble', with: { chunkBytes: 0, gap: 0 } };
    const { sent } = await paid(transport.shop(), step);
    await sent.answers(1);
    expect(JSON.parse(answerIn(sent.text).body)).toMatchObject({ state: 'created' });
  });

  it('sends everything with Connection: close and closes late: slow-close', async () => {
    const step: StepDocument = { outcome: 'slow-close', with: { linger: '60ms' } };
    const { sent, sentAtMs } = await paid(transport.shop(), step);
    await sent.answers(1);
    const { head, body } = answerIn(sent.text);
    expect(head).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(head).toMatch(/^connection: close$/im);
    expect(head).toMatch(/^sandbox-outcome: slow-close; by=armed$/im);
    expect(JSON.parse(body)).toMatchObject({ state: 'created' });
    expect(body).toHaveLength(lengthIn(head));
    expect(await sent.ended).toBe('FIN');
    expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(59);
  });

  it('counts as delivered once everything was sent: slow-close', async () => {
    const shop = transport.shop();
    const { sent } = await paid(shop, 'slow-close');
    await sent.answers(1);
    const [entry] = await shop.merchant.waitFor({ operation: 'payment.create' });
    const { head } = answerIn(sent.text);
    expect(entry).toMatchObject({
      concludes: 'OK',
      delivery: { state: 'delivered', clientLeft: false, bytesDelivered: lengthIn(head) },
    });
    sent.leave();
    expect((await shop.merchant.verdict()).passed).toBe(true);
  });

  it('sends no body for a response without one: slow-close', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'card.*', times: 2, outcome: 'slow-close' });
    const path = `/v1/vault/credit-cards/${cardId}`;
    const head = newLine();
    head.send(request(shop, { method: 'HEAD', path }));
    const deleted = newLine();
    await expect.poll(() => head.text).toMatch(/\r\n\r\n$/);
    expect(head.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(lengthIn(head.text)).toBeGreaterThan(400);
    deleted.send(request(shop, { method: 'DELETE', path }));
    await expect.poll(() => deleted.text).toMatch(/\r\n\r\n$/);
    expect(deleted.text).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
    expect(deleted.text).not.toMatch(/^content-length/im);
  });

  it('does not prevent the sandbox from closing: slow-close', async () => {
    const closing = new TestTransport('socket', {});
    await closing.open();
    const shop = closing.shop();
    // Longer than a test may take, so that a close that waits for it fails the test.
    const step: StepDocument = { outcome: 'slow-close', with: { linger: '20m' } };
    shop.merchant.force({ op: 'card.list', sequence: [step] });
    const waiting = new Line(closing);
    lines.push(waiting);
    waiting.send(request(shop, { path: '/v1/vault/credit-cards' }));
    await waiting.answers(1);
    await expect(closing.close()).resolves.toBeUndefined();
    await waiting.ended;
  });

  it('sends nothing until the delay is over: slow-first-byte', async () => {
    const step: StepDocument = { outcome: 'slow-first-byte', with: { delay: '60ms' } };
    const { sent, sentAtMs } = await paid(transport.shop(), step);
    await sent.answers(1);
    expect((sent.pieces[0]?.atMs ?? 0) - sentAtMs).toBeGreaterThanOrEqual(59);
    expect(JSON.parse(answerIn(sent.text).body)).toMatchObject({ state: 'created' });
  });

  it.each(['hang-before-commit', 'hang-after-commit'] as const)(
    'sends no byte and ends when the cap is reached: %s',
    async (outcome) => {
      const { sent, sentAtMs } = await paid(transport.shop(), { outcome, with: { cap: '60ms' } });
      expect([await sent.ended, sent.text]).toEqual(['FIN', '']);
      expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(59);
    },
  );

  it('ends when the client disconnects, and journals that it did: hang', async () => {
    const shop = transport.shop();
    const { sent } = await paid(shop, 'hang-after-commit');
    await fired(shop);
    expect(sent.text).toBe('');
    sent.leave();
    const [entry] = await shop.merchant.waitFor({ operation: 'payment.create' });
    expect(entry?.delivery).toMatchObject({ state: 'lost', clientLeft: true, bytesDelivered: 0 });
    expect(entry?.concludes).toBe('UNKNOWN');
    expect(merchantBalanceMinor(shop)).toBe(1000);
  });

  it('sends headers, an invalid chunk size and the end: malformed-chunk', async () => {
    const { sent } = await paid(transport.shop(), 'malformed-chunk');
    expect(await sent.ended).toBe('FIN');
    const { head, body } = answerIn(sent.text);
    expect(head).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(head).toMatch(/^transfer-encoding: chunked$/im);
    expect(head).toMatch(/^sandbox-outcome: malformed-chunk; by=armed$/im);
    expect(head).not.toMatch(/^content-length/im);
    expect(Number.parseInt(body, 16)).toBeNaN();
  });

  it('sends bytes that are not HTTP: garbage-then-close', async () => {
    const { sent } = await paid(transport.shop(), 'garbage-then-close');
    expect(await sent.ended).toBe('FIN');
    expect(sent.text).not.toMatch(/^HTTP/);
    expect(sent.text).not.toBe('');
  });

  it('claims gzip for plain bytes: wrong-content-encoding', async () => {
    const { sent } = await paid(transport.shop(), 'wrong-content-encoding');
    await sent.answers(1);
    const { head, body } = answerIn(sent.text);
    expect(head).toMatch(/^content-encoding: gzip$/im);
    expect(JSON.parse(body)).toMatchObject({ state: 'created' });
  });

  it.each([
    'truncated-json',
    'html-instead-of-json-200',
    'empty-body-200',
    'decline-generic',
  ] as const)('sends a complete message and keeps the connection usable: %s', async (outcome) => {
    const shop = transport.shop();
    const { sent } = await paid(shop, outcome);
    await sent.answers(1);
    const before = sent.text.length;
    sent.send(request(shop, { path: '/v1/vault/credit-cards' }));
    await sent.answers(2);
    expect(sent.text.slice(before)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('a fault behind an earlier request on the same connection', () => {
  /** Sends two requests at once: the first gets a slow response, the second gets an outcome. */
  async function behind(outcome: OutcomeId, delay: string) {
    const shop = transport.shop();
    shop.merchant.force({
      op: 'card.list',
      outcome: { outcome: 'slow-first-byte', with: { delay } },
    });
    shop.merchant.force({ op: 'payment.list', outcome });
    const line = newLine();
    line.send(
      request(shop, { path: '/v1/vault/credit-cards' }) +
        request(shop, { path: '/v1/payments/payment' }),
    );
    await fired(shop);
    return { shop, line };
  }

  it.each(['slow-close', 'malformed-chunk', 'garbage-then-close', 'truncated-body'] as const)(
    'waits until the earlier request is answered: %s',
    async (outcome) => {
      const { shop, line } = await behind(outcome, '40ms');
      await line.answers(1);
      const { head, body } = answerIn(line.text);
      expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(head).toMatch(/^sandbox-outcome: slow-first-byte; by=armed$/im);
      expect(JSON.parse(body.slice(0, lengthIn(head)))).toMatchObject({ total_items: 0 });
      const more = (): string => line.text.slice(head.length + 4 + lengthIn(head));
      await expect
        .poll(more, { interval: 2 })
        .toMatch(outcome === 'garbage-then-close' ? /^(?!HTTP)./ : /^HTTP\/1\.1 200 OK\r\n/);
      const [entry] = await shop.merchant.waitFor({ operation: 'payment.list' });
      expect(entry?.delivery?.clientLeft).toBe(false);
    },
  );

  it.each(['slow-close', 'malformed-chunk', 'garbage-then-close'] as const)(
    'does not happen if the client disconnects first: %s',
    async (outcome) => {
      const { shop, line } = await behind(outcome, '60s');
      line.leave();
      const [entry] = await shop.merchant.waitFor({ operation: 'payment.list' });
      expect(entry?.delivery).toMatchObject({ state: 'lost', clientLeft: true });
      expect(line.text).toBe('');
    },
  );
});

describe('keepalive-race', () => {
  it.each([
    ['after-commit', 1000],
    ['before-commit', 0],
  ] as const)('waits for a reused connection and resets it (%s)', async (phase, balanceMinor) => {
    const shop = transport.shop();
    const [first, second] = [await payment(shop), await payment(shop, '20.00')];
    shop.merchant.force({
      op: 'payment.create',
      outcome: { outcome: 'keepalive-race', with: { phase } },
    });
    const fresh = newLine();
    fresh.send(second);
    await fresh.answers(1);
    expect(fresh.text).toMatch(/^HTTP\/1\.1 201 /);
    expect(fresh.text).not.toMatch(/sandbox-outcome/i);
    expect(shop.merchant.unfired()).toMatchObject([
      { fired: 0, lastMiss: 'the connection has served no request before' },
    ]);
    const whole = fresh.text.length;
    fresh.send(first);
    expect(await fresh.ended).toBe('ECONNRESET');
    expect(fresh.text).toHaveLength(whole);
    expect(shop.merchant.unfired()).toEqual([]);
    expect(merchantBalanceMinor(shop)).toBe(2000 + balanceMinor);
  });
});

describe('connect-refused', () => {
  const lasts = (ms: number): StepDocument => ({
    outcome: 'connect-refused',
    with: { lasts: `${ms}ms` },
  });

  it('resets the request, drops idle connections and refuses new ones', async () => {
    const shop = transport.shop();
    const idle = newLine();
    idle.send(request(shop, { path: '/v1/vault/credit-cards' }));
    await idle.answers(1);
    const { sent } = await paid(shop, lasts(60_000));
    expect([await sent.ended, sent.text]).toEqual(['ECONNRESET', '']);
    expect(await idle.ended).toBe('FIN');
    expect(await newLine().ended).toBe('ECONNREFUSED');
    expect((await see(shop, 'card.list', {})).broke).toBe('ECONNREFUSED');
    expect(merchantBalanceMinor(shop)).toBe(0);
    shop.merchant.reset();
    await expect
      .poll(() => see(shop, 'card.list', {}), { interval: 5 })
      .toMatchObject({ status: 200 });
  });

  it('accepts connections again after its time', async () => {
    const shop = transport.shop();
    const { sent } = await paid(shop, lasts(60));
    expect([await sent.ended, sent.text]).toEqual(['ECONNRESET', '']);
    await expect
      .poll(() => see(shop, 'card.list', {}), { interval: 5 })
      .toMatchObject({ status: 200 });
  });

  it('lasts at most a minute', () => {
    const force = (ms: number) =>
      transport.shop().merchant.force({ op: 'any', outcome: lasts(ms) });
    expect(() => force(60_001)).toThrow(
      'with.lasts: must be a duration of at most 60s, such as 800ms',
    );
    expect(() => force(60_000)).not.toThrow();
  });

  it('does not interrupt requests in progress', async () => {
    const shop = transport.shop();
    const slow = await paid(shop, { outcome: 'slow-first-byte', with: { delay: '50ms' } });
    await fired(shop);
    const { sent } = await paid(shop, lasts(30));
    expect(await sent.ended).toBe('ECONNRESET');
    await slow.sent.answers(1);
    expect(slow.sent.text).toMatch(/^HTTP\/1\.1 201 /);
    await expect
      .poll(() => see(shop, 'card.list', {}), { interval: 5 })
      .toMatchObject({ status: 200 });
  });

  it('does not affect calls in process, and allows the sandbox to close', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const { url } = await sandbox.listen({ port: 0 });
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    const list = `${url}/v1/vault/credit-cards`;
    sandbox.force({ op: 'card.list', outcome: lasts(60_000) });
    await expect(fetch(list, { headers })).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect((await sandbox.request('/v1/vault/credit-cards', { headers })).status).toBe(200);
    const startedAtMs = performance.now();
    await sandbox.close();
    // Closing does not wait for the end of the minute.
    expect(performance.now() - startedAtMs).toBeLessThan(50_000);
    await expect(fetch(list, { headers })).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it.each<[string, (sandbox: Sandbox) => void]>([
    ['reset', (sandbox) => sandbox.reset()],
    ['all.reset', (sandbox) => sandbox.all.reset()],
    ['deleteMerchant', (sandbox) => sandbox.deleteMerchant(sandbox.id)],
  ])('ends with %s', async (_verb, end) => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ port: 0 });
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    const list = `${url}/v1/vault/credit-cards`;
    sandbox.force({ op: 'card.list', outcome: lasts(60_000) });
    await expect(fetch(list, { headers })).rejects.toThrow('fetch failed');
    await expect(fetch(list, { headers })).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
    end(sandbox);
    await untilAnswered(list, headers);
  });

  it('waits for its port if another program took it', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const { url, port } = await sandbox.listen({ port: 0 });
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    const list = `${url}/v1/vault/credit-cards`;
    sandbox.force({ op: 'card.list', outcome: lasts(20) });
    await expect(fetch(list, { headers })).rejects.toThrow('fetch failed');
    const squatter = createServer((socket) => socket.destroy());
    await once(squatter.listen(port, '127.0.0.1'), 'listening');
    expect((squatter.address() as AddressInfo | null)?.port).toBe(port); // A TCP server has no other address.
    await inOrder([1, 2], () => expect(fetch(list, { headers })).rejects.toThrow('fetch failed'));
    squatter.close();
    await untilAnswered(list, headers);
    await sandbox.close();
  });
});

/** Waits until connections are accepted again. */
async function untilAnswered(list: string, headers: Readonly<Record<string, string>>) {
  const statusNow = (): Promise<number> =>
    fetch(list, { headers }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(statusNow, { interval: 5 }).toBe(200);
}
