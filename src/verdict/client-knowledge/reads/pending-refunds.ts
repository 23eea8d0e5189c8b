/** Did the client take a pending refund for a failure, and request it again? */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { gapMs, indexAfter } from '../../evidence/exchange-order.ts';
import { isRefund } from '../../evidence/exchange-results.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { notesIn } from '../../evidence/orders/order-names.ts';
import { maxRedeliveryMs, minRedeliveryMs } from '../../evidence/time-windows.ts';
import { isAnswerReceived } from '../disclosure.ts';

/** Whether the client received the answer to a refund, which showed that it was pending. */
export function isShownPending(journal: JournalIndex, entry: StoredEntry): boolean {
  return isAnswerReceived(entry) && showsPending(journal, entry);
}

/** Whether an answer about a refund shows that it is pending. */
function showsPending(journal: JournalIndex, entry: StoredEntry): boolean {
  return memberOf(journal.answerOf(entry), 'state') === 'pending';
}

/**
 * Whether the client saw a pending refund, and requested an equal one some time later without a look at the first. Had it
 * looked, it would know that the second one is for something else.
 */
export function isRefundedWhilePending(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  const gap = gapMs(first, again);
  return (
    isRefund(first.operation) &&
    gap >= minRedeliveryMs &&
    gap <= maxRedeliveryMs &&
    isShownPending(journal, first) &&
    !isLookedAt(journal, first, again)
  );
}

/**
 * Whether a pending refund that was requested again was for the same item: both have a note, or the client had read that the
 * first one was still pending. Without that, a second item may have been returned.
 */
export function isPendingRefundRepeated(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  return (
    isRefundedWhilePending(journal, first, again) &&
    (notesIn(journal, again).length > 0 || refundReadsBetween(journal, first, again).length > 0)
  );
}

const refundReads: ReadonlySet<OperationName> = new Set(['refund.get']);
const chargeReads: ReadonlySet<OperationName> = new Set([
  'sale.get',
  'sale.refunds',
  'capture.get',
  'payment.get',
]);

/**
 * Whether an answer between two requests could show the client what became of the first refund. A client that reads the
 * refund, and sees that it is still pending, may take that for a failure.
 */
function isLookedAt(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  const refund = journal.records.refunds.get(first.subject ?? '');
  if (refund === undefined) return false;
  const others = [refund.of.id, refund.paymentId].map((id) => journal.about(id, chargeReads));
  return (
    refundReadsBetween(journal, first, again).some((read) => !showsPending(journal, read)) ||
    [...others, journal.of('payment.list')].some(
      (reads) => answeredBetween(reads, first, again).length > 0,
    )
  );
}

function refundReadsBetween(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): readonly StoredEntry[] {
  return answeredBetween(journal.about(first.subject ?? '', refundReads), first, again);
}

/** The requests between two others whose answers the client received. */
function answeredBetween(
  entries: readonly StoredEntry[],
  first: StoredEntry,
  again: StoredEntry,
): readonly StoredEntry[] {
  return entries
    .slice(indexAfter(entries, first.seq), indexAfter(entries, again.seq - 1))
    .filter(isAnswerReceived);
}
