/** Faults over https, as a plain TLS client sees them. */
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { ListeningWithTls } from '../../../../src/index.ts';
import { TestTransport, type Shop } from '../../../support/transports.ts';
import { merchantBalanceMinor, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { request } from '../../bad-input/raw-socket.ts';
import { Line } from './tcp-client.ts';

const transport = new TestTransport('in process', {});
const lines: Line[] = [];
let secure: ListeningWithTls | undefined;

beforeAll(async () => {
  await transport.open();
  ({ tls: secure } = await transport.sandbox.listen({ tls: true }));
});
afterEach(() => {
  for (const line of lines.splice(0)) line.leave();
});
afterAll(() => transport.close());

function newLine(): Line {
  const line = new Line({ base: secure?.url ?? '', ca: secure?.ca });
  lines.push(line);
  return line;
}

/** Sends a payment of 10.00 on a new TLS connection, with an armed outcome. */
async function paid(shop: Shop, outcome: Parameters<Shop['merchant']['force']>[0]['outcome']) {
  const body = JSON.stringify(paymentBody({ cardId: await storeCard(shop), total: '10.00' }));
  shop.merchant.force({ op: 'payment.create', outcome });
  const sent = newLine();
  sent.send(request(shop, { method: 'POST', path: '/v1/payments/payment', body }));
  return sent;
}

const bodyIn = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

describe('a fault over TLS', () => {
  it.each([
    ['reset-before-commit', 0],
    ['reset-after-commit', 1000],
  ] as const)('resets the connection without a byte: %s', async (outcome, balanceMinor) => {
    const shop = transport.shop();
    const sent = await paid(shop, outcome);
    expect([await sent.ended, sent.text]).toEqual(['ECONNRESET', '']);
    expect(merchantBalanceMinor(shop)).toBe(balanceMinor);
    const [entry] = shop.merchant.journal({ operation: 'payment.create' }).entries;
    expect(entry?.delivery).toMatchObject({ state: 'lost', clientLeft: false });
  });

  it('closes the connection in good order without a byte: close-after-commit', async () => {
    const shop = transport.shop();
    const sent = await paid(shop, 'close-after-commit');
    expect([await sent.ended, sent.text]).toEqual(['FIN', '']);
    expect(merchantBalanceMinor(shop)).toBe(1000);
  });

  it('ends after some bytes of a longer body: truncated-body', async () => {
    const sent = await paid(transport.shop(), { outcome: 'truncated-body', with: { bytes: 40 } });
    expect(await sent.ended).toBe('FIN');
    expect(bodyIn(sent.text)).toHaveLength(40);
    expect(sent.text).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('waits between chunks and sends everything: slow-dribble', async () => {
    const outcome = { outcome: 'slow-dribble', with: { chunkBytes: 250, gap: '5ms' } } as const;
    const sent = await paid(transport.shop(), outcome);
    await sent.answers(1);
    expect(JSON.parse(bodyIn(sent.text))).toMatchObject({ state: 'created' });
    expect(sent.pieces.length).toBeGreaterThan(2);
  });

  it('sends everything with Connection: close and closes late: slow-close', async () => {
    const sent = await paid(transport.shop(), { outcome: 'slow-close', with: { linger: '20ms' } });
    expect(await sent.ended).toBe('FIN');
    expect(sent.text).toMatch(/^connection: close\r$/im);
    expect(JSON.parse(bodyIn(sent.text))).toMatchObject({ state: 'created' });
  });

  it.each(['malformed-chunk', 'garbage-then-close'] as const)(
    'sends bytes that no client can read: %s',
    async (outcome) => {
      const sent = await paid(transport.shop(), outcome);
      expect(await sent.ended).toBe('FIN');
      expect(sent.text).not.toBe('');
    },
  );

  it('refuses connections to both ports, until the merchant is reset: connect-refused', async () => {
    const shop = transport.shop();
    const sent = await paid(shop, { outcome: 'connect-refused', with: { lasts: '1m' } });
    expect(await sent.ended).toBe('ECONNRESET');
    expect(await newLine().ended).toBe('ECONNREFUSED');
    shop.merchant.reset();
    await expect
      .poll(async () => {
        const line = newLine();
        line.send('GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await line.answers(1);
        return line.text.slice(0, 12);
      })
      .toBe('HTTP/1.1 200');
  });

  it('counts requests on one connection', async () => {
    const shop = transport.shop();
    const line = newLine();
    line.send(request(shop, { path: '/v1/vault/credit-cards' }));
    await line.answers(1);
    line.send(request(shop, { path: '/v1/vault/credit-cards' }));
    await line.answers(2);
    const { entries } = shop.merchant.journal();
    expect(entries.map(({ reusedConnection }) => reusedConnection)).toEqual([false, true]);
  });
});
