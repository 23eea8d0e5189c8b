/**
 * Every error that a client can get, in three sections: the service, its token endpoint, and the control API. The OpenAPI
 * documents, the tables of errors in the documentation and the golden files are made from it. This file loads nothing.
 *
 * Names of the service are those of the public v1 reference (contract.md §5.5); messages are ours.
 */
import type { RefusalKind } from '../domain/refusals.ts';

/** Refusals of the request itself, before any rule about cards or money applies. */
export type RequestProblemKind =
  | 'malformed-request'
  | 'unauthenticated'
  | 'merchants-full'
  | 'unsupported-media-type'
  | 'body-encoded'
  | 'body-too-large'
  | 'method-not-allowed'
  | 'no-proxy'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'request-timeout'
  | 'unknown-path'
  | 'not-served'
  | 'request-id-invalid'
  | 'request-id-reused'
  | 'request-in-progress'
  | 'outcome-unknown'
  | 'internal-error';

export type ServiceProblemKind = RefusalKind | RequestProblemKind;

/** One error of the service or of the token endpoint. */
export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 417 | 431 | 500 | 501;
  readonly name: string;
  /** `{}` is replaced by the public part of the refusal. */
  readonly message: string;
}

/** Problems of the service. */
export const serviceProblems = {
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
  'payment-already-done': {
    status: 400,
    name: 'PAYMENT_ALREADY_DONE',
    message: 'The payment has been made already; a card payment needs no execution',
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
    message: 'This merchant has the maximum number of records; reset it or raise --max-records',
  },
  unauthenticated: {
    status: 401,
    name: 'AUTHENTICATION_FAILURE',
    message: 'Authentication failed due to invalid authentication credentials',
  },
  'merchants-full': {
    status: 403,
    name: 'PERMISSION_DENIED',
    message:
      'This sandbox has the maximum number of merchants; delete one or raise --max-merchants',
  },
  'unsupported-media-type': {
    status: 415,
    name: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body as application/json',
  },
  'body-encoded': {
    status: 415,
    name: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Send the body uncompressed, without Content-Encoding',
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
  'no-proxy': {
    status: 405,
    name: 'METHOD_NOT_SUPPORTED',
    message: 'The sandbox is not a proxy; use its address as the base URL',
  },
  'expectation-failed': {
    status: 417,
    name: 'EXPECTATION_FAILED',
    message: 'Only the expectation 100-continue is supported',
  },
  'headers-too-large': {
    status: 431,
    name: 'REQUEST_HEADERS_TOO_LARGE',
    message: 'The path and headers are longer than 16 KiB',
  },
  'request-timeout': {
    status: 408,
    name: 'REQUEST_TIMEOUT',
    message: 'The request was not complete in time',
  },
  'unknown-path': {
    status: 404,
    name: 'NOT_FOUND',
    message: 'No operation has this path. {}',
  },
  'not-served': {
    status: 501,
    name: 'NOT_IMPLEMENTED',
    message: 'This sandbox does not serve {}',
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
    message: 'The header Sandbox-Outcome is invalid; GET /_sandbox/outcomes lists the outcomes. {}',
  },
  'internal-error': {
    status: 500,
    name: 'INTERNAL_SERVICE_ERROR',
    message: 'An internal service error has occurred',
  },
} as const satisfies Record<ServiceProblemKind, Problem>;

/** Where clients are sent to read about an error name (contract.md §5.1). */
export function informationLink(name: string): string {
  return `https://developer.paypal.com/docs/api/#${name}`;
}

/** Problems of the token endpoint (contract.md §1.3). Its body calls the name `error` and the message `error_description`. */
export const tokenProblems = {
  /**
   * `Seed silent:` one report has 400 here. With 401 and a challenge, clients that wait for a challenge authenticate
   * (`curl --anyauth`, `Authenticator` of Java), and SDKs expect 401 from this endpoint (contract.md §14.16).
   */
  'credentials-missing': {
    status: 401,
    name: 'invalid_client',
    message: 'Client credentials are missing',
  },
  'credentials-not-basic': {
    status: 401,
    name: 'invalid_client',
    message:
      'The client credentials are invalid: send Authorization: Basic and client_id:client_secret in base64',
  },
  'client-invalid': {
    status: 401,
    name: 'invalid_client',
    message:
      'The client credentials are invalid: a client id here has 1 to 128 letters, digits and . _ ~ @ + -',
  },
  'secret-wrong': {
    status: 401,
    name: 'invalid_client',
    message: 'Client secret does not match for this client',
  },
  'credentials-live': {
    status: 401,
    name: 'invalid_client',
    message:
      'The client credentials look like live ones, which this sandbox refuses (--real-cards refuse); use any others',
  },
  'grant-missing': {
    status: 400,
    name: 'unsupported_grant_type',
    message: 'Grant Type is NULL',
  },
  'grant-unknown': {
    status: 400,
    name: 'unsupported_grant_type',
    message: 'unsupported grant_type',
  },
  'refresh-token-unknown': {
    status: 400,
    name: 'invalid_request',
    message: 'Invalid refresh token',
  },
  'code-unknown': { status: 400, name: 'invalid_request', message: 'Invalid auth code' },
  'merchants-full': {
    status: 403,
    name: 'access_denied',
    message:
      'This sandbox has the maximum number of merchants; delete one or raise --max-merchants',
  },
  'media-type': {
    status: 415,
    name: 'invalid_request',
    message: 'Send the body as application/x-www-form-urlencoded',
  },
  'body-encoded': {
    status: 415,
    name: 'invalid_request',
    message: 'Send the body uncompressed, without Content-Encoding',
  },
  'body-too-large': {
    status: 413,
    name: 'invalid_request',
    message: 'The request body is larger than this sandbox accepts',
  },
  'outcome-unknown': {
    status: 400,
    name: 'invalid_request',
    message: 'The header Sandbox-Outcome is invalid; GET /_sandbox/outcomes lists the outcomes',
  },
  'internal-error': {
    status: 500,
    name: 'server_error',
    message: 'An internal service error has occurred',
  },
} as const satisfies Record<string, Problem>;

export type TokenProblemKind = keyof typeof tokenProblems;

/** One error of the control API. Its body names the code. */
export interface ControlProblem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 500;
  readonly when: string;
  /** Where the problem is in a request, if it is always the same place. */
  readonly place?: string;
  /** The problem is not about a part of the request. */
  readonly noPlace?: true;
}

