/** Server errors before and after the commit. The bytes are the same, only the ledger differs. */
import { forcedError, gatewayError, naturalError } from './errors.ts';
import { body, byRule, delay, retryAfter, type Row, settleAfter, times } from './row.ts';

const unknownOutcome = {
  operations: ['any-write'],
  triggers: byRule,
  concludes: 'UNKNOWN',
  retry: 'same-key',
  provenance: 'generic-http',
} as const;

const beforeCommit = { ...unknownOutcome, phase: 'before-commit', commit: 'never' } as const;
const afterCommit = { ...unknownOutcome, phase: 'after-commit', commit: 'committed' } as const;

const crashed = {
  response: '500 INTERNAL_SERVICE_ERROR',
  effect: naturalError('internal-error'),
  parameters: body('error'),
} as const;

const badGateway = {
  response: '502 as an HTML page',
  effect: gatewayError(502, 'Bad gateway'),
  parameters: body('html'),
} as const;

const gatewayTimeout = {
  response: '504 as an HTML page, after a delay',
  effect: gatewayError(504, 'Gateway timeout'),
  parameters: { ...delay('800ms'), ...body('html') },
} as const;

export const serverErrors: readonly Row[] = [
  {
    ...beforeCommit,
    ...crashed,
    id: 'error-500-before-commit',
    tier: 1,
    cause: 'The service failed before the write.',
    correctClient: 'Retries with the same request id, then reads.',
  },
  {
    ...afterCommit,
    ...crashed,
    id: 'error-500-after-commit',
    tier: 1,
    cause: 'The service failed after the write, so a 5xx may have created a payment.',
    correctClient: 'Retries with the same request id, then reads.',
  },
  {
    ...beforeCommit,
    ...badGateway,
    id: 'error-502-before-commit',
    tier: 1,
    cause: 'The gateway could not reach the service.',
    correctClient: 'Retries with the same request id and handles an HTML page.',
  },
  {
    ...afterCommit,
    ...badGateway,
    id: 'error-502-after-commit',
    tier: 1,
    cause: 'The service failed while it answered the gateway.',
    correctClient: 'Retries with the same request id and handles an HTML page.',
  },
  {
    ...beforeCommit,
    id: 'error-503-before-commit',
    tier: 1,
    response: '503 SERVICE_UNAVAILABLE with Retry-After',
    effect: forcedError('SERVICE_UNAVAILABLE'),
    parameters: { ...retryAfter(2), ...body('error') },
    cause: 'Overload. Usually the request was not executed.',
    correctClient: 'Waits as long as Retry-After says, then retries with the same request id.',
  },
  {
    ...beforeCommit,
    ...gatewayTimeout,
    id: 'error-504-before-commit',
    tier: 2,
    cause: 'The gateway timed out, and the request was never executed.',
    correctClient: 'Retries with the same request id, then reads.',
  },
  {
    ...afterCommit,
    ...gatewayTimeout,
    id: 'error-504-after-commit',
    tier: 1,
    cause: 'The gateway timed out, and the request was executed nevertheless.',
    correctClient: 'Retries with the same request id, then reads.',
  },
  {
    ...unknownOutcome,
    id: 'error-then-ok',
    tier: 1,
    triggers: byRule,
    phase: 'before-commit',
    commit: 'mixed',
    response: '500 INTERNAL_SERVICE_ERROR a few times, then 201',
    effect: { kind: 'series', of: ['error-500-before-commit', 'ok'] },
    parameters: times(2),
    cause: 'A temporary failure.',
    correctClient: 'Retries a limited number of times with backoff, and pays exactly once.',
  },
  {
    ...afterCommit,
    id: 'partial-commit',
    tier: 2,
    operations: ['payment.create'],
    needs: 'sale',
    triggers: byRule,
    commit: 'deferred',
    response: '500 INTERNAL_SERVICE_ERROR; the payment exists, and its sale follows a little later',
    effect: {
      kind: 'payment',
      overrides: { sale: 'late', settlesTo: 'made' },
      answer: naturalError('internal-error'),
    },
    parameters: { ...settleAfter('2s'), ...body('error') },
    cause: 'The provider writes in two steps.',
    correctClient: 'Finds the payment by its invoice number, waits, and then decides.',
  },
  {
    ...unknownOutcome,
    ...crashed,
    id: 'error-forever',
    tier: 1,
    operations: ['any'],
    triggers: byRule,
    phase: 'before-read',
    commit: 'never',
    response: '500 INTERNAL_SERVICE_ERROR every time',
    cause: 'An outage.',
    correctClient: 'Gives up after a limited time and marks the order for reconciliation.',
  },
];
