/** A client that stops waiting while a gate holds its request: what it sends then follows the request. */
import { expect, it } from 'vitest';
import { storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { findingOf, foundIn, namesOf } from '../verdict/support/findings.ts';
import { keyed } from '../verdict/support/payment-attempts.ts';

const patient = { timeoutMs: 120_000 };

/** A payment that its client can stop waiting for. */
interface Click {
  /** Resolves once the service knows that the client left. */
  readonly leave: () => Promise<void>;
  /** The status of the answer; `left` if the client did not wait for it. */
  readonly result: Promise<number | 'left'>;
}

interface Parts {
  readonly key: string;
  readonly custom?: string;
}

const payment = (cardId: string, { key, custom = 'A-7' }: Parts) => ({
  body: paymentBody({ cardId, transaction: { custom } }),
  headers: keyed(key),
});

/** Sends a payment for one order. Resolves once a gate holds it. */
async function click(shop: Shop, cardId: string, parts: Parts): Promise<Click> {
  const { body, headers } = payment(cardId, parts);
  const { merchant, transport } = shop;
  const held = merchant.held().length;
  const client = new AbortController();
  const result = transport
    .fetch(`${transport.base}/v1/payments/payment`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${merchant.token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
      signal: client.signal,
    })
    .then(
      ({ status }) => status,
      () => 'left' as const,
    );
  await merchant.waitForHeld({ times: held + 1, ...patient });
  const leave = async (): Promise<void> => {
    client.abort();
    expect(await result).toBe('left');
    await expect.poll(() => merchant.held()[held]?.clientLeft).toBe(true);
  };
  return { leave, result };
}

const places = ['before-commit', 'before-answer'] as const;

onEveryTransport('a client that stops waiting for a held request', (transport) => {
  it.each(places)('sends a retry after it, and not two requests at once, held %s', async (at) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2, at });
    const first = await click(shop, cardId, { key: 'one' });
    await first.leave();
    const retry = await click(shop, cardId, { key: 'two' });
    shop.merchant.release();
    expect(await retry.result).toBe(201);
    const verdict = await shop.merchant.verdict();
    expect(namesOf(verdict)).toEqual([
      'critical double-charge',
      'critical orphaned-charge',
      'critical new-key-on-retry',
    ]);
    expect(findingOf(verdict, 'double-charge').what).toContain(
      'The client stopped waiting for the first answer, and the retry used a new PayPal-Request-Id.',
    );
  });

  it.each(places)('sends two at once if it leaves after the second, held %s', async (at) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2, at });
    const first = await click(shop, cardId, { key: 'one' });
    const second = await click(shop, cardId, { key: 'two' });
    await first.leave();
    shop.merchant.release();
    expect(await second.result).toBe(201);
    expect(await foundIn(shop)).toEqual([
      'critical double-charge',
      'critical orphaned-charge',
      'high concurrent-duplicates',
    ]);
  });

  it.each(places)('is not blamed for a retry with the same request id, held %s', async (at) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1, at });
    const first = await click(shop, cardId, { key: 'one' });
    await first.leave();
    const again = payment(cardId, { key: 'one' });
    await shop.send('payment.create', again);
    shop.merchant.release();
    await shop.ask('payment.create', 201, again);
    expect(await foundIn(shop)).toEqual([]);
  });

  it.each(places)('is not blamed if it finds the payment in the list, held %s', async (at) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1, at });
    const first = await click(shop, cardId, { key: 'one' });
    await first.leave();
    shop.merchant.release();
    await shop.ask('payment.list', 200);
    expect(await foundIn(shop)).toEqual([]);
  });

  it('pays twice if the list shows nothing yet and it uses a new request id', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 1 });
    const first = await click(shop, cardId, { key: 'one' });
    await first.leave();
    await shop.ask('payment.list', 200);
    await shop.ask('payment.create', 201, payment(cardId, { key: 'two' }));
    shop.merchant.release();
    expect(await foundIn(shop)).toEqual([
      'critical double-charge',
      'critical orphaned-charge',
      'critical new-key-on-retry',
      'medium list-as-proof-of-absence',
    ]);
  });

  it('may pay for another order meanwhile', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.hold({ op: 'payment.create', count: 2 });
    const first = await click(shop, cardId, { key: 'one' });
    await first.leave();
    const other = await click(shop, cardId, { key: 'two', custom: 'A-8' });
    shop.merchant.release();
    expect(await other.result).toBe(201);
    await shop.ask('payment.create', 201, payment(cardId, { key: 'one' }));
    expect(await foundIn(shop)).toEqual([]);
  });

  it('is in the journal with its place among the requests, before and after the release', async () => {
    const shop = transport.shop();
    const { merchant } = shop;
    const cardId = await storeCard(shop);
    merchant.hold({ op: 'payment.create', count: 2 });
    const first = await click(shop, cardId, { key: 'one' });
    await first.leave();
    const retry = await click(shop, cardId, { key: 'two' });
    const read = () => merchant.journal({ operation: 'payment.create' }).entries;
    const isLeft = { leftAtSeq: read()[1]?.seq, leftAtMs: expect.any(Number) };
    expect(read()).toMatchObject([{ overAtSeq: 0, ...isLeft }, { leftAtSeq: undefined }]);
    merchant.release();
    expect(await retry.result).toBe(201);
    const [entry] = read();
    expect(entry).toMatchObject({ committed: true, ...isLeft });
    expect(entry?.overAtSeq).toBeGreaterThan(entry?.leftAtSeq ?? Infinity);
    expect(merchant.explain(entry?.debugId ?? '')?.summary).toContain(
      'The client left while it was held. The request is carried out nevertheless.',
    );
    expect(await merchant.verdictPage()).toContain('The client left while it was held.');
  });
});
