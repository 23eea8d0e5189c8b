/** Payments: create, show, list, patch. */
import { z } from '@hono/zod-openapi';
import {
  DetailedAmountIn,
  DetailedAmountOut,
  Link,
  RawCardAddressIn,
  ShippingAddressIn,
  ShippingAddressOut,
  Timestamp,
} from './common.ts';
import { answer, declare, errors, jsonBody, requestIdHeader } from './declare.ts';
import {
  amountText,
  callerId,
  currencyCode,
  filledText,
  ignored,
  oneOf,
  requiredIssue,
  text,
} from './fields.ts';
import { AuthorizationInPayment } from './authorizations.ts';
import { CaptureOut } from './captures.ts';
import { RefundOut, SaleOut } from './sales.ts';
import {
  cardIgnoredKeys,
  cardNumberFields,
  CardFaceOut,
  sizeParameter,
  timeParameter,
} from './vault.ts';

const RawCardIn = z
  .strictObject({
    ...cardNumberFields,
    billing_address: RawCardAddressIn.optional(),
    ...ignored(
      ...cardIgnoredKeys,
      'external_customer_id',
      'payer_id',
      'merchant_id',
      'external_card_id',
      'billing_country',
    ),
  })
  .openapi('RawCardInput');

const CardTokenIn = z
  .strictObject({
    credit_card_id: filledText(256).openapi({ example: 'CARD-2AB34567CD8901234KEXAMPL' }),
    external_customer_id: callerId(256).optional().openapi({ type: 'string', example: 'cust-42' }),
    payer_id: callerId(256).optional().openapi({ type: 'string', deprecated: true }),
    ...ignored('last4', 'type', 'expire_month', 'expire_year'),
  })
  .openapi('CardTokenInput');

/** One funding instrument: a vaulted card, or a raw one (also under its other name, `payment_card`). */
const FundingInstrumentIn = z
  .strictObject({
    credit_card_token: CardTokenIn.optional(),
    credit_card: RawCardIn.optional(),
    payment_card: RawCardIn.optional(),
    ...ignored('funding_option_id'),
  })
  .refine(
    (instrument) =>
      [instrument.credit_card_token, instrument.credit_card, instrument.payment_card].filter(
        (one) => one !== undefined,
      ).length === 1,
    {
      path: ['credit_card_token'],
      error: 'Exactly one of credit_card_token and credit_card is required',
    },
  )
  .openapi('FundingInstrumentInput');

/** `Seed silent:` the service also pays from wallets; this sandbox is about cards and says so. */
const walletIssue =
  'This sandbox pays with credit_card only; wallet payments are outside what it does';
/** `Seed silent:` orders are a wallet flow on the real service. */
const intentIssue =
  'Value is invalid (must be sale or authorize; order payments are outside what this sandbox does)';

const digits = z
  .union([
    z.string().regex(/^\d{1,10}$/, 'Must be numeric'),
    z.int().nonnegative().max(9_999_999_999).transform(String),
  ])
  .openapi({ type: ['string', 'integer'], example: '1' });

const ItemIn = z
  .object({
    quantity: digits,
    price: amountText,
    currency: currencyCode,
    name: z.string().transform(cut(127)).optional(),
    sku: text(127).optional(),
    description: text(127).optional(),
    tax: amountText.optional(),
  })
  .openapi('ItemInput');

/** Cuts a text that is too long, and never through the middle of a character of two code units. */
function cut(max: number) {
  return (value: string) =>
    value
      .replaceAll('\0', '')
      .slice(0, max)
      .replace(/[\uD800-\uDBFF]$/, '');
}

const TransactionIn = z
  .strictObject({
    amount: DetailedAmountIn,
    description: text(127).optional(),
    reference_id: text(256).optional(),
    note_to_payee: text(255).optional(),
    custom: text(127).optional(),
    invoice_number: text(127).optional().openapi({ example: 'INV-1042' }),
    item_list: z
      .object({
        items: z.array(ItemIn).max(1000).optional(),
        shipping_address: ShippingAddressIn.optional(),
      })
      .optional(),
    ...ignored(
      'soft_descriptor',
      'soft_descriptor_city',
      'payment_options',
      'payee',
      'notify_url',
      'order_url',
      'purchase_order',
      'purchase_unit_reference_id',
      'external_funding',
      'related_resources',
      'transactions',
      'type',
      'allowed_payment_method',
    ),
  })
  .openapi('TransactionInput');

export const PaymentIn = z
  .strictObject({
    intent: oneOf(['sale', 'authorize'], intentIssue),
    payer: z.strictObject({
      payment_method: oneOf(['credit_card'], walletIssue),
      funding_instruments: z
        .array(FundingInstrumentIn)
        .min(1, requiredIssue)
        .max(1, 'Only one funding instrument is allowed'),
      ...ignored(
        'payer_info',
        'status',
        'account_type',
        'account_age',
        'funding_option_id',
        'funding_option',
        'related_funding_option',
        'external_selected_funding_instrument_type',
      ),
    }),
    transactions: z
      .array(TransactionIn)
      .min(1, requiredIssue)
      .max(1, 'Only one transaction is allowed'),
    ...ignored(
      'id',
      'state',
      'create_time',
      'update_time',
      'links',
      'redirect_urls',
      'experience_profile_id',
      'note_to_payer',
      'application_context',
      'payee',
      'cart',
      'potential_payer_info',
      'failed_transactions',
      'failure_reason',
      'billing_agreement_tokens',
      'credit_financing_offered',
      'payment_instruction',
    ),
  })
  .openapi('PaymentInput');

