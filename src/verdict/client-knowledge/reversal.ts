/**
 * Did the client refund or void what a request had done?
 *
 * A client that reverses a charge knows of it, even if the answer to the charge was lost.
 */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Authorization } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { capturesOf } from '../evidence/captures.ts';
import { bySeq } from '../evidence/exchange-order.ts';
import { createdIds, hasCreated } from '../evidence/exchange-results.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { findCharge } from '../evidence/records.ts';
import { isAnswerReceived, isDisclosedByAnotherAnswer } from './disclosure.ts';
import { isRefundReadBefore, isVoidReadBefore } from './reads/reads-by-id.ts';

const reversals = [
  'sale.refund',
  'capture.refund',
  'auth.void',
] as const satisfies readonly OperationName[];

const reversing: ReadonlySet<OperationName> = new Set(reversals);

/** Whether the client sent any refund or void. */
export const hasReversals = memoize((journal: JournalIndex) => journal.of(...reversals).length > 0);

/** Whether the client knew, before it sent `next`, that all that `request` did was voided or completely refunded. */
export function isReversedBefore(
  journal: JournalIndex,
  request: StoredEntry,
  next: StoredEntry,
): boolean {
  return isEachReversed(journal, createdIds(request), (id) => isReversed(journal, id, next.seq));
}

/**
 * Whether the client knew, before it sent `next`, that most of what these payments or captures had charged was refunded. That
 * ends an order, as when a plan is cancelled within its month, or when goods come back and their postage stays.
 */
export function areMostlyRefundedBefore(
  journal: JournalIndex,
  createdRecordIds: readonly string[],
  next: StoredEntry,
): boolean {
  return isEachReversed(journal, createdRecordIds, (id) => {
    const charge = findCharge(journal.records, id);
    return charge !== undefined && refundedMinor(journal, id, next.seq) * 2 > charge.amount.minor;
  });
}

/**
 * Whether the client asked to refund or void anything that `request` had done, before it sent `next`. To do so, it must have
 * had the answer.
 */
export function isReversalSentBefore(
  journal: JournalIndex,
  request: StoredEntry,
  next: StoredEntry,
): boolean {
  if (!hasReversals(journal)) return false;
  const ids = createdIds(request).flatMap((id) => reversibleIds(journal, id));
  return ids.some((id) => journal.about(id, reversing).some(({ seq }) => seq < next.seq));
}

/**
 * The refunds and voids by which the client undid all payments of these requests but one, oldest first; none if it left more
 * than one, or undid all. Reads or lists must have shown it each payment before: without a look, it may have refunded another
 * order, or the only payment that it knew.
 */
export function reversalsOfDuplicates(
  journal: JournalIndex,
  requests: readonly StoredEntry[],
): readonly StoredEntry[] {
  if (!hasReversals(journal)) return [];
  const { payments } = journal.records;
  const paying = requests.filter(hasCreated);
  const ids = paying.flatMap(createdIds).flatMap((id) => payments.get(id)?.related.first?.id ?? []);
  const undone = ids.filter((id) => isReversed(journal, id, Infinity));
  if (undone.length !== ids.length - 1) return [];
  const captured = undone.flatMap((id) => capturesOf(journal, id).flatMap(createdIds));
  const undoing = [...undone, ...captured]
    .flatMap((id) => knownReversals(journal, id, Infinity))
    .toSorted(bySeq);
  const [first] = undoing;
  const areAllShown =
    first !== undefined &&
    paying.every((entry) => isDisclosedByAnotherAnswer(journal, entry, first));
  return areAllShown ? undoing : [];
}

/** Whether this holds for the sale or authorization of every payment and for every capture, and there is one. */
function isEachReversed(
  journal: JournalIndex,
  createdRecordIds: readonly string[],
  isOneReversed: (id: string) => boolean,
): boolean {
  if (!hasReversals(journal)) return false;
  const ids = createdRecordIds.flatMap((id) => reversibleIds(journal, id));
  return ids.length > 0 && ids.every(isOneReversed);
}

/** The sale or authorization of a payment, or the capture itself. */
function reversibleIds({ records: { payments, captures } }: JournalIndex, id: string): string[] {
  const first = captures.get(id)?.id ?? payments.get(id)?.related.first?.id;
  return first === undefined ? [] : [first];
}

function isReversed(journal: JournalIndex, id: string, beforeSeq: number): boolean {
  const authorization = journal.records.authorizations.get(id);
  if (authorization !== undefined) return isReleased(journal, authorization, beforeSeq);
  const charge = findCharge(journal.records, id);
  return charge !== undefined && refundedMinor(journal, id, beforeSeq) >= charge.amount.minor;
}

/** Whether all captures of an authorization were refunded, and nothing more can be captured. */
function isReleased(
  journal: JournalIndex,
  { id, amount }: Authorization,
  beforeSeq: number,
): boolean {
  const captures = capturesOf(journal, id)
    .flatMap(createdIds)
    .flatMap((captureId) => journal.records.captures.get(captureId) ?? []);
  const capturedMinor = captures.reduce((sum, capture) => sum + capture.amount.minor, 0);
  const isClosed =
    capturedMinor >= amount.minor ||
    captures.some(({ isFinal }) => isFinal) ||
    knownReversals(journal, id, beforeSeq).some(({ operation }) => operation === 'auth.void');
  return isClosed && captures.every((capture) => isReversed(journal, capture.id, beforeSeq));
}

function refundedMinor(journal: JournalIndex, id: string, beforeSeq: number): number {
  const refundIds = knownReversals(journal, id, beforeSeq).flatMap(({ subject }) => subject ?? []);
  let sum = 0;
  for (const refundId of new Set(refundIds)) {
    const refund = journal.records.refunds.get(refundId);
    if (refund !== undefined && refund.settlement !== 'failed') sum += refund.amount.minor;
  }
  return sum;
}

/** Refunds and voids of a record that the client knew of: it received the answer, or read later what it had done. */
function knownReversals(
  journal: JournalIndex,
  id: string,
  beforeSeq: number,
): readonly StoredEntry[] {
  const next = { seq: beforeSeq };
  return journal
    .about(id, reversing)
    .filter(
      (entry) =>
        entry.seq < beforeSeq &&
        (isAnswerReceived(entry) ||
          (entry.operation === 'auth.void' ? isVoidReadBefore : isRefundReadBefore)(
            journal,
            entry,
            next,
          )),
    );
}
