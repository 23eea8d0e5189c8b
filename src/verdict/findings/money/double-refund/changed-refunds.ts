/** Cases that were refunded again in another way: from another charge, or with another amount. */
import {
  findCasesRefundedAgain,
  type CaseRefundedAgain,
} from '../../../client-knowledge/changed-repeats/case-refunded-again.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { recordIdIn } from '../../../evidence/journal-index.ts';
import { capitalize, listAmounts } from '../../../phrases.ts';
import type { Detection } from '../../finding-rule.ts';
import { adviceOnNames } from '../duplicate-advice.ts';
import { refundsCreatedBy, weights } from '../duplicates.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { describeTarget } from './repeated-refunds.ts';

/**
 * Refunds that returned the money of a case again, after a first refund of which the client did not know.
 *
 * @param reported Ids of the refunds that are reported as repeats already.
 */
export function* findChangedRefunds(
  evidence: Evidence,
  reported: ReadonlySet<string>,
): Generator<Detection> {
  for (const refunded of findCasesRefundedAgain(evidence)) {
    const { first, again, mayBeItems } = refunded;
    const excessRefunds = refundsCreatedBy(evidence, again);
    if (excessRefunds.some((id) => reported.has(id))) continue;
    yield {
      what: () =>
        `${describeRefunds(evidence, refunded)} ${describeAnswer(evidence, first, again)}, and the client refunded the same case again before it knew of the first refund.`,
      evidence: [first, again],
      purchase: evidence.purchaseLookup.byRecord(recordIdIn(first) ?? ''),
      ...weights[mayBeItems ? 'possible' : 'likely'],
      remedy: mayBeItems
        ? adviceOnNames(first)
        : 'Repeat a lost refund as it was, with the same PayPal-Request-Id, or read what became of it before you refund its case in another way.',
      excessRefunds,
    };
  }
}

/** Says what was refunded twice, and when. */
function describeRefunds(evidence: Evidence, { first, again, amounts }: CaseRefundedAgain): string {
  const target = describeTarget(evidence, [first]);
  const all = listAmounts(amounts);
  return recordIdIn(first) === recordIdIn(again)
    ? `${capitalize(target)} was refunded twice for one case, with another amount: ${all}.`
    : `One case was refunded twice, from ${target} and from ${describeTarget(evidence, [again])}: ${all}.`;
}
