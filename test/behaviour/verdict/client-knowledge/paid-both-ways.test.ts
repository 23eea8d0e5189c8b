/** Orders that are charged by a sale and authorized as well. */
import { expect, it } from 'vitest';
import {
  authorizationOf,
  capture,
  dayMs,
  hourMs,
  saleOf,
  storeCard,
  type PaymentReply,
} from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, lose, newKey, report, send, type NamedOrder } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';
import { see, type Seen } from '../../forcing/tolerant-client.ts';

async function orderOf(shop: Shop): Promise<NamedOrder> {
  return { cardId: await storeCard(shop), custom: 'order-1001', total: '100.00' };
}

function hold(shop: Shop, order: NamedOrder, key = newKey()) {
  return send(shop, { ...order, intent: 'authorize' }, key);
}

function paymentIn({ text }: Seen): PaymentReply {
  return JSON.parse(text) as PaymentReply;
}

onEveryTransport(
  'an order that is charged by a sale and authorized as well',
  (transport) => {
    it('is reported with the money on hold', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await hold(shop, order);
      shop.merchant.clock.advance(hourMs);
      await send(shop, order);
      expect(findingOf(await shop.merchant.verdict(), 'double-charge')).toMatchObject({
        severity: 'high',
        confidence: 'likely',
        what: 'Purchase "order-1001" was charged: 100.00 USD at 08:08:09, and 100.00 USD at 07:08:09 is still on hold. One payment is a sale, and the other one an authorization for the same order. The answer to the first payment was delivered, and both payments name the same order.',
        remedy: expect.stringMatching(/^Pay each order in one way/),
      });
    });

    it('is reported alike after the hold has expired', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await hold(shop, order);
      shop.merchant.clock.advance(hourMs);
      await send(shop, order);
      shop.merchant.clock.advance(40 * dayMs);
      expect(await foundIn(shop)).toEqual(['high double-charge']);
      expect(findingOf(await shop.merchant.verdict(), 'double-charge').what).toContain(
        ', and 100.00 USD at 07:08:09 stayed on hold until the authorization expired.',
      );
    });

    it.each([
      ['four days', 4 * dayMs, ['high double-charge']],
      ['more than four days', 4 * dayMs + 1, []],
    ])('may be delivered again by a queue %s after its capture', async (_, afterMs, found) => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      const { id } = authorizationOf(paymentIn(await hold(shop, order)));
      shop.merchant.clock.advance(2 * dayMs);
      await capture(shop, id, '100.00');
      shop.merchant.clock.advance(afterMs);
      await send(shop, order);
      expect(await highIn(shop)).toEqual(found);
    });

    it.each([
      ['read it half a day before', 0.5 * dayMs, true, 'medium'],
      ['read it sooner', 0.5 * dayMs - 1, true, 'high'],
      ['did not read it', 0.5 * dayMs, false, 'high'],
    ])('may be a sale and a deposit if the client %s', async (_, afterMs, isRead, severity) => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      const { id } = saleOf(paymentIn(await send(shop, order)));
      if (isRead) await shop.ask('sale.get', 200, { params: { sale_id: id } });
      shop.merchant.clock.advance(afterMs);
      await hold(shop, order);
      const { severity: found, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(found).toBe(severity);
      expect(remedy.startsWith('If the order has two parts')).toBe(severity === 'medium');
    });

    it.each([
      ['its capture was refused', 'capture', hourMs, 'medium', /on hold: that was refused\.$/],
      ['its void failed', 'void', hourMs, 'medium', /on hold, but that failed\.$/],
      ['two days had passed', undefined, 2 * dayMs, 'medium', /and let it expire\.$/],
      ['a day had passed', undefined, dayMs, 'high', /payments name the same order\.$/],
    ] as const)('leaves its hold beside the sale after %s', async (...story) => {
      const [, tried, afterMs, severity, end] = story;
      const shop = transport.shop();
      const order = await orderOf(shop);
      const { id } = authorizationOf(paymentIn(await hold(shop, order)));
      const path = `/v1/payments/authorization/${id}/${tried ?? ''}`;
      if (tried === 'capture') {
        shop.merchant.force({ op: 'auth.capture', outcome: 'auth-honor-lapsed' });
        const body = { amount: { total: '100.00', currency: 'USD' } };
        await see(shop, 'auth.capture', { path, body });
      } else if (tried === 'void') {
        shop.merchant.force({ op: 'auth.void', outcome: 'validation-missing-field' });
        await see(shop, 'auth.void', { path, body: {} });
      }
      shop.merchant.clock.advance(afterMs);
      await send(shop, order);
      expect(findingOf(await shop.merchant.verdict(), 'double-charge')).toMatchObject({
        severity,
        confidence: end.source.includes('expire') ? 'possible' : 'likely',
        what: expect.stringMatching(end),
        remedy: expect.stringMatching(
          tried === undefined ? /^Pay each order in one way/ : /^(?:Void|Read) an authorization/,
        ),
      });
    });

    it('is reported if the hold came days after the sale', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await send(shop, order);
      shop.merchant.clock.advance(2 * dayMs);
      await hold(shop, order);
      expect(await foundIn(shop)).toEqual(['high double-charge']);
    });

    it.each([
      ['two holds', hold, hold, 'medium'],
      ['a hold and a sale', hold, send, 'high'],
      ['two sales', send, send, 'high'],
    ])('may be in parts that request ids number: %s', async (_, one, other, severity) => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await one(shop, order, 'order-1001-1');
      shop.merchant.clock.advance(hourMs);
      await other(shop, order, 'order-1001-2');
      expect(await foundIn(shop)).toEqual([`${severity} double-charge`]);
    });

    it.each(['before', 'after'])(
      'is reported if the hold is captured %s the sale',
      async (when) => {
        const shop = transport.shop();
        const order = await orderOf(shop);
        const id = authorizationOf(paymentIn(await hold(shop, order))).id;
        const take = () => capture(shop, id, '100.00');
        if (when === 'before') await take();
        shop.merchant.clock.advance(hourMs);
        await send(shop, order);
        shop.merchant.clock.advance(hourMs);
        if (when === 'after') await take();
        const verdict = await shop.merchant.verdict();
        expect(findingOf(verdict, 'double-charge').what).toMatch(
          /was charged twice: 100\.00 USD at 0\d:08:09 and 100\.00 USD at 0\d:08:09\. One payment is a sale/,
        );
        expect(verdict.totals).toMatchObject([{ excess: '100.00' }]);
      },
    );

    it('is reported once if the last of several holds is kept beside a sale', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await hold(shop, order);
      shop.merchant.clock.advance(40 * dayMs);
      await send(shop, order);
      expect(await highIn(shop)).toEqual([]);
      for (const end of ['void', 'capture', 'capture']) {
        shop.merchant.clock.advance(hourMs);
        const { id } = authorizationOf(paymentIn(await hold(shop, order)));
        if (end === 'capture') await capture(shop, id, '100.00');
        else await shop.ask('auth.void', 200, { params: { authorization_id: id } });
        const found = await foundIn(shop);
        const bothWays = (await shop.merchant.verdict()).findings.filter(({ what }) =>
          what.includes('One payment is a sale, and the other one an authorization'),
        );
        expect([found.length > 0, bothWays.length]).toEqual(
          end === 'void' ? [false, 0] : [true, 1],
        );
      }
    });

    it('is reported if a hold is captured days after the sale', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      const id = authorizationOf(paymentIn(await hold(shop, order))).id;
      shop.merchant.clock.advance(6 * dayMs);
      await send(shop, order);
      expect(await highIn(shop)).toEqual([]);
      await capture(shop, id, '100.00');
      expect(await highIn(shop)).toEqual(['high double-charge']);
    });

    it.each([true, false])(
      'is reported under an invoice number that was changed after a refusal, if the hold was captured: %s',
      async (isCaptured) => {
        const shop = transport.shop();
        const order = { cardId: await storeCard(shop), total: '100.00', invoice_number: 'INV-5' };
        const id = authorizationOf(paymentIn(await hold(shop, order))).id;
        if (isCaptured) await capture(shop, id, '100.00');
        else await shop.ask('auth.void', 200, { params: { authorization_id: id } });
        for (const invoice_number of ['INV-5', 'INV-5-2']) {
          shop.merchant.clock.advance(hourMs);
          await send(shop, { ...order, invoice_number });
        }
        expect(await highIn(shop)).toEqual(isCaptured ? ['high double-charge'] : []);
      },
    );

    it.each(['sale', 'authorize'] as const)(
      'is reported under any name if the answer to the first payment was lost: %s',
      async (intent) => {
        const shop = transport.shop();
        const order = { ...(await orderOf(shop)), custom: 'web' };
        lose(shop);
        await send(shop, { ...order, intent });
        await send(shop, { ...order, intent: intent === 'sale' ? 'authorize' : 'sale' });
        await report(shop);
        const { what, remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
        expect(what).toContain(
          'The answer to the first payment was lost, and the client then paid in the other way, with the same name, card and amount.',
        );
        expect(remedy).toMatch(/^Find out what became of the first payment/);
      },
    );

    it('is not reported if the authorization was voided', async () => {
      for (const isVoidedFirst of [true, false]) {
        const shop = transport.shop();
        const order = await orderOf(shop);
        const id = authorizationOf(paymentIn(await hold(shop, order))).id;
        const cancel = () => shop.ask('auth.void', 200, { params: { authorization_id: id } });
        if (isVoidedFirst) await cancel();
        shop.merchant.clock.advance(hourMs);
        await send(shop, order);
        if (!isVoidedFirst) await cancel();
        expect(await foundIn(shop)).toEqual([]);
      }
    });

    it('is not reported if the authorization had expired', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await hold(shop, order);
      shop.merchant.clock.advance(30 * dayMs);
      await send(shop, order);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not reported if the sale was refunded first', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      const { id } = saleOf(paymentIn(await send(shop, order)));
      await shop.ask('sale.refund', 201, { params: { sale_id: id }, body: {} });
      shop.merchant.clock.advance(hourMs);
      await hold(shop, order);
      expect(await foundIn(shop)).toEqual([]);
    });

    it.each([
      ['another amount', { total: '1.00' }],
      ['another description', { description: 'Deposit' }],
      ['the name of a desk', { custom: 'desk-1' }],
    ])('is not reported for a hold with %s', async (_, change) => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await hold(shop, { ...order, ...change });
      shop.merchant.clock.advance(hourMs);
      await send(shop, 'custom' in change ? { ...order, ...change } : order);
      expect(await highIn(shop)).toEqual([]);
    });

    it.each([
      ['high', 'later', ['hold', 'sale', 'wait', 'capture']],
      ['medium', 'at once', ['hold', 'sale', 'capture']],
      ['medium', 'before the sale', ['hold', 'capture', 'sale']],
      ['medium', 'after the sale', ['sale', 'hold', 'capture']],
      ['high', 'long after the sale', ['sale', 'hold', 'wait', 'capture']],
    ] as const)(
      'is reported as %s if both came within seconds and the hold was captured %s',
      async (severity, _, steps) => {
        const shop = transport.shop();
        const order = await orderOf(shop);
        let id = '';
        for (const step of steps) {
          if (step === 'hold') id = authorizationOf(paymentIn(await hold(shop, order))).id;
          else if (step === 'sale') await send(shop, order);
          else if (step === 'wait') shop.merchant.clock.advance(10_000);
          else await capture(shop, id, '100.00');
        }
        expect(findingOf(await shop.merchant.verdict(), 'double-charge')).toMatchObject({
          severity,
          what: expect.stringContaining('was charged twice: 100.00 USD'),
        });
      },
    );

    it('is not reported within seconds, because tests share one name', async () => {
      const shop = transport.shop();
      const order = await orderOf(shop);
      await hold(shop, order);
      await send(shop, order);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('is not reported if the lost payment is repeated with its request id', async () => {
      const shop = transport.shop();
      const order = { ...(await orderOf(shop)), custom: 'web' };
      lose(shop);
      await send(shop, order, 'first');
      await hold(shop, order);
      await send(shop, order, 'first');
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
