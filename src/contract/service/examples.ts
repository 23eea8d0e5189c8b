/** Example requests of the document. They use records of the default fixtures, so each works in a fresh sandbox. */

export const exampleIds = {
  card: 'CARD-VISA0000000000001EXAMPLE',
  payment: 'PAY-COMPLETED00000001EXAMPLE',
  sale: 'SALE0000000000001',
  refund: 'REFUND00000000001',
  authorization: 'AUTHOPEN000000001',
  capture: 'CAPTURE0000000001',
} as const;

/** An entry of an error's `details`. */
export const exampleDetail = { field: 'number', issue: 'Required field missing' } as const;
export const exampleDebugId = '0a1b2c3d4e5f6';

const amount = { total: '5.00', currency: 'USD' } as const;

export const exampleBodies = {
  card: {
    number: '4417119669820331',
    type: 'visa',
    expire_month: 11,
    expire_year: 2035,
    cvv2: '874',
    first_name: 'Ada',
    last_name: 'Tester',
    billing_address: {
      line1: '1 Test Street',
      city: 'Testville',
      state: 'CA',
      postal_code: '95131',
      country_code: 'US',
    },
    external_customer_id: 'cust-42',
  },
  cardPatch: [{ op: 'replace', path: '/expire_year', value: 2036 }],
  payment: {
    intent: 'sale',
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [{ credit_card_token: { credit_card_id: exampleIds.card } }],
    },
    transactions: [{ amount: { total: '30.11', currency: 'USD' }, description: 'Order 1042' }],
  },
  paymentPatch: [{ op: 'replace', path: '/transactions/0/custom', value: 'order 1042' }],
  refund: { amount },
  capture: { amount },
  void: {},
  reauthorize: { amount },
  execute: { payer_id: 'PAYER00000001' },
  token: { grant_type: 'client_credentials' },
};

/** A payment that works with any fixtures, because it has a raw card. */
export function paymentWithRawCard(): object {
  const { number, type, expire_month, expire_year } = exampleBodies.card;
  return {
    ...exampleBodies.payment,
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [{ credit_card: { number, type, expire_month, expire_year } }],
    },
  };
}

/** Writes the POSIX shell command that requests a token and stores it in TOKEN. */
export function tokenCall(url: string, clientId: string): string {
  return [
    `TOKEN=$(curl -s ${url}/v1/oauth2/token -u ${clientId}:secret \\`,
    '  -d grant_type=client_credentials |',
    `  sed 's/.*"access_token":"\\([^"]*\\).*/\\1/')`,
  ].join('\n');
}
