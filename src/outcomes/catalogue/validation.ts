/** Requests that are wrong in themselves. */
import { problems } from '../../contract/problems.ts';
import { errorNames, forcedError, naturalError } from './errors.ts';
import { body } from './parameters.ts';
import { bearerOperations, byRule, type Row } from './row.ts';

const refused = {
  phase: 'before-commit',
  commit: 'never',
  concludes: 'FAIL',
  retry: 'after-fix',
  provenance: 'profile',
} as const;

const refusedByState = {
  ...refused,
  triggers: ['natural'],
  phase: 'natural',
  effect: { kind: 'none' },
} as const;

const missing = 'Required field missing';

export const validation: readonly Row[] = [
  {
    ...refused,
    id: 'validation-missing-field',
    tier: 1,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    wire: '400 VALIDATION_ERROR with one detail',
    effect: naturalError('invalid-fields', {
      field: 'transactions[0].amount.total',
      issue: missing,
    }),
    parameters: {
      field: {
        default: 'transactions[0].amount.total',
        type: 'text',
        about: 'The field of the first detail',
      },
    },
    cause: 'A bug, or a schema that drifted.',
    correctClient: 'Never retries; shows each detail at its field.',
  },
  {
    ...refused,
    id: 'validation-many-details',
    tier: 2,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    wire: '400 VALIDATION_ERROR with three details',
    effect: naturalError(
      'invalid-fields',
      { field: 'payer.payment_method', issue: missing },
      { field: 'transactions[0].amount.total', issue: missing },
      { field: 'transactions[0].amount.currency', issue: missing },
    ),
    cause: 'Several fields are wrong at once.',
    correctClient: 'Shows them all, not only the first.',
  },
  {
    ...refusedByState,
    id: 'amount-format-invalid',
    tier: 1,
    operations: ['payment.create'],
    wire: '400 VALIDATION_ERROR for transactions[0].amount.total',
    cause: 'A number, 10 or 10.5, 1,000.00, decimals in JPY, or too many digits.',
    correctClient: 'Formats money from whole minor units, by currency.',
  },
  {
    ...refused,
    id: 'amount-details-mismatch',
    tier: 2,
    operations: ['payment.create'],
    triggers: byRule,
    wire: '400 AMOUNT_MISMATCH',
    effect: forcedError('AMOUNT_MISMATCH'),
    cause: 'Details or items add up to something else than the total.',
    correctClient: 'Reckons in whole minor units.',
  },
  {
    ...refused,
    id: 'currency-not-allowed',
    tier: 2,
    operations: ['payment.create'],
    triggers: ['natural', ...byRule],
    wire: '400 CURRENCY_NOT_ALLOWED',
    effect: naturalError('currency-not-allowed'),
    cause: 'A currency the service does not pay in.',
    correctClient: 'Offers only currencies from a list.',
  },
  {
    ...refused,
    id: 'malformed-request',
    tier: 1,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    wire: '400 MALFORMED_REQUEST',
    effect: naturalError('malformed-request'),
    cause: 'The body is no JSON, or not of the form that is asked for.',
    correctClient: 'Never retries: it is a bug.',
  },
  {
    ...refusedByState,
    id: 'unsupported-media-type',
    tier: 2,
    operations: ['any-write'],
    wire: '415 UNSUPPORTED_MEDIA_TYPE',
    cause: 'A form instead of JSON, or no Content-Type.',
    correctClient: 'Sends application/json.',
  },
  {
    ...refused,
    id: 'payload-too-large',
    tier: 3,
    operations: ['any-write'],
    triggers: ['natural', ...byRule],
    wire: '413, as an error or as a page of something in between',
    effect: naturalError('body-too-large'),
    parameters: body('error'),
    cause: 'A huge description or list of items.',
    correctClient: 'Trims it, and reads an error that is no JSON.',
  },
  {
    ...refused,
    id: 'not-implemented',
    tier: 3,
    operations: ['any'],
    triggers: byRule,
    wire: '501 NOT_IMPLEMENTED',
    effect: forcedError('NOT_IMPLEMENTED'),
    cause: 'The feature is not switched on for this account.',
    correctClient: 'Switches its own feature off.',
  },
  {
    ...refusedByState,
    id: 'method-not-allowed',
    tier: 3,
    operations: ['any'],
    wire: '405 METHOD_NOT_SUPPORTED with Allow',
    cause: 'A link was followed with the wrong method.',
    correctClient: 'Uses the method the link names.',
  },
  {
    ...refused,
    id: 'error-by-name',
    tier: 3,
    operations: bearerOperations,
    triggers: byRule,
    wire: 'The error of the service that is named, with its status',
    effect: naturalError('payment-state-invalid'),
    parameters: {
      error: {
        default: problems['payment-state-invalid'].name,
        type: 'text',
        oneOf: errorNames,
        about: 'The name of the error',
      },
    },
    cause: 'Whatever the service may refuse a request for.',
    correctClient: 'Knows an error by its status where it does not know it by its name.',
    provenance: 'sandbox',
  },
];
