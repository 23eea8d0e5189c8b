/** Request ids that count the parts of one order in any word, and those that count attempts. */
import { expect, it } from 'vitest';
import { hourMs, storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { foundIn } from '../support/findings.ts';
import { lose, send, type NamedOrder } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

const trip = { custom: 'trip-901', description: 'Bus to Prague' };
const family = { custom: 'family-seven', description: 'Plan M, March 2030' };

/** Stores a card, and returns a function that pays an order with it, each time under the next request id. */
async function openOrder(shop: Shop, order: Omit<NamedOrder, 'cardId'>) {
  const cardId = await storeCard(shop);
  return async (waitMs: number, ...keys: readonly string[]) => {
    for (const key of keys) {
      await send(shop, { ...order, cardId }, key);
      shop.merchant.clock.advance(waitMs);
    }
  };
}

onEveryTransport(
  'payments of one trip under request ids that count',
  (transport) => {
    const waitMs = 15_000;

    it.each<[string, readonly string[]]>([
      ['its passengers', ['trip-901-passenger-1', 'trip-901-passenger-2', 'trip-901-passenger-3']],
      ['its guests without a sign', ['trip-901-guest1', 'trip-901-guest2']],
      ['its guests in another language', ['trip:901:gäste:9', 'trip:901:gäste:10']],
      ['its coupons, with the month', ['trip-901-coupon-1-2030-03', 'trip-901-coupon-2-2030-03']],
      ['its coupons, with the day', ['trip-901-coupon-1-20300304', 'trip-901-coupon-2-20300304']],
      ['in capitals', ['TRIP-901-GUEST-1', 'TRIP-901-GUEST-2']],
    ])('may be parts of it: %s', async (_, keys) => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      await pay(waitMs, ...keys);
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it.each<[string, readonly string[]]>([
      ['attempts', ['trip-901-attempt-1', 'trip-901-attempt-2']],
      ['attempts in one word with another', ['trip-901-payretry-1', 'trip-901-payretry-2']],
      ['tries', ['trip-901-try-1', 'trip-901-try-2']],
      ['runs', ['trip-901-run-1', 'trip-901-run-2']],
      ['clicks', ['trip-901-click-1', 'trip-901-click-2']],
      ['workers', ['trip-901-worker-1', 'trip-901-worker-2']],
      ['nothing that has a word', ['trip-901-1', 'trip-901-2']],
      ['something with a word of two letters', ['trip-901-nr-1', 'trip-901-nr-2']],
      ['something without the number of the trip', ['passenger-1', 'passenger-2']],
      ['its trips', ['901-trip-901', '901-trip-902']],
      ['large numbers', ['trip-901-guest-100', 'trip-901-guest-101']],
      ['with a gap', ['trip-901-guest-1', 'trip-901-guest-3']],
      ['down', ['trip-901-guest-2', 'trip-901-guest-1']],
      ['one guest twice', ['trip-901-guest-1', 'trip-901-guest-01']],
      ['in two words', ['trip-901-guest-1', 'trip-901-driver-2']],
      ['two months', ['trip-901-guest-1-2030-03', 'trip-901-guest-2-2030-04']],
      ['from two desks', ['desk-a-trip-901-guest-1', 'desk-b-trip-901-guest-2']],
      ['only some of them', ['trip-901-guest-1', 'trip-901-guest-2', 'trip-901-7c0e']],
      ['in front of some of them', ['trip-901-7c0e', 'trip-901-guest-1', 'trip-901-guest-2']],
    ])('are a double charge: %s', async (_, keys) => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      await pay(waitMs, ...keys);
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });

    it('are reported although they come half a day apart', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      await pay(12 * hourMs, 'trip-901-guest-1', 'trip-901-guest-2');
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it('may be parts of it if one was declined', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      await pay(waitMs, 'trip-901-guest-1');
      lose(shop, 'decline-insufficient-funds');
      await pay(waitMs, 'trip-901-guest-2', 'trip-901-guest-3');
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it('may be parts of it if a lost one was repeated with its request id', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      lose(shop);
      await pay(waitMs, 'trip-901-guest-1', 'trip-901-guest-1', 'trip-901-guest-2');
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });

    it('are a double charge if the answer to the first one was lost', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      lose(shop);
      await pay(waitMs, 'trip-901-guest-1', 'trip-901-guest-2');
      expect(await foundIn(shop)).toContain('critical double-charge');
    });

    it('are a double charge if only a list had shown the lost one', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, trip);
      lose(shop);
      await pay(waitMs, 'trip-901-guest-1');
      await shop.ask('payment.list', 200, {});
      shop.merchant.clock.advance(hourMs);
      await pay(waitMs, 'trip-901-guest-2');
      expect(await foundIn(shop)).toContain('high double-charge');
    });
  },
  onTestTime,
);

onEveryTransport(
  'payments of one month of a plan under request ids that count',
  (transport) => {
    const waitMs = 3_000;

    it.each<[string, readonly string[], string]>([
      [
        'its cards for telephones',
        ['family-seven-sim-1-2030-03', 'family-seven-sim-2-2030-03', 'family-seven-sim-3-2030-03'],
        'medium',
      ],
      ['its seats', ['family-seven-seat-1', 'family-seven-seat-2'], 'medium'],
      ['attempts', ['family-seven-try-1-2030-03', 'family-seven-try-2-2030-03'], 'high'],
      ['with no word after its name', ['family-seven-1', 'family-seven-2'], 'high'],
      ['months', ['family-seven-2030-03', 'family-seven-2030-04'], 'high'],
    ])('are found: %s', async (_, keys, severity) => {
      const shop = transport.shop();
      const pay = await openOrder(shop, family);
      await pay(waitMs, ...keys);
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
    });

    it('are a double charge if they were sent at once', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, family);
      const keys = ['family-seven-sim-1', 'family-seven-sim-2'];
      shop.merchant.hold({ op: 'payment.create', count: keys.length, timeoutMs: 120_000 });
      const sent = keys.map((key) => pay(0, key));
      await shop.merchant.waitForHeld();
      shop.merchant.release();
      await Promise.all(sent);
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it('are no parts of it because the client read the first one', async () => {
      const shop = transport.shop();
      const pay = await openOrder(shop, family);
      await pay(hourMs, 'a');
      const [transfer] = shop.merchant.ledger().transfers;
      await shop.ask('payment.get', 200, { params: { payment_id: transfer?.payment ?? '' } });
      shop.merchant.clock.advance(12 * hourMs);
      await pay(waitMs, 'b');
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });
  },
  onTestTime,
);
