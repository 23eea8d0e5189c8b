import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import {
  formatIssue,
  issuesOf,
  malformedRequest,
  refusalOf,
  requiredIssue,
  zeroIssue,
} from '../../../support/requests/refusals.ts';
import { paymentBody } from '../../../support/samples.ts';

async function requestWith(shop: Shop, transaction: Readonly<Record<string, unknown>>) {
  return { body: paymentBody({ cardId: await storeCard(shop), transaction }) };
}

const inAmount = 'transactions[0].amount';
const totalField = `${inAmount}.total`;
const inItem = 'transactions[0].item_list.items[0]';

const item = { quantity: '1', price: '30.00', currency: 'USD' };
const itemsIssue =
  'Item amount must add up to specified amount subtotal (or total if amount details not specified)';
const detailsIssue =
  'Transaction amount details (subtotal, tax, shipping) must add up to specified amount total';

onEveryTransport('the amount of a vaulted-card payment', (transport) => {
  it('400 answers with the exact body of a refusal for wrong fields', async () => {
    const shop = transport.shop();
    const request = await requestWith(shop, { amount: { total: '10.5', currency: 'USD' } });
    const { body, text } = await shop.reply('payment.create', 400, request);
    expect(text).toBe(
      `{"name":"VALIDATION_ERROR","details":[{"field":"${totalField}","issue":${JSON.stringify(formatIssue)}}],` +
        `"message":"Invalid request - see details",` +
        `"information_link":"https://developer.paypal.com/docs/api/#VALIDATION_ERROR","debug_id":"${body.debug_id}"}`,
    );
    expect(shop.merchant.ledger()).toMatchObject({ transfers: [], balances: {} });
  });

  it.each([
    [30.11, 'USD', formatIssue],
    [30, 'JPY', formatIssue],
    ['10.5', 'USD', formatIssue],
    ['10.555', 'USD', formatIssue],
    ['10.', 'USD', formatIssue],
    ['.50', 'USD', formatIssue],
    ['10,50', 'EUR', formatIssue],
    ['1,000.00', 'USD', formatIssue],
    ['12345678', 'USD', formatIssue],
    ['12345678.00', 'USD', formatIssue],
    ['1e3', 'USD', formatIssue],
    ['9'.repeat(30), 'USD', formatIssue],
    ['-1.00', 'USD', formatIssue],
    ['+1.00', 'USD', formatIssue],
    ['', 'USD', formatIssue],
    [' 1.00', 'USD', formatIssue],
    ['1.00\n', 'USD', formatIssue],
    ['0x10', 'USD', formatIssue],
    ['١٠', 'USD', formatIssue],
    ['ten', 'USD', formatIssue],
    ['1500.00', 'JPY', formatIssue],
    ['1500.5', 'HUF', formatIssue],
    ['1500.00', 'TWD', formatIssue],
    ['12345678', 'JPY', formatIssue],
    ['0', 'USD', zeroIssue],
    ['0.00', 'EUR', zeroIssue],
    ['0', 'JPY', zeroIssue],
    [null, 'USD', requiredIssue],
  ])('400 refuses a total of %j %s', async (total, currency, issue) => {
    const shop = transport.shop();
    const request = await requestWith(shop, { amount: { total, currency } });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([[totalField, issue]]);
  });

  it.each(['ABC', 'usd', 'US', 'USDX', '', '840'])(
    '400 refuses the unknown currency %j',
    async (currency) => {
      const shop = transport.shop();
      const request = await requestWith(shop, { amount: { total: '1.00', currency } });
      expect(await issuesOf(shop, 'payment.create', request)).toEqual([
        [`${inAmount}.currency`, 'Must be a three-letter ISO 4217 currency code'],
      ]);
    },
  );

  it.each(['ZAR', 'KRW', 'BHD', 'TRY'])(
    '400 refuses the currency %s, in which the service does not pay',
    async (currency) => {
      const shop = transport.shop();
      const request = await requestWith(shop, { amount: { total: '1.00', currency } });
      expect(await refusalOf(shop, 'payment.create', request)).toEqual({
        name: 'CURRENCY_NOT_ALLOWED',
        message: 'The service does not process payments in this currency',
      });
    },
  );

  it.each([
    ['total', { currency: 'USD' }, [[totalField, requiredIssue]]],
    ['currency', { total: '1.00' }, [[`${inAmount}.currency`, requiredIssue]]],
    [
      'total and currency',
      {},
      [
        [totalField, requiredIssue],
        [`${inAmount}.currency`, requiredIssue],
      ],
    ],
  ])('400 names a missing %s', async (_, amount, issues) => {
    const shop = transport.shop();
    const request = await requestWith(shop, { amount });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual(issues);
  });

  it.each([
    ['too low', { subtotal: '30.00' }],
    ['too high', { subtotal: '30.11', tax: '0.01' }],
    ['only zeroes', { shipping: '0.00' }],
    ['a discount that fits with neither sign', { subtotal: '30.11', shipping_discount: '1.00' }],
  ])('400 refuses details that do not add up: %s', async (_, details) => {
    const shop = transport.shop();
    const amount = { total: '30.11', currency: 'USD', details };
    const request = await requestWith(shop, { amount });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([[inAmount, detailsIssue]]);
  });

  it.each([
    ['subtotal', '-30.11'],
    ['tax', '1.5'],
    ['shipping', 1],
    ['handling_fee', '1,00'],
    ['shipping_discount', '--1'],
    ['insurance', '1.000'],
    ['gift_wrap', ''],
  ])('400 refuses a %s of %j', async (name, value) => {
    const shop = transport.shop();
    const amount = {
      total: '30.11',
      currency: 'USD',
      details: { subtotal: '30.11', [name]: value },
    };
    const request = await requestWith(shop, { amount });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      [`${inAmount}.details.${name}`, formatIssue],
    ]);
  });

  it.each([
    ['one too many', [{ ...item, quantity: '2' }]],
    ['a cent short', [{ ...item, price: '29.99' }]],
    ['a huge quantity', [{ ...item, quantity: '9999999999', price: '9999999.99' }]],
    ['a negative price that leaves less', [item, { ...item, price: '-0.01' }]],
  ])('400 refuses items that do not add up to the total: %s', async (_, items) => {
    const shop = transport.shop();
    const amount = { total: '30.00', currency: 'USD' };
    const request = await requestWith(shop, { amount, item_list: { items } });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      ['transactions[0]', itemsIssue],
    ]);
  });

  it('400 refuses items that add up to the total and not to the subtotal', async () => {
    const shop = transport.shop();
    const request = await requestWith(shop, {
      amount: { total: '30.00', currency: 'USD', details: { subtotal: '29.00', tax: '1.00' } },
      item_list: { items: [item] },
    });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      ['transactions[0]', itemsIssue],
    ]);
  });

  it('400 requires the subtotal if there are items and details', async () => {
    const shop = transport.shop();
    const request = await requestWith(shop, {
      amount: { total: '30.00', currency: 'USD', details: { shipping: '30.00' } },
      item_list: { items: [item] },
    });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      [`${inAmount}.details.subtotal`, requiredIssue],
    ]);
  });

  it('400 names both sums if both are wrong', async () => {
    const shop = transport.shop();
    const request = await requestWith(shop, {
      amount: { total: '40.00', currency: 'USD', details: { subtotal: '29.00' } },
      item_list: { items: [item] },
    });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      [inAmount, detailsIssue],
      ['transactions[0]', itemsIssue],
    ]);
  });

  it.each([
    ['price', '30.000', formatIssue],
    ['price', 30, formatIssue],
    ['price', undefined, requiredIssue],
    ['tax', '1,00', formatIssue],
    ['quantity', undefined, requiredIssue],
    ['quantity', '1.5', 'Must be numeric'],
    ['quantity', '-1', 'Must be numeric'],
    ['quantity', '', 'Must be numeric'],
    ['quantity', '12345678901', 'Must be numeric'],
    ['currency', undefined, requiredIssue],
    ['currency', 'ABC', 'Must be a three-letter ISO 4217 currency code'],
    ['currency', 'EUR', 'Must be the currency of the amount'],
    ['sku', 's'.repeat(128), 'Value exceeds max length of 127'],
    ['description', 'd'.repeat(128), 'Value exceeds max length of 127'],
  ])('400 refuses an item with a %s of %j', async (name, value, issue) => {
    const shop = transport.shop();
    const request = await requestWith(shop, {
      amount: { total: '30.00', currency: 'USD' },
      item_list: { items: [{ ...item, [name]: value }] },
    });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([[`${inItem}.${name}`, issue]]);
  });

  it('400 refuses decimals in the price of an item in a currency without them', async () => {
    const shop = transport.shop();
    const request = await requestWith(shop, {
      amount: { total: '30', currency: 'JPY' },
      item_list: { items: [{ ...item, currency: 'JPY' }] },
    });
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      [`${inItem}.price`, formatIssue],
    ]);
  });

  it.each([true, {}, []])('400 refuses %j as an amount', async (total) => {
    const shop = transport.shop();
    const request = await requestWith(shop, { amount: { total, currency: 'USD' } });
    expect(await refusalOf(shop, 'payment.create', request)).toEqual(malformedRequest);
  });
});
