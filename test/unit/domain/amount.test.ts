import { describe, expect, it } from 'vitest';
import {
  amountFormatIssue,
  readBasket,
  zeroAmountIssue,
  type AmountDraft,
  type ItemDraft,
} from '../../../src/domain/payment/amount.ts';
import { refusalKind, wrongFields } from '../../support/worlds/till.ts';

function amount(total: string, details?: AmountDraft['details'], currency = 'USD'): AmountDraft {
  return { total, currency, details };
}

function item(change: Partial<ItemDraft> = {}): ItemDraft {
  return {
    name: undefined,
    sku: undefined,
    description: undefined,
    quantity: '1',
    price: '30.00',
    currency: 'USD',
    tax: undefined,
    ...change,
  };
}

const inAmount = 'transactions[0].amount';
const detailsIssue =
  'Transaction amount details (subtotal, tax, shipping) must add up to specified amount total';
const itemsIssue =
  'Item amount must add up to specified amount subtotal (or total if amount details not specified)';

describe('readBasket', () => {
  it('keeps the amount in minor units', () => {
    expect(readBasket(amount('30.11'), undefined)).toEqual({
      ok: true,
      value: { amount: { minor: 3011, currency: 'USD', details: undefined }, items: undefined },
    });
  });

  it('keeps details under their names, including zeros', () => {
    const read = readBasket(amount('30.11', { subtotal: '30.11', tax: '0' }), undefined);
    expect(read).toMatchObject({
      value: { amount: { minor: 3011, details: { subtotal: 3011, tax: 0 } } },
    });
  });

  it('keeps no details if none has a value', () => {
    const read = readBasket(amount('30.11', { subtotal: undefined }), undefined);
    expect(read).toMatchObject({ value: { amount: { details: undefined } } });
  });

  it('refuses an unsupported currency before anything else', () => {
    const read = readBasket(amount('zero', undefined, 'ZAR'), undefined);
    expect(refusalKind(read)).toBe('currency-not-allowed');
  });

  it('refuses a zero or malformed amount', () => {
    expect(wrongFields(readBasket(amount('0.00'), undefined))).toEqual([
      [`${inAmount}.total`, zeroAmountIssue],
    ]);
    expect(wrongFields(readBasket(amount('10.5'), undefined))).toEqual([
      [`${inAmount}.total`, amountFormatIssue],
    ]);
  });
});

describe('amount details', () => {
  const base = { subtotal: '30.00', tax: '0.07', shipping: '0.03' };

  it.each([
    ['30.10', base],
    ['30.11', { ...base, handling_fee: '1.00', shipping_discount: '-1.00', insurance: '0.01' }],
    ['32.11', { ...base, handling_fee: '1.00', shipping_discount: '-1.00', insurance: '0.01' }],
    [
      '34.07',
      { ...base, shipping: '1', handling_fee: '1', shipping_discount: '1', insurance: '1' },
    ],
    [
      '36.07',
      { ...base, shipping: '1', handling_fee: '1', shipping_discount: '1', insurance: '5' },
    ],
    ['30.60', { ...base, gift_wrap: '0.50' }],
    ['29.60', { ...base, shipping_discount: '0.5' }],
  ])('accepts details that add up to %s', (total, details) => {
    expect(readBasket(amount(total, details), undefined).ok).toBe(true);
  });

  it.each([
    ['30.09', base],
    ['30.11', base],
    ['30.10', { ...base, shipping_discount: '1.00' }],
    ['0.10', { tax: '0.07' }],
  ])('refuses details that do not add up to %s', (total, details) => {
    expect(wrongFields(readBasket(amount(total, details), undefined))).toEqual([
      [inAmount, detailsIssue],
    ]);
  });

  it('reads each detail separately: only a discount may be negative', () => {
    const details = { subtotal: '-1', tax: '1.5', shipping: 'x', shipping_discount: '-0.5' };
    expect(wrongFields(readBasket(amount('30.11', details), undefined))).toEqual([
      [`${inAmount}.details.subtotal`, amountFormatIssue],
      [`${inAmount}.details.shipping`, amountFormatIssue],
      [`${inAmount}.details.tax`, amountFormatIssue],
    ]);
  });

  it('refuses decimals in yen details', () => {
    const details = { subtotal: '1500', tax: '0.5' };
    expect(wrongFields(readBasket(amount('1500', details, 'JPY'), undefined))).toEqual([
      [`${inAmount}.details.tax`, amountFormatIssue],
    ]);
  });
});

describe('line items', () => {
  it('keeps item prices in minor units', () => {
    const items = [item({ price: '-2.5', quantity: '4', tax: '0.1' }), item({ price: '40' })];
    expect(readBasket(amount('30.00'), items)).toMatchObject({
      value: {
        items: [
          { quantity: '4', priceMinor: -250, taxMinor: 10 },
          { quantity: '1', priceMinor: 4000, taxMinor: undefined },
        ],
      },
    });
  });

  it('keeps no items if the list is empty', () => {
    expect(readBasket(amount('30.00'), [])).toMatchObject({ value: { items: undefined } });
  });

  it('requires items to add up to the total, or to the subtotal if there are details', () => {
    const details = { subtotal: '30.00', tax: '1.00' };
    expect(readBasket(amount('30.00'), [item()]).ok).toBe(true);
    expect(readBasket(amount('31.00', details), [item()]).ok).toBe(true);
    for (const of of [amount('31.00'), amount('30.00', { subtotal: '29.00', tax: '1.00' })]) {
      expect(wrongFields(readBasket(of, [item()]))).toEqual([['transactions[0]', itemsIssue]]);
    }
  });

  it('requires a subtotal in details beside items', () => {
    const read = readBasket(amount('30.00', { tax: '30.00' }), [item()]);
    expect(wrongFields(read)).toEqual([[`${inAmount}.details.subtotal`, 'Required field missing']]);
  });

  it('reports a malformed subtotal only once', () => {
    const read = readBasket(amount('30.00', { subtotal: '30.0', tax: '0' }), [item()]);
    expect(wrongFields(read)).toEqual([[`${inAmount}.details.subtotal`, amountFormatIssue]]);
  });

  it('adds up items exactly, however many', () => {
    const many = item({ quantity: '9999999999', price: '9999999.99' });
    const fewer = item({ quantity: '9999999998', price: '-9999999.99' });
    const read = readBasket(amount('9999999.99'), [many, fewer]);
    expect(read.ok).toBe(true);
    expect(wrongFields(readBasket(amount('9999999.98'), [many, fewer]))).toEqual([
      ['transactions[0]', itemsIssue],
    ]);
  });

  it('names each invalid item by its index', () => {
    const items = [
      item(),
      item({ price: '1,00', tax: 'x' }),
      item({ currency: 'EUR', price: '0.001' }),
    ];
    expect(wrongFields(readBasket(amount('30.00'), items))).toEqual([
      ['transactions[0].item_list.items[1].price', amountFormatIssue],
      ['transactions[0].item_list.items[1].tax', amountFormatIssue],
      ['transactions[0].item_list.items[2].price', amountFormatIssue],
      ['transactions[0].item_list.items[2].currency', 'Must be the currency of the amount'],
    ]);
  });

  it('checks sums only if every part is valid', () => {
    const read = readBasket(amount('99.00', { subtotal: 'x' }), [item()]);
    expect(wrongFields(read)).toEqual([[`${inAmount}.details.subtotal`, amountFormatIssue]]);
  });
});
