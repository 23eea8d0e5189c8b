/** Outcomes that a client should handle before it handles real money. */
import type { OperationName } from '../contract/service/operation-name.ts';

export interface OperationOutcome {
  readonly operation: OperationName;
  readonly outcome: string;
}

/** Operations by the money they risk, each with its outcomes by the same order. */
const rows: readonly (readonly [OperationName, readonly string[]])[] = [
  [
    'payment.create',
    [
      'reset-after-commit',
      'close-after-commit',
      'keepalive-race',
      'error-500-after-commit',
      'error-502-after-commit',
      'error-504-after-commit',
      'hang-after-commit',
      'executed-twice-by-proxy',
      'truncated-json',
      'empty-body-200',
      'html-instead-of-json-200',
      'declined-inside-201',
      'sale-pending-then-denied',
      'sale-pending-then-completed',
      'decline-insufficient-funds',
      'decline-lost-or-stolen',
      'error-503-before-commit',
      'rate-limited-seconds',
      'rate-limited-no-header',
      'token-expired',
      'request-in-progress',
      'duplicate-invoice',
      'created-not-visible-yet',
      'slow-first-byte',
      'slow-dribble',
      'unknown-enum-value',
      'error-forever',
    ],
  ],
  [
    'sale.refund',
    [
      'reset-after-commit',
      'error-500-after-commit',
      'executed-twice-by-proxy',
      'refund-failed-later',
    ],
  ],
  ['auth.capture', ['reset-after-commit', 'error-500-after-commit', 'auth-expired']],
  ['capture.refund', ['reset-after-commit', 'error-500-after-commit', 'refund-failed-later']],
  ['card.create', ['reset-after-commit', 'error-500-after-commit', 'cvv-mismatch-declined']],
  ['card.delete', ['reset-after-commit']],
  ['token.create', ['token-endpoint-down', 'token-short-lived']],
];

/** All of them. Those that risk the most money come first. */
export const coveragePriorities: readonly OperationOutcome[] = rows.flatMap(
  ([operation, outcomes]) => outcomes.map((outcome) => ({ operation, outcome })),
);
