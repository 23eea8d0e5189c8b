/** The ledger: what moved, and what it comes to by card, by customer and by purchase. */
import { expect, it } from 'vitest';
import { connect } from '../../../../src/index.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { authorize, capture, dayMs, pay, saleOf, storeCard } from '../../../support/purchases.ts';
import { rawPaymentBody } from '../../../support/samples.ts';
import { call } from '../call.ts';

/** A row of nothing but these. */
const row = (of: Readonly<Record<string, unknown>>) => ({
  currency: 'USD',
  chargedMinor: 0,
  refundedMinor: 0,
  reversedMinor: 0,
  chargedBackMinor: 0,
  ...of,
});

const named = (custom: string) => ({ transaction: { custom } });

/**
 * Alice is charged twice for one order, and given back a part. Bob disputes what he bought, and has more taken of what
 * was held. One payment is in euros with a card that is never stored.
 */
async function trade(shop: Shop) {
  const [alice, bob] = [
    await storeCard(shop, { external_customer_id: 'alice' }),
    await storeCard(shop, { external_customer_id: 'bob' }),
  ];
  const order = { cardId: alice, externalCustomerId: 'alice', total: '10.00', ...named('order-1') };
  const [once, again] = [await pay(shop, order), await pay(shop, order)];
  await shop.ask('sale.refund', 201, {
    params: { sale_id: saleOf(once).id },
    body: { amount: { total: '4.00', currency: 'USD' } },
  });
  shop.merchant.force({
    op: 'payment.create',
    outcome: { outcome: 'chargeback-opened-won-lost', with: { outcome: 'lost' } },
  });
  const ofBob = { cardId: bob, externalCustomerId: 'bob' };
  const disputed = await pay(shop, { ...ofBob, total: '5.00', ...named('order-2') });
  const held = await authorize(shop, { ...ofBob, total: '20.00', ...named('order-3') });
  await capture(shop, held.id, '8.00');
  const body = rawPaymentBody({}, { total: '7.47', currency: 'EUR' });
  const raw = await shop.ask('payment.create', 201, { body });
  shop.merchant.clock.advance(60 * dayMs);
  return { alice, bob, once, again, disputed, held, raw };
}

onEveryTransport('the ledger', (transport) => {
  it('200 adds up by card, customer and purchase, for each currency', async () => {
    const shop = transport.shop();
    const { alice, bob, once, again, disputed, held, raw } = await trade(shop);
    const { balances, sums, totals } = shop.merchant.ledger();
    expect(balances).toEqual({
      USD: { cardholders: -2400, merchant: 2400 },
      EUR: { cardholders: -747, merchant: 747 },
    });
    expect(sums).toEqual({ USD: 0, EUR: 0 });
    const ofAlice = { chargedMinor: 2000, refundedMinor: 400, netMinor: 1600 };
    const ofBob = { chargedMinor: 1300, chargedBackMinor: 500, netMinor: 800 };
    const ofNoCustomer = { currency: 'EUR', chargedMinor: 747, netMinor: 747 };
    expect(totals.cards).toEqual([
      row({ cardId: alice, ...ofAlice }),
      row({ cardId: bob, ...ofBob }),
      row(ofNoCustomer),
    ]);
    expect(totals.customers).toEqual([
      row({ customerId: 'alice', ...ofAlice }),
      row({ customerId: 'bob', ...ofBob }),
      row(ofNoCustomer),
    ]);
    const { purchases } = await shop.merchant.verdict();
    const keyOf = (label: string) => purchases.find((one) => one.label === label)?.key;
    expect(totals.purchases).toEqual([
      row({ key: keyOf('order-1'), label: 'order-1', paymentIds: [once.id, again.id], ...ofAlice }),
      row({
        key: keyOf('order-2'),
        label: 'order-2',
        paymentIds: [disputed.id],
        chargedMinor: 500,
        chargedBackMinor: 500,
        netMinor: 0,
      }),
      row({
        key: keyOf('order-3'),
        label: 'order-3',
        paymentIds: [held.parent_payment],
        chargedMinor: 800,
        netMinor: 800,
      }),
      row({ key: keyOf('A raw card'), label: 'A raw card', paymentIds: [raw.id], ...ofNoCustomer }),
    ]);
    expect(new Set(totals.purchases.map(({ key }) => key)).size).toBe(4);
  });

  it('200 is the same in process, over HTTP and through the client', async () => {
    const shop = transport.shop();
    await trade(shop);
    const ledger = shop.merchant.ledger();
    const { status, body } = await call(
      transport,
      `GET /_sandbox/ledger?merchant=${shop.merchant.id}`,
    );
    expect([status, body]).toEqual([200, ledger]);
    if (transport.name !== 'socket') return;
    expect(await connect(transport.base, { merchant: shop.merchant.id }).ledger()).toEqual(ledger);
  });

  it('200 names money by its own record if the journal has no entry for it', async () => {
    const shop = transport.shop();
    const order = await pay(shop, { total: '10.00', transaction: { invoice_number: 'INV-1' } });
    const plain = await pay(shop, { total: '2.00', transaction: { description: 'a tea' } });
    const [known] = shop.merchant.ledger().totals.purchases;
    shop.merchant.snapshot('sold');
    shop.merchant.restore('sold');
    expect(shop.merchant.journal().entries).toEqual([]);
    expect(shop.merchant.ledger().totals.purchases).toEqual([
      { ...known, label: 'INV-1', paymentIds: [order.id] },
      row({
        key: plain.id,
        label: 'a tea',
        paymentIds: [plain.id],
        chargedMinor: 200,
        netMinor: 200,
      }),
    ]);
  });

  it('200 is empty if no money moved', async () => {
    const shop = transport.shop();
    shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
    await shop.send('payment.create', { body: rawPaymentBody() });
    expect(shop.merchant.ledger()).toEqual({
      transfers: [],
      balances: {},
      sums: {},
      totals: { cards: [], customers: [], purchases: [] },
    });
  });
});
