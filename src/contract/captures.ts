/** Captures: show and refund. */
import { z } from '@hono/zod-openapi';
import { onFirstUse } from '../on-first-use.ts';
import { answerPart } from './answer-part.ts';
import { Link, MoneyOut, timestamp } from './common.ts';
import { answer, declare, errors, jsonBody, requestIdHeader, readBy } from './declare.ts';
import { exampleIds } from './examples.ts';
import { maybeText } from './fields.ts';
import { refundResponses, refundIn } from './sales.ts';

export const CaptureOut = answerPart('Capture', () =>
  z.object({
    id: z.string().openapi({ example: exampleIds.capture }),
    create_time: timestamp(),
    update_time: timestamp(),
    amount: MoneyOut,
    is_final_capture: z.boolean().optional(),
    state: z.enum(['completed', 'partially_refunded', 'refunded']),
    parent_payment: z.string(),
    invoice_number: maybeText(),
    links: z.array(Link),
  }),
);

const captureId = onFirstUse(() =>
  z.object({ capture_id: z.string().openapi({ example: exampleIds.capture }) }),
);

const tags = ['Authorizations and captures'];

export const captureRoutes = {
  'capture.get': declare({
    operationId: 'capture.get',
    method: 'get',
    path: '/v1/payments/capture/{capture_id}',
    summary: 'Show a capture',
    tags,
    request: readBy(() => ({ params: captureId() })),
    responses: { 200: answer('The capture', CaptureOut), ...errors('not-found') },
  }),
  'capture.refund': declare({
    operationId: 'capture.refund',
    method: 'post',
    path: '/v1/payments/capture/{capture_id}/refund',
    summary: 'Refund a capture, in full or in part',
    tags,
    request: readBy(() => ({
      params: captureId(),
      headers: requestIdHeader(),
      body: jsonBody(refundIn()),
    })),
    responses: refundResponses(),
  }),
};
