/** Did the client read what became of a request, before it sent the next one? */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberAlong, memberOf, stepsOf } from '../../../shared/unknown-value.ts';
import { indexAfter, lastBefore } from '../../evidence/exchange-order.ts';
import { createdIds } from '../../evidence/exchange-results.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { findPaymentPart } from '../../evidence/records.ts';
import { hasSameKey } from '../idempotency-keys.ts';
import { impliedIds, isAnswerReceived, refundsOfCharge, shownIdsIn } from '../disclosure.ts';

/**
 * Whether the client had read by id, before it sent `next`, all that `creating` created.
 *
 * A read of the payment, its sale or its authorization must show that the money was charged or authorized. A capture or
 * refund must be shown itself.
 */
export function isReadBefore(
  journal: JournalIndex,
  creating: StoredEntry,
  next: Pick<StoredEntry, 'seq'>,
): boolean {
  return completeReadSeqs(journal)(creating) < next.seq;
}

/** Reads whose state implies refunds. */
export const refundableReads: ReadonlySet<OperationName> = new Set(['sale.get', 'capture.get']);

/** Whether the client read a refund before it sent `next`: by its id, in a list, or by the state of its sale or capture. */
export function isRefundReadBefore(
  journal: JournalIndex,
  refund: StoredEntry,
  next: Pick<StoredEntry, 'seq'>,
): boolean {
  if (isReadBefore(journal, refund, next)) return true;
  const ids = createdIds(refund);
  const reads = journal.about(recordIdIn(refund) ?? '', refundableReads);
  return reads
    .slice(indexAfter(reads, refund.seq), indexAfter(reads, next.seq - 1))
    .some(
      (read) =>
        isAnswerReceived(read) &&
        ids.some((id) => impliedIds(read, refundsOfCharge, journal).includes(id)),
    );
}

/** Whether the client read a refund or capture before it sent `next`. */
export function isRecordReadBefore(
  journal: JournalIndex,
  request: StoredEntry,
  next: StoredEntry,
): boolean {
  return request.operation === 'auth.capture'
    ? isCaptureReadBefore(journal, request, next)
    : isRefundReadBefore(journal, request, next);
}

const looks: ReadonlySet<OperationName> = new Set([
  'sale.get',
  'sale.refunds',
  'capture.get',
  'auth.get',
  'payment.get',
]);

/**
 * Whether the client looked at a refund or capture, of which it already knew, before it sent `next`. The read by which it found
 * out what became of a lost one is no such look.
 *
 * @param attempts All requests for the same thing, which may have repeated this one.
 */
export function isLookedAtBefore(
  journal: JournalIndex,
  attempts: readonly StoredEntry[],
  request: StoredEntry,
  next: StoredEntry,
): boolean {
  if (attempts.some((one) => one.seq < next.seq && isAnswerTo(request, one))) {
    return isRecordReadBefore(journal, request, next);
  }
  const recordId = recordIdIn(request) ?? '';
  return [recordId, findPaymentPart(journal.records, recordId)?.paymentId ?? '']
    .flatMap((id) => journal.about(id, looks))
    .some(
      (look) =>
        look.seq < next.seq && isAnswerReceived(look) && isRecordReadBefore(journal, request, look),
    );
}

/** Whether the client received the answer to a request, perhaps as a replay. */
function isAnswerTo(request: StoredEntry, entry: StoredEntry): boolean {
  return entry.concludes === 'OK' && (entry === request || hasSameKey(request, entry));
}

const captureReads: ReadonlySet<OperationName> = new Set([
  'auth.get',
  'capture.get',
  'payment.get',
]);

/** Whether the client read the authorization of a capture, its payment or the capture before it captured again. */
export function isCaptureReadBefore(
  journal: JournalIndex,
  capture: StoredEntry,
  next: StoredEntry,
): boolean {
  const authorizationId = recordIdIn(capture) ?? '';
  const paymentId = journal.records.authorizations.get(authorizationId)?.paymentId ?? '';
  return [authorizationId, paymentId, ...createdIds(capture)].some((id) => {
    const reads = journal.about(id, captureReads);
    return reads
      .slice(indexAfter(reads, capture.seq), indexAfter(reads, next.seq - 1))
      .some(isAnswerReceived);
  });
}

const holdReads: ReadonlySet<OperationName> = new Set(['auth.get', 'payment.get']);

