import type { Evidence } from '../../evidence/evidence.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { findChangedRefunds } from './double-refund/changed-refunds.ts';
import { findRefusedRepeats } from './double-refund/refused-repeats.ts';
import { findDriftedRefunds, findRepeatedRefunds } from './double-refund/repeated-refunds.ts';
import { findRepeatedRefundRuns } from './double-refund/repeated-runs.ts';

/** Finds refunds that a client requested again although the first one had returned the money. */
export const doubleRefund: FindingRule = {
  id: 'double-refund',
  severity: 'critical',
  about: 'The same money was refunded, or requested back, more than once.',
  remedy:
    'Create one PayPal-Request-Id per refund, send it with every retry, and read the sale before you refund it again.',
  find: findDoubleRefunds,
};

function* findDoubleRefunds(evidence: Evidence): Generator<Detection> {
  const repeated = [
    ...findRepeatedRefundRuns(evidence),
    ...findRepeatedRefunds(evidence),
    ...findDriftedRefunds(evidence),
  ];
  yield* repeated;
  const reported = new Set(repeated.flatMap(({ excessRefunds = [] }) => excessRefunds));
  yield* findChangedRefunds(evidence, reported);
  yield* findRefusedRepeats(evidence);
}
