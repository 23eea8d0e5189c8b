import { serviceProblems } from '../../../contract/problems.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { findDriftedAmounts } from '../../client-knowledge/changed-repeats/drifted-amount.ts';
import {
  duplicateConfidence,
  type DuplicateConfidence,
} from '../../client-knowledge/duplicate-confidence.ts';
import {
  noneParallel,
  parallelAttempts,
} from '../../client-knowledge/parallel/parallel-attempts.ts';
import { hasSameKey } from '../../client-knowledge/idempotency-keys.ts';
import { isRefundReadBefore } from '../../client-knowledge/reads.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasForcedEffect, isRefund } from '../../evidence/exchange-results.ts';
import { bySeq, consecutivePairs, gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { requestsByRecordWork } from '../../evidence/request-fields.ts';
import {
  capitalize,
  firstExamples,
  formatCount,
  formatDuration,
  listAmounts,
  listWords,
  formatMoney,
  describePurchase,
  formatTimes,
} from '../../phrases.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import { findRepeatedRefunds } from '../../purchases/repeated-batch.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { adviseOnDuplicate, adviseOnSecondRun, fixedAmount } from './duplicate-advice.ts';
import {
  canBeDuplicate,
  findMakers,
  refundsCreatedBy,
  weights,
  type Makers,
} from './duplicates.ts';
import { explainDuplicate, explainPartName } from './explain-duplicate.ts';

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
  yield* findRepeatedRuns(evidence);
  yield* findRepeats(evidence);
  yield* findDrifted(evidence);
  yield* findRefusedRepeats(evidence);
}

/** The refunds of second runs, which are reported together. */
function refundedAgainInRun(evidence: Evidence): ReadonlySet<StoredEntry> {
  return new Set(findRepeatedRefunds(evidence).flatMap((batch) => batch.map(({ again }) => again)));
}

