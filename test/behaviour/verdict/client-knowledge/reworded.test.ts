/** Payments and refunds that are made again with more or fewer words, after the answer to the first was lost. */
import { expect, it } from 'vitest';
import { authorize, dayMs, hourMs, sell, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { highIn, lose, newKey, report } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

const uuids = [
  '0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11',
  '7c1d9c0e-33b2-4d6a-8f55-2a9e1c4b7d02',
] as const;

type Fields = Readonly<Record<string, unknown>>;

const items = {
  item_list: { items: [{ name: 'Hat', quantity: '1', price: '30.11', currency: 'USD' }] },
};
const parts = { total: '30.11', currency: 'USD', details: { subtotal: '25.11', shipping: '5.00' } };

onEveryTransport(
  'an order that is paid again with more or fewer words',
  (transport) => {
    interface Story {
      readonly first?: Fields;
      readonly again?: Fields;
      readonly custom?: string;
      readonly afterMs?: number;
      readonly isLost?: boolean;
      readonly looks?: boolean;
      readonly repeatsLater?: boolean;
    }

    /** Pays twice. The answer to the first payment is lost, and a report shows it in the end. */
    async function payTwice(shop: Shop, story: Story): Promise<void> {
      const { first = {}, again = {}, custom = 'web', afterMs = 2000, isLost = true } = story;
      const cardId = await storeCard(shop);
      const pay = (words: Fields, key: string) =>
        see(shop, 'payment.create', {
          body: paymentBody({ cardId, transaction: { custom, description: undefined, ...words } }),
          headers: keyed(key),
        });
      const firstKey = newKey();
      if (isLost) lose(shop);
      await pay(first, firstKey);
      if (story.looks === true) await shop.ask('payment.list', 200);
      shop.merchant.clock.advance(afterMs);
      await pay(again, newKey());
      if (story.repeatsLater === true) await pay(first, firstKey);
      await report(shop);
    }

    it.each<[string, Story]>([
      ['item_list', { first: items }],
      ['item_list', { again: items }],
      ['details', { again: { amount: parts } }],
      ['description', { first: { description: 'Hat' } }],
      ['description and item_list', { again: { ...items, description: 'Hat' } }],
      ['description', { again: { description: 'Hat' }, custom: 'order-7', afterMs: dayMs }],
    ])('is reported with what only one has: %s', async (fields, story) => {
      const shop = transport.shop();
      await payTwice(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(/^Purchase ".+" was charged twice: 30\.11 USD /);
      expect(what).toContain(`The first answer was lost, and the second payment has the same card`);
      expect(what).toContain(
        ` Only one of them has ${fields}. So the second payment looks like a retry of the first.`,
      );
      expect(remedy).toMatch(/^Build the body of a payment once/);
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    const nameless = { custom: undefined };
    const line = { name: 'Hat', quantity: '1', price: '15.00', currency: 'USD' };
    const pin = { ...line, name: 'Pin', price: '0.11' };
    const twoHats = { item_list: { items: [{ ...line, quantity: '2' }, pin] } };
    const twoLines = { item_list: { items: [pin, line, line] } };

    it.each<[string, Story]>([
      [
        'custom',
        { first: { custom: '{"cart":"x","try":1}' }, again: { custom: '{"cart":"x","try":2}' } },
      ],
      [
        'custom',
        { first: { custom: '{"cart":"x","a":1}' }, again: { custom: '{"a":1,"cart":"x"}' } },
      ],
      ['item_list', { first: twoHats, again: twoLines }],
      [
        'description',
        {
          first: { ...nameless, description: 'Tea & cake' },
          again: { ...nameless, description: 'Tea &amp; cake' },
        },
      ],
      [
        'description',
        {
          first: { ...nameless, description: 'Tea' },
          again: { ...nameless, description: 'Tea (retry 1)' },
        },
      ],
      [
        'description',
        {
          first: { ...nameless, description: 'Tea (attempt 1)' },
          again: { ...nameless, description: 'Tea' },
        },
      ],
      [
        'description and note_to_payee',
        {
          first: { description: 'Tea', note_to_payee: 'By phone' },
          again: { description: 'TEA', note_to_payee: 'by phone' },
        },
      ],
    ])('is reported with what both say in another form: %s', async (fields, story) => {
      const shop = transport.shop();
      await payTwice(shop, story);
      const verdict = await shop.merchant.verdict();
      const found = verdict.findings.filter(({ rule }) => rule === 'double-charge');
      expect(found).toHaveLength(1);
      expect(found[0]?.severity).toBe('high');
      expect(found[0]?.what).toContain(
        `has the same card and amount. Both say the same in ${fields}, in another form. So the second payment looks like a retry of the first.`,
      );
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    const sent = (time: string, words = 'Sent') => ({ description: `${words} ${time}` });
    const [noon, later] = ['2026-05-06T12:00:00Z', '2026-05-06T12:00:02Z'];

    it('may be paid twice if only the time differs in the description', async () => {
      const shop = transport.shop();
      await payTwice(shop, { custom: 'o/407', first: sent(noon), again: sent(later) });
      const { severity, confidence, what } = findingOf(
        await shop.merchant.verdict(),
        'double-charge',
      );
      expect([severity, confidence]).toEqual(['medium', 'possible']);
      expect(what).toContain(
        'has the same card and amount. Only the time differs in description. So the second payment looks like a retry of the first.',
      );
    });

    it.each<[string, Story]>([
      ['other words beside the time', { first: sent(noon), again: sent(later, 'Tea') }],
      ['ids of orders', { first: sent(uuids[0]), again: sent(uuids[1]) }],
      ['the time, after an answer', { first: sent(noon), again: sent(later), isLost: false }],
      ['the time, and another name', { first: sent(noon), again: { custom: 'x', ...sent(later) } }],
    ])('is another purchase with %s', async (_, story) => {
      const shop = transport.shop();
      await payTwice(shop, { custom: 'o/407', ...story });
      expect((await foundIn(shop)).filter((name) => name.endsWith('double-charge'))).toEqual([]);
    });

    it('is reported with what only one says, and with what both say in another form', async () => {
      const shop = transport.shop();
      await payTwice(shop, {
        first: { description: 'Tea' },
        again: { ...twoHats, description: 'Tea, 2nd try' },
      });
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain(
        'Only one of them has item_list. Both say the same in description, in another form.',
      );
    });

    it('is reported once if it counts the attempts in its name', async () => {
      const shop = transport.shop();
      await payTwice(shop, {
        first: { custom: 'cart-7/attempt-1' },
        again: { custom: 'cart-7/attempt-2' },
      });
      expect(await highIn(shop)).toEqual(['high double-charge']);
    });

    it('is reported once if it counts the attempts in its description', async () => {
      const shop = transport.shop();
      await payTwice(shop, {
        custom: 'order-7',
        first: { description: 'Try 1' },
        again: { description: 'Try 2' },
      });
      const found = await highIn(shop);
      expect(found.filter((name) => name.endsWith('double-charge'))).toHaveLength(1);
    });

    const zeros = { subtotal: '30.11', tax: '0.00', shipping: '0' };
    const whole = { total: '30.11', currency: 'USD' };

    it.each<[string, Fields, readonly string[]]>([
      ['parts of the amount that are zero', { amount: { ...whole, details: zeros } }, ['high']],
      ['a text that is empty', { description: '' }, ['high']],
      ['a text that is null', { description: null }, ['high']],
      ['a text of its own', { description: 'Shipping' }, []],
    ])('is paid again some hours later with %s', async (_, again, severities) => {
      const shop = transport.shop();
      await payTwice(shop, { again, custom: 'order-7', isLost: false, afterMs: hourMs });
      expect(await highIn(shop)).toEqual(severities.map((severity) => `${severity} double-charge`));
    });

    it.each<[string, Story]>([
      ['other words', { first: { description: 'Hat' }, again: { description: 'Coat' } }],
      [
        'another cart in JSON',
        { first: { custom: '{"cart":"x","a":1}' }, again: { custom: '{"a":1,"cart":"y"}' } },
      ],
      [
        'other words and no name',
        {
          first: { ...nameless, description: 'Tea & cake' },
          again: { ...nameless, description: 'Tea &amp; jam' },
        },
      ],
      [
        'other invoice numbers',
        {
          first: { ...nameless, invoice_number: 'INV-7', description: 'Tea (try 1)' },
          again: { ...nameless, invoice_number: 'INV-8', description: 'Tea (try 2)' },
        },
      ],
      ['more items', { first: twoHats, again: { item_list: { items: [line, line, line, pin] } } }],
      [
        'the same items and another address',
        {
          first: { item_list: { items: twoHats.item_list.items, shipping_phone_number: '1' } },
          again: { item_list: { items: twoLines.item_list.items, shipping_phone_number: '2' } },
        },
      ],
      ['another total', { again: { ...items, amount: { total: '31.00', currency: 'USD' } } }],
      ['an answer', { again: items, isLost: false }],
      ['a look', { again: items, looks: true }],
      ['a repeat of the first', { again: items, repeatsLater: true }],
      ['hours', { again: items, afterMs: dayMs }],
    ])('may be two orders with %s', async (_, story) => {
      const shop = transport.shop();
      await payTwice(shop, story);
      expect(await highIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a refund or capture that is made again with another note',
  (transport) => {
    /** Refunds or captures twice. The answer to the first request is lost, and a list shows it in the end. */
    async function act(shop: Shop, operation: 'refund' | 'capture', notes: readonly Fields[]) {
      const { id } = await (operation === 'refund' ? sell : authorize)(shop, { total: '100.00' });
      const [op, of] =
        operation === 'refund'
          ? (['sale.refund', 'sale'] as const)
          : (['auth.capture', 'authorization'] as const);
      shop.merchant.force({ op, outcome: 'reset-after-commit', times: 1 });
      for (const note of notes) {
        const body = { amount: { total: '20.00', currency: 'USD' }, ...note };
        const path = `/v1/payments/${of}/${id}/${operation}`;
        await see(shop, op, { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(1000);
      }
      await report(shop);
    }

    it.each([
      ['refund', 'double-refund', [{}, { description: 'Second try' }]],
      ['refund', 'double-refund', [{ reason: 'Broken' }, {}]],
      ['capture', 'double-charge', [{}, { invoice_number: 'INV-7' }]],
      ['refund', 'double-refund', [{ invoice_number: 'RF-7' }, { invoice_number: 'RF-7-2' }]],
      ['refund', 'double-refund', [{ reason: 'RMA 7, try 1' }, { reason: 'RMA 7, try 2' }]],
      ['capture', 'double-charge', uuids.map((invoice_number) => ({ invoice_number }))],
    ] as const)(
      'is reported if only one %s has it, or counts the attempts',
      async (operation, rule, notes) => {
        const shop = transport.shop();
        await act(shop, operation, notes);
        const { severity, what, remedy } = findingOf(await shop.merchant.verdict(), rule);
        expect(severity).toBe('high');
        expect(what).toMatch(
          /^(?:Sale|Authorization) \S+ .*was (?:refunded|captured) twice: 20\.00 USD/,
        );
        expect(what).toContain('The first answer was lost, and the retry used a new');
        expect(remedy).toMatch(/^Build the body of a refund or capture once/);
      },
    );

    it.each([
      ['refund', [{ invoice_number: 'R-1' }, { invoice_number: 'R-2' }]],
      ['capture', [{ invoice_number: 'R-1' }, { invoice_number: 'R-2' }]],
      ['refund', [{ invoice_number: uuids[0] }, { invoice_number: 'R-2' }]],
      ['refund', [{ description: 'RMA-7' }, { description: 'RMA-7 item 2' }]],
    ] as const)('may be for another item: %s', async (operation, notes) => {
      const shop = transport.shop();
      await act(shop, operation, notes);
      expect((await foundIn(shop)).filter((name) => name.includes('double'))).toEqual([]);
    });
  },
  onTestTime,
);

onEveryTransport(
  'one refund that two desks make at once',
  (transport) => {
    /** Both refunds are open together. */
    async function refundTogether(shop: Shop, notes: readonly Fields[]): Promise<void> {
      const { id } = await sell(shop, { total: '100.00' });
      shop.merchant.hold({ op: 'sale.refund', count: 2, release: 'arrival', timeoutMs: 120_000 });
      await Promise.all(
        notes.map((note) => {
          const body = { amount: { total: '20.00', currency: 'USD' }, ...note };
          const path = `/v1/payments/sale/${id}/refund`;
          return see(shop, 'sale.refund', { path, body, headers: keyed(newKey()) });
        }),
      );
    }

    it.each<[string, readonly Fields[]]>([
      ['only one writes a note', [{ description: 'RMA-7' }, {}]],
      [
        'their invoice numbers are new for each',
        uuids.map((invoice_number) => ({ invoice_number, description: 'RMA-7' })),
      ],
    ])('is made twice although %s', async (_, notes) => {
      const shop = transport.shop();
      await refundTogether(shop, notes);
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-refund');
      expect(severity).toBe('high');
      expect(what).toContain('Both requests were open at the same time');
      expect(remedy).toMatch(/^Create one PayPal-Request-Id per refund/);
      expect(verdict.totals).toMatchObject([{ excessRefunded: '20.00' }]);
    });

    it.each<[string, readonly Fields[]]>([
      ['other notes', [{ description: 'Left shoe' }, { description: 'Right shoe' }]],
      ['other invoice numbers', [{ invoice_number: 'V-7' }, { invoice_number: 'V-7-2' }]],
      ['no case', uuids.map((invoice_number) => ({ invoice_number, description: 'Voucher' }))],
    ])('may be two with %s', async (_, notes) => {
      const shop = transport.shop();
      await refundTogether(shop, notes);
      expect(await foundIn(shop)).toEqual([]);
    });

    it('may be two if the second comes later', async () => {
      const shop = transport.shop();
      const { id } = await sell(shop, { total: '100.00' });
      for (const note of [{ description: 'Hat' }, {}]) {
        const body = { amount: { total: '20.00', currency: 'USD' }, ...note };
        const path = `/v1/payments/sale/${id}/refund`;
        await see(shop, 'sale.refund', { path, body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(60_000);
      }
      expect(await foundIn(shop)).toEqual([]);
    });
  },
  onTestTime,
);
