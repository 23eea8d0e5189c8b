/** Carts that are too long for the journal are judged like small ones. */
import { expect, it } from 'vitest';
import { see } from '../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { namesOf } from './support/findings.ts';
import { keyed, onTestTime } from './support/payment-attempts.ts';

type Body = Readonly<Record<string, unknown>>;

/** Fills up a body without changing its meaning. */
const cart = (items: number, total: string) => ({
  item_list: {
    items: Array.from({ length: items }, (_, at) => ({
      name: `Thing ${at} ${'x'.repeat(90)}`,
      quantity: 1,
      price: at > 0 ? '0.01' : (Number(total) - (items - 1) / 100).toFixed(2),
      currency: 'USD',
    })),
  },
});

interface Story {
  readonly cards: readonly [string, string];
  readonly body: (cardId: string, total: string, names: Body) => Body;
  readonly pay: (key: string, body: Body, afterMs?: number) => Promise<void>;
  readonly lose: () => void;
  readonly shop: Shop;
}

const stories: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  'an order in custom, lost and paid again minutes later': async (story) => {
    const { body, pay, lose, cards } = story;
    lose();
    await pay('k1', body(cards[0], '30.11', { custom: 'o1' }));
    await pay('k2', body(cards[0], '30.11', { custom: 'o1' }), 180_000);
  },
  'an invoice, lost and asked for again': async ({ body, pay, lose, cards }) => {
    lose();
    await pay('k1', body(cards[0], '30.11', { invoice_number: 'I1' }));
    await pay('k2', body(cards[0], '30.11', { invoice_number: 'I1' }));
  },
  'an invoice with another amount': async ({ body, pay, lose, cards }) => {
    lose();
    await pay('k1', body(cards[0], '30.11', { invoice_number: 'I1' }));
    await pay('k1', body(cards[0], '12.00', { invoice_number: 'I1' }));
  },
  'two customers with the same custom, the first lost and read later': async (story) => {
    const { body, pay, lose, cards, shop } = story;
    lose();
    await pay('k1', body(cards[0], '40.00', { custom: 'web' }));
    await shop.ask('payment.list', 200);
    await pay('k2', body(cards[1], '99.00', { custom: 'web' }));
  },
  'two customers with the same custom and no charge': async (story) => {
    const { body, pay, cards, shop } = story;
    shop.merchant.force({ op: 'payment.create', outcome: 'reset-before-commit', times: 2 });
    await pay('k1', body(cards[0], '40.00', { custom: 'web' }));
    await pay('k2', body(cards[1], '99.00', { custom: 'web' }));
  },
  'nothing to call it by, lost and paid again': async ({ body, pay, lose, cards }) => {
    lose();
    await pay('k1', body(cards[0], '30.11', {}));
    await pay('k2', body(cards[0], '30.11', {}));
  },
};

onEveryTransport(
  'a cart of many items',
  (transport) => {
    /** Plays a story, and gives what a verdict says of it but for what is of one merchant alone. */
    async function judgeStory(name: string, items: number) {
      const shop = transport.shop();
      const second = { number: '5555555555554444', type: 'mastercard', external_customer_id: 'b' };
      const lose = () =>
        void shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await stories[name]?.({
        shop,
        lose,
        cards: [await storeCard(shop), await storeCard(shop, second)],
        body: (cardId, total, names) =>
          paymentBody({ cardId, total, transaction: { ...names, ...cart(items, total) } }),
        pay: async (key, body, afterMs = 1) => {
          shop.merchant.clock.advance(afterMs);
          await see(shop, 'payment.create', { body, headers: keyed(key) });
        },
      });
      const beliefs = { I1: 'paid', o1: 'paid', web: 'paid' } as const;
      const verdict = await shop.merchant.verdict({ beliefs });
      const sent = shop.merchant.journal({ operation: 'payment.create' }).entries;
      return {
        isCut: sent.every(({ request }) => request?.includes('(cut: ')),
        found: namesOf(verdict),
        words: verdict.findings.map(({ what }) => what.replaceAll(/\b[A-Z0-9-]{16,}\b/g, 'ID')),
        beliefs: verdict.reasons.flatMap(({ kind, text }) => (kind === 'belief' ? [text] : [])),
        purchases: verdict.purchases.map(({ label, amount, belief, attempts }) => ({
          label,
          amount,
          belief,
          attempts: attempts.length,
        })),
      };
    }

    it.each(Object.keys(stories))('is judged like a small one: %s', async (name) => {
      const [small, large] = [await judgeStory(name, 1), await judgeStory(name, 200)];
      expect([small.isCut, large.isCut]).toEqual([false, true]);
      expect({ ...large, isCut: false }).toEqual(small);
    });

    it('is reported as charged twice, by its name', async () => {
      const lost = await judgeStory('an order in custom, lost and paid again minutes later', 200);
      expect(lost.found).toContain('critical double-charge');
      expect(lost.beliefs).toEqual([
        'Your code reports "I1" as paid; no purchase in the journal has this name.',
        'Your code reports "web" as paid; no purchase in the journal has this name.',
      ]);
      const amount = { total: '30.11', currency: 'USD' };
      expect(lost.purchases).toEqual([{ label: 'o1', amount, belief: 'paid', attempts: 2 }]);
    });

    it('is not certainly a duplicate of another purchase with the same custom', async () => {
      const { found } = await judgeStory(
        'two customers with the same custom, the first lost and read later',
        200,
      );
      expect(found.filter((one) => one.startsWith('critical'))).toEqual([]);
    });
  },
  onTestTime,
);
