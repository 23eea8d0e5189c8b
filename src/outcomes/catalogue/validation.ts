/** Requests that are invalid. */
import { serviceProblems } from '../../contract/problems.ts';
import { errorNames, forcedError, naturalError } from './errors.ts';
import { bearerOperations, body, byRule, type Row, refused, refusedByState } from './row.ts';

/** Refusals of invalid requests: a retry needs a corrected request. */
const invalid = { ...refused, retry: 'after-fix' } as const;

const invalidByState = { ...refusedByState, retry: 'after-fix' } as const;

const missing = 'Required field missing';

export const validation: readonly Row[] = [
  {
    ...invalid,
    id: 'validation-missing-field',
    tier: 1,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    response: '400 VALIDATION_ERROR with one detail',
    effect: naturalError('invalid-fields', {
      field: 'transactions[0].amount.total',
      issue: missing,
    }),
    parameters: {
      field: {
        default: 'transactions[0].amount.total',
        type: 'text',
        about: 'Field of the first detail',
      },
    },
    cause: 'A bug, or an outdated schema.',
    correctClient: 'Does not retry and shows each detail at its field.',
  },
  {
    ...invalid,
    id: 'validation-many-details',
    tier: 2,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    response: '400 VALIDATION_ERROR with three details',
    effect: naturalError(
      'invalid-fields',
      { field: 'payer.payment_method', issue: missing },
      { field: 'transactions[0].amount.total', issue: missing },
      { field: 'transactions[0].amount.currency', issue: missing },
    ),
    cause: 'Several fields are invalid at once.',
    correctClient: 'Shows all details, not only the first.',
  },
  {
    ...invalidByState,
    id: 'amount-format-invalid',
    tier: 1,
    operations: ['payment.create'],
    response: '400 VALIDATION_ERROR for transactions[0].amount.total',
    cause: 'A number instead of text, 10 or 10.5, 1,000.00, decimals in JPY, or too many digits.',
    correctClient: 'Formats amounts from integer minor units by currency.',
  },
  {
    ...invalid,
    id: 'amount-details-mismatch',
    tier: 2,
    operations: ['payment.create'],
    triggers: byRule,
    response: '400 AMOUNT_MISMATCH',
    effect: forcedError('AMOUNT_MISMATCH'),
    cause: 'Details or items do not add up to the total.',
    correctClient: 'Calculates in integer minor units.',
  },
  {
    ...invalid,
    id: 'currency-not-allowed',
    tier: 2,
    operations: ['payment.create'],
    triggers: ['natural', ...byRule],
    response: '400 CURRENCY_NOT_ALLOWED',
    effect: naturalError('currency-not-allowed'),
    cause: 'The service does not support the currency.',
    correctClient: 'Offers only supported currencies.',
  },
  {
    ...invalid,
    id: 'malformed-request',
    tier: 1,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    response: '400 MALFORMED_REQUEST',
    effect: naturalError('malformed-request'),
    cause: 'The body is not JSON or has the wrong structure.',
    correctClient: 'Does not retry, because it is a bug.',
  },
  {
    ...invalidByState,
    id: 'unsupported-media-type',
    tier: 2,
    operations: ['any-write'],
    response: '415 UNSUPPORTED_MEDIA_TYPE',
    cause: 'A form instead of JSON, or a missing Content-Type.',
    correctClient: 'Sends application/json.',
  },
  {
    ...invalid,
    id: 'payload-too-large',
    tier: 3,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    response: '413, as an error or as a page of a proxy',
    effect: naturalError('body-too-large'),
    parameters: body('error'),
    cause: 'A very long description or list of items.',
    correctClient: 'Shortens the request and handles an error that is not JSON.',
  },
  {
    ...invalid,
    id: 'not-implemented',
    tier: 3,
    operations: ['any'],
    triggers: byRule,
    response: '501 NOT_IMPLEMENTED',
    effect: forcedError('NOT_IMPLEMENTED'),
    cause: 'The feature is not enabled for this account.',
    correctClient: 'Disables its own feature.',
  },
  {
    ...invalidByState,
    id: 'method-not-allowed',
    tier: 3,
    operations: ['any'],
    response: '405 METHOD_NOT_SUPPORTED with an Allow header',
    cause: 'The client followed a link with the wrong method.',
    correctClient: 'Uses the method that the link names.',
  },
  {
    ...invalid,
    id: 'error-by-name',
    tier: 3,
    operations: bearerOperations,
    triggers: byRule,
    response: 'The named error of the service, with its status',
    effect: naturalError('payment-state-invalid'),
    parameters: {
      error: {
        default: serviceProblems['payment-state-invalid'].name,
        type: 'text',
        oneOf: errorNames,
        about: 'Name of the error',
      },
    },
    cause: 'Any reason for which the service may refuse a request.',
    correctClient: 'Handles an unknown error name by its HTTP status.',
    provenance: 'sandbox',
  },
];
