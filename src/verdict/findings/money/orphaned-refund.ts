import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { Refund } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { firstRefundDisclosures } from '../../client-knowledge/disclosed-before-retry.ts';
import {
  describeFailedLookups,
  failedLookupsAfter,
  isRepeatedWithOtherKey,
  lookAgainLater,
  type FailedLookups,
} from '../../client-knowledge/reads/failed-lookups.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { firstAfter } from '../../evidence/exchange-order.ts';
import { isRefused } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { findCharge } from '../../evidence/records.ts';
import { formatMoney, formatTime } from '../../phrases.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { adviseOnLostRetries, adviseOnRetry, reconcileRefunds } from './duplicate-advice.ts';
import { findExecutedAgain, refundsCreatedBy } from './duplicates.ts';
import { describeRequestId } from './explain-duplicate.ts';

/** Finds refunds that returned money and whose id no answer disclosed to the client. */
export const orphanedRefund: FindingRule = {
  id: 'orphaned-refund',
  severity: 'critical',
  about: 'Money was refunded, and the client never learned of it.',
  remedy:
    'After a lost or unreadable answer, repeat the refund with the same PayPal-Request-Id or read the refunds of the sale.',
  needsWholeJournal: true,
  find: findOrphanedRefunds,
};

const refundRequests: ReadonlySet<OperationName> = new Set(['sale.refund', 'capture.refund']);

function* findOrphanedRefunds(evidence: Evidence): Generator<Detection> {
  // The answer to the request discloses its refund, but not a second one that a proxy caused.
  const requests = evidence
    .of('sale.refund', 'capture.refund')
    .filter(({ concludes, twin }) => concludes !== 'OK' || twin !== undefined);
  const created = requests.flatMap((entry) =>
    refundsCreatedBy(evidence, entry)
      .filter((id) => entry.concludes !== 'OK' || id === entry.twin)
      .flatMap((id) => {
        const refund = evidence.records.refunds.get(id);
        return refund === undefined ? [] : [{ entry, refund }];
      }),
  );
  const disclosed = firstRefundDisclosures(
    evidence,
    new Set(created.map(({ refund }) => refund.id)),
  );
  for (const { entry, refund } of created) {
    if (disclosed.has(refund.id)) continue;
    const refusals = refusedRefunds(evidence).get(refund.of.id) ?? [];
    const refusal = firstAfter(refusals, entry);
    // Nothing is left to refund: that tells the client of a refund of the whole amount.
    const charged = findCharge(evidence.records, refund.of.id)?.amount;
    if (refusal !== undefined && charged?.minor === refund.amount.minor) continue;
    const isTwin = refund.id !== entry.subject && knowsFirst(disclosed, entry);
    yield new OrphanedRefund(evidence, entry, refund, refusal, isTwin);
  }
}

/** Whether an answer showed the client the refund for which it had sent a request. */
function knowsFirst(disclosed: ReadonlyMap<string, unknown>, { concludes, subject }: StoredEntry) {
  return concludes === 'OK' || disclosed.has(subject ?? '');
}

/** The lookups of a client that could not know of a refund, and did not request it again. */
function unansweredLookups(evidence: Evidence, entry: StoredEntry): FailedLookups | undefined {
  const lookups = failedLookupsAfter(evidence, 'sale.refund', entry);
  return lookups.wentOnToTheEnd && !isRepeatedWithOtherKey(evidence, entry) ? lookups : undefined;
}

/** Refunds that the service refused because nothing was left, by their sale or capture; each list in order. */
const refusedRefunds = memoize((evidence: Evidence) =>
  groupBy(
    evidence
      .of('sale.refund', 'capture.refund')
      .filter((entry) => isRefused(entry, 'already-refunded')),
    recordIdIn,
  ),
);

/** A refund that the client never learned of, perhaps with a later refusal that hints at it. */
class OrphanedRefund implements Detection {
  /** All evidence. The `evidence` of a detection is the part that shows it. */
  readonly #all: Evidence;
  readonly #entry: StoredEntry;
  readonly #refund: Refund;
  readonly #refusal: StoredEntry | undefined;
  readonly #unanswered: FailedLookups | undefined;
  /** Whether one request refunded twice, and an answer showed the other refund. */
  readonly #isTwin: boolean;

  constructor(
    all: Evidence,
    entry: StoredEntry,
    refund: Refund,
    refusal: StoredEntry | undefined,
    isTwin: boolean,
  ) {
    this.#isTwin = isTwin;
    this.#all = all;
    this.#entry = entry;
    this.#refund = refund;
    this.#refusal = refusal;
    this.#unanswered = unansweredLookups(all, entry);
  }

  get severity(): Detection['severity'] {
    return this.#unanswered ? 'low' : this.#refusal && 'high';
  }

  get confidence(): Detection['confidence'] {
    return this.#unanswered ? 'possible' : this.#refusal && 'likely';
  }

  get purchase(): Purchase | undefined {
    return this.#all.purchaseLookup.byPayment(this.#refund.paymentId);
  }

  get evidence(): readonly StoredEntry[] {
    const refusal = this.#refusal === undefined ? [] : [this.#refusal];
    return [this.#entry, ...refusal, ...(this.#unanswered?.last ?? [])];
  }

  get remedy(): string | undefined {
    if (this.#unanswered !== undefined) return lookAgainLater;
    if (this.#isTwin) return reconcileRefunds;
    return (
      adviseOnRetry(this.#entry, this.#executedAgain) ?? adviseOnLostRetries(this.#all, this.#entry)
    );
  }

  get what(): string {
    const { id, of, amount, createdAtMs } = this.#refund;
    const refunded = `${formatMoney(amount)} of ${of.kind} ${of.id} was refunded at ${formatTime(createdAtMs)}`;
    if (this.#unanswered !== undefined)
      return `${refunded}. ${describeFailedLookups(this.#unanswered)}`;
    const twice = this.#isTwin
      ? ' a second time by one request, which something on the way to the service sent again'
      : '';
    const again = this.#executedAgain;
    const retry = again === undefined ? '' : ` The retry ${describeRequestId(this.#entry, again)}.`;
    return `${refunded}${twice}, and the client never learned of it: no answer that it received contains refund ${id}.${retry}`;
  }

  /** The later request that made the same refund again. */
  get #executedAgain(): StoredEntry | undefined {
    return findExecutedAgain(this.#all.about(this.#refund.of.id, refundRequests), this.#entry);
  }
}