/** Problems of the control API. */
export const controlProblems = {
  'unknown-parameter': { status: 400, when: 'a query parameter that the call does not take' },
  'invalid-parameter': { status: 400, when: 'a parameter with a value it cannot have' },
  'malformed-json': { status: 400, when: 'a body that is not JSON' },
  'unknown-key': { status: 400, when: 'a key in the body that the call does not take' },
  'invalid-body': { status: 400, when: 'a body with a value it cannot have' },
  'invalid-argument': { status: 400, when: 'an argument that the verb does not allow' },
  'invalid-time': { status: 400, when: 'a time or a duration that cannot be read' },
  'invalid-rule': { status: 400, when: 'a rule that cannot be armed' },
  'invalid-gate': { status: 400, when: 'a gate, a release or a wait that is not possible' },
  'invalid-scenario': { status: 400, when: 'a scenario that cannot be played' },
  'invalid-fixtures': { status: 400, when: 'fixtures of a scenario that cannot be loaded' },
  'invalid-name': { status: 400, when: 'a name that no snapshot can have', place: 'body.name' },
  'invalid-query': { status: 400, when: 'what is asked of the journal cannot be read' },
  'invalid-export': { status: 400, when: 'a document that no world can go on from' },
  'invalid-verdict': { status: 400, when: 'a verdict that cannot be asked for like this' },
  'token-required': { status: 401, when: 'the control token is missing, or another one' },
  'other-origin': { status: 403, when: 'a browser sent it from a page of another origin' },
  'unknown-host': { status: 403, when: 'a browser sent it to a name that is not the sandbox' },
  'merchants-full': { status: 403, when: 'no room for another merchant', noPlace: true },
  'snapshots-full': { status: 403, when: 'no room for another snapshot', place: 'query.merchant' },
  'waits-full': {
    status: 403,
    when: 'too many wait in the journal of a merchant',
    place: 'query.merchant',
  },
  'unknown-merchant': { status: 404, when: 'no merchant of that name', place: 'path.id' },
  'unknown-outcome': { status: 404, when: 'no outcome has this id', place: 'path.id' },
  'unknown-rule': { status: 404, when: 'no armed rule has this id', place: 'path.id' },
  'unknown-snapshot': { status: 404, when: 'no snapshot of that name', place: 'path.name' },
  'unknown-request': { status: 404, when: 'the journal holds no exchange with this debug id' },
  'unknown-path': { status: 404, when: 'no control call has this path' },
  'method-not-allowed': { status: 405, when: 'the path is served with other methods' },
  'wait-timeout': { status: 408, when: 'what was waited for did not come in time', noPlace: true },
  'wait-ended': { status: 409, when: 'what was waited for can no longer come', noPlace: true },
  'clock-refused': {
    status: 409,
    when: 'the clock would run backwards, or past the year 9996',
    noPlace: true,
  },
  'export-refused': { status: 409, when: 'a rule waits for what no export holds', noPlace: true },
  'body-too-large': { status: 413, when: 'a body larger than any control call needs' },
  'unsupported-media-type': { status: 415, when: 'a body of another type than the call takes' },
  'internal-error': { status: 500, when: 'a bug of this sandbox' },
} as const satisfies Record<string, ControlProblem>;

export type ControlProblemCode = keyof typeof controlProblems;
