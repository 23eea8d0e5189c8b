/** Integers in text fields: one rule for every text field of every body. */
import { expect, it } from 'vitest';
import { authorize, capture, pay, sell, storeCard } from '../support/purchases.ts';
import { issuesOf, malformedRequest } from '../support/requests/refusals.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../support/samples.ts';
import { onEveryTransport } from '../support/transports.ts';

const address = {
  line1: 1,
  line2: 2,
  city: 3,
  state: 4,
  postal_code: 43001,
  country_code: 'US',
  phone: 5551234,
};
const addressOut = {
  line1: '1',
  line2: '2',
  city: '3',
  state: '4',
  postal_code: '43001',
  country_code: 'US',
  phone: '5551234',
};
const usd = { total: '2.00', currency: 'USD' };

onEveryTransport('an integer in a text field', (transport) => {
  it('201 is taken as its digits in every text of a card', async () => {
    const shop = transport.shop();
    const body = cardBody({
      number: 4_417_119_669_820_331,
      first_name: 10,
      last_name: -20,
      billing_address: address,
      external_customer_id: 42,
      payer_id: 43,
      merchant_id: 44,
      external_card_id: 45,
    });
    const card = await shop.ask('card.create', 201, { body });
    expect(card).toMatchObject({
      number: 'xxxxxxxxxxxx0331',
      first_name: '10',
      last_name: '-20',
      billing_address: addressOut,
      external_customer_id: '42',
      payer_id: '43',
      merchant_id: '44',
      external_card_id: '45',
    });
    const listed = await shop.ask('card.list', 200, { query: { external_customer_id: '42' } });
    expect(listed.items).toEqual([card]);
    expect(JSON.stringify(shop.merchant.journal())).not.toContain('4417119669820331');
  });

  it('200 is taken as its digits in the values of a patch', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const patched = await shop.ask('card.update', 200, {
      params: { card_id: cardId },
      body: [
        { op: 'replace', path: '/first_name', value: 7 },
        { op: 'replace', path: '/billing_address/postal_code', value: 43002 },
      ],
    });
    expect(patched).toMatchObject({
      first_name: '7',
      billing_address: { postal_code: '43002' },
    });
    const { id } = await pay(shop);
    const { transactions } = await shop.ask('payment.update', 200, {
      params: { payment_id: id },
      body: [
        { op: 'replace', path: '/transactions/0/custom', value: 8 },
        { op: 'replace', path: '/transactions/0/invoice_number', value: 9 },
        { op: 'add', path: '/transactions/0/item_list/shipping_address', value: address },
      ],
    });
    expect(transactions[0]).toMatchObject({
      custom: '8',
      invoice_number: '9',
      item_list: { shipping_address: addressOut },
    });
  });

  it('201 is taken as its digits in every text of a payment', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { external_customer_id: '42' });
    const transaction = {
      amount: usd,
      description: 1,
      reference_id: 2,
      note_to_payee: 3,
      custom: 4,
      invoice_number: 5,
      notify_url: 6,
      order_url: 7,
      item_list: {
        items: [{ name: 8, sku: 9, description: 10, quantity: 1, price: '2.00', currency: 'USD' }],
        shipping_address: { ...address, recipient_name: 11 },
      },
    };
    const body = { ...paymentBody({ cardId, transaction }), note_to_payer: 12 };
    Object.assign(body, {
      payer: {
        payment_method: 'credit_card',
        funding_instruments: [
          { credit_card_token: { credit_card_id: cardId, external_customer_id: 42, payer_id: 42 } },
        ],
      },
    });
    const { payer, transactions } = await shop.ask('payment.create', 201, { body });
    expect(payer.funding_instruments[0]).toMatchObject({
      credit_card_token: { external_customer_id: '42', payer_id: '42' },
    });
    expect(transactions[0]).toMatchObject({
      description: '1',
      reference_id: '2',
      note_to_payee: '3',
      custom: '4',
      invoice_number: '5',
      item_list: {
        items: [{ name: '8', sku: '9', description: '10', quantity: '1' }],
        shipping_address: { ...addressOut, recipient_name: '11' },
      },
    });
    const again = { body: rawPaymentBody({}, { transaction: { invoice_number: '5' } }) };
    expect((await shop.ask('payment.create', 400, again)).name).toBe('DUPLICATE_TRANSACTION');
  });

  it('201 is taken as its digits in every text of a refund and of a capture', async () => {
    const shop = transport.shop();
    const sale = await sell(shop);
    const notes = { description: 1, reason: 2, invoice_number: 3 };
    const refund = await shop.ask('sale.refund', 201, {
      params: { sale_id: sale.id },
      body: { amount: usd, ...notes },
    });
    expect(refund).toMatchObject({ description: '1', reason: '2', invoice_number: '3' });
    const { id } = await authorize(shop);
    const taken = await shop.ask('auth.capture', 200, {
      params: { authorization_id: id },
      body: { amount: usd, invoice_number: 4, note_to_payer: 5 },
    });
    expect(taken.invoice_number).toBe('4');
    const other = await capture(shop, (await authorize(shop)).id, '2.00');
    const back = await shop.ask('capture.refund', 201, {
      params: { capture_id: other.id },
      body: notes,
    });
    expect(back).toMatchObject({ description: '1', reason: '2', invoice_number: '3' });
  });

  it('keeps the limits of the text', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const request = {
      body: paymentBody({
        cardId,
        transaction: { amount: { total: '1.00', currency: 840 }, invoice_number: 5 },
      }),
    };
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      ['transactions[0].amount.currency', 'Must be a three-letter ISO 4217 currency code'],
    ]);
    const { id } = await sell(shop, { cardId });
    const long = { params: { sale_id: id }, body: { reason: Number.MAX_SAFE_INTEGER } };
    expect((await shop.ask('sale.refund', 201, long)).reason).toBe('9007199254740991');
    const owned = { body: cardBody({ billing_address: { ...address, country_code: 49 } }) };
    const { details } = await shop.ask('card.create', 400, owned);
    expect(details?.map(({ field }) => field)).toEqual(['billing_address.country_code']);
  });

  it.each([
    ['a fraction', '7.5'],
    ['true', 'true'],
    ['a list', '[7]'],
    ['an object', '{"a":7}'],
    ['an integer that JSON readers round', '9007199254740993'],
  ])('400 does not hold for %s', async (_, value) => {
    const shop = transport.shop();
    for (const field of ['first_name', 'external_customer_id', 'number']) {
      const { [field]: _field, ...others } = cardBody();
      const text = JSON.stringify(others);
      const body = `${text.slice(0, -1)},"${field}":${value}}`;
      const { name, message } = await shop.ask('card.create', 400, { body });
      expect({ name, message }).toEqual(malformedRequest);
    }
  });

  it('201 has null for an absent text', async () => {
    const card = await transport.shop().ask('card.create', 201, {
      body: cardBody({ first_name: null, external_customer_id: null }),
    });
    expect(card).not.toHaveProperty('first_name');
    expect(card).not.toHaveProperty('external_customer_id');
  });

  it('400 does not hold for an amount or a word of a list', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const number = { body: paymentBody({ cardId, transaction: { amount: { ...usd, total: 2 } } }) };
    expect(await issuesOf(shop, 'payment.create', number)).toEqual([
      ['transactions[0].amount.total', expect.stringMatching(/^Amount must be a string/)],
    ]);
    const { name } = await shop.ask('card.create', 400, { body: cardBody({ type: 4 }) });
    expect(name).toBe('MALFORMED_REQUEST');
  });

  it.each([
    ['SALE', 'intent'],
    ['Sale', 'intent'],
  ])('400 a word of a body must have the documented case: %s', async (intent, field) => {
    const shop = transport.shop();
    const request = { body: paymentBody({ cardId: await storeCard(shop), intent }) };
    expect((await issuesOf(shop, 'payment.create', request))[0]?.[0]).toBe(field);
  });
});