/** Several sales that were refunded again as a group, as by a job that ran twice. */
function* findRepeatedRuns(evidence: Evidence): Generator<Detection> {
  for (const batch of findRepeatedRefunds(evidence)) {
    const kept = batch.filter(({ first, again }) =>
      [first, again].every((entry) => refundsCreatedBy(evidence, entry).length > 0),
    );
    const [begin] = kept;
    if (begin === undefined) continue;
    const again = new Set(kept.flatMap((pair) => refundsCreatedBy(evidence, pair.again)));
    yield {
      what: `${formatCount(kept.length, 'refund')} ${kept.length === 1 ? 'was' : 'were'} made again ${formatDuration(gapMs(begin.first, begin.again))} later, for the same sales and amounts: ${listWords(amountsOf(evidence, again))}. Together they look like one job that ran twice.`,
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

function amountsOf({ records }: Evidence, refundIds: Iterable<string>): string[] {
  return [...refundIds].flatMap((id) => {
    const refund = records.refunds.get(id);
    return refund === undefined ? [] : [formatMoney(refund.amount)];
  });
}

/** Refunds that paid the same money out again. */
function* findRepeats(evidence: Evidence): Generator<Detection> {
  const inRun = refundedAgainInRun(evidence);
  for (const group of evidence.attemptGroups) {
    const { operation, attempts } = group;
    if (!isRefund(operation) || !canBeDuplicate(attempts)) continue;
    if (attempts.some((entry) => inRun.has(entry))) continue;
    const duplicates = findMakers(
      attempts,
      (id) => evidence.records.refunds.get(id)?.settlement !== 'failed',
    );
    const { makers } = duplicates;
    const created = new Set(makers.flatMap((entry) => refundsCreatedBy(evidence, entry)));
    if (created.size < 2) continue;
    const sureness = duplicateConfidence(evidence, group, created);
    // A client that reads the first refund and then refunds the same amount refunds another item.
    if (weights[sureness].confidence === 'possible' && areReadBetween(evidence, attempts, makers))
      continue;
    yield new RepeatedRefund(evidence, group, created, duplicates, sureness);
  }
}

/** One amount that was refunded by several refunds. */
class RepeatedRefund implements Detection {
  readonly #all: Evidence;
  readonly #group: AttemptGroup;
  readonly #created: ReadonlySet<string>;
  readonly #duplicates: Makers;
  readonly #sureness: DuplicateConfidence;

  constructor(
    all: Evidence,
    group: AttemptGroup,
    created: ReadonlySet<string>,
    duplicates: Makers,
    sureness: DuplicateConfidence,
  ) {
    this.#all = all;
    this.#group = group;
    this.#created = created;
    this.#duplicates = duplicates;
    this.#sureness = sureness;
  }

  get what(): string {
    const { attempts } = this.#group;
    const parallel = parallelAttempts(this.#all, this.#group);
    return [
      `${capitalize(describeTarget(this.#all, attempts))} was refunded ${formatTimes(this.#created.size)}: `,
      `${describeRefunds(this.#all, this.#created, this.#sureness === 'certain')}. `,
      explainDuplicate(this.#all, this.#duplicates, parallel),
      explainPartName(this.#all, this.#duplicates.makers),
    ].join('');
  }

  get evidence(): readonly StoredEntry[] {
    return firstExamples(this.#duplicates.makers);
  }

  get purchase(): Purchase | undefined {
    return this.#group.purchase;
  }

  get excessRefunds(): readonly string[] {
    return [...this.#created].slice(1);
  }

  get severity(): Detection['severity'] {
    return weights[this.#sureness].severity;
  }

  get confidence(): Detection['confidence'] {
    return weights[this.#sureness].confidence;
  }

  get remedy(): string | undefined {
    return adviseOnDuplicate(this.#all, this.#duplicates, this.#sureness);
  }
}

/** Refunds that were made again with almost the same amount, after the answer to the first was lost. */
function* findDrifted(evidence: Evidence): Generator<Detection> {
  for (const operation of ['sale.refund', 'capture.refund'] as const) {
    for (const { first, again, amounts } of findDriftedAmounts(evidence, operation)) {
      yield {
        what: () =>
          `${capitalize(describeTarget(evidence, [first]))} was refunded twice with almost the same amount: ${listAmounts(amounts)}. ${explainDuplicate(
            evidence,
            findMakers([first, again], () => true),
            noneParallel,
          )}`,
        evidence: [first, again],
        purchase: evidence.purchaseLookup.byRecord(recordIdIn(first) ?? ''),
        ...weights.likely,
        excessRefunds: refundsCreatedBy(evidence, again),
        remedy: fixedAmount,
      };
    }
  }
}

/**
 * Repeats of a refund that the service refused, because nothing was left to refund. The refusal tells the client so, and
 * does no harm.
 */
function* findRefusedRepeats(evidence: Evidence): Generator<Detection> {
  for (const alike of requestsByRecordWork(evidence).values()) {
    if (!alike.some(isNothingLeft)) continue;
    const makers = alike.filter((entry) => refundsCreatedBy(evidence, entry).length > 0);
    const [first] = makers;
    if (first === undefined) continue;
    const requestIds = new Set(makers.map(({ requestId }) => requestId));
    const refused = alike.filter(
      (entry) =>
        // Not over before the first one. Of two that were open together, the service may refuse the one that came first.
        overlaps(entry, first) &&
        isNothingLeft(entry) &&
        // A repeat with the same request id is safe.
        (entry.requestId === undefined || !requestIds.has(entry.requestId)),
    );
    if (refused.length === 0) continue;
    const all = [...makers, ...refused].toSorted(bySeq);
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

/** The sale or capture whose money these requests refund. */
function describeTarget({ purchaseLookup }: Evidence, [first]: readonly StoredEntry[]): string {
  const id = (first && recordIdIn(first)) ?? '';
  const purchase = purchaseLookup.byRecord(id);
  const kind = first?.operation === 'capture.refund' ? 'capture' : 'sale';
  return `${kind} ${id}${purchase === undefined ? '' : ` (${describePurchase(purchase)})`}`;
}

/** Lists every refund with its amount and time, and the excess over one of them. */
function describeRefunds(
  { records }: Evidence,
  created: ReadonlySet<string>,
  wasMeantOnce: boolean,
): string {
  const refunds = [...created].flatMap((id) => {
    const refund = records.refunds.get(id);
    return refund === undefined ? [] : [{ amount: refund.amount, atMs: refund.createdAtMs }];
  });
  const [first, ...others] = refunds;
  if (first === undefined) return '';
  const excess = others.reduce((sum, { amount }) => sum + amount.minor, 0);
  const end = wasMeantOnce ? '' : ', if one refund was intended';
  return `${listAmounts(refunds)}. That is ${formatMoney({ ...first.amount, minor: excess })} too much${end}`;
}

/** Whether the client had an answer to each refund, and had read the refund, before it requested the next one. */
function areReadBetween(
  evidence: Evidence,
  attempts: readonly StoredEntry[],
  makers: readonly StoredEntry[],
): boolean {
  return consecutivePairs(makers).every(
    ([refund, next]) =>
      isRefundReadBefore(evidence, refund, next) &&
      attempts.some((one) => one.seq < next.seq && isAnswerTo(refund, one)),
  );
}

/** Whether the client received the answer to a refund, perhaps as a replay. */
function isAnswerTo(refund: StoredEntry, entry: StoredEntry): boolean {
  return entry.concludes === 'OK' && (entry === refund || hasSameKey(refund, entry));
}
