/** Bodies that are not what the operation takes. */
import { describe, expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import {
  issuesOf,
  malformedRequest,
  refusalOf,
  requiredIssue,
} from '../../../support/requests/refusals.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';

const cardId = 'CARD-2AB34567CD8901234KEXAMPL';
const good = paymentBody({ cardId });
const token = { credit_card_id: cardId };
const amount = { total: '30.11', currency: 'USD' };

const paidWith = (...instruments: readonly unknown[]) => ({
  ...good,
  payer: { payment_method: 'credit_card', funding_instruments: instruments },
});
const withToken = (change: object) => paidWith({ credit_card_token: { ...token, ...change } });
const withTransaction = (change: object) => ({ ...good, transactions: [{ amount, ...change }] });
const shippedTo = (change: object) =>
  withTransaction({
    item_list: { shipping_address: { line1: '1 Mock Way', country_code: 'US', ...change } },
  });

const instrument = 'payer.funding_instruments[0]';
const oneInstrumentIssue = 'Exactly one of credit_card_token and credit_card is required';
const tooLong = (max: number) => `Value exceeds max length of ${max}`;

onEveryTransport('the body of a vaulted-card payment', (transport) => {
  it('400 answers MALFORMED_REQUEST with exactly these members, and repeats no value', async () => {
    const { body, text } = await transport
      .shop()
      .reply('payment.create', 400, { body: { ...good, surprise: 1 } });
    expect(text).toBe(
      `{"name":"MALFORMED_REQUEST","message":"Incoming JSON request does not map to API request",` +
        `"information_link":"https://developer.paypal.com/docs/api/#MALFORMED_REQUEST","debug_id":"${body.debug_id}"}`,
    );
  });

  it.each([
    ['the body', { ...good, surprise: 1 }],
    ['the payer', { ...good, payer: { ...(good['payer'] as object), surprise: 1 } }],
    ['the funding instrument', paidWith({ credit_card_token: token, surprise: 1 })],
    ['the token', withToken({ surprise: 1 })],
    ['the transaction', withTransaction({ surprise: 1 })],
    ['the amount', withTransaction({ amount: { ...amount, surprise: 1 } })],
    ['the details', withTransaction({ amount: { ...amount, details: { surprise: '1.00' } } })],
  ])('400 refuses an unknown key in %s', async (_, body) => {
    expect(await refusalOf(transport.shop(), 'payment.create', { body })).toEqual(malformedRequest);
  });

  it.each([
    ['a text', '"sale"'],
    ['a number', '7'],
    ['a list', [good]],
    ['cut off', '{"intent":"sale"'],
    ['not JSON', 'intent=sale'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['nested too deep', `${'['.repeat(33)}${']'.repeat(33)}`],
  ])('400 refuses a body that is %s', async (_, body) => {
    expect(await refusalOf(transport.shop(), 'payment.create', { body })).toEqual(malformedRequest);
  });

  it.each([
    ['intent as a number', { ...good, intent: 1 }],
    ['payer as a list', { ...good, payer: [] }],
    ['payer as a text', { ...good, payer: 'credit_card' }],
    [
      'funding_instruments as an object',
      {
        ...good,
        payer: { payment_method: 'credit_card', funding_instruments: { credit_card_token: token } },
      },
    ],
    ['a funding instrument as a text', paidWith(cardId)],
    ['the token as a text', paidWith({ credit_card_token: cardId })],
    ['credit_card_id as a fraction', withToken({ credit_card_id: 7.5 })],
    ['external_customer_id as an object', withToken({ external_customer_id: {} })],
    ['transactions as an object', { ...good, transactions: { amount } }],
    ['a transaction as a text', { ...good, transactions: ['30.11'] }],
    ['the amount as a text', withTransaction({ amount: '30.11' })],
    ['the currency as a boolean', withTransaction({ amount: { total: '1.00', currency: true } })],
    ['details as a list', withTransaction({ amount: { ...amount, details: [] } })],
    ['description as a boolean', withTransaction({ description: true })],
    ['invoice_number as a fraction', withTransaction({ invoice_number: 7.5 })],
    ['item_list as a list', withTransaction({ item_list: [] })],
    ['items as an object', withTransaction({ item_list: { items: {} } })],
    [
      'a quantity as a truth value',
      withTransaction({
        item_list: { items: [{ quantity: true, price: '30.11', currency: 'USD' }] },
      }),
    ],
  ])('400 refuses %s', async (_, body) => {
    expect(await refusalOf(transport.shop(), 'payment.create', { body })).toEqual(malformedRequest);
  });

  it.each([
    ['an empty object', {}],
    ['null', 'null'],
    ['nothing', ''],
  ])('400 names every required field when the body is %s', async (_, body) => {
    expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
      ['intent', requiredIssue],
      ['payer', requiredIssue],
      ['transactions', requiredIssue],
    ]);
  });

  it.each([
    [
      'an empty payer',
      { ...good, payer: {} },
      [
        ['payer.payment_method', requiredIssue],
        ['payer.funding_instruments', requiredIssue],
      ],
    ],
    ['no funding instrument', paidWith(), [['payer.funding_instruments', requiredIssue]]],
    ['a funding instrument of null', paidWith(null), [[instrument, requiredIssue]]],
    [
      'an empty funding instrument',
      paidWith({}),
      [[`${instrument}.credit_card_token`, oneInstrumentIssue]],
    ],
    [
      'an empty token',
      paidWith({ credit_card_token: {} }),
      [[`${instrument}.credit_card_token.credit_card_id`, requiredIssue]],
    ],
    [
      'an empty credit_card_id',
      withToken({ credit_card_id: '' }),
      [[`${instrument}.credit_card_token.credit_card_id`, 'Must not be blank']],
    ],
    ['no transaction', { ...good, transactions: [] }, [['transactions', requiredIssue]]],
    [
      'an empty transaction',
      { ...good, transactions: [{}] },
      [['transactions[0].amount', requiredIssue]],
    ],
  ] as const)('400 names the missing fields in %s', async (_, body, issues) => {
    expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual(issues);
  });

  it('400 refuses more than one transaction', async () => {
    const body = { ...good, transactions: [{ amount }, { amount }] };
    expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
      ['transactions', 'Only one transaction is allowed'],
    ]);
  });

  it('400 refuses more than one funding instrument', async () => {
    const body = paidWith({ credit_card_token: token }, { credit_card_token: token });
    expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
      ['payer.funding_instruments', 'Only one funding instrument is allowed'],
    ]);
  });

  it('400 refuses a token and a raw card at once', async () => {
    const body = paidWith({ credit_card_token: token, credit_card: cardBody() });
    expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
      [`${instrument}.credit_card_token`, oneInstrumentIssue],
    ]);
  });

  describe('a payment that the sandbox does not offer', () => {
    const intentIssue =
      'Value is invalid (must be sale or authorize; this sandbox does not support order payments)';
    const walletIssue = 'This sandbox supports credit_card only, not wallet payments';

    it.each(['order', 'Sale', 'refund', ''])('400 refuses the intent %j', async (intent) => {
      const body = { ...good, intent };
      expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
        ['intent', intentIssue],
      ]);
    });

    it.each(['paypal', 'bank', 'pay_upon_invoice', 'CREDIT_CARD'])(
      '400 refuses the payment method %j',
      async (method) => {
        const body = {
          ...good,
          payer: { payment_method: method, funding_instruments: [{ credit_card_token: token }] },
        };
        expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
          ['payer.payment_method', walletIssue],
        ]);
      },
    );

    it('400 refuses a wallet payment before it checks other fields', async () => {
      const body = {
        intent: 'sale',
        payer: { payment_method: 'paypal' },
        redirect_urls: { return_url: 'https://shop.test/ok', cancel_url: 'https://shop.test/no' },
        transactions: [{ amount }],
      };
      const [first] = await issuesOf(transport.shop(), 'payment.create', { body });
      expect(first).toEqual(['payer.payment_method', walletIssue]);
    });
  });

  it.each([
    [
      'a credit_card_id',
      withToken({ credit_card_id: 'c'.repeat(257) }),
      `${instrument}.credit_card_token.credit_card_id`,
      256,
    ],
    [
      'a description',
      withTransaction({ description: 'd'.repeat(128) }),
      'transactions[0].description',
      127,
    ],
    ['a custom', withTransaction({ custom: 'c'.repeat(128) }), 'transactions[0].custom', 127],
    [
      'an invoice number',
      withTransaction({ invoice_number: 'i'.repeat(128) }),
      'transactions[0].invoice_number',
      127,
    ],
    ['a note to the payer', { ...good, note_to_payer: 'n'.repeat(166) }, 'note_to_payer', 165],
    [
      'an address for notices',
      withTransaction({ notify_url: 'u'.repeat(2049) }),
      'transactions[0].notify_url',
      2048,
    ],
    [
      'a reference id',
      withTransaction({ reference_id: 'r'.repeat(257) }),
      'transactions[0].reference_id',
      256,
    ],
    [
      'a note to the payee',
      withTransaction({ note_to_payee: 'n'.repeat(256) }),
      'transactions[0].note_to_payee',
      255,
    ],
    [
      'a recipient',
      shippedTo({ recipient_name: 'a'.repeat(128) }),
      'transactions[0].item_list.shipping_address.recipient_name',
      127,
    ],
    [
      'a city',
      shippedTo({ city: 'c'.repeat(65) }),
      'transactions[0].item_list.shipping_address.city',
      64,
    ],
    [
      'a phone',
      shippedTo({ phone: '5'.repeat(51) }),
      'transactions[0].item_list.shipping_address.phone',
      50,
    ],
  ] as const)('400 refuses a too long %s', async (_, body, field, max) => {
    expect(await issuesOf(transport.shop(), 'payment.create', { body })).toEqual([
      [field, tooLong(max)],
    ]);
  });

  it.each([
    ['no first line', { line1: undefined }, 'line1', requiredIssue],
    ['an empty first line', { line1: '' }, 'line1', 'Must not be blank'],
    ['an empty second line', { line2: '' }, 'line2', 'Must not be blank'],
    ['no country', { country_code: undefined }, 'country_code', requiredIssue],
    [
      'UK for GB',
      { country_code: 'UK' },
      'country_code',
      'Must be a two-letter ISO 3166-1 country code',
    ],
  ] as const)('400 refuses a shipping address with %s', async (_, change, name, issue) => {
    expect(await issuesOf(transport.shop(), 'payment.create', { body: shippedTo(change) })).toEqual(
      [[`transactions[0].item_list.shipping_address.${name}`, issue]],
    );
  });

  it('400 names every wrong field at once', async () => {
    const body = {
      intent: 'order',
      payer: { payment_method: 'paypal', funding_instruments: [] },
      transactions: [{ amount: { total: 1, currency: 'ABC' }, custom: 'c'.repeat(128) }],
    };
    const issues = await issuesOf(transport.shop(), 'payment.create', { body });
    expect(issues.map(([field]) => field)).toEqual([
      'intent',
      'payer.payment_method',
      'payer.funding_instruments',
      'transactions[0].amount.total',
      'transactions[0].amount.currency',
      'transactions[0].custom',
    ]);
  });
});
