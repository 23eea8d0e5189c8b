/** What a transaction may hold, and how it is shown again. */
import { describe, expect, it } from 'vitest';
import { throughEveryDoor } from '../../support/doors.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';

const usd = (total: string, details: Readonly<Record<string, string>>) => ({
  amount: { total, currency: 'USD', details },
});

const item = { quantity: '1', price: '30.00', currency: 'USD' };

const withItems = (items: readonly unknown[]) => ({ item_list: { items } });

throughEveryDoor('what a vaulted-card payment holds', (door) => {
  it.each([
    ['7', 'USD', '7.00', 700],
    ['10', 'EUR', '10.00', 1000],
    ['0.01', 'USD', '0.01', 1],
    ['007.50', 'USD', '7.50', 750],
    ['9999999.99', 'USD', '9999999.99', 999_999_999],
    ['1500', 'JPY', '1500', 1500],
    ['9999999', 'HUF', '9999999', 9_999_999],
    ['12', 'TWD', '12', 12],
  ] as const)('201 reads a total of %s %s as %s', async (total, currency, shown, minor) => {
    const shop = door.shop();
    const payment = await pay(shop, { total, currency });
    expect(payment.transactions[0]?.amount).toEqual({ total: shown, currency });
    expect(shop.merchant.ledger().balances).toEqual({
      [currency]: { cardholders: -minor, merchant: minor },
    });
  });

  it.each(
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY MXN MYR NOK NZD PHP PLN RUB SEK SGD THB TWD USD'.split(
      ' ',
    ),
  )('201 pays in %s', async (currency) => {
    const { transactions } = await pay(door.shop(), { total: '10', currency });
    expect(transactions[0]?.amount.currency).toBe(currency);
  });

  it.each([
    [
      'the official example, a negative discount summed',
      usd('30.11', {
        subtotal: '30.00',
        tax: '0.07',
        shipping: '0.03',
        handling_fee: '1.00',
        shipping_discount: '-1.00',
        insurance: '0.01',
      }),
      {
        subtotal: '30.00',
        shipping: '0.03',
        tax: '0.07',
        handling_fee: '1.00',
        shipping_discount: '-1.00',
        insurance: '0.01',
      },
    ],
    [
      'the recorded one, a positive discount added',
      usd('34.07', {
        subtotal: '30',
        tax: '0.07',
        shipping: '1',
        handling_fee: '1',
        shipping_discount: '1',
        insurance: '1',
      }),
      {
        subtotal: '30.00',
        shipping: '1.00',
        tax: '0.07',
        handling_fee: '1.00',
        shipping_discount: '1.00',
        insurance: '1.00',
      },
    ],
    [
      'the recorded one, a positive discount subtracted',
      usd('36.07', {
        subtotal: '30',
        tax: '0.07',
        shipping: '1',
        handling_fee: '1',
        shipping_discount: '1',
        insurance: '5',
      }),
      {
        subtotal: '30.00',
        shipping: '1.00',
        tax: '0.07',
        handling_fee: '1.00',
        shipping_discount: '1.00',
        insurance: '5.00',
      },
    ],
    [
      'gift wrap, and parts of zero left out',
      usd('12.00', { subtotal: '10', gift_wrap: '2', tax: '0.00', shipping: '0' }),
      { subtotal: '10.00', gift_wrap: '2.00' },
    ],
    [
      'a discount with one decimal',
      usd('9.50', { subtotal: '10', shipping_discount: '-0.5' }),
      {
        subtotal: '10.00',
        shipping_discount: '-0.50',
      },
    ],
  ] as const)('201 adds the details up: %s', async (_, transaction, details) => {
    const payment = await pay(door.shop(), { transaction });
    expect(payment.transactions[0]?.amount).toEqual({ ...transaction.amount, details });
  });

  it('201 leaves empty details out', async () => {
    const payment = await pay(door.shop(), { transaction: usd('30.00', {}) });
    expect(payment.transactions[0]?.amount).toEqual({ total: '30.00', currency: 'USD' });
  });

  it('201 shows items in their own form: two decimals, quantity as a string', async () => {
    const shop = door.shop();
    const payment = await pay(shop, {
      total: '30.00',
      transaction: withItems([
        { quantity: 5, price: '3', currency: 'USD', name: 'Hat', tax: '0.01', sku: 'hat-1' },
        { quantity: '1', price: '17.0', currency: 'USD', description: 'A bag' },
        { quantity: '1', price: '-2.00', currency: 'USD', name: 'Voucher' },
      ]),
    });
    expect(JSON.stringify(payment.transactions[0]?.item_list)).toBe(
      '{"items":[{"name":"Hat","sku":"hat-1","price":"3.00","currency":"USD","tax":"0.01","quantity":"5"},' +
        '{"description":"A bag","price":"17.00","currency":"USD","quantity":"1"},' +
        '{"name":"Voucher","price":"-2.00","currency":"USD","quantity":"1"}]}',
    );
  });

  it('201 holds items against the subtotal where there are details', async () => {
    const payment = await pay(door.shop(), {
      transaction: { ...usd('31.00', { subtotal: '30.00', tax: '1.00' }), ...withItems([item]) },
    });
    expect(payment.transactions[0]?.item_list?.items).toHaveLength(1);
  });

  it('201 counts quantities exactly that no floating point number holds', async () => {
    const payment = await pay(door.shop(), {
      total: '0.01',
      transaction: withItems([
        { ...item, quantity: '9999999999', price: '9999999.99' },
        { ...item, quantity: '9999999998', price: '-9999999.99' },
        { ...item, quantity: '1', price: '-9999999.98' },
      ]),
    });
    expect(payment.transactions[0]?.amount.total).toBe('0.01');
  });

  it('201 does not hold the taxes of items against the tax (recorded)', async () => {
    const payment = await pay(door.shop(), {
      transaction: {
        ...usd('31.00', { subtotal: '30.00', tax: '1.00' }),
        ...withItems([{ ...item, tax: '0.02' }]),
      },
    });
    expect(payment.transactions[0]?.item_list?.items?.[0]?.tax).toBe('0.02');
  });

  it('201 leaves an empty list of items out', async () => {
    const payment = await pay(door.shop(), { transaction: withItems([]) });
    expect(payment.transactions[0]).not.toHaveProperty('item_list.items');
  });

  it('201 cuts the name of an item at 127 characters, and never through one', async () => {
    const names = ['n'.repeat(200), `${'n'.repeat(126)}\u{1F600}`];
    const payment = await pay(door.shop(), {
      total: '60.00',
      transaction: withItems(names.map((name) => ({ ...item, name }))),
    });
    const shown = payment.transactions[0]?.item_list?.items?.map(({ name }) => name);
    expect(shown).toEqual(['n'.repeat(127), 'n'.repeat(126)]);
  });

  describe('notes', () => {
    const notes = {
      reference_id: 'ref-1',
      description: 'Zwölf Hüte für Übersee',
      note_to_payee: 'Ring twice',
      custom: 'order 1042',
      invoice_number: 'INV-1042',
      item_list: {
        shipping_address: {
          recipient_name: 'Ada Tester',
          line1: '1 Mock Way',
          line2: 'Back door',
          city: 'Sampleton',
          state: 'OH',
          postal_code: '43001',
          country_code: 'US',
          phone: '+1 614 555 0100',
        },
      },
    };

    it('201 shows them again, unchanged', async () => {
      const { transactions } = await pay(door.shop(), { transaction: notes });
      expect(transactions[0]).toMatchObject(notes);
      expect(Object.keys(transactions[0] ?? {})).toEqual([
        'amount',
        'reference_id',
        'description',
        'note_to_payee',
        'custom',
        'invoice_number',
        'item_list',
        'related_resources',
      ]);
    });

    it('201 takes each at its longest', async () => {
      const longest = {
        reference_id: 'r'.repeat(256),
        description: 'd'.repeat(127),
        note_to_payee: 'n'.repeat(255),
        custom: 'c'.repeat(127),
        invoice_number: 'i'.repeat(127),
        item_list: {
          items: [
            {
              ...item,
              price: '30.11',
              name: 'n'.repeat(127),
              sku: 's'.repeat(127),
              description: 'd'.repeat(127),
            },
          ],
          shipping_address: {
            recipient_name: 'a'.repeat(127),
            line1: '1'.repeat(300),
            line2: '2'.repeat(300),
            city: 'c'.repeat(64),
            state: 's'.repeat(300),
            country_code: 'US',
            phone: '5'.repeat(50),
          },
        },
      };
      const { transactions } = await pay(door.shop(), { transaction: longest });
      expect(transactions[0]).toMatchObject(longest);
    });
  });

  it('201 takes what it does not read, a soft descriptor too long included, and does not show it', async () => {
    const shop = door.shop();
    const plain = paymentBody({ cardId: await storeCard(shop) });
    const body = {
      ...paymentBody({
        cardId: await storeCard(shop),
        transaction: {
          soft_descriptor: 'A DESCRIPTOR OF MORE THAN 22 CHARACTERS',
          payment_options: { allowed_payment_method: 'INSTANT_FUNDING_SOURCE' },
          notify_url: 'https://shop.test/notify',
          payee: { email: 'shop@example.test' },
        },
      }),
      redirect_urls: { return_url: 'https://shop.test/ok', cancel_url: 'https://shop.test/no' },
      note_to_payer: 'Thank you',
    };
    const before = await shop.ask('payment.create', 201, { body: plain });
    const payment = await shop.ask('payment.create', 201, { body });
    expect(Object.keys(payment)).toEqual(Object.keys(before));
    expect(Object.keys(payment.transactions[0] ?? {})).toEqual(
      Object.keys(before.transactions[0] ?? {}),
    );
  });

  it('201 does not echo the zeroes and nulls that clients send for unset fields', async () => {
    const shop = door.shop();
    const cardId = await storeCard(shop);
    const reply = await shop.reply('payment.create', 201, {
      body: {
        intent: 'sale',
        experience_profile_id: null,
        redirect_urls: null,
        payer: {
          payment_method: 'credit_card',
          payer_info: null,
          funding_instruments: [
            {
              credit_card: null,
              credit_card_token: {
                credit_card_id: cardId,
                external_customer_id: null,
                payer_id: null,
                last4: null,
                type: null,
                expire_month: 0,
                expire_year: 0,
              },
            },
          ],
        },
        transactions: [
          {
            amount: { total: '7.47', currency: 'USD', details: null },
            description: null,
            invoice_number: null,
            custom: null,
            item_list: null,
            related_resources: null,
          },
        ],
      },
    });
    expect(reply.text).not.toContain('null');
    expect(reply.body.payer.funding_instruments).toEqual([
      {
        credit_card_token: {
          credit_card_id: cardId,
          last4: '0331',
          type: 'visa',
          expire_month: 11,
          expire_year: 2031,
        },
      },
    ]);
    expect(Object.keys(reply.body.transactions[0] ?? {})).toEqual(['amount', 'related_resources']);
  });
});
