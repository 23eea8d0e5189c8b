/** What a refund looks like. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { authorize, capture, merchantBalanceMinor, sell } from '../../support/purchases.ts';
import { formatIssue, issuesOf } from '../../support/requests/refusals.ts';

const unknownId = '4AB56789CD0123456';

onEveryTransport('the body of a refund', (transport) => {
  it('201 answers for a sale byte for byte', async () => {
    const shop = transport.shop('golden');
    const { id: sale, parent_payment: payment } = await sell(shop);
    const { text } = await shop.reply('sale.refund', 201, { params: { sale_id: sale }, body: {} });
    const id = '9HP91945LO7092248';
    const time = '2026-05-06T07:08:09.123Z';
    const v1 = `${transport.base}/v1/payments`;
    expect(text).toBe(
      `{"id":"${id}","create_time":"${time}","update_time":"${time}","state":"completed",` +
        `"amount":{"total":"30.11","currency":"USD"},"sale_id":"${sale}","parent_payment":"${payment}",` +
        `"links":[{"href":"${v1}/refund/${id}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"},` +
        `{"href":"${v1}/sale/${sale}","rel":"sale","method":"GET"}]}`,
    );
  });

  it('201 answers for a capture byte for byte', async () => {
    const shop = transport.shop();
    const taken = await capture(shop, (await authorize(shop)).id, '5.00');
    const payment = taken.parent_payment;
    const reply = await shop.reply('capture.refund', 201, {
      params: { capture_id: taken.id },
      body: { amount: { total: '2', currency: 'USD' }, reason: 'Broken' },
    });
    const { id } = reply.body;
    const time = '2026-05-06T07:08:09.123Z';
    const v1 = `${transport.base}/v1/payments`;
    expect(reply.text).toBe(
      `{"id":"${id}","create_time":"${time}","update_time":"${time}","state":"completed",` +
        `"amount":{"total":"2.00","currency":"USD"},"capture_id":"${taken.id}","parent_payment":"${payment}",` +
        `"reason":"Broken","links":[{"href":"${v1}/refund/${id}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"},` +
        `{"href":"${v1}/capture/${taken.id}","rel":"capture","method":"GET"}]}`,
    );
  });

  it('201 refunds yen in whole yen', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop, { total: '1500', currency: 'JPY' });
    const params = { sale_id: id };
    const inYen = (total: string) => ({ params, body: { amount: { total, currency: 'JPY' } } });
    expect(await issuesOf(shop, 'sale.refund', inYen('500.00'))).toEqual([
      ['amount.total', formatIssue],
    ]);
    const refund = await shop.ask('sale.refund', 201, inYen('500'));
    expect(refund.amount).toEqual({ total: '500', currency: 'JPY' });
    expect(merchantBalanceMinor(shop, 'JPY')).toBe(1000);
  });

  it('404 refuses an unknown refund and that of another merchant', async () => {
    const shop = transport.shop();
    const { id } = await sell(shop);
    const refund = await shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });
    const shown = [
      await shop.ask('refund.get', 404, { params: { refund_id: unknownId } }),
      await shop.ask('refund.get', 404, { params: { refund_id: id } }),
      await transport.shop().ask('refund.get', 404, { params: { refund_id: refund.id } }),
    ];
    expect(new Set(shown.map(({ name }) => name))).toEqual(new Set(['INVALID_RESOURCE_ID']));
  });
});

onEveryTransport(
  'the body of a refund, recorded profile',
  (transport) => {
    it('201 writes times in whole seconds', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const refund = await shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });
      expect([refund.create_time, refund.update_time]).toEqual([
        '2026-05-06T07:08:09Z',
        '2026-05-06T07:08:09Z',
      ]);
    });
  },
  { profile: 'recorded' },
);
