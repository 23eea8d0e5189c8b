/** Orders that are paid again for a cent more, after the service has refused the first amount as a duplicate. */
import { expect, it } from 'vitest';
import { dayMs, hourMs, storeCard } from '../../../support/purchases.ts';
import { pans } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { lose, send, type NamedOrder } from '../support/named-orders.ts';
import { onTestTime } from '../support/payment-attempts.ts';

onEveryTransport(
  'an order that was refused as a duplicate',
  (transport) => {
    interface Story {
      readonly order?: Partial<NamedOrder>;
      readonly refused?: Partial<NamedOrder>;
      readonly again?: Partial<NamedOrder>;
      readonly afterMs?: number;
      /** What forces the refusal. Without it, the service refuses the invoice number. */
      readonly refusal?: 'suspected-duplicate' | 'payment-already-done' | 'none';
      readonly isRefused?: boolean;
      readonly isRefunded?: boolean;
    }

    /** Pays an order, is refused as a duplicate, and pays a cent more. */
    async function pay(shop: Shop, story: Story = {}): Promise<void> {
      const order = { cardId: await storeCard(shop), custom: 'order-9', ...story.order };
      const paid = await send(shop, order);
      const saleId = /"sale":\{"id":"([^"]+)/.exec(paid.text)?.[1] ?? '';
      shop.merchant.clock.advance(story.afterMs ?? hourMs);
      if (story.isRefused ?? true) {
        const { refusal = 'suspected-duplicate' } = story;
        if (refusal !== 'none') lose(shop, refusal);
        await send(shop, { ...order, ...story.refused });
      }
      if (story.isRefunded)
        await shop.ask('sale.refund', 201, { params: { sale_id: saleId }, body: {} });
      await send(shop, { ...order, total: '30.12', ...story.again });
    }

    it.each<[string, Story]>([
      ['an hour later', {}],
      ['at once', { afterMs: 0 }],
      ['a cent less', { again: { total: '30.10' } }],
      ['after a refusal as paid', { refusal: 'payment-already-done' }],
      [
        'without its invoice number',
        {
          refusal: 'none',
          order: { invoice_number: 'INV-9' },
          again: { invoice_number: undefined },
        },
      ],
      ['named in a description', { order: { custom: '', description: 'Order 9' } }],
    ])('is paid twice: %s', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain('The service had refused the first amount as a duplicate');
      expect(remedy).toMatch(/do not change the amount/);
      expect(verdict.totals[0]?.excess).toMatch(/^30\.1\d$/);
    });

    it.each<[string, Story]>([
      ['if its price was corrected after a refund', { isRefunded: true }],
      ['if a guest pays a second part', { isRefused: false }],
      ['if a guest pays another part after the refusal', { again: { total: '12.00' } }],
      ['if a till sells two things', { order: { custom: 'till-7' } }],
      ['if the refusal was for another amount', { refused: { total: '12.00' } }],
      [
        'if another invoice of the order is paid',
        {
          refusal: 'none',
          order: { invoice_number: 'INV-9' },
          again: { invoice_number: 'INV-10' },
        },
      ],
      ['if another order is paid', { again: { custom: 'order-10' } }],
      ['if the description names another part', { again: { description: 'Shipping' } }],
      ['if it is due again days later', { afterMs: 5 * dayMs }],
    ])('is not paid twice %s', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, story);
      expect((await foundIn(shop)).filter((found) => found.endsWith('double-charge'))).toEqual([]);
    });

    it('is not paid twice by another card', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { number: pans.mastercard, type: 'mastercard' });
      await pay(shop, { again: { cardId } });
      expect((await foundIn(shop)).filter((found) => found.endsWith('double-charge'))).toEqual([]);
    });

    it('is reported once if the first answer was lost', async () => {
      const shop = transport.shop();
      lose(shop);
      await pay(shop, { afterMs: 0 });
      expect((await foundIn(shop)).filter((found) => found.endsWith('double-charge'))).toHaveLength(
        1,
      );
    });
  },
  onTestTime,
);
