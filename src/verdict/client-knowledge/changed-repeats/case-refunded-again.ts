/**
 * Did the client refund a case again in another way, while it could not know that the first refund had succeeded? It took the
 * money from another charge of the order, or calculated the amount again.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, indexAfter } from '../../evidence/exchange-order.ts';
import { createdIds } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { nameOtherParts } from '../../evidence/key-parts.ts';
import { haveOnePart, isRefundWithReason } from '../../evidence/orders/order-names.ts';
import { spellingOf } from '../../evidence/orders/order-number.ts';
import { ownPartNumberIn } from '../../evidence/orders/own-part-number.ts';
import { findCharge } from '../../evidence/records.ts';
import { committedPayments, orderAndPayerOf } from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs } from '../../evidence/time-windows.ts';
import { firstRefundDisclosures } from '../disclosed-before-retry.ts';
import { isReplacement } from '../reaction.ts';
import { isAlmostEqual, isSameAmount } from './amounts.ts';
import { madeBy, mostLater, saySame, type DriftedAmount } from './drifted-amount.ts';

/** A case that was refunded in two ways. */
export interface CaseRefundedAgain extends DriftedAmount {
  /** Whether the case may have two items, each refunded once. */
  readonly mayBeItems: boolean;
}

/** The largest share by which the amount of one case may differ, as without a fee or with the postage. */
const mostRecalculated = 0.25;

/** Finds the cases that were refunded again before the client could know of a first refund whose answer was lost. */
export function findCasesRefundedAgain(evidence: Evidence): CaseRefundedAgain[] {
  const refunds = evidence
    .of('sale.refund', 'capture.refund')
    .filter((entry) => madeBy(evidence, entry) !== undefined);
  const lost = refunds.filter(({ concludes }) => concludes !== 'OK');
  if (lost.length === 0) return [];
  const orderOf = orderOfCharges(evidence);
  const chargedSeq = seqOfCharges(evidence);
  const byOrder = groupBy(refunds, orderOf);
  const shown = firstRefundDisclosures(evidence, new Set(lost.flatMap(createdIds)));
  const found = new Map<StoredEntry, CaseRefundedAgain>();
  for (const first of lost) {
    const ofOrder = byOrder.get(orderOf(first)) ?? [];
    const at = indexAfter(ofOrder, first.seq);
    const knownSeq = Math.min(...createdIds(first).map((id) => shown.get(id) ?? Infinity));
    const again = ofOrder
      .slice(at, at + mostLater)
      .find(
        (later) =>
          later.seq < knownSeq &&
          chargedSeq(later) < first.seq &&
          isRefundedAgain(evidence, first, later),
      );
    if (again === undefined || found.has(again)) continue;
    const near = ofOrder.slice(Math.max(0, at - mostLater), at + mostLater);
    const amounts = [first, again].flatMap((entry) => madeBy(evidence, entry) ?? []);
    const mayBeItems = mayBeSeveral(evidence, first, again, near);
    found.set(again, { first, again, amounts, mayBeItems });
  }
  return [...found.values()];
}

/** Says to which order a refund belongs: by its name and who pays it, or else by its payment. */
function orderOfCharges(journal: JournalIndex): (refund: StoredEntry) => string {
  const orders = new Map(
    committedPayments(journal).map((paid) => [paid.payment.id, orderAndPayerOf(journal, paid)]),
  );
  return (refund) => {
    const paymentId = findCharge(journal.records, recordIdIn(refund) ?? '')?.paymentId ?? '';
    return orders.get(paymentId) ?? paymentId;
  };
}

/** Says which request made the charge of a refund, by its `seq`. What was charged after a lost refund is for something else. */
function seqOfCharges(journal: JournalIndex): (refund: StoredEntry) => number {
  const seqs = new Map(
    journal
      .of('payment.create', 'auth.capture')
      .flatMap((entry) => createdIds(entry).map((id) => [id, entry.seq] as const)),
  );
  return (refund) => {
    const charge = findCharge(journal.records, recordIdIn(refund) ?? '');
    return seqs.get(charge?.id ?? '') ?? seqs.get(charge?.paymentId ?? '') ?? 0;
  };
}

function isRefundedAgain(journal: JournalIndex, first: StoredEntry, later: StoredEntry): boolean {
  return (
    gapMs(first, later) <= maxRedeliveryMs &&
    isOtherWay(journal, first, later) &&
    isOneCase(journal, first, later) &&
    !nameOtherParts(first, later) &&
    isReplacement(journal, first, later)
  );
}

/** Whether two refunds return the same amount of two charges, or almost the same amount of one charge. */
function isOtherWay(journal: JournalIndex, one: StoredEntry, other: StoredEntry): boolean {
  const [made, otherMade] = [one, other].map((entry) => madeBy(journal, entry));
  if (made === undefined || otherMade === undefined) return false;
  return recordIdIn(one) === recordIdIn(other)
    ? isAlmostEqual(made.amount, otherMade.amount, mostRecalculated)
    : isSameAmount(made.amount, otherMade.amount);
}

/** Whether two refunds are for one case, and differ in nothing that both say. */
function isOneCase(journal: JournalIndex, one: StoredEntry, other: StoredEntry): boolean {
  return (
    (haveOnePart(journal, one, other) && saySame(journal, one, other, { exceptNotes: true })) ||
    ((haveOneNumber(journal, one, other) || haveReasons(journal, one, other)) &&
      saySame(journal, one, other))
  );
}

function haveOneNumber(journal: JournalIndex, one: StoredEntry, other: StoredEntry): boolean {
  const [number, otherNumber] = [one, other].map((entry) => ownPartNumberIn(journal, entry));
  if (number === undefined || otherNumber === undefined) return false;
  return spellingOf(number) === spellingOf(otherNumber);
}

function haveReasons(journal: JournalIndex, ...refunds: readonly StoredEntry[]): boolean {
  return refunds.every((entry) => isRefundWithReason(journal, entry));
}

/**
 * Whether both refunds may be right: the client also refunded the case again after an answer, two charges were refunded as a
 * whole, or the notes name no case, but an order and a reason, which two items may share.
 *
 * @param near Refunds of the same order, before and after both.
 */
function mayBeSeveral(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
  near: readonly StoredEntry[],
): boolean {
  const answered = near.filter(
    (entry) => entry.concludes === 'OK' && isOneCase(journal, first, entry),
  );
  return (
    answered.length > 1 ||
    [first, again].every((entry) => isWhole(journal, entry)) ||
    !(haveOnePart(journal, first, again) || haveOneNumber(journal, first, again))
  );
}

/** Whether a refund returned all that was charged. */
function isWhole(journal: JournalIndex, refund: StoredEntry): boolean {
  const charged = findCharge(journal.records, recordIdIn(refund) ?? '')?.amount;
  const made = madeBy(journal, refund);
  return charged !== undefined && made !== undefined && isSameAmount(charged, made.amount);
}
