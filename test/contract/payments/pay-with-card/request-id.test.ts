/** PayPal-Request-Id: a repeat of a payment is the payment, not another one. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { dayMs, pay, relatedOf, saleOf, storeCard } from '../../../support/purchases.ts';
import { refusalOf } from '../../../support/requests/refusals.ts';
import { paymentBody } from '../../../support/samples.ts';

const headers = { 'PayPal-Request-Id': 'order-1042' };

onEveryTransport('a repeated payment', (transport) => {
  it('201 answers with the first payment, byte for byte, and charges once', async () => {
    const shop = transport.shop();
    const request = { headers, body: paymentBody({ cardId: await storeCard(shop) }) };
    const first = await shop.reply('payment.create', 201, request);
    const second = await shop.reply('payment.create', 201, request);
    expect(second.text).toBe(first.text);
    expect(first.headers.get('sandbox-replayed')).toBeNull();
    expect(second.headers.get('sandbox-replayed')).toBe('true');
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it('201 shows the current payment to a repeat, with its refunds', async () => {
    const shop = transport.shop();
    const request = { headers, body: paymentBody({ cardId: await storeCard(shop) }) };
    const first = await shop.ask('payment.create', 201, request);
    await shop.ask('sale.refund', 201, { params: { sale_id: saleOf(first).id }, body: {} });
    const second = await shop.ask('payment.create', 201, request);
    expect(second.id).toBe(first.id);
    expect(saleOf(second).state).toBe('refunded');
    expect(relatedOf(second)).toHaveLength(2);
  });

  it('201 recognises a repeat with another spelling of body and path', async () => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop) });
    const first = await shop.ask('payment.create', 201, { headers, body });
    const turned = Object.fromEntries(Object.entries(body).toReversed());
    const path = '/v1/payments/payment/';
    const again = await shop.ask('payment.create', 201, {
      headers,
      path,
      body: JSON.stringify(turned, null, 2),
    });
    expect(again.id).toBe(first.id);
  });

  it('201 makes one payment for each id, and for each request without one', async () => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop) });
    for (const id of ['order-1', 'order-2']) {
      await shop.ask('payment.create', 201, { headers: { 'PayPal-Request-Id': id }, body });
    }
    await shop.ask('payment.create', 201, { body });
    await shop.ask('payment.create', 201, { body });
    expect(shop.merchant.ledger().transfers).toHaveLength(4);
  });

  it('201 keeps request ids per merchant', async () => {
    const shops = [transport.shop(), transport.shop()];
    for (const shop of shops) {
      const body = paymentBody({ cardId: await storeCard(shop) });
      await shop.ask('payment.create', 201, { headers, body });
    }
    expect(shops.map((shop) => shop.merchant.ledger().transfers.length)).toEqual([1, 1]);
  });

  it('201 keeps request ids per operation', async () => {
    const shop = transport.shop();
    const card = await shop.ask('card.create', 201, {
      headers,
      body: { number: '4417119669820331', type: 'visa', expire_month: 11, expire_year: 2031 },
    });
    const payment = await shop.ask('payment.create', 201, {
      headers,
      body: paymentBody({ cardId: card.id }),
    });
    expect(payment.id).toMatch(/^PAY-/);
  });

  it('201 forgets the id of a refused payment', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 400, { headers, body: paymentBody({ cardId, total: '0' }) });
    await shop.ask('payment.create', 404, { headers, body: paymentBody({ cardId: 'CARD-none' }) });
    const payment = await shop.ask('payment.create', 201, {
      headers,
      body: paymentBody({ cardId }),
    });
    expect(payment.id).toMatch(/^PAY-/);
  });

  it('201 remembers an id for 30 days and then pays again', async () => {
    const shop = transport.shop();
    const request = { headers, body: paymentBody({ cardId: await storeCard(shop) }) };
    const first = await shop.ask('payment.create', 201, request);
    shop.merchant.clock.advance(30 * dayMs - 1);
    expect((await shop.ask('payment.create', 201, request)).id).toBe(first.id);
    shop.merchant.clock.advance(1);
    expect((await shop.ask('payment.create', 201, request)).id).not.toBe(first.id);
    expect(shop.merchant.ledger().transfers).toHaveLength(2);
  });

  it('400 refuses another body with the same id, and charges nothing', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('payment.create', 201, { headers, body: paymentBody({ cardId }) });
    const request = { headers, body: paymentBody({ cardId, total: '30.12' }) };
    expect(await refusalOf(shop, 'payment.create', request)).toEqual({
      name: 'DUPLICATE_REQUEST_ID',
      message: 'This PayPal-Request-Id was used for a request with another body',
    });
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
  });

  it('201 accepts an id of 78 characters, and refuses one of 79', async () => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop) });
    const withId = (length: number) => ({
      headers: { 'PayPal-Request-Id': 'i'.repeat(length) },
      body,
    });
    await shop.ask('payment.create', 201, withId(78));
    expect(await refusalOf(shop, 'payment.create', withId(79))).toEqual({
      name: 'PAYMENT_REQUEST_ID_INVALID',
      message: 'PayPal-Request-Id must have 1 to 78 characters',
    });
  });

  it('201 answers a repeat after the card was deleted', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const request = { headers, body: paymentBody({ cardId }) };
    const first = await shop.ask('payment.create', 201, request);
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    expect(await shop.ask('payment.create', 201, request)).toEqual(first);
  });

  it('201 charges once for ten concurrent requests', async () => {
    const shop = transport.shop();
    const request = { headers, body: paymentBody({ cardId: await storeCard(shop) }) };
    const payments = await Promise.all(
      Array.from({ length: 10 }, () => shop.ask('payment.create', 201, request)),
    );
    expect(new Set(payments.map(({ id }) => id)).size).toBe(1);
    expect(shop.merchant.ledger().transfers).toHaveLength(1);
    expect(await pay(shop)).not.toMatchObject({ id: payments[0]?.id });
  });
});
