import { isNamelessSeries } from '../../client-knowledge/equal-sales.ts';
import { isOneThingInParallel } from '../../client-knowledge/parallel/one-thing.ts';
import { firstWithKey } from '../../client-knowledge/idempotency-keys.ts';
import {
  parallelAttempts,
  type ParallelAttempts,
} from '../../client-knowledge/parallel/parallel-attempts.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { createdIds, hasForcedEffect, isRefused } from '../../evidence/exchange-results.ts';
import { explainServiceTime, firstExamples, formatCount, formatDuration } from '../../phrases.ts';
import { findRepeatedPaymentBatches, requestsMadeAgain } from '../../purchases/repeated-batch.ts';
import {
  duplicateSeverity,
  type AttemptGroup,
  type OnceOnlyOperation,
} from '../../purchases/attempts.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { adviceOnNames } from '../money/duplicate-advice.ts';
import { explainReturn } from '../money/duplicates.ts';

/** Finds requests for the same thing that were open at the same time with different request ids, or none. */
export const concurrentDuplicates: FindingRule = {
  id: 'concurrent-duplicates',
  severity: 'critical',
  about: 'Several requests for one thing were sent at once without a shared PayPal-Request-Id.',
  remedy:
    'Lock the order while it is paid, or send the same PayPal-Request-Id with every request for it.',
  find: findParallelDuplicates,
};

const refundOnce =
  'Lock the order while it is refunded, or send the same PayPal-Request-Id with every request for one return.';

/** What to do, for operations other than a payment. */
const remedies: Readonly<Partial<Record<OnceOnlyOperation, string>>> = {
  'sale.refund': refundOnce,
  'capture.refund': refundOnce,
  'auth.capture':
    'Lock the order while it is captured, or send the same PayPal-Request-Id with every request for one part of it.',
  'card.create':
    'Lock the customer while a card is stored, or send the same PayPal-Request-Id with every request for it.',
};

function* findParallelDuplicates(evidence: Evidence): Generator<Detection> {
  const inRun = requestsMadeAgain(findRepeatedPaymentBatches(evidence));
  for (const group of evidence.retriedGroups) {
    const parallel = parallelAttempts(evidence, group);
    const [first, second] = parallel.entries;
    if (first === undefined || second === undefined) continue;
    // A client that runs a batch again may wait for each run, and use other connections of its pool.
    if (parallel.isAssumed && parallel.entries.some((entry) => inRun.has(entry))) continue;
    const executed = parallel.executed.length;
    const returned = explainReturn(evidence, group.attempts);
    const end = `${describeExecuted(parallel)}.${returned === undefined ? '' : ` ${returned}`}`;
    const apart = `${formatDuration(gapMs(first, second))} apart`;
    const sent = new Set(parallel.entries.map((entry) => firstWithKey(evidence, entry)));
    const requests = `${formatCount(sent.size, 'request')} for ${group.description}`;
    yield {
      what: parallel.isAssumed
        ? `${requests} were sent ${apart} on different connections${end} ${explainServiceTime(evidence)}`
        : `${requests} were open at the same time, sent ${apart}${end}`,
      evidence: firstExamples(parallel.entries),
      purchase: group.purchase,
      ...weigh(evidence, group, parallel.entries, executed, returned !== undefined),
      remedy: isLoadTest(evidence, group, parallel.entries)
        ? adviceOnNames(first, executed)
        : remedies[group.operation],
    };
  }
}

/** How many requests were executed, if several were. One that did nothing at first may have been sent again. */
function describeExecuted({ entries, executed }: ParallelAttempts): string {
  if (executed.length < 2) return '';
  const sentAgain = executed.filter((entry) => !entries.includes(entry)).length;
  return sentAgain === 0
    ? `, and ${executed.length} of them were executed`
    : `, and ${executed.length} were executed, ${sentAgain} of them when sent again later`;
}

function weigh(
  evidence: Evidence,
  group: AttemptGroup,
  parallel: readonly StoredEntry[],
  executed: number,
  isReturned: boolean,
): Pick<Detection, 'severity' | 'confidence'> {
  // The service refuses the second request for an invoice number, so only a repeat that it executed does harm.
  if (group.hasInvoiceNumber) {
    return { severity: executed > 1 ? duplicateSeverity[group.operation] : 'low' };
  }
  if (isOneThingInParallel(evidence, group)) {
    // The client itself took the harm back.
    return { severity: isReturned ? 'medium' : 'high', confidence: 'likely' };
  }
  if (group.operation === 'card.create' && countKeptCards(evidence, parallel) < 2) {
    return { severity: 'low', confidence: 'possible' };
  }
  if (executed === 1 && parallel.every((entry) => entry.committed || isRefusedRefund(entry))) {
    return { severity: 'low', confidence: 'likely' };
  }
  // Two buyers may want the same thing at once, two parts of an order may cost the same, and a load test pays one sum.
  const mayBeMeant = group.operation === 'auth.capture' || isLoadTest(evidence, group, parallel);
  return {
    severity: mayBeMeant ? 'low' : 'medium',
    confidence: 'possible',
  };
}

/** Whether so many equal payments without a name were executed that they are those of a load test. */
function isLoadTest(
  evidence: Evidence,
  group: AttemptGroup,
  parallel: readonly StoredEntry[],
): boolean {
  return isNamelessSeries(
    evidence,
    group,
    parallel.filter(({ committed }) => committed),
  );
}

/** How many of the cards that these requests stored are still in the vault. A client may remove the copies itself. */
function countKeptCards({ cardDeletions }: Evidence, stores: readonly StoredEntry[]): number {
  return stores.flatMap(createdIds).filter((id) => !cardDeletions.has(id)).length;
}

/** Whether the service refused a refund because nothing, or too little, was left, and the client was told so. */
function isRefusedRefund(entry: StoredEntry): boolean {
  const isRefusal =
    isRefused(entry, 'already-refunded') || isRefused(entry, 'refund-exceeds-transaction');
  // A forced refusal says nothing about the money.
  return isRefusal && !hasForcedEffect(entry, 'error');
}
