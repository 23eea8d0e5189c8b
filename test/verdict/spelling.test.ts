/** The same thing asked for in another spelling is the same thing: key order, decimals, and what a client forgot of a card. */
import { expect, it } from 'vitest';
import { see } from '../forcing/client.ts';
import { throughEveryDoor, type Shop } from '../support/doors.ts';
import { authorize, sell, storeCard } from '../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../support/samples.ts';
import { foundIn } from './found.ts';
import { respelled } from './respelled.ts';
import { keyed, onTestTime } from './tries.ts';

type Op = 'payment.create' | 'sale.refund' | 'auth.capture';
type Body = Record<string, unknown>;

interface Spelled {
  readonly op: Op;
  readonly path?: string;
  readonly body: Body;
  readonly again: Body;
}

/** The first answer is lost, and the request sent again in another spelling, with another request id. */
async function lostAndRespelled(shop: Shop, { op, path, body, again }: Spelled): Promise<void> {
  const at = path === undefined ? {} : { path };
  shop.merchant.force({ op, outcome: 'reset-after-commit' });
  await see(shop, op, { ...at, body, headers: keyed('one') });
  shop.merchant.clock.advance(1_000);
  await see(shop, op, { ...at, body: again, headers: keyed('two') });
}

const order = { custom: 'order-77' };

throughEveryDoor(
  'a repeat in another spelling',
  (door) => {
    it.each([
      ['that is named', order],
      ['without a name', {}],
    ])('of a purchase %s is found', async (_, transaction) => {
      const shop = door.shop();
      const body = paymentBody({ cardId: await storeCard(shop), total: '30.00', transaction });
      await lostAndRespelled(shop, { op: 'payment.create', body, again: respelled(body) });
      const found = await foundIn(shop);
      expect(found).toContain('critical double-charge');
      expect(found).toContain('critical new-key-on-retry');
    });

    it('of a raw card is found where its code and holder are gone by then', async () => {
      const shop = door.shop();
      const parts = { transaction: order };
      const again = rawPaymentBody(
        { cvv2: undefined, first_name: undefined, expire_month: '11' },
        parts,
      );
      await lostAndRespelled(shop, {
        op: 'payment.create',
        body: rawPaymentBody({}, parts),
        again,
      });
      expect(await foundIn(shop)).toContain('critical double-charge');
    });

    it('is none where the raw card is another one', async () => {
      const shop = door.shop();
      const parts = { transaction: order };
      const again = rawPaymentBody({ expire_year: 2032 }, parts);
      await lostAndRespelled(shop, {
        op: 'payment.create',
        body: rawPaymentBody({}, parts),
        again,
      });
      expect(await foundIn(shop)).not.toContain('critical double-charge');
    });

    it('of a refund is found', async () => {
      const shop = door.shop();
      const { id } = await sell(shop);
      const path = `/v1/payments/sale/${id}/refund`;
      const body = { amount: { total: '10.00', currency: 'USD' } };
      await lostAndRespelled(shop, { op: 'sale.refund', path, body, again: respelled(body) });
      expect(await foundIn(shop)).toContain('critical double-refund');
    });

    it('of a capture is found', async () => {
      const shop = door.shop();
      const { id } = await authorize(shop);
      const path = `/v1/payments/authorization/${id}/capture`;
      const body = { amount: { total: '10.00', currency: 'USD' } };
      await lostAndRespelled(shop, { op: 'auth.capture', path, body, again: respelled(body) });
      expect(await foundIn(shop)).toContain('high new-key-on-retry');
    });

    it('of one invoice is no other amount', async () => {
      const shop = door.shop();
      const transaction = { invoice_number: 'INV-1' };
      const body = paymentBody({ cardId: await storeCard(shop), total: '30.00', transaction });
      await lostAndRespelled(shop, { op: 'payment.create', body, again: respelled(body) });
      expect(await foundIn(shop)).not.toContain('medium amount-drift');
    });
  },
  onTestTime,
);
