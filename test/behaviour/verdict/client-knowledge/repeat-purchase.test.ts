/** When an order that was paid again with another card, invoice number or amount was paid twice. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { dayMs, hourMs } from '../../../support/purchases.ts';
import { pans, paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { order, cardOf } from '../support/orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';
import type { OutcomeIdOrOk } from '../../../../src/outcomes/outcome-id.ts';

const likely = 'high double-charge';
const maybe = 'medium double-charge';
const hardly = 'low double-charge';

async function foundAt(shop: Shop): Promise<string | undefined> {
  return (await foundIn(shop)).find((name) => name.endsWith('double-charge'));
}

interface Run {
  readonly customers?: readonly [string, string?];
  /** The `custom` of an earlier payment. */
  readonly before?: string;
  readonly outcome?: OutcomeIdOrOk;
  readonly afterMs?: number;
  /** When the client reads a list. */
  readonly looks?: 'before' | 'after' | 'at night';
  /** Whether the first request is repeated at the end. */
  readonly isRepeated?: boolean;
}

async function paidTwice(
  shop: Shop,
  run: Run,
  invoices: readonly [string?, (string | undefined)?] = [],
  cards: 1 | 2 = 2,
  total?: string,
): Promise<void> {
  const { customers = [], before, afterMs = 20_000, looks, isRepeated = false } = run;
  const one = await cardOf(shop, customers[0]);
  const other = cards === 1 ? one : await cardOf(shop, customers[1]);
  if (before !== undefined) await order(shop, { ...one, key: 'zero', custom: before });
  shop.merchant.clock.advance(dayMs);
  const { outcome = 'error-500-after-commit' } = run;
  shop.merchant.force({ op: 'payment.create', outcome });
  await order(shop, { ...one, key: 'one', invoice: invoices[0] });
  if (looks === 'before') await shop.ask('payment.list', 200, {});
  shop.merchant.clock.advance(afterMs);
  await order(shop, { ...other, key: 'two', invoice: invoices[1], ...(total && { total }) });
  if (looks === 'at night') shop.merchant.clock.advance(hourMs);
  if (looks === 'after' || looks === 'at night') await shop.ask('payment.list', 200, {});
  if (isRepeated) await order(shop, { ...one, key: 'one', invoice: invoices[0] });
  shop.merchant.clock.advance(10 * dayMs);
}

const ada = ['ada', 'ada'] as const;

