/** A call that waits, for an outcome or for its own body, ends in the same way over both transports. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { codeOf, fired } from '../forcing/tolerant-client.ts';
import {
  TestTransport,
  transportNames,
  type TransportName,
  type Shop,
} from '../../support/transports.ts';
import { cardBody } from '../../support/samples.ts';
import type { StepDocument } from '../../../src/scenarios/document.ts';

const cards = '/v1/vault/credit-cards';

/** Longer than any test takes: what ends before it ends by itself. */
const graceMs = 60_000;

async function shopAt(name: TransportName): Promise<Shop> {
  const transport = new TestTransport(name, {});
  await transport.open();
  onTestFinished(() => transport.close());
  return transport.shop();
}

function ask({ transport, merchant }: Shop, init: RequestInit = {}): Promise<Response> {
  return transport.fetch(transport.base + cards, {
    ...init,
    headers: { Authorization: `Bearer ${merchant.token}`, 'Content-Type': 'application/json' },
  });
}

const broken = (asked: Promise<unknown>): Promise<string> => asked.then(() => 'answered', codeOf);

describe.each(transportNames)('a sandbox that closes (%s)', (name) => {
  it.each(['hang-before-commit', 'slow-first-byte'] as const)(
    'ends a held request: %s',
    async (id) => {
      const shop = await shopAt(name);
      shop.merchant.force({ op: 'card.list', outcome: id });
      const asked = broken(ask(shop));
      await fired(shop);
      await shop.transport.close();
      expect(await asked).toBe('UND_ERR_SOCKET');
      const lost = { delivery: { state: 'lost', bytesDelivered: 0, clientLeft: true } };
      await expect.poll(() => shop.merchant.journal().entries).toMatchObject([lost]);
    },
  );

  it('ends an answer that is being sent', async () => {
    const shop = await shopAt(name);
    shop.merchant.force({
      op: 'card.list',
      outcome: { outcome: 'slow-dribble', with: { gap: '60s' } },
    });
    const answer = await ask(shop);
    const read = broken(answer.text());
    await shop.transport.close();
    expect(await read).toBe('UND_ERR_SOCKET');
    const cut = { delivery: { state: 'cut', clientLeft: true } };
    await expect.poll(() => shop.merchant.journal().entries).toMatchObject([cut]);
  });

  it.each(['slow-first-byte', 'slow-dribble'] as const)(
    'lets a held request go on for the grace period: %s',
    async (id) => {
      const shop = await shopAt(name);
      const quick = id === 'slow-dribble' ? { chunkBytes: 16, gap: '1ms' } : { delay: '50ms' };
      shop.merchant.force({ op: 'card.list', outcome: { outcome: id, with: quick } });
      const asked = ask(shop).then((answer) => answer.json());
      await fired(shop);
      await shop.transport.sandbox.close(graceMs);
      expect(await asked).toMatchObject({ items: [] });
    },
  );
});

it('a closed sandbox ends held requests in process after the grace period', async () => {
  const shop = await shopAt('in process');
  shop.merchant.force({ op: 'card.list', outcome: 'hang-before-commit', times: 2 });
  const first = broken(ask(shop));
  await fired(shop);
  await shop.transport.close();
  expect([await first, await broken(ask(shop))]).toEqual(['UND_ERR_SOCKET', 'ECONNREFUSED']);
});

describe('a test with fake timers, in process', () => {
  const still = async (): Promise<Shop> => {
    const shop = await shopAt('in process');
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    return shop;
  };

  it('delays answers in real time', async () => {
    const shop = await still();
    const slow: StepDocument = { outcome: 'slow-first-byte', with: { delay: '20ms' } };
    shop.merchant.force({ op: 'card.list', outcome: slow });
    expect((await ask(shop)).status).toBe(200);
  });

  it('can close its sandbox', async () => {
    const shop = await still();
    shop.merchant.force({ op: 'card.list', outcome: 'hang-before-commit' });
    const asked = broken(ask(shop));
    await shop.transport.close();
    expect(await asked).toBe('UND_ERR_SOCKET');
  });
});

describe.each(transportNames)('an incomplete body (%s)', (name) => {
  const sends = (body: ReadableStream, signal: AbortSignal | null = null) => ({
    method: 'POST',
    body,
    // Node takes a stream only with this word, and its types do not know it.
    duplex: 'half',
    signal,
  });

  it('is awaited until its client disconnects', async () => {
    const shop = await shopAt(name);
    const leaving = new AbortController();
    const why = new Error('no time left');
    const endless = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"type":'));
      },
    });
    const asked = ask(shop, sends(endless, leaving.signal));
    await shop.merchant.waitFor({ delivery: 'open' });
    leaving.abort(why);
    await expect(asked).rejects.toBe(why);
    const lost = { delivery: { state: 'lost', clientLeft: true } };
    expect(await shop.merchant.waitFor({})).toMatchObject([lost]);
  });

  it('fails with the error of its stream', async () => {
    const shop = await shopAt(name);
    const cause = new Error('the disk is gone');
    const asked = ask(
      shop,
      sends(
        new ReadableStream({
          pull: (controller) => {
            controller.error(cause);
          },
        }),
      ),
    );
    await expect(asked).rejects.toThrow(new TypeError('fetch failed', { cause }));
    const { entries: requests } = shop.merchant.journal();
    expect(requests.filter(({ delivery }) => delivery.state === 'delivered')).toEqual([]);
  });

  it('can be sent only once', async () => {
    const shop = await shopAt(name);
    const { base } = shop.transport;
    const headers = {
      Authorization: `Bearer ${shop.merchant.token}`,
      'Content-Type': 'application/json',
    };
    const body = JSON.stringify(cardBody());
    const once = new Request(base + cards, { method: 'POST', headers, body });
    expect((await shop.transport.fetch(once)).status).toBe(201);
    await expect(shop.transport.fetch(once)).rejects.toThrow(
      /^Cannot construct a Request with a Request object that has already been used/,
    );
    expect(shop.merchant.journal().entries).toHaveLength(1);
  });
});
