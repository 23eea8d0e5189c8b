/** One invoice number that two parts of a client write in different ways. */
import { expect, it } from 'vitest';
import { authorize, dayMs, hourMs, sell, storeCard } from '../../../support/purchases.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, newKey, send, type NamedOrder } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

onEveryTransport(
  'an invoice number that is written in another way',
  (transport) => {
    async function payBoth(
      shop: Shop,
      numbers: readonly string[],
      change: Partial<NamedOrder> = {},
      afterMs = hourMs,
    ): Promise<void> {
      const order = { cardId: await storeCard(shop) };
      for (const [at, invoice_number] of numbers.entries()) {
        await send(shop, { ...order, ...(at > 0 && change), invoice_number });
        shop.merchant.clock.advance(afterMs);
      }
    }

    it.each([
      ['INV-7', 'inv-7'],
      ['INV-7', 'INV-7 '],
      ['INV-7', 'INV-0007'],
      ['2026 / 07', '2026/7'],
      ['ORD-7', 'ord 7'],
      ['INV_7-b', 'INV 7b'],
    ])('pays the invoice twice: %s and %s', async (one, other) => {
      const shop = transport.shop();
      await payBoth(shop, [one, other]);
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        confidence: 'likely',
        what: `Invoice ${one} was charged twice: 30.11 USD at 07:08:09 and 30.11 USD at 08:08:09. The first answer was delivered, and both payments name the same order, with the same card and amount. The invoice_number of the second is "${other}", which differs only in capitals, spaces, signs, zeros or accents.`,
        remedy: expect.stringMatching(/^Write an invoice number in one way everywhere/),
      });
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it.each<[string, readonly string[], Partial<NamedOrder>, number?]>([
      ['other numbers', ['INV-7', 'INV-70'], {}],
      ['zeros within', ['INV-107', 'INV-17'], {}],
      ['a sign between other digits', ['1-12', '11-2'], {}],
      ['another amount', ['INV-7', 'inv-7'], { total: '8.00' }],
      ['another description', ['INV-7', 'inv-7'], { description: 'Shipping' }],
      ['five days', ['INV-7', 'inv-7'], {}, 5 * dayMs],
    ])('may be two invoices with %s', async (_, numbers, change, afterMs) => {
      const shop = transport.shop();
      await payBoth(shop, numbers, change, afterMs);
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'the invoice number of a refund or capture',
  (transport) => {
    it.each([
      ['refund', 'RMA-7', 'rma-7', ['critical double-refund']],
      ['refund', 'RMA-7', 'RMA-07', ['critical double-refund']],
      ['refund', 'RMA-107', 'RMA-17', []],
      ['capture', 'PARCEL-1', 'Parcel-1', ['high double-charge']],
      ['capture', 'PARCEL-1', 'PARCEL-11', []],
    ] as const)(
      'of a %s may be written in another way: %s, %s',
      async (action, one, other, found) => {
        const shop = transport.shop();
        const sold = await (action === 'refund' ? sell : authorize)(shop, { total: '100.00' });
        const [op, of] =
          action === 'refund'
            ? (['sale.refund', 'sale'] as const)
            : (['auth.capture', 'authorization'] as const);
        for (const invoice_number of [one, other]) {
          const body = { amount: { total: '40.00', currency: 'USD' }, invoice_number };
          const path = `/v1/payments/${of}/${sold.id}/${action}`;
          await see(shop, op, { path, body, headers: keyed(newKey()) });
          shop.merchant.clock.advance(3 * hourMs);
        }
        expect(await highIn(shop)).toEqual(found);
      },
    );
  },
  onTestTime,
);
