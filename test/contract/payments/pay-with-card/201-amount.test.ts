/** Totals, details and items: what may be paid, and how it is shown again. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { pay } from '../../../support/purchases.ts';

const usd = (total: string, details: Readonly<Record<string, string>>) => ({
  amount: { total, currency: 'USD', details },
});

const item = { quantity: '1', price: '30.00', currency: 'USD' };

const withItems = (items: readonly unknown[]) => ({ item_list: { items } });

onEveryTransport('the amount of a payment', (transport) => {
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
    const shop = transport.shop();
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
    const { transactions } = await pay(transport.shop(), { total: '10', currency });
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
  ] as const)('201 accepts details that add up: %s', async (_, transaction, details) => {
    const payment = await pay(transport.shop(), { transaction });
    expect(payment.transactions[0]?.amount).toEqual({ ...transaction.amount, details });
  });

  it('201 omits empty details', async () => {
    const payment = await pay(transport.shop(), { transaction: usd('30.00', {}) });
    expect(payment.transactions[0]?.amount).toEqual({ total: '30.00', currency: 'USD' });
  });

  it('201 shows items in their own form: two decimals, quantity as a string', async () => {
    const shop = transport.shop();
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

  it('201 compares items with the subtotal if there are details', async () => {
    const payment = await pay(transport.shop(), {
      transaction: { ...usd('31.00', { subtotal: '30.00', tax: '1.00' }), ...withItems([item]) },
    });
    expect(payment.transactions[0]?.item_list?.items).toHaveLength(1);
  });

  it('201 multiplies quantities exactly beyond the precision of floating point', async () => {
    const payment = await pay(transport.shop(), {
      total: '0.01',
      transaction: withItems([
        { ...item, quantity: '9999999999', price: '9999999.99' },
        { ...item, quantity: '9999999998', price: '-9999999.99' },
        { ...item, quantity: '1', price: '-9999999.98' },
      ]),
    });
    expect(payment.transactions[0]?.amount.total).toBe('0.01');
  });

  it('201 does not compare the taxes of items with the tax, as recorded', async () => {
    const payment = await pay(transport.shop(), {
      transaction: {
        ...usd('31.00', { subtotal: '30.00', tax: '1.00' }),
        ...withItems([{ ...item, tax: '0.02' }]),
      },
    });
    expect(payment.transactions[0]?.item_list?.items?.[0]?.tax).toBe('0.02');
  });

  it('201 omits an empty list of items', async () => {
    const payment = await pay(transport.shop(), { transaction: withItems([]) });
    expect(payment.transactions[0]).not.toHaveProperty('item_list.items');
  });

  it('201 cuts the name of an item to 127 whole characters', async () => {
    const names = ['n'.repeat(200), `${'n'.repeat(126)}\u{1F600}`];
    const payment = await pay(transport.shop(), {
      total: '60.00',
      transaction: withItems(names.map((name) => ({ ...item, name }))),
    });
    const shown = payment.transactions[0]?.item_list?.items?.map(({ name }) => name);
    expect(shown).toEqual(['n'.repeat(127), `${'n'.repeat(126)}\u{1F600}`]);
  });
});
