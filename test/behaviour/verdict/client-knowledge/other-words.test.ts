/** One order that two parts of a client, or two attempts, name in different words. */
import { expect, it } from 'vitest';
import { dayMs, hourMs, storeCard } from '../../../support/purchases.ts';
import { paymentBody, rawPaymentBody } from '../../../support/samples.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { lose, newKey, report } from '../support/named-orders.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Story {
  readonly first: Fields;
  readonly again: Fields;
  readonly afterMs?: number;
  /** Changes the second payment beside its words. */
  readonly change?: Partial<Parameters<typeof paymentBody>[0]>;
  readonly customer?: string;
  readonly isLost?: boolean;
}

const uuids = ['0b6f0a52-5d0e-4f7e-9a43-6f0b8f3f2a11', '7c1d9c0e-33b2-4d6a-8f55-2a9e1c4b7d02'];
const items = {
  item_list: { items: [{ name: 'Hat', quantity: '1', price: '30.11', currency: 'USD' }] },
};

const whole = { total: '30.11', currency: 'USD' };

/** Pays an order twice. */
async function payTwice(shop: Shop, story: Story): Promise<void> {
  const { first, again, afterMs = hourMs, change = {}, customer, isLost = false } = story;
  const owner = customer === undefined ? {} : { external_customer_id: customer };
  const cardId = await storeCard(shop, owner);
  const parts = { cardId, ...(customer !== undefined && { externalCustomerId: customer }) };
  if (isLost) lose(shop);
  for (const [at, words] of [first, again].entries()) {
    const transaction = { description: undefined, ...words };
    const body = paymentBody({ ...parts, transaction, ...(at > 0 && change) });
    await see(shop, 'payment.create', { body, headers: keyed(newKey()) });
    shop.merchant.clock.advance(afterMs);
  }
}

/** The findings above a remark. */
async function seriousIn(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter((name) => !name.startsWith('low'));
}

const order = { custom: 'order-77' };

const hats = itemsOf(
  { name: 'Hat', quantity: '2', price: '10.00' },
  { name: 'Pin', price: '10.11' },
);

function itemsOf(...lines: readonly Fields[]): Fields {
  return {
    item_list: { items: lines.map((line) => ({ quantity: '1', currency: 'USD', ...line })) },
  };
}

function shippedTo(line1: string): Fields {
  const address = { line1, city: 'Sampleton', state: 'OH', postal_code: '43001' };
  return { ...order, item_list: { shipping_address: { ...address, country_code: 'US' } } };
}