onEveryTransport(
  'an order that is paid again',
  (transport) => {
    it('is reported without a card number in its name', async () => {
      const shop = transport.shop();
      const [one, other] = [await cardOf(shop, 'ada'), await cardOf(shop, 'ada')];
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      for (const [key, card] of Object.entries({ one, other })) {
        await order(shop, { ...card, key, custom: '4012888888881881' });
      }
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge').what).toContain(
        'used one card, named by two ids in the vault. They count as one order',
      );
      expect(JSON.stringify(verdict)).not.toContain('4012888888881881');
    });

    // A buyer who pays for one order with two cards has paid twice its price.
    it.each<[string, Run, string | undefined]>([
      ['is likely paid twice', {}, likely],
      ['is likely paid twice', { customers: ada }, likely],
      ['is likely paid twice', { customers: ['ada'] }, likely],
      ['is likely paid twice', { before: 'order-76' }, likely],
      ['is likely paid twice', { afterMs: 121_000 }, likely],
      ['is likely paid twice', { afterMs: 19 * hourMs }, likely],
      ['is likely paid twice', { afterMs: 180_000, looks: 'at night' }, likely],
      ['is likely paid twice', { customers: ada, looks: 'after' }, likely],
      [
        'is likely paid twice',
        { outcome: 'sale-pending-then-completed', afterMs: 300_000 },
        likely,
      ],
      ['may be two orders', { before: 'till-77' }, maybe],
      ['may be two orders', { isRepeated: true }, maybe],
      ['may be two orders', { isRepeated: true, afterMs: 180_000 }, maybe],
      ['may be two orders', { looks: 'after' }, maybe],
      ['is hardly paid twice', { looks: 'before' }, hardly],
      ['is hardly paid twice', { customers: ada, looks: 'before', afterMs: hourMs }, hardly],
      ['is two orders', { before: 'till-77', isRepeated: true }, undefined],
      ['is two orders', { before: 'till-77', afterMs: 121_000 }, undefined],
      ['is two orders', { customers: ['ada', 'bob'] }, undefined],
      ['is two orders', { afterMs: 20 * hourMs }, undefined],
    ])('%s on two cards if the first outcome is unknown: %j', async (_, run, found) => {
      const shop = transport.shop();
      await paidTwice(shop, run);
      expect(await foundAt(shop)).toBe(found);
    });

    it.each<[string, Run & { readonly total?: string }, string | undefined]>([
      ['is likely paid twice', {}, likely],
      ['is likely paid twice', { customers: ada, looks: 'after' }, likely],
      ['may be two orders', { looks: 'after' }, maybe],
      ['is likely paid twice', { before: 'order-76' }, likely],
      ['is surely paid twice', { total: '30.11' }, 'critical double-charge'],
      ['is two orders', { before: 'till-77' }, undefined],
      ['is two orders', { looks: 'before' }, undefined],
      ['is two orders', { isRepeated: true }, undefined],
      ['is two orders', { afterMs: 121_000 }, undefined],
      ['is two orders', { outcome: 'ok' }, undefined],
    ])('%s for two amounts if the first outcome is unknown: %j', async (_, run, found) => {
      const shop = transport.shop();
      await paidTwice(shop, run, [], 1, run.total ?? '30.12');
      expect(await foundAt(shop)).toBe(found);
    });

    it('is reported with its different amounts', async () => {
      const shop = transport.shop();
      await paidTwice(shop, { looks: 'after' }, [], 1, '30.12');
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').what).toBe(
        'Purchase "till-77" was charged twice: 30.11 USD at 07:08:09 and 30.12 USD at 07:08:29. The payments have different amounts. They count as one order because they have the same name and card, and the first answer was 500.',
      );
    });

    it('is reported with its different currencies', async () => {
      const shop = transport.shop();
      const one = await cardOf(shop, 'ada');
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await order(shop, { ...one, key: 'one' });
      await order(shop, { ...one, key: 'two', currency: 'EUR' });
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain(' The payments have different currencies. They count as one order ');
    });

    it('is reported without a description if it has none', async () => {
      const shop = transport.shop();
      const other = { number: pans.mastercard, type: 'mastercard' };
      const cards = [await cardOf(shop, 'ada'), await cardOf(shop, 'ada', other)];
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      for (const [at, card] of cards.entries()) {
        const transaction = { custom: 'order-7', description: undefined };
        const body = paymentBody({ ...card, transaction });
        await see(shop, 'payment.create', { body, headers: keyed(`key-${at}`) });
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain('because they have the same name and amount, and the first answer');
    });

    it('is two orders if the currencies differ', async () => {
      const shop = transport.shop();
      const [one, other] = [await cardOf(shop, 'ada'), await cardOf(shop, 'ada')];
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await order(shop, { ...one, key: 'one' });
      await order(shop, { ...other, key: 'two', currency: 'EUR' });
      expect(await foundAt(shop)).toBeUndefined();
    });

    it.each([
      ['with two cards that are not stored, of one number', 2032, likely],
      ['as it was, with a card that is not stored', 2031, 'critical double-charge'],
    ] as const)('is paid twice %s', async (_, year, found) => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      for (const [key, expire_year] of Object.entries({ one: 2031, two: year })) {
        const body = rawPaymentBody({ expire_year }, { transaction: { custom: 'till-77' } });
        await see(shop, 'payment.create', { body, headers: keyed(key) });
      }
      expect(await foundAt(shop)).toBe(found);
    });

    it.each([
      ['is shared by two cards if both were sent at once, and the second was repeated', true, true],
      ['is shared by two cards if both were sent at once, and the first was repeated', true, false],
      ['may be paid twice if the second card followed the first', false, true],
    ])('%s', async (_, isAtOnce, isFirstPaid) => {
      const shop = transport.shop();
      const secondCard = { number: pans.mastercard, type: 'mastercard' };
      const [one, other] = [await cardOf(shop, 'ada'), await cardOf(shop, 'ada', secondCard)];
      const outcomes = ['reset-after-commit', 'reset-before-commit'] as const;
      for (const outcome of isFirstPaid ? outcomes : outcomes.toReversed())
        shop.merchant.force({ op: 'payment.create', outcome, per: 'merchant' });
      const first = order(shop, { ...one, key: 'one' });
      if (!isAtOnce) await first;
      await Promise.all([first, order(shop, { ...other, key: 'two' })]);
      const repeats = [
        { ...other, key: 'two' },
        { ...one, key: 'one' },
      ];
      for (const repeat of isFirstPaid ? repeats : repeats.toReversed()) await order(shop, repeat);
      expect(await foundAt(shop)).toBe(isAtOnce ? undefined : maybe);
    });

    it('is charged once for each card', async () => {
      const shop = transport.shop();
      const cards = [
        await cardOf(shop, 'ada'),
        await cardOf(shop, 'ada'),
        await cardOf(shop, 'ada'),
      ];
      shop.merchant.force({
        op: 'payment.create',
        outcome: 'reset-after-commit',
        times: 2,
        per: 'merchant',
      });
      for (const [at, card] of cards.entries()) await order(shop, { ...card, key: `try-${at}` });
      await shop.ask('payment.list', 200, {});
      const { severity, what, evidence } = findingOf(
        await shop.merchant.verdict(),
        'double-charge',
      );
      expect(severity).toBe('high');
      expect(what).toBe(
        'Purchase "till-77" was charged 3 times: 30.11 USD at 07:08:09, 30.11 USD at 07:08:09 and 30.11 USD at 07:08:09. The payments used one card, named by 3 ids in the vault. They count as one order because they have the same name, amount and description, and the first answer was lost.',
      );
      expect(evidence).toHaveLength(3);
    });

    it('is one purchase, and not reported as never looked up', async () => {
      const shop = transport.shop();
      await paidTwice(shop, { afterMs: 180_000 });
      const verdict = await shop.merchant.verdict({ expect: { sales: { perIntent: '<=1' } } });
      expect(verdict.purchases).toHaveLength(1);
      expect(verdict.expectations).toMatchObject([{ place: 'sales.perIntent', ok: false }]);
      expect(verdict.findings.map(({ rule }) => rule)).not.toContain('no-read-after-unknown');
    });

    // The service would have refused the same invoice number twice.
    it.each<[string, Run, readonly [string?, (string | undefined)?], string | undefined]>([
      ['is likely paid twice', {}, ['INV-1', 'INV-2'], likely],
      ['is likely paid twice', {}, ['INV-1', undefined], likely],
      ['is likely paid twice', { customers: ada, looks: 'after' }, ['INV-1', 'INV-2'], likely],
      ['is hardly paid twice', { looks: 'before' }, ['INV-1', 'INV-2'], hardly],
      ['is two orders', { before: 'till-77' }, ['INV-1', 'INV-2'], undefined],
      ['is two orders', { isRepeated: true }, ['INV-1', 'INV-2'], undefined],
      ['is two orders', { afterMs: 121_000 }, ['INV-1', 'INV-2'], undefined],
      ['is two orders', { outcome: 'ok' }, ['INV-1', 'INV-2'], undefined],
    ])('%s with another invoice number: %j, %j', async (_, run, invoices, found) => {
      const shop = transport.shop();
      await paidTwice(shop, run, invoices, 1);
      expect(await foundAt(shop)).toBe(found);
    });

    it.each<[string, readonly OutcomeIdOrOk[], string | undefined]>([
      ['is likely paid twice if the client stops at a completed one', [], likely],
      ['is several tickets if the client goes on after a completed one', ['ok'], undefined],
      ['is likely paid again if each is pending', ['sale-pending-then-completed'], likely],
    ])('%s, under other invoice numbers: %j', async (_, later, found) => {
      const shop = transport.shop();
      const card = await cardOf(shop, 'ada');
      const second = later[0] ?? 'ok';
      const sequence: OutcomeIdOrOk[] = ['sale-pending-then-completed', second, ...later];
      shop.merchant.force({ op: 'payment.create', per: 'merchant', sequence });
      for (const at of sequence.keys()) {
        await order(shop, { ...card, key: `ticket-${at}`, invoice: `TCK-${at}` });
        shop.merchant.clock.advance(5000);
      }
      shop.merchant.clock.advance(10 * dayMs);
      expect(await foundAt(shop)).toBe(found);
    });

    it.each<[string, OutcomeIdOrOk, readonly number[], string | undefined]>([
      ['is several invoices if the first is repeated', 'partial-commit', [0, 0, 1, 2], undefined],
      ['is likely paid again if the first is lost', 'reset-after-commit', [0, 1, 2], likely],
    ])('%s and the client goes on after a completed one', async (_, outcome, sent, found) => {
      const shop = transport.shop();
      const card = await cardOf(shop, 'ada');
      shop.merchant.force({ op: 'payment.create', outcome, times: 1 });
      for (const at of sent) await order(shop, { ...card, key: `${at}`, invoice: `INV-${at}` });
      shop.merchant.clock.advance(10 * dayMs);
      expect(await foundAt(shop)).toBe(found);
    });

    it.each([
      ['is hardly one order if a list showed the first one before', true, hardly],
      ['is likely paid again if nothing showed the first one', false, likely],
    ])('%s, although the client went on with two more', async (_, isListed, found) => {
      const shop = transport.shop();
      const card = await cardOf(shop, 'ada');
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: 1 });
      for (const at of [1, 2, 3]) {
        await order(shop, { ...card, key: `${at}`, invoice: `INV-${at}` });
        if (isListed) await shop.ask('payment.list', 200);
        shop.merchant.clock.advance(20_000);
      }
      expect(await foundAt(shop)).toBe(found);
    });

    it('is reported with its different invoice numbers', async () => {
      const shop = transport.shop();
      await paidTwice(shop, {}, ['INV-1', 'INV-2'], 1);
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').what).toBe(
        'Purchase "till-77" was charged twice: 30.11 USD at 07:08:09 and 30.11 USD at 07:08:29. The payments have different invoice numbers. They count as one order because they have the same name, amount and description, and the first answer was 500.',
      );
    });
  },
  onTestTime,
);
