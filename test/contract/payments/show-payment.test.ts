import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { authorize, capture, hourMs, pay, relatedOf, saleOf } from '../../support/purchases.ts';

onEveryTransport('show a payment', (transport) => {
  it('200 shows the payment exactly as its creation answered', async () => {
    const shop = transport.shop();
    const paid = await pay(shop);
    shop.merchant.clock.advance(hourMs);
    const params = { payment_id: paid.id };
    const shown = await shop.reply('payment.get', 200, { params });
    expect(shown.text).toBe(JSON.stringify(paid));
  });

  it('200 accepts a trailing slash and unknown parameters', async () => {
    const shop = transport.shop();
    const paid = await pay(shop);
    const shown = await shop.ask('payment.get', 200, {
      path: `/v1/payments/payment/${paid.id}/`,
      query: { verbose: 'true' },
    });
    expect(shown).toEqual(paid);
  });

  it('200 shows each refund after the sale, and updates update_time', async () => {
    const shop = transport.shop();
    const paid = await pay(shop);
    const { id } = saleOf(paid);
    const params = { sale_id: id };
    shop.merchant.clock.advance(hourMs);
    const amount = { total: '10.00', currency: 'USD' };
    const part = await shop.ask('sale.refund', 201, { params, body: { amount } });
    shop.merchant.clock.advance(hourMs);
    const rest = await shop.ask('sale.refund', 201, {
      params,
      body: { amount: { total: '20.11', currency: 'USD' } },
    });
    const sale = await shop.ask('sale.get', 200, { params });
    const shown = await shop.ask('payment.get', 200, { params: { payment_id: paid.id } });
    expect(relatedOf(shown)).toEqual([{ sale }, { refund: part }, { refund: rest }]);
    expect(sale.state).toBe('refunded');
    expect(shown).toMatchObject({
      state: 'created',
      create_time: '2026-05-06T07:08:09.123Z',
      update_time: '2026-05-06T09:08:09.123Z',
    });
  });

  it('200 shows captures and their refunds after the authorization', async () => {
    const shop = transport.shop();
    const { id, parent_payment: paymentId } = await authorize(shop);
    shop.merchant.clock.advance(hourMs);
    const first = await capture(shop, id, '10.00');
    const refund = await shop.ask('capture.refund', 201, {
      params: { capture_id: first.id },
      body: {},
    });
    const second = await capture(shop, id, '5.00', { is_final_capture: true });
    const shown = await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
    const captures = [
      await shop.ask('capture.get', 200, { params: { capture_id: first.id } }),
      await shop.ask('capture.get', 200, { params: { capture_id: second.id } }),
    ];
    const authorization = await shop.ask('auth.get', 200, { params: { authorization_id: id } });
    expect(relatedOf(shown)).toEqual([
      { authorization },
      { capture: captures[0] },
      { refund },
      { capture: captures[1] },
    ]);
    expect(authorization.state).toBe('captured');
    expect(shown.update_time).toBe('2026-05-06T08:08:09.123Z');
  });

  it('200 shows a void in the authorization', async () => {
    const shop = transport.shop();
    const { id, parent_payment: paymentId } = await authorize(shop);
    const voided = await shop.ask('auth.void', 200, { params: { authorization_id: id }, body: {} });
    const shown = await shop.ask('payment.get', 200, { params: { payment_id: paymentId } });
    expect(relatedOf(shown)).toEqual([{ authorization: voided }]);
  });

  it('404 refuses an unknown id', async () => {
    const params = { payment_id: 'PAY-3AB45678CD901234EKEXAMPL' };
    const { body, text } = await transport.shop().reply('payment.get', 404, { params });
    expect(text).toBe(
      `{"name":"INVALID_RESOURCE_ID","message":"The requested resource ID was not found",` +
        `"information_link":"https://developer.paypal.com/docs/api/#INVALID_RESOURCE_ID","debug_id":"${body.debug_id}"}`,
    );
  });

  it("404 refuses another merchant's payment", async () => {
    const { id } = await pay(transport.shop());
    const { name } = await transport.shop().ask('payment.get', 404, { params: { payment_id: id } });
    expect(name).toBe('INVALID_RESOURCE_ID');
  });

  it("404 refuses the id of the payment's sale", async () => {
    const shop = transport.shop();
    const { id } = saleOf(await pay(shop));
    const { name } = await shop.ask('payment.get', 404, { params: { payment_id: id } });
    expect(name).toBe('INVALID_RESOURCE_ID');
  });

  it('404 refuses a payment from before a reset', async () => {
    const shop = transport.shop();
    const { id } = await pay(shop);
    shop.merchant.reset();
    const { name } = await shop.ask('payment.get', 404, { params: { payment_id: id } });
    expect(name).toBe('INVALID_RESOURCE_ID');
  });
});
