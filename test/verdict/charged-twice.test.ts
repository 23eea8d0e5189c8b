/** When two charges of what looks like one purchase are surely one too many, and when somebody may have meant both. */
import { expect, it } from 'vitest';
import { see } from '../forcing/client.ts';
import { throughEveryDoor, type Shop } from '../support/doors.ts';
import { dayMs, storeCard } from '../support/purchases.ts';
import { paymentBody } from '../support/samples.ts';
import { foundIn } from './found.ts';
import { keyed, onTestTime, Till } from './tries.ts';

const surely = 'critical double-charge';
const maybe = 'medium double-charge';

async function chargedTwiceAt({ shop }: { readonly shop: Shop }): Promise<string | undefined> {
  return (await foundIn(shop)).find((name) => name.endsWith('double-charge'));
}

throughEveryDoor(
  'two charges alike',
  (door) => {
    it.each([
      ['error-500-before-commit', 'one answer says nothing, and the same request is sent again'],
      ['reset-after-commit', 'one answer is lost, and the same request is sent again'],
      ['rate-limited-no-header', 'one is turned away'],
      ['token-expired', 'one comes with a token that is over'],
      ['decline-generic', 'one is declined'],
    ])('may be meant, whatever befell one of them that is settled: %s', async (outcome) => {
      const till = await Till.at(door.shop());
      await till.pay({ key: 'first' });
      till.meets(outcome);
      await till.payAll({ key: 'second' }, { key: 'second' }, { key: 'third' });
      expect(await chargedTwiceAt(till)).toBe(maybe);
    });

    it.each(['reset-after-commit', 'sale-pending-then-completed'])(
      'are one too many where the first was paid without the client knowing it: %s',
      async (outcome) => {
        const till = await Till.at(door.shop());
        till.meets(outcome);
        await till.payAll({ key: 'first' }, { key: 'second' });
        till.shop.merchant.clock.advance(10 * dayMs);
        expect(await chargedTwiceAt(till)).toBe(surely);
      },
    );

    it('may be meant once a repeat has shown that a pending sale was completed', async () => {
      const till = await Till.at(door.shop());
      till.meets('sale-pending-then-completed', 1, { settleAfter: '30s' });
      await till.payAll(
        { key: 'first' },
        { key: 'first', afterMs: 60_000 },
        { key: 'second', afterMs: 30_000 },
      );
      expect(await chargedTwiceAt(till)).toBe(maybe);
    });

    it('are one too many where one request id was carried out twice', async () => {
      const till = await Till.at(door.shop());
      await till.pay({ key: 'one' });
      till.meets('request-id-ignored');
      await till.pay({ key: 'one' });
      expect(await chargedTwiceAt(till)).toBe(surely);
    });
  },
  onTestTime,
);

interface Order {
  readonly key: string;
  readonly cardId: string;
  readonly total?: string;
}

/** Every order says the same in `custom`. */
function order(shop: Shop, { key, cardId, total = '30.11' }: Order) {
  const body = paymentBody({ cardId, total, transaction: { custom: 'order-77' } });
  return see(shop, 'payment.create', { body, headers: keyed(key) });
}

throughEveryDoor(
  'purchases that say the same in custom',
  (door) => {
    it('are not one where cards or amounts differ', async () => {
      const shop = door.shop();
      const cards = [await storeCard(shop), await storeCard(shop)] as const;
      await order(shop, { key: 'one', cardId: cards[0] });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await order(shop, { key: 'two', cardId: cards[1] });
      await order(shop, { key: 'three', cardId: cards[0], total: '35.00' });
      expect(await chargedTwiceAt({ shop })).toBeUndefined();
    });

    it.each([
      ['is one too many', 'reset-after-commit', 300_000, surely],
      ['is none', 'ok', 300_000, undefined],
      ['is none', 'reset-after-commit', 31 * dayMs, undefined],
    ])('and are paid alike: the second %s after %s and %i ms', async (_, outcome, ms, found) => {
      const shop = door.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome });
      await order(shop, { key: 'one', cardId });
      shop.merchant.clock.advance(ms);
      await order(shop, { key: 'two', cardId });
      await shop.ask('payment.list', 200, {});
      expect(await chargedTwiceAt({ shop })).toBe(found);
    });
  },
  onTestTime,
);
