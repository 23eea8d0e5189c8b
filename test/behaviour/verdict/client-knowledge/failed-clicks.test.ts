/** Double clicks of which one request fails, and is sent again by a client that keeps no request id. */
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { authorize, sell, storeCard, type PaymentReply } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see, type Seen } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { newKey, send } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

/** A name that tells nothing of an order: a customer, a shop or an order. */
const uuid = '0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11';

/** How a client names its attempts. */
const ids = {
  'ids of their own': newKey,
  'no ids': () => undefined,
};

interface Story {
  readonly custom?: string;
  readonly outcome?: OutcomeId;
  readonly attempts?: keyof typeof ids;
  /** From the clicks to the attempt that follows. */
  readonly afterMs?: number;
  /** Happens before that attempt. `paid` is the answer to the click that succeeded. */
  readonly before?: (shop: Shop, paid: Seen) => Promise<unknown>;
}

/** Clicks twice. The first request fails, and is sent again. */
async function clickTwice(shop: Shop, story: Story = {}): Promise<string[]> {
  const { custom = uuid, outcome = 'error-500-before-commit', afterMs = 4_000 } = story;
  const idOf = ids[story.attempts ?? 'ids of their own'];
  const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
  const click = () => see(shop, 'payment.create', { body, headers: keyed(idOf()) });
  shop.merchant.force({ op: 'payment.create', outcome, nth: 1 });
  const clicks = await Promise.all([click(), click()]);
  const paid = clicks.find(({ status }) => status === 201);
  if (paid === undefined) throw new Error('No click succeeded.');
  await story.before?.(shop, paid);
  shop.merchant.clock.advance(afterMs);
  await click();
  return (await foundIn(shop)).filter((name) => /double|concurrent/.test(name));
}

onEveryTransport(
  'a double click of which one request fails and is sent again',
  (transport) => {
    it.each<[OutcomeId, keyof typeof ids, string]>([
      ['error-500-before-commit', 'ids of their own', uuid],
      ['error-500-before-commit', 'no ids', uuid],
      ['error-500-before-commit', 'no ids', 'order-7'],
      ['rate-limited-no-header', 'ids of their own', uuid],
      ['rate-limited-no-header', 'no ids', 'order-7'],
    ])('pays twice after %s, with %s, for %s', async (outcome, attempts, custom) => {
      const shop = transport.shop();
      expect(await clickTwice(shop, { outcome, attempts, custom })).toEqual([
        'high double-charge',
        'high concurrent-duplicates',
      ]);
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge').what).toMatch(
        /\. Both requests were open at the same time, sent .+ apart\. One of them failed and was sent again, and the second request /,
      );
      expect(findingOf(verdict, 'concurrent-duplicates').what).toMatch(
        /^2 requests for purchase .+, and 2 were executed, 1 of them when sent again later\.$/,
      );
    });

    it('is not described if both requests succeed and a third one comes in turn', async () => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-7' };
      await Promise.all([send(shop, order), send(shop, order)]);
      shop.merchant.clock.advance(90_000);
      await send(shop, order);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('charged 3 times');
      expect(what).not.toContain('sent again');
    });

    it.each<[string, Story]>([
      ['comes minutes later', { afterMs: 121_000 }],
      ['is for a decline, which the buyer saw', { outcome: 'decline-generic' }],
      [
        'follows a look at the payment',
        {
          before: (shop, paid) => {
            const { id } = JSON.parse(paid.text) as PaymentReply;
            return shop.ask('payment.get', 200, { params: { payment_id: id } });
          },
        },
      ],
      [
        'has the name of other purchases',
        {
          before: async (shop) =>
            send(shop, { cardId: await storeCard(shop), custom: uuid, total: '9.00' }),
        },
      ],
    ])('may pay for something else if the third request %s', async (_, story) => {
      expect(await clickTwice(transport.shop(), story)).not.toContain('high double-charge');
    });

    it.each<[string, 'sale.refund' | 'auth.capture', string]>([
      ['refunds a sale twice', 'sale.refund', 'double-refund'],
      ['captures a part twice', 'auth.capture', 'double-charge'],
    ])('%s', async (_, op, rule) => {
      const shop = transport.shop();
      const isRefund = op === 'sale.refund';
      const { id } = await (isRefund ? sell : authorize)(shop, { total: '100.00' });
      const body = {
        amount: { total: '20.00', currency: 'USD' },
        ...(isRefund ? {} : { note_to_payer: 'Parcel 1 of 3' }),
      };
      const path = `/v1/payments/${isRefund ? 'sale' : 'authorization'}/${id}/${isRefund ? 'refund' : 'capture'}`;
      const click = () => see(shop, op, { path, body, headers: keyed(newKey()) });
      shop.merchant.force({ op, outcome: 'error-500-before-commit', nth: 1 });
      await Promise.all([click(), click()]);
      shop.merchant.clock.advance(4_000);
      await click();
      expect(await foundIn(shop)).toContain(`high ${rule}`);
    });
  },
  onTestTime,
);