/** Whether the client read the authorization that a request voided, or its payment, and saw the void before it sent `next`. */
export function isVoidReadBefore(
  journal: JournalIndex,
  voiding: StoredEntry,
  next: Pick<StoredEntry, 'seq'>,
): boolean {
  const authorizationId = recordIdIn(voiding) ?? '';
  const paymentId = journal.records.authorizations.get(authorizationId)?.paymentId ?? '';
  return [authorizationId, paymentId]
    .flatMap((id) => journal.about(id, holdReads))
    .some(
      (read) =>
        read.seq < next.seq &&
        isAnswerReceived(read) &&
        stateIn(journal.answerOf(read)) === 'voided',
    );
}

/** Searches once for each request, because some requests are looked up many times. */
const completeReadSeqs = memoize((journal: JournalIndex): ((creating: StoredEntry) => number) => {
  if (journal.of(...readsById).length === 0) return () => Infinity;
  const known = new Map<StoredEntry, number>();
  return (creating) => {
    const seq = known.get(creating) ?? completeReadSeq(journal, creating);
    known.set(creating, seq);
    return seq;
  };
});

/** `seq` of the read after which all that a request created had been shown; infinite if something was not. */
function completeReadSeq(journal: JournalIndex, creating: StoredEntry): number {
  const ids = createdIds(creating);
  if (ids.length === 0) return Infinity;
  return ids.reduce((last, id) => Math.max(last, firstReadSeq(journal, creating, id)), 0);
}

const readsById = [
  'payment.get',
  'sale.get',
  'auth.get',
  'capture.get',
  'refund.get',
  'sale.refunds',
] as const satisfies readonly OperationName[];

const paymentReads: ReadonlySet<OperationName> = new Set(['payment.get']);
const chargeReads: ReadonlySet<OperationName> = new Set(['sale.get', 'auth.get']);
const captureAndRefundReads: ReadonlySet<OperationName> = new Set(['capture.get', 'refund.get']);
const refundLists: ReadonlySet<OperationName> = new Set(['sale.refunds']);

function firstReadSeq(journal: JournalIndex, { operation }: StoredEntry, id: string): number {
  const { records } = journal;
  if (operation === 'payment.create') {
    const part = records.payments.get(id)?.related.first;
    if (part === undefined) return Infinity;
    const reads = [journal.about(id, paymentReads), journal.about(part.id, chargeReads)];
    return firstSeqOf(reads, (read) => showsMoney(journal.answerOf(read)));
  }
  const refund = records.refunds.get(id);
  const later = refund ?? records.captures.get(id);
  if (later === undefined) return Infinity;
  const reads = [
    journal.about(id, captureAndRefundReads),
    journal.about(later.paymentId, paymentReads),
    journal.about(refund?.of.id ?? '', refundLists),
  ];
  return firstSeqOf(reads, (read) => shownIdsIn(read).includes(id));
}

/** `seq` of the first received answer that shows the record. Each list is in order. */
function firstSeqOf(
  lists: readonly (readonly StoredEntry[])[],
  isShownIn: (read: StoredEntry) => boolean,
): number {
  const first = lists.map((reads) =>
    reads.find((read) => isAnswerReceived(read) && isShownIn(read)),
  );
  return Math.min(...first.map((read) => read?.seq ?? Infinity));
}

const toPart = stepsOf('transactions[0].related_resources[0]');

/** Whether an answer about a payment, sale or authorization shows money. A pending sale has taken none yet. */
function showsMoney(answer: unknown): boolean {
  const state = stateIn(answer);
  return state !== undefined && state !== 'pending';
}

/** The state of the sale or authorization that an answer is about. */
function stateIn(answer: unknown): unknown {
  const part = memberAlong(answer, toPart);
  const partOfPayment = memberOf(part, 'sale') ?? memberOf(part, 'authorization');
  const isPayment = memberOf(answer, 'transactions') !== undefined;
  return memberOf(isPayment ? partOfPayment : answer, 'state');
}

const receivedLists = memoize((journal: JournalIndex) =>
  journal.of('payment.list').filter(isAnswerReceived),
);

/** The last list of payments that the client received between two requests. */
export function lastListBetween(
  journal: JournalIndex,
  before: StoredEntry,
  next: StoredEntry,
): StoredEntry | undefined {
  const last = lastBefore(receivedLists(journal), next);
  return last !== undefined && last.seq > before.seq ? last : undefined;
}
