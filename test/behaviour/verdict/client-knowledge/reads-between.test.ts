/** What a read shows: a refund in the state of its sale, and a dispute in a list. Each story has a close one that differs. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { dayMs, pay, saleOf, sell, storeCard } from '../../../support/purchases.ts';
import { pans, paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

function giveBack(shop: Shop, saleId: string, key: string, total = '10.00') {
  const body = { amount: { total, currency: 'USD' } };
  return shop.ask('sale.refund', 201, {
    params: { sale_id: saleId },
    body,
    headers: keyed(key),
  });
}

onEveryTransport(
  'two equal refunds',
  (transport) => {
    const read = (shop: Shop, id: string) => shop.ask('sale.get', 200, { params: { sale_id: id } });

    it.each<[string, (shop: Shop, id: string) => Promise<unknown>, readonly string[]]>([
      [
        'may be for two items if the sale was read between them',
        async (shop, id) => {
          await giveBack(shop, id, 'one');
          await read(shop, id);
          await giveBack(shop, id, 'two');
        },
        [],
      ],
      [
        'are reported if the sale was read before them only',
        async (shop, id) => {
          await read(shop, id);
          await giveBack(shop, id, 'one');
          await giveBack(shop, id, 'two');
        },
        ['medium double-refund'],
      ],
      [
        'are reported if the sale was read after them only',
        async (shop, id) => {
          await giveBack(shop, id, 'one');
          await giveBack(shop, id, 'two');
          await read(shop, id);
        },
        ['medium double-refund'],
      ],
      [
        'are reported if the answer to the read was lost',
        async (shop, id) => {
          await giveBack(shop, id, 'one');
          shop.merchant.force({ op: 'sale.get', outcome: 'truncated-body' });
          await see(shop, 'sale.get', { path: `/v1/payments/sale/${id}` });
          await giveBack(shop, id, 'two');
        },
        ['medium double-refund'],
      ],
      [
        'are reported if the state of the sale cannot show which of its refunds exist',
        async (shop, id) => {
          await giveBack(shop, id, 'zero', '2.00');
          await giveBack(shop, id, 'one');
          await read(shop, id);
          await giveBack(shop, id, 'two');
        },
        ['medium double-refund'],
      ],
    ])('%s', async (_, play, expected) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      await play(shop, id);
      expect((await foundIn(shop)).filter((one) => one.includes('refund'))).toEqual(expected);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a dispute in a list',
  (transport) => {
    /** Two sales that are disputed and others that are not. Returns the ids of the two. */
    async function disputed(shop: Shop, others: number): Promise<readonly [string, string]> {
      const cardId = await storeCard(shop);
      const buy = async (description: string) =>
        saleOf(await pay(shop, { cardId, transaction: { description } })).id;
      shop.merchant.force({
        op: 'payment.create',
        per: 'merchant',
        times: 2,
        outcome: { outcome: 'chargeback-opened-won-lost', with: { outcome: 'lost' } },
      });
      const first = await buy('first');
      const second = await buy('second');
      for (let at = 0; at < others; at++) await buy(`other ${'x'.repeat(at)}`);
      return [first, second];
    }

    const list = (shop: Shop, count: number) =>
      shop.ask('payment.list', 200, { query: { count: String(count) } });

    const refund = (shop: Shop, id: string) =>
      shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });

    it.each([
      ['is not known from a long list that was read before', 15, 'before', false],
      ['is known from a long list that was read after', 15, 'after', true],
      ['is not known from a short list that was read before', 0, 'before', false],
      ['is known from a short list that was read after', 0, 'after', true],
    ] as const)('%s', async (_, others, when, isFound) => {
      const shop = transport.shop();
      const [id] = await disputed(shop, others);
      if (when === 'before') await list(shop, 20);
      shop.merchant.clock.advance(40 * dayMs);
      if (when === 'after') await list(shop, 20);
      await refund(shop, id);
      shop.merchant.clock.advance(40 * dayMs);
      expect(await foundIn(shop)).toEqual(isFound ? ['high refund-and-chargeback'] : []);
    });

    it.each([
      ['is not known from a list before it', 'before', true],
      ['is known from a list after it', 'after', false],
    ])('a reversal %s', async (_, when, isRight) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'sale-reversed-later' });
      await pay(shop, { cardId, transaction: { custom: 'order-7' } });
      for (let at = 0; at < 15; at++) {
        await pay(shop, { cardId, transaction: { description: `other ${'x'.repeat(at)}` } });
      }
      if (when === 'before') await list(shop, 20);
      shop.merchant.clock.advance(40 * dayMs);
      if (when === 'after') await list(shop, 20);
      const { reasons } = await shop.merchant.verdict({ beliefs: { 'order-7': 'paid' } });
      expect(reasons.map(({ kind }) => kind)).toEqual(isRight ? [] : ['belief']);
    });

    it('is not known from a list that shows another disputed sale', async () => {
      const shop = transport.shop();
      const [first] = await disputed(shop, 0);
      shop.merchant.clock.advance(40 * dayMs);
      const { payments } = await list(shop, 1);
      expect(payments.map((one) => saleOf(one).state)).toEqual(['reversed']);
      expect(payments.map((one) => saleOf(one).id)).not.toContain(first);
      await refund(shop, first);
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'an order that is paid with two cards',
  (transport) => {
    it.each([
      ['is reported if both answers were lost', 2, true],
      ['is reported if the first answer was lost', 1, true],
      ['is not reported if both arrived', 0, false],
    ])('%s', async (_, lost, isFound) => {
      const shop = transport.shop();
      if (lost > 0) {
        shop.merchant.force({
          op: 'payment.create',
          per: 'merchant',
          times: lost,
          outcome: 'reset-after-commit',
        });
      }
      for (const [key, change] of Object.entries({
        one: {},
        two: { number: pans.mastercard, type: 'mastercard' },
      })) {
        const cardId = await storeCard(shop, change);
        const body = paymentBody({ cardId, transaction: { custom: 'order-77' } });
        await see(shop, 'payment.create', { body, headers: keyed(key) });
      }
      const found = (await foundIn(shop)).filter((one) => one.endsWith('double-charge'));
      expect(found.length > 0, found.join()).toBe(isFound);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a numbered order that is paid again at once',
  (transport) => {
    interface Story {
      readonly custom?: string;
      readonly isStale?: boolean;
      readonly listsFirst?: boolean;
      readonly isListLost?: boolean;
    }

    /** Pays, lists the payments and pays again. */
    async function payAgainAfterList(shop: Shop, story: Story): Promise<string[]> {
      const { custom = 'order-7', isStale = true, listsFirst = false, isListLost = false } = story;
      const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom } });
      const send = (key: string) => see(shop, 'payment.create', { body, headers: keyed(key) });
      const list = async () => {
        if (isStale) shop.merchant.force({ op: 'payment.list', outcome: 'list-lags-create' });
        if (isListLost) shop.merchant.force({ op: 'payment.list', outcome: 'truncated-body' });
        await see(shop, 'payment.list', {});
      };
      if (listsFirst) await list();
      await send('first');
      if (!listsFirst) await list();
      await send('again');
      return (await foundIn(shop)).filter((name) => name.includes('double-charge'));
    }

    it('is reported if the list between both does not show the first payment', async () => {
      expect(await payAgainAfterList(transport.shop(), {})).toEqual(['high double-charge']);
    });

    it.each<[string, Story]>([
      ['the list shows it', { isStale: false }],
      ['the list came before both', { isStale: false, listsFirst: true }],
      ['the list was lost', { isStale: false, isListLost: true }],
      ['the name is that of a till', { custom: 'till-7' }],
    ])('may be wanted twice if %s', async (_, story) => {
      expect(await payAgainAfterList(transport.shop(), story)).toEqual(['medium double-charge']);
    });

    it('may be wanted twice if the list shows it in the end', async () => {
      const shop = transport.shop();
      const transaction = { custom: 'order-7' };
      const body = paymentBody({ cardId: await storeCard(shop), transaction });
      shop.merchant.force({ op: 'payment.list', outcome: 'list-lags-create' });
      await see(shop, 'payment.create', { body, headers: keyed('first') });
      for (let reads = 0; reads < 2; reads++) await see(shop, 'payment.list', {});
      await see(shop, 'payment.create', { body, headers: keyed('again') });
      expect(await foundIn(shop)).toEqual(['medium double-charge']);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a refund whose answer was lost, and that is made again on another day',
  (transport) => {
    async function giveBackAgain(shop: Shop, days: number, looks: 'between' | 'after') {
      const { id } = await sell(shop);
      const list = () => shop.ask('payment.list', 200);
      shop.merchant.force({ op: 'sale.refund', outcome: 'reset-after-commit' });
      const body = { amount: { total: '10.00', currency: 'USD' } };
      const path = `/v1/payments/sale/${id}/refund`;
      await see(shop, 'sale.refund', { path, body, headers: keyed('one') });
      if (looks === 'between') await list();
      shop.merchant.clock.advance(days * dayMs);
      await giveBack(shop, id, 'two');
      if (looks === 'after') await list();
      return (await foundIn(shop)).filter((name) => name.includes('double-refund'));
    }

    it.each([1, 3])('is reported if the client did not look before: %i days', async (days) => {
      const found = await giveBackAgain(transport.shop(), days, 'after');
      expect(found).toEqual(['critical double-refund']);
    });

    it.each([
      ['a list had shown the first one', 1, 'between', ['low double-refund']],
      ['it comes five days later', 5, 'after', []],
    ] as const)('may be for another item if %s', async (_, days, looks, expected) => {
      expect(await giveBackAgain(transport.shop(), days, looks)).toEqual(expected);
    });
  },
  onTestTime,
);
