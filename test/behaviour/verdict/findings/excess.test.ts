/** How much of the money that a merchant keeps is too much. Each amount is worked out by hand. */
import { expect, it } from 'vitest';
import { see } from '../../forcing/tolerant-client.ts';
import { authorizationOf, pay, storeCard } from '../../../support/purchases.ts';
import { paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { onEveryTransport, type Request, type Shop } from '../../../support/transports.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const minuteMs = 60_000;

type Order = Partial<PaymentParts> & { readonly custom?: string; readonly invoice?: string };

/** Pays an order with each of these parts, one after the other. The first answers are lost. */
async function payAgain(shop: Shop, orders: readonly Order[], lost = orders.length - 1) {
  const cardId = await storeCard(shop);
  if (lost > 0) {
    shop.merchant.force({
      op: 'payment.create',
      per: 'merchant',
      outcome: 'reset-after-commit',
      times: lost,
    });
  }
  for (const { custom, invoice, ...parts } of orders) {
    const transaction = {
      ...(custom !== undefined && { custom }),
      ...(invoice !== undefined && { invoice_number: invoice }),
    };
    const body = paymentBody({ cardId, ...parts, transaction });
    await see(shop, 'payment.create', { body, headers: keyed(crypto.randomUUID()) });
  }
}

function refund(shop: Shop, at: number, change: Request['body'] = {}) {
  const sales = shop.merchant.ledger().transfers.filter(({ cause }) => cause === 'sale');
  const params = { sale_id: sales[at]?.subject ?? '' };
  return shop.ask('sale.refund', 201, { params, body: change });
}

/** Currency, what is kept, and how much of it is too much. */
async function keptIn({ merchant }: Shop, options = {}) {
  const { totals } = await merchant.verdict(options);
  return totals.map(({ currency, net, excess }) => [currency, net, excess]);
}

async function namesIn({ merchant }: Shop) {
  const { findings } = await merchant.verdict();
  return findings.map(({ rule }) => rule).filter((rule) => rule === 'double-charge');
}

onEveryTransport(
  'money that is too much',
  (transport) => {
    it('is what an order paid three times holds beyond its amount', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }, { custom: 'A-7' }]);
      expect(await keptIn(shop)).toEqual([['USD', '90.33', '60.22']]);
    });

    it('is counted for each currency, with its decimals', async () => {
      const shop = transport.shop();
      const yen: Order = { custom: 'J-1', total: '500', currency: 'JPY' };
      await payAgain(shop, [yen, yen]);
      await payAgain(shop, [{ custom: 'U-1' }, { custom: 'U-1' }]);
      await payAgain(shop, [{ custom: 'E-1', currency: 'EUR' }]);
      expect(await keptIn(shop)).toEqual([
        ['JPY', '1000', '500'],
        ['USD', '60.22', '30.11'],
        ['EUR', '30.11', undefined],
      ]);
    });

    it('is less after a refund of a part, and nothing after a refund of one payment', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }]);
      await refund(shop, 1, { amount: { total: '10.00', currency: 'USD' } });
      expect(await keptIn(shop)).toEqual([['USD', '50.22', '20.11']]);
      await refund(shop, 0, { amount: { total: '20.11', currency: 'USD' } });
      expect(await keptIn(shop)).toEqual([['USD', '30.11', undefined]]);
    });

    it('is the second payment if it has another amount or currency', async () => {
      const shop = transport.shop();
      await payAgain(shop, [
        { custom: 'A-7', total: '38.50' },
        { custom: 'A-7', total: '20.00' },
      ]);
      expect(await keptIn(shop)).toEqual([['USD', '58.50', '20.00']]);
      shop.merchant.reset();
      await payAgain(shop, [
        { custom: 'A-7', total: '30.00' },
        { custom: 'A-7', total: '27.00', currency: 'EUR' },
      ]);
      await refund(shop, 0, { amount: { total: '10.00', currency: 'USD' } });
      expect(await keptIn(shop)).toEqual([
        ['USD', '20.00', undefined],
        ['EUR', '27.00', '27.00'],
      ]);
    });

    it('is counted once for an order about which two findings say so', async () => {
      const shop = transport.shop();
      const totals = ['38.50', '20.00', '38.50'];
      await payAgain(
        shop,
        totals.map((total) => ({ custom: 'A-7', total })),
      );
      expect(await namesIn(shop)).toEqual(['double-charge', 'double-charge']);
      expect(await keptIn(shop)).toEqual([['USD', '97.00', '58.50']]);
    });

    it('is the payment under a changed invoice number', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ invoice: 'INV-5' }, { invoice: 'INV-5' }, { invoice: 'INV-5-2' }], 1);
      expect(await keptIn(shop)).toEqual([['USD', '60.22', '30.11']]);
    });

    it('is the second run of a job', async () => {
      const shop = transport.shop();
      const orders: Order[] = ['ada', 'bob', 'eve'].map((name, at) => ({
        custom: `sub-${name}`,
        total: `${at + 1}0.00`,
      }));
      const cardId = await storeCard(shop);
      for (let run = 0; run < 2; run++) {
        await payAgain(
          shop,
          orders.map((order) => ({ ...order, cardId })),
          0,
        );
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await keptIn(shop)).toEqual([['USD', '120.00', '60.00']]);
    });

    it('is a capture that was made again after a lost answer', async () => {
      const shop = transport.shop();
      const payment = await pay(shop, { intent: 'authorize', total: '100.00' });
      const path = `/v1/payments/authorization/${authorizationOf(payment).id}/capture`;
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      for (const key of ['a', 'b']) {
        const body = { amount: { total: '30.11', currency: 'USD' } };
        await see(shop, 'auth.capture', { path, body, headers: keyed(key) });
      }
      expect(await keptIn(shop)).toEqual([['USD', '60.22', '30.11']]);
    });

    it('is the second run of a shipping job', async () => {
      const shop = transport.shop();
      const holds: string[] = [];
      for (const custom of ['a', 'b', 'c']) {
        const parts = { intent: 'authorize', total: '100.00', transaction: { custom } } as const;
        holds.push(authorizationOf(await pay(shop, parts)).id);
      }
      for (let run = 0; run < 2; run++) {
        for (const authorization_id of holds) {
          const body = { amount: { total: '20.00', currency: 'USD' } };
          const headers = keyed(crypto.randomUUID());
          await shop.ask('auth.capture', 200, { params: { authorization_id }, body, headers });
        }
        shop.merchant.clock.advance(10 * minuteMs);
      }
      expect(await keptIn(shop)).toEqual([['USD', '120.00', '60.00']]);
    });

    it('is not claimed if the buyer may have wanted both, or the finding is suppressed', async () => {
      const shop = transport.shop();
      await payAgain(shop, [{ custom: 'till' }, { custom: 'till' }], 0);
      expect(await keptIn(shop, { serviceTimeMs: 0 })).toEqual([['USD', '60.22', undefined]]);
      shop.merchant.reset();
      await payAgain(shop, [{ custom: 'A-7' }, { custom: 'A-7' }]);
      const suppress = [{ rule: 'double-charge', reason: 'both were wanted' }];
      expect(await keptIn(shop, { suppress })).toEqual([['USD', '60.22', undefined]]);
    });
  },
  onTestTime,
);
