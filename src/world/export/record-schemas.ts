/**
 * Schemas of the records in an export. They have no place for a card number or verification code.
 */
import { z } from '@hono/zod-openapi';
import { boundedList } from '../../documents/bounded-list.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import type { Amount, AmountDetails, Item } from '../../domain/payment/amount.ts';
import type { ProcessorResponse } from '../../domain/payment/overrides.ts';
import type { Brand } from '../../domain/card/brand.ts';
import type { Account, Transfer, TransferCause } from '../../domain/money/ledger.ts';
import {
  currencyDecimals,
  formatMinor,
  parseMinor,
  type Currency,
  type Money,
} from '../../domain/money/money.ts';
import {
  count,
  objectSchema,
  id,
  instant,
  text,
  enumSchema,
  type JsonRecord,
} from './schema-helpers.ts';
import type {
  Address,
  Authorization,
  Capture,
  Card,
  CardFace,
  Instrument,
  Intent,
  Payment,
  Refund,
  RelatedResource,
  RelatedKind,
  Sale,
  Settlement,
  ShippingAddress,
  Transaction,
} from '../../domain/records.ts';

/** Amounts must be valid in the wire format, so that sums of many stay exact. */
function withPayableAmount<T extends Money>(form: z.ZodType<T>): z.ZodType<T> {
  return form.refine(
    ({ minor, currency }) => parseMinor(formatMinor(minor, currency), currency) === minor,
    'is too large: amounts have up to 7 digits before the decimals',
  );
}

/**
 * The schema of each record. Members are in the order the domain writes them, so that an import
 * exports the same document.
 */
export const recordSchemas = onFirstUse(() => {
  const brand = enumSchema<Brand>({
    visa: true,
    mastercard: true,
    amex: true,
    discover: true,
    maestro: true,
  });
  // The keys of the table are the currencies; the library type of Object.keys loses that.
  const currency = z.enum(Object.keys(currencyDecimals) as Currency[]);
  const minor = z.int();
  const money = withPayableAmount(objectSchema<Money>({ minor: count, currency }));
  const last4 = z.string().regex(/^\d{4}$/, 'must be four digits');
  const expireMonth = z.int().min(1).max(12);
  const expireYear = z.int().min(1).max(9999);

  const addressShape = {
    line1: z.string(),
    line2: text,
    city: text,
    state: text,
    postalCode: text,
    countryCode: z.string(),
    phone: text,
  };

  const faceShape = {
    brand,
    last4,
    panLength: z.int().min(12).max(19),
    expireMonth,
    expireYear,
    firstName: text,
    lastName: text,
    billingAddress: objectSchema<Address>(addressShape).optional(),
    triggeredOutcome: text,
  };

  const times = { createdAtMs: instant, updatedAtMs: instant };

  const cardForm = objectSchema<Card>({
    id,
    ...faceShape,
    externalCustomerId: text,
    payerId: text,
    merchantReference: text,
    externalCardId: text,
    ...times,
    validUntilMs: instant,
  });

  type ByToken = Extract<Instrument, { readonly kind: 'token' }>;
  type ByCard = Extract<Instrument, { readonly kind: 'card' }>;

  const instrument: z.ZodType<Instrument> = z.union([
    objectSchema<ByToken>({
      kind: z.literal('token'),
      cardId: id,
      externalCustomerId: text,
      payerId: text,
      firstName: text,
      lastName: text,
      triggeredOutcome: text,
      last4,
      brand,
      expireMonth,
      expireYear,
    }),
    objectSchema<ByCard>({ kind: z.literal('card'), face: objectSchema<CardFace>(faceShape) }),
  ]);

  const details = objectSchema<AmountDetails>({
    subtotal: minor.optional(),
    shipping: minor.optional(),
    tax: minor.optional(),
    handling_fee: minor.optional(),
    shipping_discount: minor.optional(),
    insurance: minor.optional(),
    gift_wrap: minor.optional(),
  }).optional();

  const item = objectSchema<Item>({
    name: text,
    sku: text,
    description: text,
    quantity: z.string(),
    priceMinor: minor,
    taxMinor: minor.optional(),
  });

  const transaction = objectSchema<Transaction>({
    amount: withPayableAmount(objectSchema<Amount>({ minor: count, currency, details })),
    items: boundedList(z.array(item)).optional(),
    referenceId: text,
    description: text,
    noteToPayee: text,
    custom: text,
    invoiceNumber: text,
    shippingAddress: objectSchema<ShippingAddress>({
      ...addressShape,
      recipientName: text,
    }).optional(),
  });

  const related = objectSchema<RelatedResource>({
    kind: enumSchema<RelatedKind>({ sale: true, authorization: true, capture: true, refund: true }),
    id,
  });

  const paymentForm = objectSchema<JsonRecord<Payment>>({
    id,
    intent: enumSchema<Intent>({ sale: true, authorize: true }),
    instrument,
    transaction,
    failed: z.boolean(),
    related: boundedList(z.array(related)),
    ...times,
  });

  const refunded = { refundedMinor: count, refundIds: boundedList(z.array(id)) };

  const processor = objectSchema<ProcessorResponse>({
    response_code: text,
    avs_code: text,
    cvv_code: text,
    advice_code: text,
  }).optional();

  const saleForm = objectSchema<JsonRecord<Sale>>({
    kind: z.literal('sale'),
    id,
    paymentId: id,
    amount: money,
    ...times,
    settlement: enumSchema<Settlement>({
      completed: true,
      pending: true,
      denied: true,
      reversed: true,
    }),
    reasonCode: text,
    processor,
    hold: enumSchema<NonNullable<Sale['hold']>>({ held: true, released: true }).optional(),
    dispute: enumSchema<NonNullable<Sale['dispute']>>({
      open: true,
      won: true,
      lost: true,
    }).optional(),
    ...refunded,
  });

  const captureForm = objectSchema<JsonRecord<Capture>>({
    kind: z.literal('capture'),
    id,
    paymentId: id,
    authorizationId: id,
    amount: money,
    isFinal: z.boolean(),
    invoiceNumber: text,
    ...refunded,
    ...times,
  });

  const authorizationForm = objectSchema<Authorization>({
    id,
    paymentId: id,
    amount: money,
    ...times,
    details,
    capturedMinor: count,
    closed: z.boolean(),
    voided: z.boolean(),
    processor,
    validUntilMs: instant,
  });

  const refundForm = objectSchema<Refund>({
    id,
    paymentId: id,
    of: objectSchema<Refund['of']>({ kind: z.enum(['sale', 'capture']), id }),
    amount: money,
    settlement: enumSchema<Refund['settlement']>({ completed: true, pending: true, failed: true }),
    description: text,
    reason: text,
    invoiceNumber: text,
    ...times,
  });

  const account = enumSchema<Account>({ cardholders: true, merchant: true });

  const transferForm = objectSchema<Transfer>({
    cause: enumSchema<TransferCause>({
      sale: true,
      capture: true,
      refund: true,
      reversal: true,
      chargeback: true,
      'chargeback-won': true,
    }),
    subject: id,
    payment: id,
    debit: account,
    credit: account,
    amount: money,
    atMs: instant,
  });

  return {
    card: cardForm,
    payment: paymentForm,
    sale: saleForm,
    authorization: authorizationForm,
    capture: captureForm,
    refund: refundForm,
    transfer: transferForm,
  };
});
