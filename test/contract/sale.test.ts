import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../support/transports.ts';
import { authorize, hourMs, pay, saleOf, sell } from '../support/purchases.ts';

const unknownId = '4AB56789CD0123456';

async function refund(shop: Shop, saleId: string, total: string) {
  const body = { amount: { total, currency: 'USD' } };
  return shop.ask('sale.refund', 201, { params: { sale_id: saleId }, body });
}

onEveryTransport('show a sale', (transport) => {
  it('200 shows it byte for byte as documented', async () => {
    const shop = transport.shop('golden');
    const { id, parent_payment: paymentId } = await sell(shop);
    const { text } = await shop.reply('sale.get', 200, { params: { sale_id: id } });
    const time = '2026-05-06T07:08:09.123Z';
    const v1 = `${transport.base}/v1/payments`;
    expect([id, paymentId]).toEqual(['1LI81972EH5749880', 'PAY-3WC11419CV8329722FQC3LBC']);
    expect(text).toBe(
      `{"id":"${id}","create_time":"${time}","update_time":"${time}","state":"completed",` +
        `"amount":{"total":"30.11","currency":"USD"},"parent_payment":"${paymentId}",` +
        `"links":[{"href":"${v1}/sale/${id}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/sale/${id}/refund","rel":"refund","method":"GET"},` +
        `{"href":"${v1}/payment/${paymentId}","rel":"parent_payment","method":"GET"}]}`,
    );
  });

  it('200 shows only total and currency, also for a payment with details', async () => {
    const shop = transport.shop();
    const amount = { total: '30.11', currency: 'USD', details: { subtotal: '30.11' } };
    const { id } = await sell(shop, { transaction: { amount } });
    const sale = await shop.ask('sale.get', 200, { params: { sale_id: id } });
    expect(sale.amount).toEqual({ total: '30.11', currency: 'USD' });
  });

  it('200 shows the states completed, partially_refunded and refunded, and the time of each', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      const { state, update_time: at } = await shop.ask('sale.get', 200, {
        params: { sale_id: id },
      });
      seen.push([state, at]);
    };
    await look();
    shop.merchant.clock.advance(hourMs);
    await look();
    await refund(shop, id, '30.10');
    await look();
    shop.merchant.clock.advance(hourMs);
    await refund(shop, id, '0.01');
    await look();
    expect(seen).toEqual([
      ['completed', '2026-05-06T07:08:09.123Z'],
      ['completed', '2026-05-06T07:08:09.123Z'],
      ['partially_refunded', '2026-05-06T08:08:09.123Z'],
      ['refunded', '2026-05-06T09:08:09.123Z'],
    ]);
  });

  it('404 refuses an unknown id', async () => {
    const params = { sale_id: unknownId };
    const { body, text } = await transport.shop().reply('sale.get', 404, { params });
    expect(text).toBe(
      `{"name":"INVALID_RESOURCE_ID","message":"The requested resource ID was not found",` +
        `"information_link":"https://developer.paypal.com/docs/api/#INVALID_RESOURCE_ID","debug_id":"${body.debug_id}"}`,
    );
  });

  it("404 refuses another merchant's sale", async () => {
    const { id } = await sell(transport.shop());
    const { name } = await transport.shop().ask('sale.get', 404, { params: { sale_id: id } });
    expect(name).toBe('INVALID_RESOURCE_ID');
  });

  it('404 refuses the id of an authorization and of the payment', async () => {
    const shop = transport.shop();
    const { id, parent_payment: paymentId } = await authorize(shop);
    const refusals = [
      await shop.ask('sale.get', 404, { params: { sale_id: id } }),
      await shop.ask('sale.get', 404, { params: { sale_id: paymentId } }),
    ];
    expect(refusals.map(({ name }) => name)).toEqual([
      'INVALID_RESOURCE_ID',
      'INVALID_RESOURCE_ID',
    ]);
  });
});

onEveryTransport("list a sale's refunds", (transport) => {
  it('200 answers an empty list before the first refund', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const { text } = await shop.reply('sale.refunds', 200, { params: { sale_id: id } });
    const v1 = `${transport.base}/v1/payments`;
    expect(text).toBe(
      `{"refunds":[],"count":0,"links":[{"href":"${v1}/sale/${id}/refund","rel":"self","method":"GET"},` +
        `{"href":"${v1}/sale/${id}","rel":"sale","method":"GET"}]}`,
    );
  });

  it('200 shows whole refunds, oldest first', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const refunds = [
      await refund(shop, id, '1.00'),
      await refund(shop, id, '2.00'),
      await refund(shop, id, '3.00'),
    ];
    const list = await shop.ask('sale.refunds', 200, { params: { sale_id: id } });
    expect(list.refunds).toEqual(refunds);
    expect(list.count).toBe(3);
  });

  it('200 shows only the refunds of this sale', async () => {
    const shop = transport.shop();
    const [mine, other] = [await sell(shop), await sell(shop)];
    await refund(shop, other.id, '1.00');
    const list = await shop.ask('sale.refunds', 200, { params: { sale_id: mine.id } });
    expect(list.refunds).toEqual([]);
  });

  it("404 refuses an unknown sale and another merchant's", async () => {
    const { id } = await sell(transport.shop());
    const shop = transport.shop();
    const refusals = [
      await shop.ask('sale.refunds', 404, { params: { sale_id: unknownId } }),
      await shop.ask('sale.refunds', 404, { params: { sale_id: id } }),
    ];
    expect(refusals.map(({ name }) => name)).toEqual([
      'INVALID_RESOURCE_ID',
      'INVALID_RESOURCE_ID',
    ]);
  });
});

onEveryTransport(
  'show a sale, recorded profile',
  (transport) => {
    it('200 names POST for the refund link and writes whole seconds', async () => {
      const shop = transport.shop();
      const payment = await pay(shop);
      const { id } = saleOf(payment);
      const sale = await shop.ask('sale.get', 200, { params: { sale_id: id } });
      const v1 = `${transport.base}/v1/payments`;
      expect(sale).toEqual({
        id,
        create_time: '2026-05-06T07:08:09Z',
        update_time: '2026-05-06T07:08:09Z',
        state: 'completed',
        amount: { total: '30.11', currency: 'USD' },
        parent_payment: payment.id,
        links: [
          { href: `${v1}/sale/${id}`, rel: 'self', method: 'GET' },
          { href: `${v1}/sale/${id}/refund`, rel: 'refund', method: 'POST' },
          { href: `${v1}/payment/${payment.id}`, rel: 'parent_payment', method: 'GET' },
        ],
      });
    });
  },
  { profile: 'recorded' },
);
