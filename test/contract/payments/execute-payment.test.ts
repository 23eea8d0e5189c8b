import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { pay } from '../../support/purchases.ts';
import { malformedRequest, refusalOf } from '../../support/requests/refusals.ts';
import { rawPaymentBody } from '../../support/samples.ts';

const done = {
  name: 'PAYMENT_ALREADY_DONE',
  message: 'The payment has been made already; a card payment needs no execution',
};
const payer = { payer_id: 'PAYER00000001' };

const of = (id: string, body: unknown = payer) => ({ params: { payment_id: id }, body });

for (const profile of ['documented', 'recorded'] as const) {
  onEveryTransport(
    `execute a payment, ${profile} profile`,
    (transport) => {
      it.each([
        ['a payer', payer],
        ['a payer whose id is an integer', { payer_id: 42 }],
        [
          'a payer and transactions',
          { ...payer, transactions: [{ amount: { total: '1.00', currency: 'USD' } }] },
        ],
        ['an empty object', {}],
        ['nothing', ''],
      ])('400 refuses a payment that is made, with %s', async (_, body) => {
        const shop = transport.shop();
        const paid = await pay(shop);
        const ledger = shop.merchant.ledger();
        expect(await refusalOf(shop, 'payment.execute', of(paid.id, body))).toEqual(done);
        const params = { payment_id: paid.id };
        expect(await shop.ask('payment.get', 200, { params })).toEqual(paid);
        expect(shop.merchant.ledger()).toEqual(ledger);
      });

      it('400 refuses an authorization and a payment with a raw card alike', async () => {
        const shop = transport.shop();
        const held = await pay(shop, { intent: 'authorize' });
        const raw = await shop.ask('payment.create', 201, { body: rawPaymentBody() });
        for (const { id } of [held, raw]) {
          expect(await refusalOf(shop, 'payment.execute', of(id))).toEqual(done);
        }
      });

      it('400 refuses a failed payment for its state', async () => {
        const shop = transport.shop();
        shop.merchant.force({ op: 'payment.create', outcome: 'payment-state-failed' });
        const { id, state } = await pay(shop);
        expect(state).toBe('failed');
        const { name } = await refusalOf(shop, 'payment.execute', of(id));
        expect(name).toBe('PAYMENT_STATE_INVALID');
      });

      it('400 refuses a text as a body', async () => {
        const shop = transport.shop();
        const { id } = await pay(shop);
        const request = of(id, '"PAYER00000001"');
        expect(await refusalOf(shop, 'payment.execute', request)).toEqual(malformedRequest);
      });

      it('404 refuses an unknown payment only', async () => {
        const shop = transport.shop();
        const refusal = await shop.ask('payment.execute', 404, of('PAY-0AA00000AA0000000AAAAAAA'));
        expect(refusal.name).toBe('INVALID_RESOURCE_ID');
      });
    },
    { profile },
  );
}
