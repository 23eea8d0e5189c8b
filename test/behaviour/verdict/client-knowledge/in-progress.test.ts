/** A repeat that is answered 409, because the first request is still in progress. */
import { expect, it } from 'vitest';
import { storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { newKey, send } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

interface Story {
  readonly custom?: string;
  /** The request ids that follow the 409. */
  readonly keys: readonly string[];
  readonly afterMs?: number;
}

/** Two workers have one job. The second one meets the request of the first one in progress, and goes on. */
async function payInProgress(shop: Shop, { custom, keys, afterMs = 3_000 }: Story): Promise<void> {
  const cardId = await storeCard(shop);
  const order = { cardId, ...(custom !== undefined && { custom }) };
  shop.merchant.hold({ op: 'payment.create', count: 1 });
  const first = send(shop, order, 'job-7');
  await shop.merchant.waitForHeld();
  expect((await send(shop, order, 'job-7')).status).toBe(409);
  shop.merchant.release();
  await first;
  for (const key of keys) {
    shop.merchant.clock.advance(afterMs);
    await send(shop, order, key);
  }
}

onEveryTransport(
  'a payment that is still in progress',
  (transport) => {
    it('is charged twice if the client replaces its request id', async () => {
      const shop = transport.shop();
      await payInProgress(shop, { custom: 'cart-9', keys: [newKey()] });
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        confidence: 'likely',
        what: 'Purchase "cart-9" was charged twice: 30.11 USD at 07:08:09 and 30.11 USD at 07:08:12. A repeat of the first request was answered that it was in progress, and the second request used a new PayPal-Request-Id.',
      });
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it('is paid once if the client repeats it', async () => {
      const shop = transport.shop();
      await payInProgress(shop, { custom: 'cart-9', keys: ['job-7'] });
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each<[string, Story]>([
      ['the client repeats it after the next one', { custom: 'cart-9', keys: ['next', 'job-7'] }],
      ['it comes minutes later', { custom: 'cart-9', keys: ['next'], afterMs: 220_000 }],
      ['a till sells the next thing', { custom: 'till-9', keys: ['next'] }],
      ['nothing names it', { keys: ['next'] }],
    ])('may be followed by another one if %s', async (_, story) => {
      const shop = transport.shop();
      await payInProgress(shop, story);
      expect(await foundIn(shop)).not.toContain('high double-charge');
    });
  },
  onTestTime,
);
