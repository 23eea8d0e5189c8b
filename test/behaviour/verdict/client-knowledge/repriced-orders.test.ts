/** Orders that are paid again for a cent more, after a refusal as a duplicate or while the first sale is pending. */
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
      ['in another currency', { again: { total: '28.00', currency: 'EUR' } }],
      ['named in a description', { order: { custom: '', description: 'Order 9' } }],
    ])('is paid twice: %s', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(
        /The service had refused the first amount as a duplicate, .* have the same name, card and description\.$/,
      );
      expect(remedy).toMatch(/do not change the amount/);
      expect(verdict.totals.at(-1)?.excess).toMatch(/^(?:30\.1\d|28\.00)$/);
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

const cents = { total: '30.10' };
const euros = { total: '28.00', currency: 'EUR' };

onEveryTransport(
  'an order that is paid again for another amount',
  (transport) => {
    interface Story {
      readonly order: Partial<NamedOrder>;
      readonly again: Partial<NamedOrder>;
      readonly afterMs?: number;
      /** Whether the client first repeats the payment, and is refused. */
      readonly isRefused?: boolean;
      readonly isPending?: boolean;
    }

    async function pay(shop: Shop, story: Story): Promise<void> {
      const order = { cardId: await storeCard(shop), ...story.order };
      if (story.isPending) {
        shop.merchant.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
      }
      await send(shop, order);
      shop.merchant.clock.advance(story.afterMs ?? hourMs);
      if (story.isRefused) await send(shop, order);
      await send(shop, { ...order, ...story.again });
    }

    async function duplicatesIn(shop: Shop): Promise<string[]> {
      return (await foundIn(shop)).filter((found) => found.endsWith('double-charge'));
    }

    it.each<[string, Story]>([
      ['an hour later', { order: { custom: 'order-9' }, again: cents }],
      ['within seconds', { order: { custom: 'cart' }, again: cents, afterMs: 3_000 }],
      [
        'under a longer invoice number',
        { order: { invoice_number: 'INV-5' }, again: { ...cents, invoice_number: 'INV-5-2' } },
      ],
    ])('is charged twice while its sale is pending: %s', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, { ...story, isPending: true });
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(/ was charged twice: 30\.1[01] USD at .+ and 30\.1[01] USD at /);
      expect(what).toMatch(
        /because they have the same name and card, and the first answer showed a sale that was still pending\.$|The first sale was still pending then\. So the second payment looks like a retry under another number\.$/,
      );
      expect(remedy).toMatch(/^Pending is not failed/);
      expect(verdict.totals).toMatchObject([{ excess: '30.10' }]);
    });

    it.each<[string, Story]>([
      ['another part', { order: { custom: 'order-9' }, again: { total: '12.00' } }],
      ['something else of a till', { order: { custom: 'cart' }, again: cents }],
      ['shipping', { order: { custom: 'order-9' }, again: { ...cents, description: 'Shipping' } }],
      ['something of a buyer in another currency', { order: { custom: 'ada' }, again: euros }],
      [
        'an invoice in another currency',
        { order: { invoice_number: 'INV-5' }, again: { ...euros, invoice_number: 'INV-5-2' } },
      ],
    ])('may be %s while its sale is pending', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, { ...story, isPending: true });
      expect(await duplicatesIn(shop)).toEqual([]);
    });

    it('may be another part once its sale is completed', async () => {
      const shop = transport.shop();
      const story = { order: { custom: 'order-9' }, again: cents, afterMs: 4 * dayMs };
      await pay(shop, { ...story, isPending: true });
      expect(await duplicatesIn(shop)).toEqual([]);
    });

    it.each<[string, Partial<NamedOrder>, string]>([
      ['a cent less', cents, '30.10'],
      ['another currency', euros, '28.00'],
    ])('is charged twice for %s if its invoice number was refused', async (_, amount, excess) => {
      const shop = transport.shop();
      const story = {
        order: { invoice_number: 'INV-5' },
        again: { ...amount, invoice_number: 'INV-5-2' },
        isRefused: true,
      };
      await pay(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, what } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toContain('the invoice number INV-5-2, with the same card and description.');
      expect(verdict.totals.at(-1)?.excess).toBe(excess);
    });

    it.each<[string, Story]>([
      ['an hour later', { order: { custom: 'order-9' }, again: euros }],
      ['ten seconds later', { order: { custom: 'order-9' }, again: euros, afterMs: 10_000 }],
      ['by a description', { order: { description: 'Order 9' }, again: euros }],
    ])('is charged in two currencies: %s', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, story);
      expect(findingOf(await shop.merchant.verdict(), 'double-charge')).toMatchObject({
        severity: 'medium',
        what: expect.stringMatching(
          /^Purchase "[Oo]rder.9" was charged in two currencies: 30\.11 USD at .+ and 28\.00 EUR at .+\. The first answer was delivered, and both payments name the same order, with the same card and description\.$/,
        ),
      });
    });

    it.each<[string, Story]>([
      ['a test', { order: { custom: 'order-9' }, again: euros, afterMs: 9_999 }],
      ['an order of next week', { order: { custom: 'order-9' }, again: euros, afterMs: 5 * dayMs }],
      ['another order', { order: { custom: 'order-9' }, again: { ...euros, custom: 'order-10' } }],
      ['a buyer', { order: { custom: 'ada' }, again: euros }],
      ['another part', { order: { custom: 'order-9' }, again: { ...euros, description: 'Tax' } }],
      ['a part in the same currency', { order: { custom: 'order-9' }, again: { total: '28.00' } }],
      [
        'another invoice',
        { order: { custom: 'order-9' }, again: { ...euros, invoice_number: 'INV-6' } },
      ],
    ])('may be paid in two currencies for %s', async (_, story) => {
      const shop = transport.shop();
      await pay(shop, story);
      expect(await duplicatesIn(shop)).toEqual([]);
    });

    it.each([
      ['with another card', false],
      ['after a refund', true],
    ])('may be paid in two currencies %s', async (_, isRefunded) => {
      const shop = transport.shop();
      const order = { cardId: await storeCard(shop), custom: 'order-9' };
      const { text } = await send(shop, order);
      const sale_id = /"sale":\{"id":"([^"]+)/.exec(text)?.[1] ?? '';
      if (isRefunded) await shop.ask('sale.refund', 201, { params: { sale_id }, body: {} });
      shop.merchant.clock.advance(hourMs);
      const other = { number: pans.mastercard, type: 'mastercard' };
      await send(shop, {
        ...order,
        ...euros,
        ...(!isRefunded && { cardId: await storeCard(shop, other) }),
      });
      expect(await duplicatesIn(shop)).toEqual([]);
    });

    it('is reported once in two currencies if the first answer was lost', async () => {
      const shop = transport.shop();
      lose(shop);
      await pay(shop, { order: { custom: 'order-9' }, again: euros, afterMs: 60_000 });
      expect(await duplicatesIn(shop)).toEqual(['high double-charge']);
    });
  },
  onTestTime,
);