onEveryTransport(
  'an order that is paid again in other words',
  (transport) => {
    it.each<[string, Story, RegExp]>([
      [
        'an invoice number that is new for each attempt',
        {
          first: { ...order, invoice_number: uuids[0] },
          again: { ...order, invoice_number: uuids[1] },
        },
        /The invoice_number of the second is "7c1d9c0e-\S+", which is new for each payment\.$/,
      ],
      [
        'the time in place of an invoice number',
        {
          first: { description: 'Order #77', invoice_number: '1778051289' },
          again: { description: 'Order #77', invoice_number: 'WEB-1778054889123' },
        },
        /which is new for each payment\.$/,
      ],
      [
        'items that only one part sends',
        { first: { ...order, ...items }, again: order },
        /Only one of them has item_list\.$/,
      ],
      [
        'another field',
        { first: { custom: 'order-77' }, again: { reference_id: 'Order-77' } },
        /Only one of them has custom and reference_id\.$/,
      ],
      [
        'an invoice number in `custom`',
        { first: { invoice_number: 'INV-77' }, again: { custom: 'INV-077' } },
        /Only one of them has invoice_number and custom\.$/,
      ],
      [
        'its invoice number in a description',
        { first: { invoice_number: 'INV-77' }, again: { description: 'Invoice INV-77' } },
        /Only one of them has invoice_number and description\.$/,
      ],
      [
        'an address in capitals',
        { first: shippedTo('1 Mock Way'), again: shippedTo('1 MOCK WAY') },
        /The shipping_address of the second differs only in capitals, spaces, signs, zeros or accents\.$/,
      ],
      [
        'an invoice number without a word',
        { first: { invoice_number: '2026-0042' }, again: { custom: 'Invoice 2026-0042' } },
        /Only one of them has invoice_number and custom\.$/,
      ],
      [
        'capitals in `custom`',
        { first: { custom: 'order-77' }, again: { custom: 'Order-77' } },
        /The custom of the second is "Order-77", which differs only in capitals/,
      ],
      [
        'a letter with its accent apart',
        {
          first: { ...order, description: 'Caf\u00e9' },
          again: { ...order, description: 'Cafe\u0301' },
        },
        /The description of the second differs only in capitals, spaces, signs, zeros or accents\.$/,
      ],
      [
        'another sign in `custom`',
        { first: { custom: 'ORD-77' }, again: { custom: 'Ord #77' } },
        /The custom of the second is "Ord #77", which differs only in capitals/,
      ],
      [
        'JSON with its members in another order',
        {
          first: { custom: '{"order":77,"buyer":"ada"}' },
          again: { custom: '{"buyer":"ada","order":"77"}' },
        },
        /The custom of the second is ".+", which says the same in another order\.$/,
      ],
      [
        'JSON within a text of JSON',
        {
          first: { custom: '{"order":77,"buyer":"ada"}' },
          again: { custom: JSON.stringify('{"order":77,"buyer":"ada"}') },
        },
        /says the same in another order\.$/,
      ],
      [
        'a query in another order',
        { first: { custom: 'order=77&buyer=ada' }, again: { custom: 'buyer=ada&order=77' } },
        /says the same in another order\.$/,
      ],
      [
        'escapes of HTML',
        {
          first: { ...order, description: `Ada's "hat" & <pin>` },
          again: { ...order, description: 'Ada&#39;s &quot;hat&quot; &amp;amp; &#x3C;pin&gt;' },
        },
        /The description of the second says the same with other escapes\.$/,
      ],
      [
        'escapes of a URL',
        {
          first: { custom: 'order 77/hat, 10% off' },
          again: { custom: 'order%2077%2Fhat%2C 10% off' },
        },
        /The custom of the second is ".+", which says the same with other escapes\.$/,
      ],
      [
        'a line for each of two hats',
        {
          first: { ...order, ...hats },
          again: {
            ...order,
            ...itemsOf(
              { name: 'Pin', price: '10.11' },
              { name: 'Hat', price: '10.00' },
              { name: 'Hat', price: '10.00' },
            ),
          },
        },
        /The item_list of the second has other lines for the same items\.$/,
      ],
      [
        'a month with an invoice number of its own',
        {
          customer: 'ada',
          first: { description: 'Plan M 2026-05', invoice_number: uuids[0] },
          again: { description: 'Plan M 2026-05', invoice_number: uuids[1] },
        },
        /which is new for each payment\.$/,
      ],
    ])('is charged twice: %s', async (_, story, text) => {
      const shop = transport.shop();
      await payTwice(shop, story);
      const verdict = await shop.merchant.verdict();
      const { severity, confidence, what } = findingOf(verdict, 'double-charge');
      expect([severity, confidence]).toEqual(['high', 'likely']);
      expect(what).toMatch(
        / was charged twice: 30\.11 USD at 07:08:09 and 30\.11 USD at 08:08:09\./,
      );
      expect(what).toContain(
        'The first answer was delivered, and both payments name the same order',
      );
      expect(what).toMatch(text);
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it.each<[string, Story, RegExp]>([
      [
        'an invoice number',
        {
          first: { invoice_number: 'ada-2026-05-try1' },
          again: { invoice_number: 'ada-2026-05-try2' },
        },
        /^Make the invoice number from the order/,
      ],
      [
        'an invoice number at first, and added later',
        { first: { invoice_number: 'INV-7' }, again: { invoice_number: 'INV-7-retry' } },
        /^Make the invoice number from the order/,
      ],
      [
        '`custom`',
        { first: { custom: 'cart-7 (attempt 1)' }, again: { custom: 'cart-7 (attempt 2)' } },
        /Build the body of a payment in one place/,
      ],
      [
        'a description',
        { first: { description: 'Order 77, try 1' }, again: { description: 'Order 77, try 2' } },
        /Build the body of a payment in one place/,
      ],
      [
        'front of a description',
        {
          first: { description: 'Order 77' },
          again: { description: 'Retry 1 of order 77' },
        },
        /Build the body of a payment in one place/,
      ],
      [
        'the words of a description',
        {
          first: { description: 'Order 77' },
          again: { description: 'Order 77 (2nd attempt)' },
        },
        /Build the body of a payment in one place/,
      ],
      [
        'a description that says nothing else',
        { first: order, again: { ...order, description: 'second try' } },
        /Build the body of a payment in one place/,
      ],
      [
        'JSON',
        {
          first: { custom: '{"order":77,"attempt":1}' },
          again: { custom: '{"order":77,"attempt":2}' },
        },
        /Build the body of a payment in one place/,
      ],
      [
        'JSON without an order',
        {
          first: { custom: '{"cart":"x9","try":1}' },
          again: { custom: '{"try":2,"cart":"x9"}' },
        },
        /Build the body of a payment in one place/,
      ],
      [
        'JSON, as the id of the request',
        {
          first: { custom: `{"order":77,"requestId":"${uuids[0]}"}` },
          again: { custom: `{"order":77,"requestId":"${uuids[1]}"}` },
        },
        /Build the body of a payment in one place/,
      ],
    ])('is one order whose attempts are counted in %s, however soon', async (_, story, advice) => {
      const shop = transport.shop();
      await payTwice(shop, { ...story, afterMs: 0 });
      const verdict = await shop.merchant.verdict();
      const { severity, what, remedy } = findingOf(verdict, 'double-charge');
      expect(severity).toBe('high');
      expect(what).toMatch(/ differs only in what it says of the attempt\.$/);
      expect(remedy).toMatch(advice);
      expect(verdict.totals).toMatchObject([{ excess: '30.11' }]);
    });

    it('is another order if its number differs, too', async () => {
      const shop = transport.shop();
      const [first, again] = ['05', '06'].map((month) => ({ invoice_number: `ada-${month}-try1` }));
      await payTwice(shop, { first: first ?? {}, again: again ?? {} });
      await payTwice(shop, { first: { custom: 'cart-7-try1' }, again: { custom: 'cart-8-try2' } });
      expect(await seriousIn(shop)).toEqual([]);
    });

    it.each<[string, Story]>([
      ['a description', { first: order, again: { ...order, description: 'By phone' } }],
      ['a note', { first: order, again: { ...order, note_to_payee: 'By phone' } }],
      [
        'a time within `custom`',
        {
          first: { custom: '{"order_id":1001,"at":1778051289}' },
          again: { custom: '{"order_id":1001,"at":1778054889}' },
        },
      ],
      ['an address', { first: order, again: shippedTo('1 Mock Way') }],
      ['a reference', { first: order, again: { ...order, reference_id: 'balance' } }],
    ])('may be paid in parts that differ in %s', async (_, story) => {
      const shop = transport.shop();
      await payTwice(shop, story);
      expect(await seriousIn(shop)).toEqual(['medium double-charge']);
      const { remedy } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(remedy).toMatch(/^If both were wanted, say in each description which part/);
    });

    it.each<[string, Story]>([
      [
        'other descriptions',
        {
          first: { ...order, description: 'Deposit' },
          again: { ...order, description: 'Balance' },
        },
      ],
      [
        'other invoice numbers',
        {
          first: { ...order, invoice_number: 'INV-77-a' },
          again: { ...order, invoice_number: 'INV-77-b' },
        },
      ],
      [
        'one invoice number that is new each time',
        {
          first: { ...order, invoice_number: uuids[0] },
          again: { ...order, invoice_number: 'INV-8' },
        },
      ],
      ['another order', { first: { custom: 'order-77' }, again: { reference_id: 'order-78' } }],
      [
        'another number in JSON',
        {
          first: { custom: '{"order":77,"buyer":"ada"}' },
          again: { custom: '{"buyer":"ada","order":78}' },
        },
      ],
      [
        'another part in JSON',
        {
          first: { custom: '{"order":77,"part":1}' },
          again: { custom: '{"part":2,"order":77}' },
        },
      ],
      [
        'another pair in a list of JSON',
        { first: { custom: '[{"order":77},1]' }, again: { custom: '[{"order":77},2]' } },
      ],
      [
        'a part in a query',
        { first: { custom: 'order=77&part=1' }, again: { custom: 'part=2&order=77' } },
      ],
      [
        'an escape of another sign',
        { first: { custom: 'order 77/2' }, again: { custom: 'order 77%3A3' } },
      ],
      [
        'JSON that is cut off',
        { first: { custom: '{"order":77,"a":1,"b"' }, again: { custom: '{"a":1,"order":77,"b"' } },
      ],
      [
        'more hats',
        {
          first: { ...order, ...hats },
          again: { ...order, ...itemsOf({ name: 'Hat', quantity: '3', price: '10.00' }) },
        },
      ],
      [
        'a second delivery',
        {
          first: { ...order, description: 'Delivery' },
          again: { ...order, description: 'Delivery again' },
        },
      ],
      [
        'a country and its number',
        {
          first: { ...order, description: 'Country 1' },
          again: { ...order, description: 'Country 2' },
        },
      ],
      [
        'a return that names another order',
        {
          first: { description: 'Order 77, retry of 1001' },
          again: { description: 'Order 77, retry of 1002' },
        },
      ],
      [
        'another kind of number',
        { first: { custom: 'booking-77' }, again: { reference_id: 'order-77' } },
      ],
      ['no number', { first: { custom: 'web' }, again: { custom: 'web', ...items } }],
      [
        'a day in its number',
        {
          first: { invoice_number: 'INV-20260506-1778051289' },
          again: { invoice_number: 'INV-20260506-1778054889' },
        },
      ],
      [
        'a customer in its number',
        {
          first: { invoice_number: 'INV-42-1778051289' },
          again: { invoice_number: 'INV-42-1778054889' },
        },
      ],
      [
        'sessions in `custom`',
        {
          first: { custom: uuids[0], description: 'Order #77' },
          again: { custom: uuids[1], description: 'Order #77' },
        },
      ],
      [
        'another part of its amount',
        {
          first: { ...order, amount: { ...whole, details: { subtotal: '25.11', tax: '5.00' } } },
          again: { ...order, amount: { ...whole, details: { subtotal: '28.11', tax: '2.00' } } },
        },
      ],
      ['another address', { first: shippedTo('1 Mock Way'), again: shippedTo('2 Mock Way') }],
      [
        'another seller on the statement',
        {
          first: { ...order, soft_descriptor: 'SHOP A' },
          again: { ...order, soft_descriptor: 'SHOP B' },
        },
      ],
      [
        'another amount',
        { first: order, again: { ...order, ...items }, change: { total: '8.00' } },
      ],
      [
        'another customer',
        {
          customer: 'ada',
          first: order,
          again: { ...order, ...items },
          change: { externalCustomerId: 'bob' },
        },
      ],
      [
        'five days between them',
        { first: order, again: { ...order, ...items }, afterMs: 5 * dayMs },
      ],
      ['a moment between them', { first: order, again: { ...order, ...items }, afterMs: 9_000 }],
    ])('may be two orders: %s', async (_, story) => {
      const shop = transport.shop();
      await payTwice(shop, story);
      expect(await seriousIn(shop)).toEqual([]);
    });

    it('is one order if both were sent at once', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.hold({
        op: 'payment.create',
        count: 2,
        release: 'arrival',
        timeoutMs: 120_000,
      });
      await Promise.all(
        [{}, { note_to_payee: 'By phone' }].map((words) => {
          const transaction = { ...order, description: undefined, ...words };
          const body = paymentBody({ cardId, transaction });
          return see(shop, 'payment.create', { body, headers: keyed(newKey()) });
        }),
      );
      expect(await seriousIn(shop)).toEqual(['high double-charge']);
    });

    it('is reported once if one of both is a hold', async () => {
      const shop = transport.shop();
      const change = { intent: 'authorize' };
      await payTwice(shop, { first: order, again: { ...order, ...items }, change });
      expect(await seriousIn(shop)).toEqual(['high double-charge']);
    });

    it('leaves money on hold if both authorize it', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      for (const words of [items, {}]) {
        const transaction = { ...order, description: undefined, ...words };
        const body = paymentBody({ cardId, intent: 'authorize', transaction });
        await see(shop, 'payment.create', { body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(hourMs);
      }
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toContain(
        'was authorized twice, and 30.11 USD at 07:08:09 and 30.11 USD at 08:08:09 are still on hold.',
      );
    });

    it('is one order although a customer stored the card twice', async () => {
      const shop = transport.shop();
      for (const words of [items, {}]) {
        const cardId = await storeCard(shop, { external_customer_id: 'ada' });
        const transaction = { ...order, description: undefined, ...words };
        const body = paymentBody({ cardId, externalCustomerId: 'ada', transaction });
        await see(shop, 'payment.create', { body, headers: keyed(newKey()) });
        shop.merchant.clock.advance(hourMs);
      }
      expect(await seriousIn(shop)).toContain('high double-charge');
    });

    it.each<[string, Fields, Fields]>([
      ['another field', { invoice_number: 'INV-7' }, { custom: 'INV-7' }],
      ['a description', { custom: 'order-7' }, { description: 'Order 7' }],
    ])(
      'is paid again at once after a lost answer, under the number in %s',
      async (_, first, again) => {
        const shop = transport.shop();
        await payTwice(shop, { first, again, afterMs: 3000, isLost: true });
        await report(shop);
        const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
        expect(what).toContain('The first answer was lost, and both payments name the same order');
      },
    );

    it('is one order for one holder, in capitals or not', async () => {
      const shop = transport.shop();
      for (const [at, change] of [{}, { first_name: 'ADA', last_name: 'TESTER' }].entries()) {
        const body = rawPaymentBody(change, { transaction: { ...order, description: undefined } });
        await see(shop, 'payment.create', { body, headers: keyed(`${at}`) });
        shop.merchant.clock.advance(hourMs);
      }
      expect(await seriousIn(shop)).toContain('high double-charge');
    });

    it('is one order although another card, whose number ends alike, paid a part of it', async () => {
      const shop = transport.shop();
      const words = { custom: 'order-77', description: undefined };
      const attempts: readonly (readonly [string, Fields])[] = [
        ['4417119660160331', words],
        ['4417119660080331', words],
        ['4417119660080331', { description: 'Order 77' }],
      ];
      for (const [at, [number, transaction]] of attempts.entries()) {
        const body = rawPaymentBody({ number }, { transaction });
        await see(shop, 'payment.create', { body, headers: keyed(`${at}`) });
        shop.merchant.clock.advance(hourMs);
      }
      const { findings } = await shop.merchant.verdict();
      expect(findings.map(({ what }) => what)).toContainEqual(
        expect.stringContaining('Only one of them has custom'),
      );
    });

    it('is paid in parts by two cards whose numbers end alike', async () => {
      const shop = transport.shop();
      for (const [at, card] of [{}, { number: '4417119660080331' }].entries()) {
        const transaction = { ...order, description: undefined, ...(at > 0 && items) };
        const body = rawPaymentBody(card, { transaction });
        await see(shop, 'payment.create', { body, headers: keyed(`${at}`) });
        shop.merchant.clock.advance(hourMs);
      }
      const found = await seriousIn(shop);
      expect(found.filter((name) => name.endsWith('double-charge'))).toEqual([]);
    });

    it.each([
      ['is another order if a repeat was answered before', 1, 0],
      ['is one order if its repeats were lost as well', 3, 1],
    ])('%s', async (_, losses, count) => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: losses });
      for (const uuid of uuids) {
        const transaction = { ...order, invoice_number: `INV-${uuid}` };
        const body = paymentBody({ cardId, transaction });
        for (let sent = 0; sent < 3; sent++) {
          await see(shop, 'payment.create', { body, headers: keyed(uuid) });
        }
      }
      await report(shop);
      const found = await seriousIn(shop);
      expect(found.filter((name) => name.endsWith('double-charge'))).toHaveLength(count);
    });

    it('is reported once after a lost answer', async () => {
      const shop = transport.shop();
      await payTwice(shop, { first: order, again: { ...order, ...items }, isLost: true });
      await report(shop);
      const found = await seriousIn(shop);
      expect(found.filter((name) => name.endsWith('double-charge'))).toHaveLength(1);
    });
  },
  onTestTime,
);
