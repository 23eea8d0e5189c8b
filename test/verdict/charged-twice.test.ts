/** When two charges of what looks like one purchase are surely one too many, and when somebody may have meant both. */
import { expect, it } from 'vitest';
import { see } from '../forcing/client.ts';
import { throughEveryDoor, type Shop } from '../support/doors.ts';
import { dayMs, hourMs, storeCard } from '../support/purchases.ts';
import { paymentBody } from '../support/samples.ts';
import { findingOf, foundIn } from './found.ts';
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

    it.each([1_000, 200_000])(
      'may be meant where the first, in doubt, is asked for again %i ms after the second',
      async (ms) => {
        const till = await Till.at(door.shop());
        till.meets('reset-after-commit');
        await till.payAll({ key: 'first' }, { key: 'second' }, { key: 'first', afterMs: ms });
        expect(await foundIn(till.shop)).toEqual([maybe]);
      },
    );

    it('are two where one in doubt is asked for again hours after another one', async () => {
      const till = await Till.at(door.shop());
      till.meets('reset-after-commit');
      await till.payAll(
        { key: 'first' },
        { key: 'second', afterMs: hourMs },
        { key: 'first', afterMs: hourMs },
      );
      expect(await foundIn(till.shop)).toEqual([]);
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
  readonly custom?: string;
  readonly externalCustomerId?: string;
}

/** Every order says the same in `custom`, unless this one does not. */
function order(shop: Shop, { key, custom = 'order-77', ...parts }: Order) {
  const body = paymentBody({ ...parts, transaction: { custom } });
  return see(shop, 'payment.create', { body, headers: keyed(key) });
}

const listOfNone = '/v1/payments/payment?count=20&start_time=2030-01-01T00:00:00Z';

interface TwoCards {
  readonly customers?: readonly [string, string];
  /** What an earlier payment says in `custom`. */
  readonly before?: string;
  readonly afterMs?: number;
  /** The first request comes once more at the end. */
  readonly isRepeated?: boolean;
}

/** A card of a customer's, or of nobody's. */
async function ownOf(shop: Shop, customer: string | undefined): Promise<Omit<Order, 'key'>> {
  if (customer === undefined) return { cardId: await storeCard(shop) };
  const cardId = await storeCard(shop, { external_customer_id: customer });
  return { cardId, externalCustomerId: customer };
}

throughEveryDoor(
  'purchases that say the same in custom',
  (door) => {
    it('are not one where amounts differ, or the first was answered', async () => {
      const shop = door.shop();
      const cards = [await storeCard(shop), await storeCard(shop)] as const;
      await order(shop, { key: 'one', cardId: cards[0] });
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await order(shop, { key: 'two', cardId: cards[1] });
      await order(shop, { key: 'three', cardId: cards[0], total: '35.00' });
      expect(await chargedTwiceAt({ shop })).toBeUndefined();
    });

    // Whoever pays for one order with two cards has paid twice its price.
    it.each<[string, TwoCards, string | undefined]>([
      ['are likely one', {}, 'high double-charge'],
      ['are likely one', { customers: ['ada', 'ada'] }, 'high double-charge'],
      ['are likely one', { before: 'order-76' }, 'high double-charge'],
      ['may be one', { before: 'order-77' }, maybe],
      ['may be one', { isRepeated: true }, maybe],
      ['are none', { before: 'order-77', isRepeated: true }, undefined],
      ['are none', { customers: ['ada', 'bob'] }, undefined],
      ['are none', { afterMs: 121_000 }, undefined],
    ])('%s on two cards, where the first is in doubt: %j', async (_, run, found) => {
      const { customers = [], before, afterMs = 20_000, isRepeated = false } = run;
      const shop = door.shop();
      const [one, other] = [await ownOf(shop, customers[0]), await ownOf(shop, customers[1])];
      if (before !== undefined) await order(shop, { ...one, key: 'zero', custom: before });
      shop.merchant.clock.advance(dayMs);
      shop.merchant.force({ op: 'payment.create', outcome: 'error-500-after-commit' });
      await order(shop, { ...one, key: 'one' });
      shop.merchant.clock.advance(afterMs);
      await order(shop, { ...other, key: 'two' });
      if (isRepeated) await order(shop, { ...one, key: 'one' });
      expect(await chargedTwiceAt({ shop })).toBe(found);
    });

    it.each([
      ['reset-after-commit', 'look', 60_000, 'critical'],
      ['reset-after-commit', 'look', 5 * hourMs, 'high'],
      ['reset-after-commit', 'look elsewhere', 5 * hourMs, 'critical'],
      ['sale-pending-then-completed', 'trust the answer', 60_000, 'critical'],
      ['sale-pending-then-completed', 'trust the answer', 5 * hourMs, 'high'],
    ])(
      'are less surely one that was shown: %s, %s, after %i ms',
      async (outcome, then, ms, how) => {
        const shop = door.shop();
        const cardId = await storeCard(shop);
        shop.merchant.force({ op: 'payment.create', outcome });
        await order(shop, { key: 'one', cardId });
        if (then === 'look') await shop.ask('payment.list', 200, {});
        if (then === 'look elsewhere') await shop.ask('payment.list', 200, { path: listOfNone });
        shop.merchant.clock.advance(ms);
        await order(shop, { key: 'two', cardId });
        await shop.ask('payment.list', 200, {});
        shop.merchant.clock.advance(10 * dayMs);
        const verdict = await shop.merchant.verdict();
        expect(findingOf(verdict, 'double-charge').severity).toBe(how);
        const retry = verdict.findings.find(({ rule }) => rule === 'new-key-on-retry');
        expect(retry?.severity).toBe(outcome === 'reset-after-commit' ? how : undefined);
        expect(retry?.what.includes('nobody could know')).toBe(
          retry === undefined ? undefined : then === 'look elsewhere',
        );
      },
    );

    it.each([
      ['is one too many', 'reset-after-commit', 300_000, surely],
      ['is one too many', 'reset-after-commit', 19 * hourMs, surely],
      // What is paid for daily is none, though it comes some hours early.
      ['is none', 'reset-after-commit', 20 * hourMs, undefined],
      ['is none', 'sale-pending-then-completed', 20 * hourMs, undefined],
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
