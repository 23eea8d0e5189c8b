/** The customer id that a card was stored with must come with every payment. */
import { expect, it } from 'vitest';
import { onEveryTransport, type TestTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { refusalOf } from '../../../support/requests/refusals.ts';
import { paymentBody } from '../../../support/samples.ts';

type Owner = Readonly<Record<string, unknown>>;

async function paidAs(shop: Shop, stored: Owner, sent: Owner) {
  const cardId = await storeCard(shop, stored);
  const body = paymentBody({ cardId });
  return {
    body: {
      ...body,
      payer: {
        payment_method: 'credit_card',
        funding_instruments: [{ credit_card_token: { credit_card_id: cardId, ...sent } }],
      },
    },
  };
}

const missing = {
  name: 'PAYER_ID_MISSING_FOR_CARD_TOKEN',
  message:
    'The card was stored with a customer id; send the same external_customer_id with the token',
};
const mismatch = {
  name: 'CARD_TOKEN_PAYER_MISMATCH',
  message: 'The customer id does not match the one the card was stored with',
};

/** What both settings of the owner check agree on. */
function commonRules(transport: TestTransport): void {
  it.each([
    [
      'the same customer id',
      { external_customer_id: 'cust-42' },
      { external_customer_id: 'cust-42' },
    ],
    ['payer_id standing in for it', { external_customer_id: 'cust-42' }, { payer_id: 'cust-42' }],
    ['the same payer_id', { payer_id: 'cust-42' }, { payer_id: 'cust-42' }],
    [
      'a customer id standing in for payer_id',
      { payer_id: 'cust-42' },
      { external_customer_id: 'cust-42' },
    ],
    ['no customer id where none was stored', {}, {}],
    ['a customer id where none was stored', {}, { external_customer_id: 'cust-42' }],
    ['a payer_id where none was stored', {}, { payer_id: 'cust-42' }],
  ] as const)('201 pays with %s, and shows the ids that were sent', async (_, stored, sent) => {
    const shop = transport.shop();
    const { payer } = await shop.ask('payment.create', 201, await paidAs(shop, stored, sent));
    const [instrument] = payer.funding_instruments;
    const { credit_card_id: id, ...echoed } =
      instrument !== undefined && 'credit_card_token' in instrument
        ? instrument.credit_card_token
        : { credit_card_id: undefined };
    expect(id).toMatch(/^CARD-/);
    expect(echoed).toEqual({
      ...sent,
      last4: '0331',
      type: 'visa',
      expire_month: '11',
      expire_year: '2031',
    });
  });

  it('201 reads a customer id that was sent as a number', async () => {
    const shop = transport.shop();
    const request = await paidAs(
      shop,
      { external_customer_id: 42 },
      { external_customer_id: '42' },
    );
    const { payer } = await shop.ask('payment.create', 201, request);
    expect(payer.funding_instruments[0]).toMatchObject({
      credit_card_token: { external_customer_id: '42' },
    });
  });

  it.each([
    [
      'another customer id',
      { external_customer_id: 'cust-42' },
      { external_customer_id: 'cust-43' },
    ],
    ['another case', { external_customer_id: 'cust-42' }, { external_customer_id: 'CUST-42' }],
    ['another payer_id', { external_customer_id: 'cust-42' }, { payer_id: 'cust-43' }],
    ['another payer_id than the one stored', { payer_id: 'cust-42' }, { payer_id: 'cust-43' }],
    [
      'another customer id beside the right payer_id',
      { external_customer_id: 'cust-42' },
      { external_customer_id: 'cust-43', payer_id: 'cust-42' },
    ],
  ] as const)('400 refuses %s, and moves no money', async (_, stored, sent) => {
    const shop = transport.shop();
    expect(await refusalOf(shop, 'payment.create', await paidAs(shop, stored, sent))).toEqual(
      mismatch,
    );
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });
}

const unsent = [
  ['the customer id', { external_customer_id: 'cust-42' }, {}],
  [
    'the customer id, sent empty',
    { external_customer_id: 'cust-42' },
    { external_customer_id: '' },
  ],
  [
    'the customer id, sent as null',
    { external_customer_id: 'cust-42' },
    { external_customer_id: null },
  ],
  ['payer_id', { payer_id: 'cust-42' }, {}],
] as const;

onEveryTransport('the owner of a vaulted card', (transport) => {
  commonRules(transport);

  it.each(unsent)('400 requires %s that the card was stored with', async (_, stored, sent) => {
    const shop = transport.shop();
    expect(await refusalOf(shop, 'payment.create', await paidAs(shop, stored, sent))).toEqual(
      missing,
    );
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });
});

onEveryTransport(
  'the owner of a vaulted card, lenient',
  (transport) => {
    commonRules(transport);

    it.each(unsent)(
      '201 pays without %s that the card was stored with',
      async (_, stored, sent) => {
        const shop = transport.shop();
        await shop.ask('payment.create', 201, await paidAs(shop, stored, sent));
        expect(shop.merchant.ledger().transfers).toHaveLength(1);
      },
    );
  },
  { ownerCheck: 'lenient' },
);
