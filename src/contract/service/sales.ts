/** Sales and refunds. */
import { z } from '@hono/zod-openapi';
import { Link, MoneyIn, MoneyOut, ProcessorOut, Timestamp } from './common.ts';
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
import { ignored, maybeText, text } from './fields.ts';
import type { ServiceProblemKind } from '../problems.ts';

export const SaleOut = z
  .object({
    id: z.string().openapi({ example: exampleIds.sale }),
    create_time: Timestamp,
    update_time: Timestamp,
    state: z.enum(['completed', 'partially_refunded', 'refunded', 'pending', 'denied', 'reversed']),
    reason_code: maybeText,
    payment_hold_status: z.literal('HELD').optional(),
    amount: MoneyOut,
    processor_response: ProcessorOut.optional(),
    parent_payment: z.string(),
    links: z.array(Link),
  })
  .openapi('Sale');

export const RefundOut = z
  .object({
    id: z.string().openapi({ example: exampleIds.refund }),
    create_time: Timestamp,
    update_time: Timestamp,
    state: z.enum(['completed', 'pending', 'failed']),
    amount: MoneyOut,
    sale_id: maybeText,
    capture_id: maybeText,
    parent_payment: z.string(),
    description: maybeText,
    reason: maybeText,
    invoice_number: maybeText,
    links: z.array(Link),
  })
  .openapi('Refund');

export const RefundListOut = z
  .object({ refunds: z.array(RefundOut), count: z.int(), links: z.array(Link) })
  .openapi('RefundList');

export const RefundIn = z
  .strictObject({
    amount: MoneyIn.optional(),
    description: text(255).optional(),
    reason: text(30).optional(),
    invoice_number: text(127).optional(),
    ...ignored(
      'id',
      'state',
      'links',
      'sale_id',
      'capture_id',
      'parent_payment',
      'create_time',
      'update_time',
      'custom',
      'refund_source',
      'items',
      'payer_info',
      'supplementary_data',
      'refund_advice',
      'is_non_platform_transaction',
    ),
  })
  .openapi('RefundInput', {
    description: 'Without an amount: a full refund.',
    example: exampleBodies.refund,
  });

const saleId = z.object({ sale_id: z.string().openapi({ example: exampleIds.sale }) });

/** Problems of every refund. */
const ofRefund = [
  ...ofBody,
  ...ofRequestId,
  'not-found',
  'currency-mismatch',
  'already-refunded',
  'refund-too-late',
  'full-refund-after-partial',
  'refund-exceeds-transaction',
  'records-full',
] as const satisfies readonly ServiceProblemKind[];

/** Builds the answers of a refund. `more` are problems that only this kind of refund has. */
export function refundResponses<const K extends ServiceProblemKind = never>(...more: readonly K[]) {
  return {
    200: answer('The refund of an earlier request with this PayPal-Request-Id', RefundOut),
    201: answer('The refund', RefundOut),
    ...errors<(typeof ofRefund)[number] | K>(...ofRefund, ...more),
  };
}

const tags = ['Sales and refunds'];

export const saleRoutes = {
  'sale.get': declare({
    operationId: 'sale.get',
    method: 'get',
    path: '/v1/payments/sale/{sale_id}',
    summary: 'Show a sale',
    tags,
    request: { params: saleId },
    responses: { 200: answer('The sale', SaleOut), ...errors('not-found') },
  }),
  'sale.refund': declare({
    operationId: 'sale.refund',
    method: 'post',
    path: '/v1/payments/sale/{sale_id}/refund',
    summary: 'Refund a sale, in full or in part',
    tags,
    request: { params: saleId, headers: requestIdHeader, body: jsonBody(RefundIn) },
    responses: refundResponses('transaction-not-refundable'),
  }),
  'sale.refunds': declare({
    operationId: 'sale.refunds',
    method: 'get',
    path: '/v1/payments/sale/{sale_id}/refund',
    summary: "List a sale's refunds",
    description:
      "Makes the sale's refund link good with the method it names (GET) under the documented profile.",
    tags,
    request: { params: saleId },
    responses: {
      200: answer('The refunds, oldest first', RefundListOut),
      ...errors('not-found'),
    },
  }),
  'refund.get': declare({
    operationId: 'refund.get',
    method: 'get',
    path: '/v1/payments/refund/{refund_id}',
    summary: 'Show a refund',
    tags,
    request: {
      params: z.object({ refund_id: z.string().openapi({ example: exampleIds.refund }) }),
    },
    responses: { 200: answer('The refund', RefundOut), ...errors('not-found') },
  }),
};
