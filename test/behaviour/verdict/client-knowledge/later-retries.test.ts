/** Orders that are sent again some time later with another request id, after a request that did nothing and did not say so. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { dayMs, hourMs, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { lose, newKey, send, type NamedOrder } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

type Words = Omit<NamedOrder, 'cardId'>;
type Step = (shop: Shop, cardId: string) => Promise<unknown>;

interface Story {
  readonly words?: Words;
  /** Default: one for each request. */
  readonly keys?: readonly [string, string];
  /** How long after the first request the second one comes. Default: half an hour. */
  readonly afterMs?: number;
  /** What the client does between both. */
  readonly between?: Step;
}

const minuteMs = 60_000;

const numbered = { custom: 'order-7781' };

const unknown = 'error-500-before-commit';

/** Sends an order twice. The first request does nothing, and its answer does not say so. */
async function sendTwice(shop: Shop, story: Story): Promise<string[]> {
  const { words = numbered, keys = [newKey(), newKey()], afterMs = 30 * minuteMs, between } = story;
  const cardId = await storeCard(shop);
  lose(shop, unknown);
  await send(shop, { cardId, ...words }, keys[0]);
  shop.merchant.clock.advance(minuteMs);
  await between?.(shop, cardId);
  shop.merchant.clock.advance(afterMs - minuteMs);
  await send(shop, { cardId, ...words }, keys[1]);
  return foundIn(shop);
}

const list: Step = (shop) => shop.ask('payment.list', 200, { query: { count: '20' } });

const isBlamed = ['high new-key-on-retry'];
const gaveUp = ['medium no-read-after-unknown'];

onEveryTransport(
  'an order that is sent again with another request id, while it is unknown what the first request did',
  (transport) => {
    it.each<[string, Story]>([
      ['three minutes later', { afterMs: 3 * minuteMs }],
      ['14 hours later', { afterMs: 14 * hourMs }],
      ['after a weekend', { afterMs: 3 * dayMs }],
      ['as an authorization', { words: { ...numbered, intent: 'authorize' } }],
      ['with its number in the description', { words: { description: 'Order #7781' } }],
      [
        'for the month of a plan',
        { words: { custom: 'sub-ada', description: 'Plan M, November 2026' } },
      ],
      [
        'after a list that failed',
        {
          between: (shop) => {
            shop.merchant.force({ op: 'payment.list', outcome: 'truncated-body' });
            return see(shop, 'payment.list', {});
          },
        },
      ],
      ['for a booking, the same evening', { words: { custom: 'booking-12' }, afterMs: 3 * hourMs }],
    ])('is blamed: %s', async (_, story) => {
      expect(await sendTwice(transport.shop(), story)).toEqual(isBlamed);
    });

    it.each<[string, Story, readonly string[]]>([
      ['the client looked, and saw nothing', { between: list }, []],
      ['the client kept its request id', { keys: ['pay-7781', 'pay-7781'] }, []],
      ['a week lies between both', { afterMs: 7 * dayMs }, gaveUp],
      [
        'a buyer comes back under the name of a customer',
        { words: { custom: 'customer-ada' }, afterMs: 14 * hourMs },
        gaveUp,
      ],
      ['a till sells the same again', { words: { custom: 'till-3' } }, gaveUp],
      ['nothing names the order', { words: { description: 'Blue sofa' } }, gaveUp],
      ['the order is meant to be repeated', { words: { custom: 'standing order 7' } }, gaveUp],
      ['the request ids name two parts', { keys: ['7781-parcel-1', '7781-parcel-2'] }, gaveUp],
      [
        'a booking is paid for the next night',
        { words: { custom: 'booking-12' }, afterMs: dayMs },
        gaveUp,
      ],
    ])('is not blamed: %s', async (_, story, found) => {
      expect(await sendTwice(transport.shop(), story)).toEqual(found);
    });

    it('is not blamed if the first request was refused, or repeated and then declined', async () => {
      for (const repeated of [false, true]) {
        const shop = transport.shop();
        const cardId = await storeCard(shop);
        if (repeated) {
          lose(shop, unknown);
          await send(shop, { cardId, ...numbered }, 'first');
        }
        lose(shop, 'decline-generic');
        await send(shop, { cardId, ...numbered }, 'first');
        shop.merchant.clock.advance(hourMs);
        await send(shop, { cardId, ...numbered });
        expect(await foundIn(shop)).toEqual([]);
      }
    });

    it('is not blamed if the card was stored in between, as by another test of a suite', async () => {
      const shop = transport.shop();
      const customer = 'ada';
      const card = { external_customer_id: customer };
      lose(shop, unknown);
      await send(shop, { cardId: await storeCard(shop, card), customer, ...numbered });
      shop.merchant.clock.advance(hourMs);
      await send(shop, { cardId: await storeCard(shop, card), customer, ...numbered });
      expect(await foundIn(shop)).toEqual(gaveUp);
    });

    it('is blamed without request ids', async () => {
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop), transaction: numbered });
      lose(shop, unknown);
      await see(shop, 'payment.create', { body });
      shop.merchant.clock.advance(hourMs);
      await see(shop, 'payment.create', { body });
      expect(await foundIn(shop)).toEqual(['high retry-without-key']);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a refund that is requested again with another request id, while it is unknown what the first request did',
  (transport) => {
    it.each([
      ['a case', 'Return RMA-77', isBlamed],
      ['nothing', 'Damaged lamp', gaveUp],
    ])('is judged if its note names %s', async (_, description, found) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const body = { amount: { total: '5.00', currency: 'USD' }, description };
      const path = `/v1/payments/sale/${id}/refund`;
      shop.merchant.force({ op: 'sale.refund', outcome: unknown });
      await see(shop, 'sale.refund', { path, body, headers: keyed('a') });
      shop.merchant.clock.advance(hourMs);
      await see(shop, 'sale.refund', { path, body, headers: keyed('b') });
      expect(await foundIn(shop)).toEqual(found);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a client that gives up without request ids',
  (transport) => {
    it('is not said to have sent nothing again, because the next request may be a retry', async () => {
      const shop = transport.shop();
      const body = paymentBody({
        cardId: await storeCard(shop),
        transaction: { custom: 'wf-7781', description: 'Courier' },
      });
      lose(shop, unknown);
      await see(shop, 'payment.create', { body });
      shop.merchant.clock.advance(3 * minuteMs);
      await see(shop, 'payment.create', { body });
      expect(findingOf(await shop.merchant.verdict(), 'no-read-after-unknown').what).toBe(
        'The client could not know whether the request for purchase "wf-7781" had succeeded, and it did not look it up.',
      );
    });
  },
  onTestTime,
);
