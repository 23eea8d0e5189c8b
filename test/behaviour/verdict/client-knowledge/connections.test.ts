/** When connections were opened, beside when answers left: what it shows of requests that were sent one after the other. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { storeCard } from '../../../support/purchases.ts';
import { TestTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { Checkout, keyed, onTestTime } from '../support/payment-attempts.ts';
import { sendOnNewConnection } from '../support/own-connection.ts';
import { paymentBody } from '../../../support/samples.ts';

const transport = new TestTransport('socket', onTestTime);
beforeAll(() => transport.open());
afterAll(() => transport.close());

it.each([
  ['slow-close', { linger: 1 }],
  ['slow-dribble', { gap: 1, chunkBytes: 512 }],
] as const)(
  'two payments on new connections were not open at once after a %s',
  async (outcome, parameters) => {
    const till = await Checkout.at(transport.shop());
    till.forceOutcome(outcome, 1, parameters);
    for (let times = 0; times < 2; times++) {
      await sendOnNewConnection(till.shop, 'payment.create', till.body({ custom: 'order-7' }));
    }
    const verdict = await till.shop.merchant.verdict({ serviceTimeMs: 60_000 });
    expect(findingOf(verdict, 'concurrent-duplicates').what).toContain(
      'The sandbox had answered each before the next one came.',
    );
  },
);

/** Opens a connection now, and sends a request on it later. */
class EarlyConnection {
  readonly #shop: Shop;
  readonly #socket: Socket;

  private constructor(shop: Shop, socket: Socket) {
    this.#shop = shop;
    this.#socket = socket;
  }

  static async open(shop: Shop): Promise<EarlyConnection> {
    const socket = connect(Number(new URL(shop.transport.base).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return new EarlyConnection(shop, socket);
  }

  pay(body: unknown): Promise<string> {
    return this.send('POST /v1/payments/payment', body);
  }

  async send(target: string, body?: unknown): Promise<string> {
    const text = body === undefined ? '' : JSON.stringify(body);
    this.#socket.write(
      `${target} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${this.#shop.merchant.token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    const [answer] = await once(this.#socket, 'data');
    return String(answer);
  }
}

describe('payments that are sent again after equal waits', () => {
  const retries = 4;

  /** Sends a payment until it succeeds, a second after each failure. Returns whether the waits are reported. */
  async function areWaitsFound(
    outcome: OutcomeId,
    send: (shop: Shop, body: unknown, attempt: number) => Promise<unknown>,
  ): Promise<boolean> {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'A-7' } });
    shop.merchant.force({ op: 'payment.create', outcome, times: retries });
    for (let attempt = 0; attempt <= retries; attempt++) {
      await send(shop, body, attempt);
      shop.merchant.clock.advance(1000);
    }
    return (await foundIn(shop)).includes('medium retry-no-backoff');
  }

  it.each(['reset-before-commit', 'error-500-before-commit'] as const)(
    'are found if each comes on a new connection after %s',
    async (outcome) => {
      expect(
        await areWaitsFound(outcome, (shop, body) =>
          sendOnNewConnection(shop, 'payment.create', body),
        ),
      ).toBe(true);
    },
  );

  it.each([0, 1])(
    'are those of two workers if the connection for attempt 1 was opened before answer %i',
    async (openedBefore) => {
      let early: EarlyConnection | undefined;
      const areFound = await areWaitsFound(
        'error-500-before-commit',
        async (shop, body, attempt) => {
          if (attempt === openedBefore) early = await EarlyConnection.open(shop);
          if (attempt === 1) expect(await early?.pay(body)).toContain(' 500 ');
          else await sendOnNewConnection(shop, 'payment.create', body);
        },
      );
      expect(areFound).toBe(openedBefore === 1);
    },
  );

  it('are those of two workers if two were open at once', async () => {
    const areFound = await areWaitsFound('error-500-before-commit', async (shop, body, attempt) => {
      const send = () => sendOnNewConnection(shop, 'payment.create', body);
      if (attempt !== 1) return send();
      shop.merchant.hold({
        op: 'payment.create',
        count: 2,
        at: 'before-answer',
        release: 'arrival',
      });
      return Promise.all([send(), send()]);
    });
    expect(areFound).toBe(false);
  });
});

describe('a payment that the client stopped waiting for', () => {
  /** Pays while an earlier payment for the order hangs, and leaves the earlier one afterwards. */
  async function leaveLast(at: TestTransport): Promise<string[]> {
    const till = await Checkout.at(at.shop());
    const { merchant } = till.shop;
    till.forceOutcome('hang-after-commit');
    const client = new AbortController();
    const first = at.fetch(`${at.base}/v1/payments/payment`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${merchant.token}`,
        'Content-Type': 'application/json',
        ...keyed('a'),
      },
      body: JSON.stringify(till.body({ custom: 'order-7' })),
      signal: client.signal,
    });
    await expect.poll(() => merchant.ledger().transfers).toHaveLength(1);
    await till.pay({ key: 'b', custom: 'order-7' });
    client.abort();
    await expect(first).rejects.toThrow(/abort/i);
    return foundIn(till.shop);
  }

  it('was sent at once with the next one if it was left afterwards, in process', async () => {
    const inProcess = new TestTransport('in process', onTestTime);
    await inProcess.open();
    onTestFinished(() => inProcess.close());
    expect(await leaveLast(inProcess)).toContain('high concurrent-duplicates');
  });

  it('was left before the next one if the end of its connection came within 50 ms of that', async () => {
    expect(await leaveLast(transport)).not.toContain('high concurrent-duplicates');
  });
});

it.each([
  ['a remark if a second worker deletes it', true, 'low mishandles-204'],
  ['reported if one worker deletes it again', false, 'medium mishandles-204'],
])('a card that is deleted twice is %s', async (_, areTwo, expected) => {
  const shop = transport.shop();
  const params = { card_id: await storeCard(shop) };
  const second = areTwo ? await EarlyConnection.open(shop) : undefined;
  await shop.ask('card.delete', 204, { params });
  if (second === undefined) await shop.ask('card.delete', 404, { params });
  else
    expect(await second.send(`DELETE /v1/vault/credit-cards/${params.card_id}`)).toContain(' 404 ');
  expect(await foundIn(shop)).toContain(expected);
});
