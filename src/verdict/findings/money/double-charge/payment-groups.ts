/** Requests to pay for one thing that may have been carried out several times. */
import { memoize } from '../../../../shared/memoize.ts';
import { hasSameKey } from '../../../client-knowledge/idempotency-keys.ts';
import { findMissedLook } from '../../../client-knowledge/reads/missed-looks.ts';
import { parallelAttempts } from '../../../client-knowledge/parallel/parallel-attempts.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { overlaps } from '../../../evidence/exchange-order.ts';
import { isNamedOrder } from '../../../evidence/orders/order-names.ts';
import { describeRequest } from '../../../phrases.ts';
import type { AttemptGroup } from '../../../purchases/attempts.ts';
import {
  findRepeatedPaymentBatches,
  requestsMadeAgain,
} from '../../../purchases/repeated-batch.ts';
import { canBeDuplicate, type Duplicates } from '../duplicates.ts';
import { explainDuplicate } from '../explain-duplicate.ts';
import { explainLostCapture } from './lost-captures.ts';

/** The groups of payments that may be duplicates and belong to no second run. */
export const findPaymentGroups = memoize((evidence: Evidence): readonly AttemptGroup[] => {
  // The payments of second runs are reported together.
  const inRun = requestsMadeAgain(findRepeatedPaymentBatches(evidence));
  return evidence.attemptGroups.filter(
    ({ operation, attempts }) =>
      operation === 'payment.create' &&
      canBeDuplicate(attempts) &&
      !attempts.some((entry) => inRun.has(entry)),
  );
});

/** Says why a payment was made twice, and why both count as one. */
export function explainRepeat(
  evidence: Evidence,
  group: AttemptGroup,
  duplicates: Duplicates,
): string {
  return [
    explainDuplicate(evidence, duplicates, parallelAttempts(evidence, group)),
    explainOrderName(evidence, duplicates),
    explainMissedLook(evidence, group, duplicates),
    explainLostCapture(evidence, duplicates.requests),
  ].join('');
}

/** Names the look that did not show a payment which the client then made again. */
function explainMissedLook(
  evidence: Evidence,
  group: AttemptGroup,
  { requests, areDoubled }: Duplicates,
): string {
  const [first] = requests;
  if (areDoubled || first?.concludes !== 'OK') return '';
  const look = findMissedLook(evidence, group, requests);
  return look ? ` In between, ${describeRequest(look)} did not show the earlier payment.` : '';
}

/**
 * Why payments that were answered one after the other count as one: the words that name the order. What was sent again on
 * the way, or with the same request id, needs no other reason.
 */
export function explainOrderName(evidence: Evidence, { requests, areDoubled }: Duplicates): string {
  const [first, second] = requests;
  if (areDoubled || first?.concludes !== 'OK' || second === undefined) return '';
  if (hasSameKey(first, second) || overlaps(first, second)) return '';
  const isNamed = [first, second].every((entry) => isNamedOrder(evidence, entry));
  const all = requests.length > 2 ? 'All' : 'Both';
  return isNamed ? ` ${all} payments name the same order, period or instalment.` : '';
}