const CardTokenOut = z
  .object({
    credit_card_id: z.string(),
    payer_id: z.string().optional(),
    external_customer_id: z.string().optional(),
    last4: z.string(),
    type: z.string(),
    expire_month: CardFaceOut.shape.expire_month,
    expire_year: CardFaceOut.shape.expire_year,
  })
  .openapi('CardToken');

const ItemOut = z
  .object({
    name: z.string().optional(),
    sku: z.string().optional(),
    description: z.string().optional(),
    price: z.string(),
    currency: z.string(),
    tax: z.string().optional(),
    quantity: z.string(),
  })
  .openapi('Item');

const RelatedOut = z
  .union([
    z.object({ sale: SaleOut }),
    z.object({ authorization: AuthorizationInPayment }),
    z.object({ capture: CaptureOut }),
    z.object({ refund: RefundOut }),
  ])
  .openapi('RelatedResource');

export const PaymentOut = z
  .object({
    id: z.string().openapi({ example: 'PAY-3AB45678CD901234EKEXAMPL' }),
    create_time: Timestamp,
    update_time: Timestamp,
    state: z.enum(['created', 'approved']),
    intent: z.enum(['sale', 'authorize']),
    payer: z.object({
      payment_method: z.literal('credit_card'),
      funding_instruments: z.array(
        z.union([
          z.object({ credit_card_token: CardTokenOut }),
          z.object({ credit_card: CardFaceOut }),
        ]),
      ),
    }),
    transactions: z.array(
      z.object({
        amount: DetailedAmountOut,
        reference_id: z.string().optional(),
        description: z.string().optional(),
        note_to_payee: z.string().optional(),
        custom: z.string().optional(),
        invoice_number: z.string().optional(),
        item_list: z
          .object({
            items: z.array(ItemOut).optional(),
            shipping_address: ShippingAddressOut.optional(),
          })
          .optional(),
        related_resources: z.array(RelatedOut),
      }),
    ),
    links: z.array(Link),
  })
  .openapi('Payment');

export const PaymentListOut = z
  .object({
    payments: z.array(PaymentOut),
    count: z.int(),
    next_id: z.string().optional(),
  })
  .openapi('PaymentList');

const patchableNotes = [
  '/transactions/0/invoice_number',
  '/transactions/0/custom',
  '/transactions/0/item_list/shipping_address',
] as const;

export const PaymentPatchIn = z
  .array(
    z.object({
      op: oneOf(['add', 'replace'], 'Must be add or replace'),
      path: oneOf(
        [...patchableNotes, '/transactions/0/amount'],
        `Must be /transactions/0/amount, ${patchableNotes.join(', ')}`,
      ),
      value: z.unknown().refine((value) => value !== undefined, requiredIssue),
    }),
  )
  .min(1, 'Must hold at least one operation')
  .max(100, 'Must hold at most 100 operations')
  .openapi('PaymentPatch', {
    example: [{ op: 'replace', path: '/transactions/0/custom', value: 'order 1042' }],
  });

/** The values a payment patch sets, by path. */
export const paymentPatchValues = {
  '/transactions/0/invoice_number': text(127),
  '/transactions/0/custom': text(127),
  '/transactions/0/item_list/shipping_address': ShippingAddressIn,
};

const paymentId = z.object({
  payment_id: z.string().openapi({ example: 'PAY-3AB45678CD901234EKEXAMPL' }),
});

export const paymentListQuery = z.object({
  count: sizeParameter().optional(),
  start_id: z.string().optional(),
  start_index: z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a number, from 0')
    .transform(Number)
    .optional(),
  start_time: timeParameter().optional(),
  end_time: timeParameter('end').optional(),
  sort_by: oneOf(['create_time'], 'Must be create_time').optional(),
  sort_order: oneOf(['asc', 'desc'], 'Must be asc or desc').optional(),
});

const tags = ['Payments'];

export const paymentRoutes = {
  'payment.create': declare({
    operationId: 'payment.create',
    method: 'post',
    path: '/v1/payments/payment',
    summary: 'Pay with a vaulted card or a raw one',
    tags,
    request: { headers: requestIdHeader, body: jsonBody(PaymentIn) },
    responses: {
      201: answer('The payment, with its sale or authorization', PaymentOut),
      ...errors(400, 401, 403, 404, 409, 413, 415, 500),
    },
  }),
  'payment.list': declare({
    operationId: 'payment.list',
    method: 'get',
    path: '/v1/payments/payment',
    summary: 'List payments, newest first',
    tags,
    request: { query: paymentListQuery },
    responses: { 200: answer('A page of payments', PaymentListOut), ...errors(400, 401, 403, 500) },
  }),
  'payment.get': declare({
    operationId: 'payment.get',
    method: 'get',
    path: '/v1/payments/payment/{payment_id}',
    summary: 'Show a payment',
    tags,
    request: { params: paymentId },
    responses: { 200: answer('The payment', PaymentOut), ...errors(401, 403, 404, 500) },
  }),
  'payment.update': declare({
    operationId: 'payment.update',
    method: 'patch',
    path: '/v1/payments/payment/{payment_id}',
    summary: 'Patch a payment that may still be changed',
    tags,
    request: { params: paymentId, body: jsonBody(PaymentPatchIn) },
    responses: {
      200: answer('The whole payment', PaymentOut),
      ...errors(400, 401, 403, 404, 413, 415, 500),
    },
  }),
};
