/** What is expected of a client, held against what it did: each expectation both ways. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import {
  authorize,
  capture,
  dayMs,
  pay,
  saleOf,
  sell,
  storeCard,
} from '../../support/purchases.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { keyed, onTestTime, Checkout } from './support/payment-attempts.ts';

const longAgo = '2020-01-01T00:00:00Z';

type Order = NonNullable<Parameters<Shop['merchant']['verdict']>[0]>;
type Expect = NonNullable<Order['expect']>;

/** One order paid with a lost answer, repeated under the same request id; another one, refunded in part. */
async function twoOrders(shop: Shop): Promise<void> {
  const till = await Checkout.at(shop);
  till.forceOutcome('reset-after-commit');
  await till.payAll({ key: 'a', invoice: 'A' }, { key: 'a', invoice: 'A', afterMs: 700 });
  const headers = keyed('b');
  const payment = await shop.ask('payment.create', 201, {
    body: till.body({ invoice: 'B' }),
    headers,
  });
  await shop.ask('sale.refund', 201, {
    params: { sale_id: saleOf(payment).id },
    body: { amount: { total: '10.00', currency: 'USD' } },
    headers: keyed('c'),
  });
}

onEveryTransport(
  'an expectation',
  (transport) => {
    it.each<[string, Expect, string, boolean]>([
      ['sales.total', { sales: { total: 2 } }, '2', true],
      ['sales.total', { sales: { total: '<2' } }, '2', false],
      ['sales.perIntent', { sales: { perIntent: 1 } }, '1', true],
      ['sales.perIntent', { sales: { perIntent: '>1' } }, '1', false],
      ['sales.states.completed', { sales: { states: { completed: 1 } } }, '1', true],
      ['sales.onDeletedCard', { sales: { onDeletedCard: 0 } }, '0', true],
      ['attempts.perIntent', { attempts: { perIntent: '<=2' } }, '2', true],
      ['attempts.perIntent', { attempts: { perIntent: '<=1' } }, '2', false],
      ['orphans', { orphans: 0 }, '0', true],
      ['refunds.total', { refunds: { total: 0 } }, '1', false],
      ['refunds.perSale.count', { refunds: { perSale: { count: 1 } } }, '1', true],
      ['refunds.perSale.total', { refunds: { perSale: { total: '<=sale' } } }, 'as expected', true],
      ['ledger', { ledger: 'balanced' }, 'as expected', true],
      ['ledger.lossPerSale', { ledger: { lossPerSale: '<=1x' } }, 'as expected', true],
      ['cards.total', { cards: { total: 1 } }, '1', true],
      ['cards.perPan', { cards: { perPan: '>1' } }, '1', false],
      ['requests.payment.create', { requests: { 'payment.create': 3 } }, '3', true],
      ['requests.card.list', { requests: { 'card.list': '>=1' } }, '0', false],
      ['requests.payment.*', { requests: { 'payment.*': 3 } }, '3', true],
      ['requests.any-write', { requests: { 'any-write': '<=4' } }, '5', false],
      ['sameRequestId.payment.create', { sameRequestId: ['payment.create'] }, 'as expected', true],
      [
        'findings.none.double-charge',
        { findings: { none: ['double-charge'] } },
        'as expected',
        true,
      ],
    ])('checks %s as %j, and finds %s: %s', async (place, expected, found, ok) => {
      const shop = transport.shop();
      await twoOrders(shop);
      const { expectations, passed } = await shop.merchant.verdict({ expect: expected });
      expect(expectations).toMatchObject([{ place, found, ok }]);
      expect(passed).toBe(ok);
    });

    it.each(['payment.create', 'payment.*', 'any'])(
      'finds a try of %s under another request id',
      async (operation) => {
        const till = await Checkout.at(transport.shop());
        till.forceOutcome('reset-before-commit');
        await till.payAll({ key: 'a', invoice: 'A' }, { key: 'b', invoice: 'A', afterMs: 700 });
        const { expectations } = await till.shop.merchant.verdict({
          expect: { sameRequestId: [operation] },
        });
        expect(expectations).toMatchObject([{ found: '2 attempts with 2 request ids', ok: false }]);
      },
    );

    it('is broken by a finding where there should be none, and not by one that is suppressed', async () => {
      const till = await Checkout.at(transport.shop());
      till.forceOutcome('reset-before-commit');
      await till.pay({ key: 'a' });
      const rule = 'no-read-after-unknown';
      const order: Order = { expect: { findings: { none: [rule] } } };
      const suppress = [{ rule, reason: 'a job looks at night' } as const];
      const { passed, reasons } = await till.shop.merchant.verdict(order);
      expect(passed).toBe(false);
      expect(reasons.map(({ text }) => text)).toEqual([
        'findings.none.no-read-after-unknown should be absent but is reported: The client could not know whether the request for purchase "A test order" had succeeded, and it neither retried with the same PayPal-Request-Id nor looked it up.',
      ]);
      expect((await till.shop.merchant.verdict({ ...order, suppress })).passed).toBe(true);
    });
  },
  onTestTime,
);

