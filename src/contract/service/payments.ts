/** Payments: create, show, list, patch. */
import { z } from '@hono/zod-openapi';
import {
  DetailedAmountOut,
  Link,
  ShippingAddressIn,
  ShippingAddressOut,
  Timestamp,
} from './common.ts';
import {
  answer,
  declare,
  errors,
  jsonBody,
  ofBody,
  ofRequestId,
  requestIdHeader,
} from './declare.ts';
import { exampleBodies, exampleIds } from './examples.ts';
import {
  callerId,
  ignored,
  maybeText,
  oneOf,
  parameterOf,
  patchOf,
  requiredIssue,
  text,
} from './fields.ts';
import { AuthorizationInPayment } from './authorizations.ts';
import { CaptureOut } from './captures.ts';
import { RefundOut, SaleOut } from './sales.ts';
import { invoiceNumber, PaymentIn } from './payment-input.ts';
import { CardFaceOut, sizeParameter, timeParameter } from './vault.ts';

const CardTokenOut = z
  .object({
    credit_card_id: z.string(),
    payer_id: maybeText,
    external_customer_id: maybeText,
    last4: z.string(),
    type: z.string(),
    expire_month: z.string().openapi({ example: '11' }),
    expire_year: z.string().openapi({ example: '2031' }),
  })
  .openapi('CardToken');

const ItemOut = z
  .object({
    name: maybeText,
    sku: maybeText,
    description: maybeText,
    price: z.string(),
    currency: z.string(),
    tax: maybeText,
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
    id: z.string().openapi({ example: exampleIds.payment }),
    create_time: Timestamp,
    update_time: Timestamp,
    state: z.enum(['created', 'approved', 'failed']),
    failure_reason: maybeText,
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
        reference_id: maybeText,
        description: maybeText,
        note_to_payee: maybeText,
        custom: maybeText,
        invoice_number: maybeText,
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
    next_id: maybeText,
  })
  .openapi('PaymentList');

const patchableNotes = [
  '/transactions/0/invoice_number',
  '/transactions/0/custom',
  '/transactions/0/item_list/shipping_address',
] as const;

export const PaymentPatchIn = patchOf(
  z.object({
    op: oneOf(['add', 'replace'], 'Must be add or replace'),
    path: oneOf(
      [...patchableNotes, '/transactions/0/amount'],
      `Must be /transactions/0/amount, ${patchableNotes.join(', ')}`,
    ),
    value: z.unknown().refine((value) => value !== undefined, requiredIssue),
  }),
).openapi('PaymentPatch', {
  example: exampleBodies.paymentPatch,
});

/** The values that a payment patch may set, by path. */
export const paymentPatchValues = {
  '/transactions/0/invoice_number': invoiceNumber,
  '/transactions/0/custom': text(127),
  '/transactions/0/item_list/shipping_address': ShippingAddressIn,
};

export const ExecuteIn = z
  .object({ payer_id: callerId(256).optional(), ...ignored('transactions') })
  .openapi('ExecuteInput', { example: exampleBodies.execute });

const paymentId = z.object({
  payment_id: z.string().openapi({ example: exampleIds.payment }),
});

export const paymentListQuery = z.object({
  count: sizeParameter().optional(),
  start_id: maybeText,
  start_index: z
    .string()
    .regex(/^\d{1,9}$/, 'Must be a number, from 0')
    .transform(Number)
    .openapi({ type: 'integer', minimum: 0, maximum: 999_999_999 })
    .optional(),
  start_time: timeParameter().optional(),
  end_time: timeParameter('end').optional(),
  sort_by: parameterOf(['create_time'], 'Must be create_time').optional(),
  sort_order: parameterOf(['asc', 'desc'], 'Must be asc or desc').optional(),
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
      ...errors(
        ...ofBody,
        ...ofRequestId,
        'not-found',
        'owner-missing',
        'owner-mismatch',
        'card-token-expired',
        'currency-not-allowed',
        'duplicate-invoice',
        'records-full',
      ),
    },
  }),
  'payment.list': declare({
    operationId: 'payment.list',
    method: 'get',
    path: '/v1/payments/payment',
    summary: 'List payments, newest first',
    tags,
    request: { query: paymentListQuery },
    responses: { 200: answer('A page of payments', PaymentListOut), ...errors('invalid-fields') },
  }),
  'payment.get': declare({
    operationId: 'payment.get',
    method: 'get',
    path: '/v1/payments/payment/{payment_id}',
    summary: 'Show a payment',
    tags,
    request: { params: paymentId },
    responses: { 200: answer('The payment', PaymentOut), ...errors('not-found') },
  }),
  'payment.update': declare({
    operationId: 'payment.update',
    method: 'patch',
    path: '/v1/payments/payment/{payment_id}',
    summary: 'Change the notes of a payment in state created',
    tags,
    request: { params: paymentId, body: jsonBody(PaymentPatchIn) },
    responses: {
      200: answer('The whole payment', PaymentOut),
      ...errors(...ofBody, 'not-found', 'payment-state-invalid', 'duplicate-invoice'),
    },
  }),
  'payment.execute': declare({
    operationId: 'payment.execute',
    method: 'post',
    path: '/v1/payments/payment/{payment_id}/execute',
    summary: 'Execute a wallet payment',
    description:
      'Always refused: every payment of this sandbox is made with a card, and a card payment is made when it is created.',
    tags,
    request: { params: paymentId, headers: requestIdHeader, body: jsonBody(ExecuteIn) },
    responses: errors(
      'payment-already-done',
      'payment-state-invalid',
      ...ofBody,
      'request-id-invalid',
      'not-found',
    ),
  }),
};
