/** Jobs that ran twice: several sales or captures that were refunded again as a group. */
import type { Evidence } from '../../../evidence/evidence.ts';
import { gapMs } from '../../../evidence/exchange-order.ts';
import {
  firstExamples,
  formatCount,
  formatDuration,
  formatMoney,
  listWords,
} from '../../../phrases.ts';
import { findRepeatedRefundBatches } from '../../../purchases/repeated-batch.ts';
import type { RepeatedRequest } from '../../../purchases/group-batches.ts';
import type { Detection } from '../../finding-rule.ts';
import { adviseOnSecondRun } from '../duplicate-advice.ts';
import { refundsCreatedBy } from '../duplicates.ts';
import { describeJob } from '../explain-duplicate.ts';

/** Several sales or captures that were refunded again as a group, as by a job that ran twice. */
export function* findRepeatedRefundRuns(evidence: Evidence): Generator<Detection> {
  for (const batch of findRepeatedRefundBatches(evidence)) {
    const kept = batch.filter(({ first, again }) =>
      [first, again].every((entry) => refundsCreatedBy(evidence, entry).length > 0),
    );
    const [begin] = kept;
    if (begin === undefined) continue;
    const again = new Set(kept.flatMap((pair) => refundsCreatedBy(evidence, pair.again)));
    yield {
      what: `${formatCount(kept.length, 'refund')} ${kept.length === 1 ? 'was' : 'were'} made again ${formatDuration(gapMs(begin.first, begin.again))} later, for the same ${describeTargets(kept)} and amounts: ${listWords(amountsOf(evidence, again))}. ${describeJob(kept.length)}.`,
      evidence: firstExamples(kept.flatMap((pair) => [pair.first, pair.again])),
      excessRefunds: [...again],
      purchase: evidence.purchaseLookup.byRecord(begin.name),
      severity: 'high',
      confidence: 'likely',
      remedy: adviseOnSecondRun(
        'Record each refund of a run as made before the next run, and derive the PayPal-Request-Id from the case, so that a second run repeats it.',
        begin.first,
        begin.again,
      ),
    };
  }
}

function describeTargets(pairs: readonly RepeatedRequest[]): string {
  const plural = new Set(pairs.map(({ name }) => name)).size === 1 ? '' : 's';
  const kinds = pairs.map(({ first }) => (first.operation === 'sale.refund' ? 'sale' : 'capture'));
  return listWords(new Set(kinds), (kind) => `${kind}${plural}`);
}

function amountsOf({ records }: Evidence, refundIds: Iterable<string>): string[] {
  return [...refundIds].flatMap((id) => {
    const refund = records.refunds.get(id);
    return refund === undefined ? [] : [formatMoney(refund.amount)];
  });
}
