/** Requests that are good, to be bent by tests. */

/** A published test number for each brand (PayPal, Stripe). */
export const pans = {
  visa: '4417119669820331',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  discover: '6011111111111117',
  maestro: '6304000000000000',
} as const;

export function cardBody(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    number: pans.visa,
    type: 'visa',
    expire_month: 11,
    expire_year: 2031,
    cvv2: '874',
    first_name: 'Ada',
    last_name: 'Tester',
    billing_address: {
      line1: '1 Mock Way',
      city: 'Sampleton',
      state: 'OH',
      postal_code: '43001',
      country_code: 'US',
    },
    ...change,
  };
}

export interface PaymentParts {
  readonly cardId: string;
  readonly externalCustomerId?: string;
  readonly total?: string;
  readonly currency?: string;
  readonly intent?: string;
  /** Added to the transaction. */
  readonly transaction?: Readonly<Record<string, unknown>>;
}

/** A payment with a vaulted card. */
export function paymentBody(parts: PaymentParts): Record<string, unknown> {
  const { cardId, externalCustomerId, total = '30.11', currency = 'USD', intent = 'sale' } = parts;
  return {
    intent,
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [
        {
          credit_card_token: {
            credit_card_id: cardId,
            ...(externalCustomerId === undefined
              ? {}
              : { external_customer_id: externalCustomerId }),
          },
        },
      ],
    },
    transactions: [
      { amount: { total, currency }, description: 'A test order', ...parts.transaction },
    ],
  };
}

/** A payment with a raw card. */
export function rawPaymentBody(
  change: Readonly<Record<string, unknown>> = {},
  parts: Omit<PaymentParts, 'cardId'> = {},
): Record<string, unknown> {
  const { total = '7.47', currency = 'USD', intent = 'sale' } = parts;
  return {
    intent,
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [{ credit_card: cardBody(change) }],
    },
    transactions: [
      { amount: { total, currency }, description: 'A raw card', ...parts.transaction },
    ],
  };
}