onEveryTransport('an authorization that is captured in parts', (transport) => {
  it('is one sale, which may be given back whole, and once', async () => {
    const shop = transport.shop();
    const { id } = await authorize(shop);
    const parts = ['10.00', '20.11'];
    const taken = await Promise.all(parts.map((total) => capture(shop, id, total)));
    const order: Order = { expect: { sales: { perIntent: 1 } } };
    expect((await shop.merchant.verdict(order)).expectations).toMatchObject([{ ok: true }]);
    await Promise.all(
      taken.map(({ id: capture_id }) =>
        shop.ask('capture.refund', 201, { params: { capture_id }, body: {} }),
      ),
    );
    const { expectations } = await shop.merchant.verdict({
      expect: { sales: { perIntent: 1 }, ledger: { lossPerSale: '<=1x' } },
    });
    expect(expectations.map(({ place, ok }) => [place, ok])).toEqual([
      ['sales.perIntent', true],
      ['ledger.lossPerSale', true],
    ]);
  });
});

onEveryTransport('sales that are all given back', (transport) => {
  it.each(['declined-inside-201', 'sale-pending-forever'] as const)(
    'may have been tried for with one that took no money: %s',
    async (outcome) => {
      const shop = transport.shop();
      shop.merchant.force({ op: 'payment.create', outcome });
      await pay(shop);
      const order: Order = { expect: { refunds: { perSale: { total: '=sale' } } } };
      const { id: sale_id } = await sell(shop);
      const areBack = async () => (await shop.merchant.verdict(order)).expectations[0]?.ok;
      expect(await areBack()).toBe(false);
      await shop.ask('sale.refund', 201, { params: { sale_id }, body: {} });
      expect(await areBack()).toBe(true);
    },
  );
});

onEveryTransport('a card that is named by its id', (transport) => {
  it('has its own sales and attempts, and none of cards that are not in the vault', async () => {
    const shop = transport.shop();
    const [cardId, other] = [await storeCard(shop), await storeCard(shop)];
    await pay(shop, { cardId });
    await pay(shop, { cardId });
    await pay(shop, { cardId: other });
    await shop.ask('payment.create', 201, { body: rawPaymentBody() });
    const { expectations } = await shop.merchant.verdict({
      expect: {
        sales: { byCard: { [cardId]: 2 }, onCard: { [cardId]: { after: longAgo, count: 2 } } },
        attempts: { byCard: { [cardId]: 2, [other]: 1 } },
      },
    });
    expect(expectations.map(({ found }) => found)).toEqual(['2', '2', '2', '1']);
  });
});

onEveryTransport('what is counted', (transport) => {
  it('leaves out cards that are no longer in the vault', async () => {
    const shop = transport.shop();
    const order: Order = { expect: { cards: { perPan: 1 } } };
    const found = async () => (await shop.merchant.verdict(order)).expectations[0]?.found;
    const card_id = await storeCard(shop);
    await storeCard(shop);
    expect(await found()).toBe('2');
    await shop.ask('card.delete', 204, { params: { card_id } });
    expect(await found()).toBe('1');
  });

  it('leaves out refunds that failed, and counts those of one sale however it was written', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const order: Order = { expect: { refunds: { total: 1, perSale: { count: 1 } } } };
    const found = async () =>
      (await shop.merchant.verdict(order)).expectations.map((row) => row.found);
    const path = `/v1/payments/sale/${id}/refund`;
    const body = { amount: { total: '10.00', currency: 'USD' } };
    shop.merchant.force({ op: 'sale.refund', outcome: 'refund-failed-later' });
    await shop.ask('sale.refund', 201, { path, body });
    shop.merchant.clock.advance(30 * dayMs);
    expect(await found()).toEqual(['0', '0']);
    await shop.ask('sale.refund', 201, { path, body });
    expect(await found()).toEqual(['1', '1']);
    await shop.ask('sale.refund', 201, { path: `${path}?again=1`, body });
    expect(await found()).toEqual(['2', '2']);
  });
});

onEveryTransport('captures of one authorization', (transport) => {
  it('are one sale, however it is counted', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const { id } = await authorize(shop, { cardId });
    await capture(shop, id, '10.00');
    await capture(shop, id, '20.11', { is_final_capture: true });
    const { expectations } = await shop.merchant.verdict({
      expect: {
        sales: {
          total: 1,
          perIntent: 1,
          states: { completed: 1 },
          byCard: { [cardId]: 1 },
          onCard: { [cardId]: { after: longAgo, count: 1 } },
        },
      },
    });
    expect(expectations).toHaveLength(5);
    expect(expectations.filter(({ ok }) => !ok)).toEqual([]);
  });
});
