/** Captures: show and refund. */
import { z } from '@hono/zod-openapi';
import { Link, MoneyOut, Timestamp } from './common.ts';
import { answer, declare, errors, jsonBody, requestIdHeader } from './declare.ts';
import { exampleIds } from './examples.ts';
import { maybeText } from './fields.ts';
import { refundResponses, RefundIn } from './sales.ts';

export const CaptureOut = z
  .object({
    id: z.string().openapi({ example: exampleIds.capture }),
    create_time: Timestamp,
    update_time: Timestamp,
    amount: MoneyOut,
    is_final_capture: z.boolean().optional(),
    state: z.enum(['completed', 'partially_refunded', 'refunded']),
    parent_payment: z.string(),
    invoice_number: maybeText,
    links: z.array(Link),
  })
  .openapi('Capture');

const captureId = z.object({ capture_id: z.string().openapi({ example: exampleIds.capture }) });

const tags = ['Authorizations and captures'];

export const captureRoutes = {
  'capture.get': declare({
    operationId: 'capture.get',
    method: 'get',
    path: '/v1/payments/capture/{capture_id}',
    summary: 'Show a capture',
    tags,
    request: { params: captureId },
    responses: { 200: answer('The capture', CaptureOut), ...errors('not-found') },
  }),
  'capture.refund': declare({
    operationId: 'capture.refund',
    method: 'post',
    path: '/v1/payments/capture/{capture_id}/refund',
    summary: 'Refund a capture, in full or in part',
    tags,
    request: { params: captureId, headers: requestIdHeader, body: jsonBody(RefundIn) },
    responses: refundResponses(),
  }),
};
