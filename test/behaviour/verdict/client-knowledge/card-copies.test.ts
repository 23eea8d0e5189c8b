/** Two clicks that each store the card before they pay with it. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { onEveryTransport, TestTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn, namesOf } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';
import { Worker } from '../support/worker.ts';

const atOnce = ['high double-charge', 'high concurrent-duplicates'];

interface Click {
  /** Changes the card that is stored. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** Changes the payment. */
  readonly payment?: Partial<PaymentParts>;
}

onEveryTransport(
  'clicks that each store the card',
  (transport) => {
    /** Sends the payments together, after the cards were stored. */
    async function payTogether(shop: Shop, clicks: readonly Click[]): Promise<void> {
      const { merchant } = shop;
      const cards = await Promise.all(clicks.map(({ card }) => storeCard(shop, card)));
      merchant.hold({
        op: 'payment.create',
        count: clicks.length,
        release: 'arrival',
        timeoutMs: 120_000,
      });
      await Promise.all(clicks.map((click, at) => pay(shop, cards[at] ?? '', click, `${at}`)));
    }

    function pay(shop: Shop, cardId: string, { payment }: Click, key: string) {
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' }, ...payment });
      return see(shop, 'payment.create', { body, headers: keyed(key) });
    }

    const duplicatesIn = async (shop: Shop) =>
      (await foundIn(shop)).filter((name) => /double-charge|high concurrent/.test(name));

    it.each([2, 3])('fail the verdict as one purchase: %i clicks', async (count) => {
      const shop = transport.shop();
      await payTogether(
        shop,
        Array.from({ length: count }, () => ({})),
      );
      const verdict = await shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(expect.arrayContaining(atOnce));
      expect(verdict.counts.purchases).toBe(1);
      const { what, remedy } = findingOf(verdict, 'double-charge');
      expect(what).toContain(
        `The payments used ${count === 2 ? 'two' : count} copies of one card, each stored with the same number.`,
      );
      expect(remedy).toContain('before you store the card');
    });

    const address = { line1: '2 Road', city: 'Sampleton', state: 'OH', postal_code: '43001' };

    it.each<[string, Click, Click]>([
      [
        'customer',
        { card: { external_customer_id: 'ada' }, payment: { externalCustomerId: 'ada' } },
        { card: { external_customer_id: 'bob' }, payment: { externalCustomerId: 'bob' } },
      ],
      ['first name', {}, { card: { first_name: 'Bob' } }],
      ['address', {}, { card: { billing_address: { ...address, country_code: 'US' } } }],
      ['expiry', {}, { card: { expire_year: 2033 } }],
      ['number that ends alike', {}, { card: { number: '4000009990050331' } }],
      ['order', {}, { payment: { transaction: { custom: 'order-8' } } }],
      ['sum', {}, { payment: { total: '30.12' } }],
      [
        'description',
        {},
        { payment: { transaction: { custom: 'order-7', description: 'Seller B' } } },
      ],
    ])('are two purchases with another %s', async (_, one, other) => {
      const shop = transport.shop();
      await payTogether(shop, [one, other]);
      const verdict = await shop.merchant.verdict();
      expect(await duplicatesIn(shop)).toEqual([]);
      expect([verdict.passed, verdict.counts.purchases]).toEqual([true, 2]);
    });

    it('may be two purchases in a shop that writes one word into each', async () => {
      const shop = transport.shop();
      await pay(shop, await storeCard(shop), { payment: { total: '7.00' } }, 'other');
      await payTogether(shop, [{}, {}]);
      expect(await duplicatesIn(shop)).toEqual(['medium double-charge']);
    });

    it.each([0, 60_000])(
      'are guests with one test card if they pay in turn, %i ms apart',
      async (ms) => {
        const shop = transport.shop();
        for (const key of ['a', 'b']) {
          await pay(shop, await storeCard(shop), {}, key);
          shop.merchant.clock.advance(ms);
        }
        const verdict = await shop.merchant.verdict();
        expect(namesOf(verdict)).toEqual([]);
        expect(verdict.counts.purchases).toBe(2);
      },
    );

    it('are two purchases, and a third that comes later', async () => {
      const shop = transport.shop();
      await payTogether(shop, [{}, {}]);
      shop.merchant.clock.advance(600_000);
      await pay(shop, await storeCard(shop), {}, 'later');
      expect((await shop.merchant.verdict()).counts.purchases).toBe(2);
    });

    it('pass with one request id, with a remark', async () => {
      const shop = transport.shop();
      const cards = [await storeCard(shop), await storeCard(shop)];
      for (const cardId of cards) await pay(shop, cardId, {}, 'order-7');
      expect(await foundIn(shop)).toEqual(['low key-reused-for-other-intent']);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a job that charges every card in the vault',
  (transport) => {
    interface Bill {
      readonly customers?: readonly (string | undefined)[];
      readonly cards?: readonly Readonly<Record<string, unknown>>[];
      readonly custom?: string;
      readonly description?: (at: number) => string;
    }

    /** Stores two cards, one after the other, and charges both. */
    async function chargeBoth(shop: Shop, bill: Bill = {}): Promise<void> {
      const { customers = ['ada', 'ada'], cards = [{}, {}], custom = 'sub-ada' } = bill;
      const { description = () => 'Plan M, May 2026' } = bill;
      for (const [at, customer] of customers.entries()) {
        const owner = customer === undefined ? {} : { external_customer_id: customer };
        const cardId = await storeCard(shop, { ...owner, ...cards[at] });
        const parts = customer === undefined ? {} : { externalCustomerId: customer };
        const transaction = { custom, description: description(at) };
        const body = paymentBody({ cardId, ...parts, transaction });
        await see(shop, 'payment.create', { body, headers: keyed(`${at}`) });
      }
    }

    it.each([
      ['the month of a plan', {}],
      ['the month in `custom`', { custom: 'sub-ada-2026-05', description: () => '' }],
    ])('charges a customer with two copies of one card twice, for %s', async (_, bill) => {
      const shop = transport.shop();
      await chargeBoth(shop, bill);
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain('Both payments name the same order, period or instalment.');
      expect(what).toContain('two copies of one card');
      expect(remedy).toMatch(/^Charge each order or month once, and not once for each card/);
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it.each<[string, Readonly<Record<string, unknown>>]>([
      ['name', { first_name: 'ADA' }],
      ['verification code', { cvv2: '111' }],
      ['address', { billing_address: undefined }],
    ])('charges a customer twice who stored one card with another %s', async (_, change) => {
      const shop = transport.shop();
      await chargeBoth(shop, { cards: [{}, change] });
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it.each<[string, Bill]>([
      ['a card with a new expiry', { cards: [{}, { expire_year: 2035 }] }],
      ['two cards', { cards: [{}, { number: pans.mastercard, type: 'mastercard' }] }],
      ['two customers', { customers: ['ada', 'bob'] }],
      ['guests', { customers: [undefined, undefined] }],
      ['two months', { description: (at) => `Plan M, ${at === 0 ? 'April' : 'May'} 2026` }],
      ['two visits of a shop', { custom: 'till-7', description: () => 'Coffee' }],
    ])('is right with %s', async (_, bill) => {
      const shop = transport.shop();
      await chargeBoth(shop, bill);
      expect((await foundIn(shop)).filter((name) => !name.startsWith('low'))).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'an order that is paid again after a lost answer',
  (transport) => {
    it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
      ['with a copy of the card', {}, ['critical double-charge']],
      [
        'with another card',
        { number: pans.mastercard, type: 'mastercard' },
        ['high double-charge'],
      ],
    ])('is one finding if it is paid %s', async (_, other, found) => {
      const shop = transport.shop();
      const owner = { external_customer_id: 'ada' };
      const cards = [await storeCard(shop, owner), await storeCard(shop, { ...owner, ...other })];
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      for (const [at, cardId] of cards.entries()) {
        const transaction = { custom: 'order-8' };
        const body = paymentBody({ cardId, externalCustomerId: 'ada', transaction });
        await see(shop, 'payment.create', { body, headers: keyed(`${at}`) });
      }
      expect((await foundIn(shop)).filter((name) => name.endsWith(' double-charge'))).toEqual(
        found,
      );
    });
  },
  onTestTime,
);

onEveryTransport(
  'one month of a plan',
  (transport) => {
    it('is charged twice if a page of a list shows its card again', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const transaction = { custom: 'sub-ada', description: 'Plan M, May 2026' };
      for (const key of ['page 1', 'page 2']) {
        await see(shop, 'payment.create', {
          body: paymentBody({ cardId, transaction }),
          headers: keyed(key),
        });
      }
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });
  },
  onTestTime,
);

const sockets = new TestTransport('socket', onTestTime);
beforeAll(() => sockets.open());
afterAll(() => sockets.close());

it.each([
  ['fail the verdict on connections of their own', 2, atOnce],
  ['are guests on one connection', 1, []],
])(
  'workers that each store the card and pay, one after the other, %s',
  async (_, count, expected) => {
    const shop = sockets.shop();
    const workers = Array.from({ length: count }, () => new Worker(shop));
    onTestFinished(() => {
      for (const worker of workers) worker.close();
    });
    // All connections are open before the first payment.
    for (const worker of workers) await worker.get('/vault/credit-cards');
    for (const [at, key] of ['a', 'b'].entries()) {
      const worker = workers[at % count];
      const stored = await worker?.post('/vault/credit-cards', cardBody(), `card-${key}`);
      const cardId = /"id":"(CARD-[^"]+)/.exec(stored ?? '')?.[1] ?? '';
      const body = paymentBody({ cardId, transaction: { custom: 'order-7' } });
      await worker?.post('/payments/payment', body, key);
    }
    const found = namesOf(await shop.merchant.verdict({ serviceTimeMs: 60_000 }));
    expect(found.filter((name) => /double|concurrent/.test(name))).toEqual(expected);
  },
);

it('a job that charges each copy for a month, on a new connection each, is advised about the copies', async () => {
  const shop = sockets.shop();
  const owner = { external_customer_id: 'ada' };
  const cards = [await storeCard(shop, owner), await storeCard(shop, owner)];
  for (const [at, cardId] of cards.entries()) {
    const worker = new Worker(shop);
    const transaction = { custom: 'sub-ada', description: 'Plan M, May 2026' };
    const body = paymentBody({ cardId, externalCustomerId: 'ada', transaction });
    await worker.post('/payments/payment', body, `${at}`);
    worker.close();
  }
  const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
  expect(what).toContain('two copies of one card');
  expect(remedy).toMatch(/^Charge each order or month once, and not once for each card/);
});
