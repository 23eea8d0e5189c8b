/** One invoice number that two parts of a client write in different ways. */
import { expect, it } from 'vitest';
import { dayMs, hourMs, storeCard } from '../../../support/purchases.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { send, type NamedOrder } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

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
    ])('pays the invoice twice: %s and %s', async (one, other) => {
      const shop = transport.shop();
      await payBoth(shop, [one, other]);
      const verdict = await shop.merchant.verdict();
      expect(findingOf(verdict, 'double-charge')).toMatchObject({
        severity: 'high',
        confidence: 'likely',
        what: `Invoice ${one} was charged twice: 30.11 USD at 07:08:09 and 30.11 USD at 08:08:09. The first answer was delivered, and both payments name the same order, with the same card and amount. The invoice_number of the second is "${other}", which differs only in capitals, spaces or leading zeros.`,
        remedy: expect.stringMatching(/^Write an invoice number in one way everywhere/),
      });
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it.each<[string, readonly string[], Partial<NamedOrder>, number?]>([
      ['other numbers', ['INV-7', 'INV-70'], {}],
      ['zeros within', ['INV-107', 'INV-17'], {}],
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
