/** What happens to the right clients: one of these at a time, each on the operation that matters to the client. */
import type { OutcomeId } from '../../../../src/index.ts';
import type { Forced } from './client.ts';

function on(op: Forced['op'], ...outcomes: readonly OutcomeId[]): Forced[] {
  return outcomes.map((outcome) => ({ op, outcome }));
}

const lost = [
  'reset-after-commit',
  'reset-before-commit',
  'close-after-commit',
  'error-500-after-commit',
  'error-500-before-commit',
  'error-502-after-commit',
  'html-instead-of-json-200',
  'empty-body-200',
  'truncated-json',
  'hang-after-commit',
  'error-503-before-commit',
  'rate-limited-seconds',
  'latency-degraded',
  'id-format-longer',
  'unknown-field-added',
  'null-instead-of-absent',
  'timestamp-precision-varies',
  'token-expired',
] as const satisfies readonly OutcomeId[];

/** Stale, missing and failing reads, each after an answer that was lost. */
const reads: readonly Forced[] = [
  ...on('payment.list', 'list-lags-create', 'error-forever', 'html-error-page'),
  ...on('payment.get', 'created-not-visible-yet'),
  ...on('sale.get', 'created-not-visible-yet', 'stale-read-after-update'),
];

export const payments: readonly Forced[] = [
  ...on(
    'payment.create',
    ...lost,
    'request-in-progress',
    'decline-generic',
    'decline-insufficient-funds',
    'declined-inside-201',
    'payment-state-failed',
    'sale-pending-then-completed',
    'sale-pending-then-denied',
    'sale-held',
    'chargeback-opened-won-lost',
    'sale-reversed-later',
    'executed-twice-by-proxy',
    'request-id-ignored',
    'partial-commit',
  ),
  { op: 'payment.create', outcome: 'reset-after-commit', times: 9 },
  { op: 'payment.create', outcome: 'error-500-before-commit', times: 9 },
  { op: 'payment.create', outcome: 'reset-after-commit', nth: 2 },
  { op: 'payment.create', outcome: 'decline-generic', nth: 2 },
  ...reads,
];

const key: ReadonlySet<string> = new Set<OutcomeId>([
  'reset-after-commit',
  'reset-before-commit',
  'error-500-after-commit',
  'hang-after-commit',
  'request-in-progress',
  'declined-inside-201',
  'sale-pending-then-denied',
  'executed-twice-by-proxy',
  'request-id-ignored',
  'auth-expired',
  'refund-pending-then-completed',
]);

/** The outcomes that tell most clients apart, for clients that look like another one. */
export function telling(outcomes: readonly Forced[]): readonly Forced[] {
  return outcomes.filter(({ outcome }) => key.has(outcome));
}

export const refunds: readonly Forced[] = [
  ...on(
    'sale.refund',
    ...lost,
    'request-in-progress',
    'refund-pending-then-completed',
    'refund-failed-later',
    'refund-insufficient-merchant-funds',
    'refund-already-done',
    'executed-twice-by-proxy',
  ),
  { op: 'sale.refund', outcome: 'reset-after-commit', times: 9 },
  { op: 'sale.refund', outcome: 'reset-after-commit', nth: 2 },
  ...on('payment.create', 'chargeback-opened-won-lost'),
  ...reads,
];

export const captures: readonly Forced[] = [
  ...on('auth.capture', ...lost, 'auth-expired', 'auth-honor-lapsed'),
  { op: 'auth.capture', outcome: 'reset-after-commit', times: 9 },
  { op: 'auth.capture', outcome: 'reset-after-commit', nth: 2 },
  ...on('auth.void', 'reset-after-commit', 'error-500-before-commit', 'hang-after-commit'),
  ...on('payment.create', 'reset-after-commit', 'error-500-before-commit'),
];

export const stores: readonly Forced[] = [
  ...on('card.create', ...lost, 'card-auto-updated', 'card-closed-by-issuer', 'request-id-ignored'),
  ...on('card.list', 'list-lags-create', 'error-forever'),
  ...on('card.get', 'created-not-visible-yet'),
  ...on('card.delete', 'reset-after-commit', 'error-500-before-commit', 'hang-after-commit'),
];
