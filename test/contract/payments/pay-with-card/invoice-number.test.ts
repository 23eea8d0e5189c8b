/** One invoice number, one payment. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { capture, pay, relatedOf, saleOf, storeCard } from '../../../support/purchases.ts';
import { refusalOf } from '../../../support/requests/refusals.ts';
import { paymentBody } from '../../../support/samples.ts';

const transaction = { invoice_number: 'INV-1042' };
const duplicate = {
  name: 'DUPLICATE_TRANSACTION',
  message: 'A payment with this invoice_number exists already',
};

async function invoiced(shop: Shop, change: Readonly<Record<string, unknown>> = {}) {
  return { body: paymentBody({ cardId: await storeCard(shop), transaction, ...change }) };
}

onEveryTransport('the invoice number of a payment', (transport) => {
  it.each(['sale', 'authorize'])('400 refuses a used number, for intent %s', async (intent) => {
    const shop = transport.shop();
    await pay(shop, { transaction });
    const request = await invoiced(shop, { intent });
    expect(await refusalOf(shop, 'payment.create', request)).toEqual(duplicate);
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it('400 refuses the number of a refunded payment', async () => {
    const shop = transport.shop();
    const sale = saleOf(await pay(shop, { transaction }));
    await shop.ask('sale.refund', 201, { params: { sale_id: sale.id }, body: {} });
    expect(await refusalOf(shop, 'payment.create', await invoiced(shop))).toEqual(duplicate);
  });

  it('201 accepts the same number from another merchant', async () => {
    const payments = [
      await pay(transport.shop(), { transaction }),
      await pay(transport.shop(), { transaction }),
    ];
    expect(payments.map((payment) => payment.transactions[0]?.invoice_number)).toEqual([
      'INV-1042',
      'INV-1042',
    ]);
  });

  it('201 accepts the number of a refused payment', async () => {
    const shop = transport.shop();
    const request = await invoiced(shop, { total: '0.00' });
    await shop.ask('payment.create', 400, request);
    const payment = await pay(shop, { transaction });
    expect(payment.transactions[0]?.invoice_number).toBe('INV-1042');
  });

  it('201 accepts any number of payments without a number', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    for (let i = 0; i < 3; i++) await pay(shop, { cardId });
    expect(shop.merchant.ledger().transfers).toHaveLength(3);
  });

  it('201 accepts the number of a payment in its refunds and captures', async () => {
    const shop = transport.shop();
    const payment = await pay(shop, { intent: 'authorize', transaction });
    const [related] = relatedOf(payment);
    const authorizationId =
      related !== undefined && 'authorization' in related ? related.authorization.id : '';
    const taken = await capture(shop, authorizationId, '30.11', transaction);
    const refund = await shop.ask('capture.refund', 201, {
      params: { capture_id: taken.id },
      body: transaction,
    });
    expect([taken.invoice_number, refund.invoice_number]).toEqual(['INV-1042', 'INV-1042']);
  });
});
