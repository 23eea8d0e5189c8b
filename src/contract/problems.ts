/**
 * Every error of the service, as one table: status, wire name, message. OpenAPI, the README's error table and the
 * golden file are made from it. Names are those of the public v1 reference (contract.md §5.5); messages are ours.
 */
import type { RefusalKind } from '../domain/refusals.ts';

/** Refusals of the request itself, before any rule about cards or money is asked. */
export type RequestProblemKind =
  | 'malformed-request'
  | 'unauthenticated'
  | 'merchants-full'
  | 'unsupported-media-type'
  | 'body-encoded'
  | 'body-too-large'
  | 'method-not-allowed'
  | 'unknown-path'
  | 'request-id-invalid'
  | 'request-id-reused'
  | 'request-in-progress'
  | 'outcome-unknown'
  | 'internal-error';

export type ProblemKind = RefusalKind | RequestProblemKind;

export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500;
  readonly name: string;
  /** `{}` is filled with the refusal's public word. */
  readonly message: string;
}

export const problems = {
  'invalid-fields': {
    status: 400,
    name: 'VALIDATION_ERROR',
    message: 'Invalid request - see details',
  },
  'malformed-request': {
    status: 400,
    name: 'MALFORMED_REQUEST',
    message: 'Incoming JSON request does not map to API request',
  },
  'not-found': {
    status: 404,
    name: 'INVALID_RESOURCE_ID',
    message: 'The requested resource ID was not found',
  },
  'owner-missing': {
    status: 400,
    name: 'PAYER_ID_MISSING_FOR_CARD_TOKEN',
    message:
      'The card was stored with a customer id; send the same external_customer_id with the token',
  },
  'owner-mismatch': {
    status: 400,
    name: 'CARD_TOKEN_PAYER_MISMATCH',
    message: 'The customer id does not match the one the card was stored with',
  },
  'card-token-expired': {
    status: 400,
    name: 'EXPIRED_CREDIT_CARD_TOKEN',
    message: 'The vaulted card has expired and cannot be paid with; store the card again',
  },
  'currency-not-allowed': {
    status: 400,
    name: 'CURRENCY_NOT_ALLOWED',
    message: 'The service does not process payments in this currency',
  },
  'duplicate-invoice': {
    status: 400,
    name: 'DUPLICATE_TRANSACTION',
    message: 'A payment with this invoice_number exists already',
  },
  'payment-state-invalid': {
    status: 400,
    name: 'PAYMENT_STATE_INVALID',
    message: 'This request is invalid due to the current state of the payment',
  },
  'already-refunded': {
    status: 400,
    name: 'TRANSACTION_ALREADY_REFUNDED',
    message: 'This transaction has already been refunded in full',
  },
  'refund-exceeds-transaction': {
    status: 400,
    name: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
    message: 'The refund is larger than what is left of the transaction',
  },
  'full-refund-after-partial': {
    status: 400,
    name: 'FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND',
    message: 'A part was refunded already; name the amount to refund',
  },
  'refund-too-late': {
    status: 400,
    name: 'REFUND_TIME_LIMIT_EXCEEDED',
    message: 'The time within which this transaction could be refunded is over',
  },
  'transaction-not-refundable': {
    status: 400,
    name: 'TRANSACTION_REFUSED',
    message: 'The transaction cannot be refunded in its current state',
  },
  'currency-mismatch': {
    status: 400,
    name: 'CURRENCY_MISMATCH',
    message: 'The currency must be the one of the original transaction',
  },
  'authorization-expired': {
    status: 400,
    name: 'AUTHORIZATION_EXPIRED',
    message: 'The authorization has expired',
  },
  'authorization-voided': {
    status: 400,
    name: 'AUTHORIZATION_VOIDED',
    message: 'The authorization has been voided',
  },
  'authorization-completed': {
    status: 400,
    name: 'AUTHORIZATION_ALREADY_COMPLETED',
    message: 'The authorization has been captured in full or with a final capture',
  },
  'authorization-cannot-be-voided': {
    status: 400,
    name: 'AUTHORIZATION_CANNOT_BE_VOIDED',
    message: 'The authorization is in state {} and cannot be voided',
  },
  'capture-over-limit': {
    status: 400,
    name: 'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
    message: 'The capture is larger than what the authorization still allows',
  },
  'reauthorize-not-allowed': {
    status: 400,
    name: 'DCC_REAUTHORIZATION_NOT_ALLOWED',
    message: 'An authorization on a credit card cannot be reauthorized',
  },
  'records-full': {
    status: 403,
    name: 'PERMISSION_DENIED',
    message:
      'This sandbox merchant holds as many records as it may; reset it or raise --max-records',
  },
  unauthenticated: {
    status: 401,
    name: 'AUTHENTICATION_FAILURE',
    message: 'Authentication failed due to invalid authentication credentials',
  },
  'merchants-full': {
    status: 403,
    name: 'PERMISSION_DENIED',
    message: 'This sandbox holds as many merchants as it may; delete one or raise --max-merchants',
  },
  'unsupported-media-type': {
    status: 415,
    name: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json',
  },
  'body-encoded': {
    status: 415,
    name: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as it is, without Content-Encoding',
  },
  'body-too-large': {
    status: 413,
    name: 'REQUEST_BODY_TOO_LARGE',
    message: 'The request body is larger than this sandbox accepts; see --max-body-bytes',
  },
  'method-not-allowed': {
    status: 405,
    name: 'METHOD_NOT_SUPPORTED',
    message: 'This path is served with {}',
  },
  'unknown-path': {
    status: 404,
    name: 'NOT_FOUND',
    message: 'No operation has this path. {}',
  },
  'request-id-invalid': {
    status: 400,
    name: 'PAYMENT_REQUEST_ID_INVALID',
    message: 'PayPal-Request-Id must have 1 to 78 characters',
  },
  'request-id-reused': {
    status: 400,
    name: 'DUPLICATE_REQUEST_ID',
    message: 'This PayPal-Request-Id was used for a request with another body',
  },
  'request-in-progress': {
    status: 409,
    name: 'PREVIOUS_REQUEST_IN_PROGRESS',
    message: 'An earlier request with this PayPal-Request-Id is still being processed',
  },
  'outcome-unknown': {
    status: 400,
    name: 'SANDBOX_OUTCOME_UNKNOWN',
    message:
      'The header Sandbox-Outcome cannot be followed; GET /_sandbox/outcomes lists what it may say. {}',
  },
  'internal-error': {
    status: 500,
    name: 'INTERNAL_SERVICE_ERROR',
    message: 'An internal service error has occurred',
  },
} as const satisfies Record<ProblemKind, Problem>;

/** Where clients are sent to read about an error name (contract.md §5.1). */
export function informationLink(name: string): string {
  return `https://developer.paypal.com/docs/api/#${name}`;
}
