/** Refunds that a client requested again, and that the service refused. */
import { serviceProblems } from '../../../../contract/problems.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { bySeq, overlaps } from '../../../evidence/exchange-order.ts';
import { hasForcedEffect } from '../../../evidence/exchange-results.ts';
import { recordIdIn } from '../../../evidence/journal-index.ts';
import { requestsByRecordContent } from '../../../evidence/request-content.ts';
import { firstExamples, formatTimes } from '../../../phrases.ts';
import type { Detection } from '../../finding-rule.ts';
import { refundsCreatedBy } from '../duplicates.ts';
import { describeTarget } from './repeated-refunds.ts';

/**
 * Repeats of a refund that the service refused, because nothing was left to refund. The refusal tells the client so, and
 * does no harm.
 */
export function* findRefusedRepeats(evidence: Evidence): Generator<Detection> {
  for (const alike of requestsByRecordContent(evidence).values()) {
    if (!alike.some(isNothingLeft)) continue;
    const executed = alike.filter((entry) => refundsCreatedBy(evidence, entry).length > 0);
    const [first] = executed;
    if (first === undefined) continue;
    const requestIds = new Set(executed.map(({ requestId }) => requestId));
    const refused = alike.filter(
      (entry) =>
        // Not over before the first one. Of two that were open together, the service may refuse the one that came first.
        overlaps(entry, first) &&
        isNothingLeft(entry) &&
        // A repeat with the same request id is safe.
        (entry.requestId === undefined || !requestIds.has(entry.requestId)),
    );
    if (refused.length === 0) continue;
    const all = [...executed, ...refused].toSorted(bySeq);
    yield {
      what: () =>
        `A refund of ${describeTarget(evidence, alike)} was requested ${formatTimes(all.length)}. The service refused the repeat, because the whole amount had been refunded.`,
      evidence: firstExamples(all),
      purchase: evidence.purchaseLookup.byRecord(recordIdIn(first) ?? ''),
      severity: refused.some(({ concludes }) => concludes === 'FAIL') ? 'low' : 'medium',
    };
  }
}

/** Whether the service refused a refund by itself, because the whole amount had been refunded. */
function isNothingLeft(entry: StoredEntry): boolean {
  return (
    entry.problem === serviceProblems['already-refunded'].name && !hasForcedEffect(entry, 'error')
  );
}
