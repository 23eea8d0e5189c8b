/** Authorizations: show, capture, void, reauthorize. */
import { z } from '@hono/zod-openapi';
import { CaptureOut } from './captures.ts';
import { DetailedAmountOut, Link, MoneyIn, ProcessorOut, Timestamp } from './common.ts';
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
import { ignored, text } from './fields.ts';

export const AuthorizationOut = z
  .object({
    id: z.string().openapi({ example: exampleIds.authorization }),
    create_time: Timestamp,
    update_time: Timestamp,
    amount: DetailedAmountOut,
    state: z.enum(['authorized', 'partially_captured', 'captured', 'voided', 'expired']),
    processor_response: ProcessorOut.optional(),
    parent_payment: z.string(),
    valid_until: Timestamp.optional(),
    links: z.array(Link),
  })
  .openapi('Authorization');

/** The same record inside a payment, where `state` comes before `amount` (contract.md §4.3). */
export const AuthorizationInPayment = AuthorizationOut;

const readOnly = ['id', 'state', 'links', 'parent_payment', 'create_time', 'update_time'] as const;

export const CaptureIn = z
  .strictObject({
    amount: MoneyIn,
    is_final_capture: z
      .union([z.boolean(), z.stringbool()])
      .optional()
      .openapi({ type: ['boolean', 'string'] }),
    invoice_number: text(127).optional(),
    note_to_payer: text(255).optional(),
    ...ignored(...readOnly, 'transaction_fee', 'reason_code', 'supplementary_data', 'custom'),
  })
  .openapi('CaptureInput', { example: exampleBodies.capture });

export const VoidIn = z.object({}).openapi('VoidInput', {
  description: 'The body is ignored and may be empty.',
  example: exampleBodies.void,
});

export const ReauthorizeIn = z
  .object({ amount: MoneyIn.optional() })
  .openapi('ReauthorizeInput', { example: exampleBodies.reauthorize });

const authorizationId = z.object({
  authorization_id: z.string().openapi({ example: exampleIds.authorization }),
});

const tags = ['Authorizations and captures'];

export const authorizationRoutes = {
  'auth.get': declare({
    operationId: 'auth.get',
    method: 'get',
    path: '/v1/payments/authorization/{authorization_id}',
    summary: 'Show an authorization',
    tags,
    request: { params: authorizationId },
    responses: {
      200: answer('The authorization', AuthorizationOut),
      ...errors('not-found'),
    },
  }),
  'auth.capture': declare({
    operationId: 'auth.capture',
    method: 'post',
    path: '/v1/payments/authorization/{authorization_id}/capture',
    summary: 'Take money that an authorization holds',
    tags,
    request: { params: authorizationId, headers: requestIdHeader, body: jsonBody(CaptureIn) },
    responses: {
      200: answer('The capture', CaptureOut),
      ...errors(
        ...ofBody,
        ...ofRequestId,
        'not-found',
        'currency-mismatch',
        'authorization-voided',
        'authorization-completed',
        'authorization-expired',
        'capture-over-limit',
        'records-full',
      ),
    },
  }),
  'auth.void': declare({
    operationId: 'auth.void',
    method: 'post',
    path: '/v1/payments/authorization/{authorization_id}/void',
    summary: 'Let held money go',
    tags,
    request: { params: authorizationId, headers: requestIdHeader, body: jsonBody(VoidIn) },
    responses: {
      200: answer('The voided authorization', AuthorizationOut),
      ...errors(...ofBody, ...ofRequestId, 'not-found', 'authorization-cannot-be-voided'),
    },
  }),
  'auth.reauthorize': declare({
    operationId: 'auth.reauthorize',
    method: 'post',
    path: '/v1/payments/authorization/{authorization_id}/reauthorize',
    summary: 'Renew an authorization',
    description:
      'Always refused: every authorization of this sandbox is on a card, and card authorizations cannot be renewed.',
    tags,
    request: { params: authorizationId, headers: requestIdHeader, body: jsonBody(ReauthorizeIn) },
    responses: errors('reauthorize-not-allowed', ...ofBody, 'request-id-invalid', 'not-found'),
  }),
};
