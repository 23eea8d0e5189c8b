import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds reads that failed with a temporary error and were never retried. */
export const givesUpAtOnce: FindingRule = {
  id: 'gives-up-at-once',
  severity: 'low',
  about: 'A read failed once with a temporary error and was not retried.',
  remedy: 'Retry a read once after 429, 503 or a broken connection.',
  needsWholeJournal: true,
  find: findAbandonedReads,
};

const reads: readonly OperationName[] = [
  'card.get',
  'card.list',
  'payment.get',
  'payment.list',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'capture.get',
  'refund.get',
];

function* findAbandonedReads(evidence: Evidence): Generator<Detection> {
  for (const operation of reads) {
    const entries = evidence.of(operation);
    if (!entries.some(failedTemporarily)) continue;
    const abandoned: StoredEntry[] = [];
    for (const [, ofRecord] of groupBy(entries, recordIdIn)) {
      const last = ofRecord.at(-1);
      const before = ofRecord.at(-2);
      if (last === undefined || !failedTemporarily(last)) continue;
      const wasRetried = before !== undefined && failedTemporarily(before);
      if (!wasRetried && !isStillWaiting(evidence, last)) abandoned.push(last);
    }
    if (abandoned.length === 0) continue;
    yield {
      what: `${formatCount(abandoned.length, `${operation} read`)} failed once with a temporary error and ${abandoned.length === 1 ? 'was' : 'were'} not retried.`,
      evidence: firstExamples(abandoned.toSorted(bySeq)),
      // A page may show the error and let the buyer retry.
      confidence: 'possible',
    };
  }
}

function failedTemporarily({ status, delivery }: StoredEntry): boolean {
  if (delivery.state === 'delivered') return status === 429 || status === 503;
  return delivery.state === 'lost' && !delivery.clientLeft;
}

/** Whether the Retry-After of an answer has not passed yet. */
function isStillWaiting(
  { atMs }: Evidence,
  { retryAfter, atMs: answeredMs }: StoredEntry,
): boolean {
  if (retryAfter === undefined) return false;
  const untilMs = /^\d+$/.test(retryAfter)
    ? answeredMs + Number(retryAfter) * 1000
    : Date.parse(retryAfter);
  return atMs < untilMs;
}
