/**
 * Which answer first told the client about a record?
 *
 * A client knows the content of every answer that it received completely. The answer to the request itself counts, and
 * so does its replay, a read by id, and a list.
 */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { indexAfter } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { memoize, recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import { idsWithRelated } from '../evidence/records.ts';

/** How a record was disclosed: by the answer to its own request, by a replay, by a read of the record, or by a list. */
export type DisclosureKind = 'answer' | 'replay' | 'show' | 'list';

/** Returns how `disclosing` disclosed the record that `creating` created. */
export function disclosureKind(disclosing: StoredEntry, creating: StoredEntry): DisclosureKind {
  if (disclosing === creating) return 'answer';
  if (disclosing.replayed) return 'replay';
  return disclosing.operation === 'payment.list' ? 'list' : 'show';
}

/** Whether the client received the content of an answer. A HEAD request never shows any. */
export function isAnswerReceived({ concludes, method }: StoredEntry): boolean {
  return concludes === 'OK' && method !== 'HEAD';
}

/** Requests whose answers disclose payments or their parts. */
const disclosing = [
  'payment.create',
  'auth.capture',
  'payment.get',
  'sale.get',
  'auth.get',
  'capture.get',
  'payment.list',
] as const satisfies readonly OperationName[];

/**
 * The first answer that disclosed each payment, sale, authorization and capture, beside the answer to the request that
 * created the payment. A record that was never disclosed is absent.
 */
export const firstDisclosures = memoize(
  (journal: JournalIndex): ReadonlyMap<string, StoredEntry> => {
    const first = new Map<string, StoredEntry>();
    for (const entry of journal.of(...disclosing)) {
      if (!isAnswerReceived(entry)) continue;
      for (const id of disclosedIds(journal, entry, first)) {
        if (!first.has(id)) first.set(id, entry);
      }
    }
    return first;
  },
);

/** The first answers that disclosed what a request to pay or capture created, beside its own answer. */
export function disclosuresOf(journal: JournalIndex, request: StoredEntry): StoredEntry[] {
  const disclosures = firstDisclosures(journal);
  return createdIds(request)
    .flatMap((id) => idsWithRelated(id, journal.records))
    .flatMap((id) => disclosures.get(id) ?? []);
}

/** Whether an answer other than its own had disclosed what a request created, before the client sent `next`. */
export function isShownBefore(
  journal: JournalIndex,
  request: StoredEntry,
  next: StoredEntry,
): boolean {
  return disclosuresOf(journal, request).some(({ seq }) => seq < next.seq);
}

/** The records that an answer disclosed. The answer is not read if it can show only `known` ones. */
function disclosedIds(
  journal: JournalIndex,
  entry: StoredEntry,
  known: ReadonlyMap<string, unknown>,
): readonly string[] {
  const { operation, subject = '', replayed } = entry;
  if (operation === 'payment.create') return replayed ? [subject] : [];
  if (operation === 'auth.capture') return [subject];
  const isDisclosedBy = (shown: readonly string[]) => (id: string) => {
    const saleId = known.has(id) ? undefined : delayedSaleId(id, journal);
    return saleId === undefined || shown.includes(saleId);
  };
  if (operation === 'payment.list') {
    const shown = shownIdsIn(entry);
    return shown.filter(isDisclosedBy(shown));
  }
  const id = recordIdIn(entry) ?? '';
  if (operation === 'auth.get') return [id, ...impliedIds(entry, capturesOfAuthorization, journal)];
  if (operation !== 'payment.get') return [id];
  // A read of a payment also discloses its captures.
  const captureIds = captureIdsOf(id, journal);
  if ([id, ...captureIds].every((one) => known.has(one))) return [];
  if (captureIds.length === 0 && delayedSaleId(id, journal) === undefined) return [id];
  const shown = shownIdsIn(entry);
  return shown.filter(isDisclosedBy(shown));
}

function captureIdsOf(paymentId: string, { records }: JournalIndex): string[] {
  const related = records.payments.get(paymentId)?.related.toArray() ?? [];
  return related.filter(({ kind }) => kind === 'capture').map(({ id }) => id);
}

/** Every id that the received answers of these operations show. */
export function shownIdsOf(
  journal: JournalIndex,
  ...operations: readonly OperationName[]
): ReadonlySet<string> {
  return new Set(
    journal
      .of(...operations)
      .filter(isAnswerReceived)
      .flatMap(shownIdsIn),
  );
}

/** Ids of the cards that the answer to a read or a list of cards shows. */
export function cardIdsShownBy(read: StoredEntry): readonly string[] {
  return read.operation === 'card.get' ? [restoreId(recordIdIn(read) ?? '')] : shownIdsIn(read);
}

function shownIdsIn({ shownIds }: StoredEntry): string[] {
  return shownIds.map(restoreId);
}

/**
 * The sale of a payment that was created before its sale. An earlier read of such a payment shows neither sale nor
 * charge.
 */
function delayedSaleId(paymentId: string, { records }: JournalIndex): string | undefined {
  const payment = records.payments.get(paymentId);
  const sale = records.sales.get(payment?.related.first?.id ?? '');
  return payment !== undefined && sale !== undefined && sale.createdAtMs > payment.createdAtMs
    ? sale.id
    : undefined;
}

/** Records that a state implies without their ids: `all` stands for all of them, `some` for the only one. */
export interface ImpliedRecords {
  readonly all: string;
  readonly some: string;
  /** The requests that create them. */
  readonly createdBy: ReadonlySet<OperationName>;
}

const capturesOfAuthorization: ImpliedRecords = {
  all: 'captured',
  some: 'partially_captured',
  createdBy: new Set(['auth.capture']),
};

export const refundsOfCharge: ImpliedRecords = {
  all: 'refunded',
  some: 'partially_refunded',
  createdBy: new Set(['sale.refund', 'capture.refund']),
};

/**
 * Lists the records that an answer implies by its state, without their ids.
 *
 * An authorization that is `captured` implies all of its captures. One that is `partially_captured` implies a capture
 * only while there is a single one. The same holds for the refunds of a sale or capture.
 */
export function impliedIds(
  read: StoredEntry,
  { all, some, createdBy }: ImpliedRecords,
  journal: JournalIndex,
): readonly string[] {
  const creating = journal.about(recordIdIn(read) ?? '', createdBy);
  if (creating.length === 0) return [];
  const state = memberOf(journal.answerOf(read), 'state');
  if (state !== all && state !== some) return [];
  const created: string[] = [];
  for (const entry of creating) {
    if (entry.seq > read.seq) break;
    created.push(...createdIds(entry));
    if (state === some && created.length > 1) return [];
  }
  return created;
}

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
        ids.every((id) => impliedIds(read, refundsOfCharge, journal).includes(id)),
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
