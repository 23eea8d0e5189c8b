/** The same refund, executed several times. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { findDriftedAmounts } from '../../../client-knowledge/changed-repeats/drifted-amount.ts';
import {
  duplicateConfidence,
  type DuplicateConfidence,
} from '../../../client-knowledge/duplicate-confidence.ts';
import {
  findParallelAttempts,
  parallelAttempts,
} from '../../../client-knowledge/parallel/parallel-attempts.ts';
import { isLookedAtBefore } from '../../../client-knowledge/reads/reads-by-id.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { everyPair } from '../../../evidence/exchange-order.ts';
import { isRefund } from '../../../evidence/exchange-results.ts';
import { recordIdIn } from '../../../evidence/journal-index.ts';
import { haveOnePart, isNamedPart } from '../../../evidence/orders/order-names.ts';
import {
  capitalize,
  describePurchase,
  firstExamples,
  formatMoney,
  formatTimes,
  listAmounts,
} from '../../../phrases.ts';
import type { AttemptGroup } from '../../../purchases/attempts.ts';
import type { Purchase } from '../../../purchases/purchase.ts';
import { findRepeatedRefundBatches, requestsMadeAgain } from '../../../purchases/repeated-batch.ts';
import type { Detection } from '../../finding-rule.ts';
import {
  adviseOnDrift,
  adviseOnDuplicate,
  adviseOnPending,
  describeDrift,
} from '../duplicate-advice.ts';
import {
  canBeDuplicate,
  findDuplicates,
  refundsCreatedBy,
  weights,
  type Duplicates,
} from '../duplicates.ts';
import { explainDuplicate, explainPartName } from '../explain-duplicate.ts';

/** Refunds that paid the same money out again. */
export function* findRepeatedRefunds(evidence: Evidence): Generator<Detection> {
  // The refunds of second runs are reported together.
  const inRun = requestsMadeAgain(findRepeatedRefundBatches(evidence));
  for (const group of evidence.attemptGroups) {
    const { operation, attempts } = group;
    if (!isRefund(operation) || !canBeDuplicate(attempts)) continue;
    if (attempts.some((entry) => inRun.has(entry))) continue;
    const duplicates = findDuplicates(
      attempts,
      (id) => evidence.records.refunds.get(id)?.settlement !== 'failed',
    );
    const { requests } = duplicates;
    const created = new Set(requests.flatMap((entry) => refundsCreatedBy(evidence, entry)));
    if (created.size < 2) continue;
    const sureness = duplicateConfidence(evidence, group, created);
    // A client that reads the first refund and then refunds the same amount refunds another item, but not for one case.
    const mayBeItems =
      sureness === 'unlikely' ||
      (sureness === 'possible' && !requests.every((entry) => isNamedPart(evidence, entry)));
    if (mayBeItems && areLookedAtBetween(evidence, attempts, requests)) continue;
    yield new RepeatedRefund(evidence, group, created, duplicates, sureness);
  }
}

/** One amount that was refunded by several refunds. */
class RepeatedRefund implements Detection {
  /** All evidence. The `evidence` of a detection is the part that shows it. */
  readonly #all: Evidence;
  readonly #group: AttemptGroup;
  readonly #created: ReadonlySet<string>;
  readonly #duplicates: Duplicates;
  readonly #sureness: DuplicateConfidence;

  constructor(
    all: Evidence,
    group: AttemptGroup,
    created: ReadonlySet<string>,
    duplicates: Duplicates,
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
      explainPartName(this.#all, this.#duplicates.requests),
    ].join('');
  }

  get evidence(): readonly StoredEntry[] {
    return firstExamples(this.#duplicates.requests);
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

/** Refunds that were made again in other words or with almost the same amount: at once, after a lost answer, or for one case. */
export function* findDriftedRefunds(evidence: Evidence): Generator<Detection> {
  for (const operation of ['sale.refund', 'capture.refund'] as const) {
    for (const { first, again, amounts } of findDriftedAmounts(evidence, operation)) {
      const parallel = findParallelAttempts(evidence, { operation, attempts: [first, again] });
      const duplicates = findDuplicates([first, again], () => true);
      yield {
        what: () =>
          `${capitalize(describeTarget(evidence, [first]))} was refunded twice${describeDrift(amounts)}: ${listAmounts(amounts)}. ${explainDuplicate(
            evidence,
            duplicates,
            parallel,
          )}${explainPartName(evidence, [first, again])}`,
        evidence: [first, again],
        purchase: evidence.purchaseLookup.byRecord(recordIdIn(first) ?? ''),
        ...weights.likely,
        excessRefunds: refundsCreatedBy(evidence, again),
        remedy:
          parallel.entries.length > 0 || haveOnePart(evidence, first, again)
            ? undefined
            : (adviseOnPending(evidence, duplicates) ?? adviseOnDrift(amounts)),
      };
    }
  }
}

/** The sale or capture whose money these requests refund. */
export function describeTarget(
  { purchaseLookup }: Evidence,
  [first]: readonly StoredEntry[],
): string {
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

/** Whether the client looked at each refund before it requested the next one. */
function areLookedAtBetween(
  evidence: Evidence,
  attempts: readonly StoredEntry[],
  refunds: readonly StoredEntry[],
): boolean {
  return everyPair(refunds, (refund, next) => isLookedAtBefore(evidence, attempts, refund, next));
}
