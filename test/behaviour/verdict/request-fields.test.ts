/** Requests with the same meaning are equal: key order, decimals and missing card details do not matter. */
import { expect, it } from 'vitest';
import { see } from '../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { authorize, sell, storeCard } from '../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { findingOf, foundIn } from './support/findings.ts';
import { rewriteBody } from './support/equivalent-body.ts';
import { keyed, onTestTime } from './support/payment-attempts.ts';

type Op = 'payment.create' | 'sale.refund' | 'auth.capture';
type Body = Record<string, unknown>;

interface Spelled {
  readonly op: Op;
  readonly path?: string;
  readonly body: Body;
  readonly again: Body;
}

/** The first answer is lost, and the request is retried in another notation with another request id. */
async function lostAndRespelled(shop: Shop, { op, path, body, again }: Spelled): Promise<void> {
  const at = path === undefined ? {} : { path };
  shop.merchant.force({ op, outcome: 'reset-after-commit' });
  await see(shop, op, { ...at, body, headers: keyed('one') });
  shop.merchant.clock.advance(1_000);
  await see(shop, op, { ...at, body: again, headers: keyed('two') });
}

const order = { custom: 'order-77' };

onEveryTransport(
  'a retry in another notation',
  (transport) => {
    it.each([
      ['that is named', order],
      ['without a name', {}],
    ])('is reported for a purchase %s', async (_, transaction) => {
      const shop = transport.shop();
      const body = paymentBody({ cardId: await storeCard(shop), total: '30.00', transaction });
      await lostAndRespelled(shop, { op: 'payment.create', body, again: rewriteBody(body) });
      const found = await foundIn(shop);
      expect(found).toContain('critical double-charge');
      expect(found).toContain('critical new-key-on-retry');
    });

    const itemOf = (name: string, price: string) => {
      return { name, price, quantity: '1', currency: 'USD' };
    };
    const [hat, scarf, glove] = [
      itemOf('Hat', '20.00'),
      itemOf('Scarf', '10.00'),
      itemOf('Glove', '10.00'),
    ];

    it.each([
      ['is reported for a cart in another order', [scarf, hat], true],
      ['is not reported for a cart with another item', [hat, glove], false],
      ['is not reported for a cart with one item less', [hat], false],
    ])('%s', async (_, items, isFound) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const [body = {}, again = {}] = [[hat, scarf], items].map((list) =>
        paymentBody({
          cardId,
          total: '30.00',
          transaction: { ...order, item_list: { items: list } },
        }),
      );
      await lostAndRespelled(shop, { op: 'payment.create', body, again });
      const found = await foundIn(shop);
      expect(found.includes('critical double-charge')).toBe(isFound);
      expect(found).toContain('critical orphaned-charge');
    });

    it('is reported for a raw card without its verification code and holder', async () => {
      const shop = transport.shop();
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

    it('is not reported for another raw card', async () => {
      const shop = transport.shop();
      const parts = { transaction: order };
      const again = rawPaymentBody({ expire_year: 2032 }, parts);
      await lostAndRespelled(shop, {
        op: 'payment.create',
        body: rawPaymentBody({}, parts),
        again,
      });
      expect(await foundIn(shop)).not.toContain('critical double-charge');
    });

    it('is reported for a refund', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const path = `/v1/payments/sale/${id}/refund`;
      const body = { amount: { total: '10.00', currency: 'USD' } };
      await lostAndRespelled(shop, { op: 'sale.refund', path, body, again: rewriteBody(body) });
      expect(await foundIn(shop)).toContain('critical double-refund');
    });

    it('is reported for a capture', async () => {
      const shop = transport.shop();
      const { id } = await authorize(shop);
      const path = `/v1/payments/authorization/${id}/capture`;
      const body = { amount: { total: '10.00', currency: 'USD' } };
      await lostAndRespelled(shop, { op: 'auth.capture', path, body, again: rewriteBody(body) });
      expect(await foundIn(shop)).toContain('high new-key-on-retry');
    });

    it('is reported as low for an invoice number whose key is escaped', async () => {
      const shop = transport.shop();
      const transaction = { invoice_number: 'INV-1', custom: 'order-77' };
      const body = paymentBody({ cardId: await storeCard(shop), transaction });
      const escaped = JSON.stringify(body).replace(
        'invoice_number',
        String.raw`invoice\u005fnumber`,
      );
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await see(shop, 'payment.create', { body: escaped, headers: keyed('one') });
      await see(shop, 'payment.create', { body: escaped, headers: keyed('two') });
      expect(await foundIn(shop)).toContain('low new-key-on-retry');
    });

    it('does not count as another amount of an invoice', async () => {
      const shop = transport.shop();
      const transaction = { invoice_number: 'INV-1' };
      const body = paymentBody({ cardId: await storeCard(shop), total: '30.00', transaction });
      await lostAndRespelled(shop, { op: 'payment.create', body, again: rewriteBody(body) });
      expect(await foundIn(shop)).not.toContain('medium amount-drift');
    });
  },
  onTestTime,
);

