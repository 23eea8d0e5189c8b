import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { authorizationOf, merchantBalanceMinor, saleOf } from '../../support/purchases.ts';
import {
  issuesOf,
  malformedRequest,
  refusalOf,
  requiredIssue,
} from '../../support/requests/refusals.ts';
import { cardBody, pans, rawPaymentBody } from '../../support/samples.ts';

const inCard = 'payer.funding_instruments[0].credit_card';
const headers = { 'PayPal-Request-Id': 'order-1042' };

onEveryTransport('pay with a raw card', (transport) => {
  it('201 answers byte for byte: approved, with a redacted card', async () => {
    const shop = transport.shop('golden-raw');
    const reply = await shop.reply('payment.create', 201, { body: rawPaymentBody() });
    const { id: payment } = reply.body;
    const { id: sale } = saleOf(reply.body);
    const time = '2026-05-06T07:08:09.123Z';
    const v1 = `${transport.base}/v1/payments`;
    expect(reply.text).toBe(
      `{"id":"${payment}","create_time":"${time}","update_time":"${time}","state":"approved","intent":"sale",` +
        `"payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card":` +
        `{"type":"visa","number":"xxxxxxxxxxxx0331","expire_month":"11","expire_year":"2031",` +
        `"first_name":"Ada","last_name":"Tester","billing_address":{"line1":"1 Mock Way","city":"Sampleton",` +
        `"state":"OH","postal_code":"43001","country_code":"US"}}}]},` +
        `"transactions":[{"amount":{"total":"7.47","currency":"USD"},"description":"A raw card",` +
        `"related_resources":[{"sale":{"id":"${sale}","create_time":"${time}","update_time":"${time}",` +
        `"state":"completed","amount":{"total":"7.47","currency":"USD"},"parent_payment":"${payment}",` +
        `"links":[{"href":"${v1}/sale/${sale}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/sale/${sale}/refund","rel":"refund","method":"GET"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}]}}]}],` +
        `"links":[{"href":"${v1}/payment/${payment}","rel":"self","method":"GET"}]}`,
    );
    expect([payment, sale]).toEqual(['PAY-8VU44392LS31464084FOPRPU', '8BT63349QH2303057']);
    expect(merchantBalanceMinor(shop)).toBe(747);
  });

  it('201 stores no card in the vault', async () => {
    const shop = transport.shop();
    await shop.ask('payment.create', 201, { body: rawPaymentBody() });
    expect((await shop.ask('card.list', 200)).total_items).toBe(0);
  });

  it('201 holds money for an authorization', async () => {
    const shop = transport.shop();
    const body = rawPaymentBody({}, { intent: 'authorize' });
    const payment = await shop.ask('payment.create', 201, { body });
    expect(payment.state).toBe('approved');
    expect(authorizationOf(payment).state).toBe('authorized');
    expect(merchantBalanceMinor(shop)).toBe(0);
  });

  it('201 accepts the card as payment_card, and answers with credit_card', async () => {
    const shop = transport.shop();
    const card = { ...cardBody(), billing_country: 'US' };
    const body = {
      ...rawPaymentBody(),
      payer: { payment_method: 'credit_card', funding_instruments: [{ payment_card: card }] },
    };
    const { payer } = await shop.ask('payment.create', 201, { body });
    expect(payer.funding_instruments.map((instrument) => Object.keys(instrument))).toEqual([
      ['credit_card'],
    ]);
  });

  it.each([
    ['visa', pans.visa, '874', 'xxxxxxxxxxxx0331'],
    ['mastercard', pans.mastercard, '874', 'xxxxxxxxxxxx4444'],
    ['amex', pans.amex, '8745', 'xxxxxxxxxxx0005'],
    ['discover', pans.discover, '874', 'xxxxxxxxxxxx1117'],
    ['maestro', pans.maestro, '874', 'xxxxxxxxxxxx0000'],
  ])('201 accepts a card of the brand %s', async (type, number, cvv2, redacted) => {
    const shop = transport.shop();
    const body = rawPaymentBody({ type, number, cvv2 });
    const reply = await shop.reply('payment.create', 201, { body });
    expect(reply.body.payer.funding_instruments[0]).toMatchObject({
      credit_card: { type, number: redacted },
    });
    expect(reply.text).not.toContain(number);
  });

  it('201 accepts months and codes as numbers or strings, and cards without address or names', async () => {
    const shop = transport.shop();
    const body = rawPaymentBody({
      expire_month: '09',
      expire_year: '2031',
      cvv2: 874,
      first_name: undefined,
      last_name: undefined,
      billing_address: undefined,
    });
    const { payer } = await shop.ask('payment.create', 201, { body });
    expect(payer.funding_instruments).toEqual([
      {
        credit_card: {
          type: 'visa',
          number: 'xxxxxxxxxxxx0331',
          expire_month: '9',
          expire_year: '2031',
        },
      },
    ]);
  });

  it('201 accepts a US address without a state, as recorded', async () => {
    const address = { line1: '1 Mock Way', city: 'Sampleton', country_code: 'US' };
    const body = rawPaymentBody({ billing_address: address });
    const { payer } = await transport.shop().ask('payment.create', 201, { body });
    expect(payer.funding_instruments[0]).toMatchObject({
      credit_card: { billing_address: address },
    });
  });

  it('201 ignores the keys of other card models and does not show them', async () => {
    const body = rawPaymentBody({ external_customer_id: 'cust-42', payer_id: 'p', start_month: 0 });
    const { text } = await transport.shop().reply('payment.create', 201, { body });
    expect(text).not.toMatch(/cust-42|payer_id|start_month/);
  });

  it('201 answers a repeat with the first payment', async () => {
    const shop = transport.shop();
    const request = { headers, body: rawPaymentBody() };
    const first = await shop.ask('payment.create', 201, request);
    expect(await shop.ask('payment.create', 201, request)).toEqual(first);
    expect(merchantBalanceMinor(shop)).toBe(747);
  });

  it('400 refuses another card with the same request id', async () => {
    const shop = transport.shop();
    await shop.ask('payment.create', 201, { headers, body: rawPaymentBody() });
    const body = rawPaymentBody({ type: 'mastercard', number: pans.mastercard });
    expect(await refusalOf(shop, 'payment.create', { headers, body })).toMatchObject({
      name: 'DUPLICATE_REQUEST_ID',
    });
  });

  it.each([
    ['number', 'a wrong check digit', { number: '4417119669820332' }, 'Value is invalid'],
    ['number', 'a range no brand has', { number: '9999999999999995' }, 'Value is invalid'],
    ['number', 'letters', { number: '4417-1196-6982-0331' }, 'Value is invalid'],
    ['number', 'nothing', { number: undefined }, requiredIssue],
    ['type', 'nothing', { type: undefined }, requiredIssue],
    [
      'type',
      'an unknown word',
      { type: 'VISA' },
      'Value is invalid (must be visa, mastercard, amex, discover, or maestro)',
    ],
    ['expire_month', 'the thirteenth', { expire_month: 13 }, 'Value is invalid'],
    ['expire_month', 'zero', { expire_month: 0 }, requiredIssue],
    ['expire_year', 'two digits', { expire_year: 31 }, 'Must be numeric (YYYY)'],
    ['expire_year', 'nothing', { expire_year: undefined }, requiredIssue],
    ['cvv2', 'letters', { cvv2: 'abc' }, 'Must be numeric'],
    [
      'cvv2',
      'a digit too many',
      { cvv2: '8745' },
      'The cvv2 length is invalid for the specified credit card type',
    ],
    [
      'first_name',
      '26 characters',
      { first_name: 'a'.repeat(26) },
      'Value exceeds max length of 25',
    ],
  ] as const)('400 refuses a %s of %s', async (field, _, change, issue) => {
    const shop = transport.shop();
    const request = { body: rawPaymentBody(change) };
    expect(await issuesOf(shop, 'payment.create', request)).toEqual([
      [`${inCard}.${field}`, issue],
    ]);
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });

  it('400 refuses a number of another brand than the type', async () => {
    const request = { body: rawPaymentBody({ type: 'mastercard' }) };
    expect(await issuesOf(transport.shop(), 'payment.create', request)).toEqual([
      [inCard, 'The credit card number is not valid for the specified credit card type'],
    ]);
  });

  it("400 refuses an expired card on the merchant's clock, from the month's end on", async () => {
    const shop = transport.shop();
    const body = rawPaymentBody({ expire_month: 5, expire_year: 2026 });
    shop.merchant.clock.set('2026-05-31T23:59:59.999Z');
    await shop.ask('payment.create', 201, { body });
    shop.merchant.clock.advance(1);
    expect(await issuesOf(shop, 'payment.create', { body })).toEqual([
      [inCard, 'Invalid expiration (cannot be in the past)'],
    ]);
  });

  it('400 names every wrong field of a card and repeats no value', async () => {
    const body = rawPaymentBody({ number: '4417119669820332', expire_year: 2020, cvv2: '8745' });
    const { text, body: refusal } = await transport.shop().reply('payment.create', 400, { body });
    expect(refusal.details?.map(({ field }) => field)).toEqual([
      `${inCard}.number`,
      inCard,
      `${inCard}.cvv2`,
    ]);
    expect(text).not.toMatch(/4417119669820332|8745/);
  });

  it('201 accepts a number that was sent as an integer', async () => {
    const shop = transport.shop();
    const body = rawPaymentBody({ number: 4_417_119_669_820_331 });
    const reply = await shop.reply('payment.create', 201, { body });
    expect(reply.body.payer.funding_instruments[0]).toMatchObject({
      credit_card: { number: 'xxxxxxxxxxxx0331' },
    });
    expect(JSON.stringify(shop.merchant.journal())).not.toContain('4417119669820331');
  });

  it.each([
    ['an unknown key', { surprise: 1 }],
    ['a number with a fraction', { number: 4_417_119_669_820_33.1 }],
    ['a number that JSON readers round', { number: 4_417_119_669_820_331_000 }],
    ['an address that is a text', { billing_address: '1 Mock Way' }],
  ])('400 refuses a card with %s', async (_, change) => {
    const request = { body: rawPaymentBody(change) };
    expect(await refusalOf(transport.shop(), 'payment.create', request)).toEqual(malformedRequest);
  });
});

onEveryTransport(
  'pay with a raw card, recorded profile',
  (transport) => {
    it('201 shows the state approved, the expiry as strings, and a subtotal', async () => {
      const payment = await transport.shop().ask('payment.create', 201, { body: rawPaymentBody() });
      expect(payment.state).toBe('approved');
      expect(payment.create_time).toBe('2026-05-06T07:08:09Z');
      expect(payment.payer.funding_instruments[0]).toMatchObject({
        credit_card: { expire_month: '11', expire_year: '2031' },
      });
      expect(payment.transactions[0]?.amount).toEqual({
        total: '7.47',
        currency: 'USD',
        details: { subtotal: '7.47' },
      });
    });
  },
  { profile: 'recorded' },
);