onEveryTransport(
  'another body with the same request id',
  (transport) => {
    /** The first answer is lost, and the request sent again with its own id; which words, and which advice, that brings. */
    async function adviceOn(shop: Shop, { op, path, body, again }: Spelled): Promise<string[]> {
      const at = path === undefined ? {} : { path };
      shop.merchant.force({ op, outcome: 'reset-after-commit' });
      await see(shop, op, { ...at, body, headers: keyed('one') });
      const { status } = await see(shop, op, { ...at, body: again, headers: keyed('one') });
      expect(status).toBe(400);
      const found = findingOf(await shop.merchant.verdict(), 'key-reused-for-other-intent');
      expect([found.severity, found.confidence]).toEqual(['high', 'certain']);
      // It did ask again.
      expect(await foundIn(shop)).not.toContain('medium no-read-after-unknown');
      return [found.what, found.remedy];
    }

    const sameAsked = [
      expect.stringContaining('bodies that ask for the same thing'),
      expect.stringContaining('send both unchanged with every retry'),
    ];
    const otherAsked = [
      expect.stringMatching(/two different [a-z.]+ requests/),
      // With a new id it may be done twice.
      expect.stringContaining('First find out what became of'),
    ];

    it.each([
      ['its amount respelled', { total: '30' }, {}, sameAsked],
      [
        'details beside its amount',
        { total: '30.00', details: { subtotal: '30.00' } },
        {},
        sameAsked,
      ],
      ['another amount', { total: '31.00' }, {}, otherAsked],
      ['another name', { total: '30.00' }, { custom: 'order-78' }, otherAsked],
    ])('is reported for a purchase with %s', async (_, amount, named, advice) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const body = paymentBody({ cardId, total: '30.00', transaction: order });
      const transaction = { ...order, ...named, amount: { currency: 'USD', ...amount } };
      const again = paymentBody({ cardId, transaction });
      expect(await adviceOn(shop, { op: 'payment.create', body, again })).toEqual(advice);
    });

    it('is reported for a purchase with another raw card, without its number', async () => {
      const body = rawPaymentBody({ number: '4417119669820331' });
      const again = rawPaymentBody({ number: '4417119600010331' });
      const asked = { op: 'payment.create', body, again } as const;
      expect(await adviceOn(transport.shop(), asked)).toEqual(otherAsked);
    });

    it('is reported for a purchase with one raw card and another verification code', async () => {
      const body = rawPaymentBody({ cvv2: '123' });
      const again = rawPaymentBody({ cvv2: '321' });
      const asked = { op: 'payment.create', body, again } as const;
      expect(await adviceOn(transport.shop(), asked)).toEqual(sameAsked);
    });

    it.each([
      ['5', sameAsked],
      ['6.00', otherAsked],
    ])('is reported for a refund of 5.00 with %s', async (total, advice) => {
      const shop = transport.shop();
      const { id } = await sell(shop);
      const path = `/v1/payments/sale/${id}/refund`;
      const [body = {}, again = {}] = ['5.00', total].map((sum) => ({
        amount: { total: sum, currency: 'USD' },
      }));
      expect(await adviceOn(shop, { op: 'sale.refund', path, body, again })).toEqual(advice);
    });
  },
  onTestTime,
);
