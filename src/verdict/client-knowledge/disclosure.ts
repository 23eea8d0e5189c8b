/** Which answer first told the client about a record? */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { memoize, recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';

/** How an exchange told of money: in the answer to the request that moved it, in a repeat of that, or when asked. */
export type DisclosureKind = 'answer' | 'replay' | 'show' | 'list';

/** Reads of what their path names. */
const readsByPath: ReadonlySet<OperationName> = new Set([
  'payment.get',
  'sale.get',
  'auth.get',
  'capture.get',
]);

const captures: ReadonlySet<OperationName> = new Set(['auth.capture']);

/** Shows captures beside what its path names. */
const capturing = ['payment.get'] as const;

/** How `teller` told of what `maker` did. */
export function disclosureKind(teller: StoredEntry, maker: StoredEntry): DisclosureKind {
  if (teller === maker) return 'answer';
  if (teller.replayed) return 'replay';
  return teller.operation === 'payment.list' ? 'list' : 'show';
}

/** What a client is in doubt about: its ids, and whether captures are among them, which their payment shows as well. */
export interface DisclosureQuery {
  readonly ids: ReadonlySet<string>;
  readonly includesCaptures: boolean;
}

/** The first exchange that told of each id, among the answers that a client could conclude `OK` from. */
export function firstDisclosures(
  { ids, includesCaptures }: DisclosureQuery,
  journal: JournalIndex,
): ReadonlyMap<string, StoredEntry> {
  const by = new Map<string, StoredEntry>();
  const note = (id: string | undefined, entry: StoredEntry): void => {
    if (id === undefined || !ids.has(id)) return;
    const known = by.get(id);
    if (known === undefined || entry.seq < known.seq) by.set(id, entry);
  };
  if (ids.size === 0) return by;
  for (const entry of journal.of('payment.create', 'auth.capture')) {
    if (entry.concludes === 'OK') note(entry.subject, entry);
  }
  for (const id of ids) {
    const sale = delayedSaleId(id, journal);
    const shown = journal
      .about(id, readsByPath)
      .find(
        (entry) =>
          isAnswerReceived(entry) && (sale === undefined || storedIdsIn(entry).includes(sale)),
      );
    if (shown !== undefined) note(id, shown);
  }
  // A list tells of many; a payment of its sale, as whoever was told of it was, and of its captures.
  for (const entry of journal.of('payment.list', ...(includesCaptures ? capturing : []))) {
    if (!isAnswerReceived(entry)) continue;
    const told = storedIdsIn(entry);
    for (const id of told) {
      const sale = ids.has(id) ? delayedSaleId(id, journal) : undefined;
      if (sale === undefined || told.includes(sale)) note(id, entry);
    }
  }
  for (const entry of includesCaptures ? journal.of('auth.get') : []) {
    if (!isAnswerReceived(entry)) continue;
    for (const id of capturedBy(entry, journal)) note(id, entry);
  }
  return by;
}

function storedIdsIn({ shownIds }: StoredEntry): string[] {
  return shownIds.map(restoreId);
}

/** The sale of a payment that was there before it: whoever reads the payment may find none, and nothing taken. */
function delayedSaleId(paymentId: string, { records }: JournalIndex): string | undefined {
  const payment = records.payments.get(paymentId);
  const sale = records.sales.get(payment?.related.first?.id ?? '');
  return payment !== undefined && sale !== undefined && sale.createdAtMs > payment.createdAtMs
    ? sale.id
    : undefined;
}

/** Whether the client learnt what an answer shows. Nobody reads anything in one to HEAD. */
export function isAnswerReceived({ concludes, method }: StoredEntry): boolean {
  return concludes === 'OK' && method !== 'HEAD';
}

/**
 * The captures that an authorization tells of without naming them: all that it holds where it is captured, and the only
 * one where a part of it is.
 */
function capturedBy(shown: StoredEntry, journal: JournalIndex): readonly string[] {
  const state = memberOf(journal.answerOf(shown), 'state');
  const made = journal
    .about(recordIdIn(shown) ?? '', captures)
    .filter(({ seq }) => seq < shown.seq)
    .flatMap(createdIds);
  const isTold = state === 'captured' || (state === 'partially_captured' && made.length === 1);
  return isTold ? made : [];
}

/**
 * Whether an answer about a payment that this request made showed its money, taken or held, before another request; or
 * one about the payment, or the sale, of a capture or refund that it made showed that very one.
 */
export function isReadBefore(
  journal: JournalIndex,
  made: StoredEntry,
  { seq }: StoredEntry,
): boolean {
  return readsOf(journal)(made) < seq;
}

/** By request: what is asked about many times is looked through once. */
const readsOf = memoize((journal: JournalIndex): ((made: StoredEntry) => number) => {
  const known = new Map<StoredEntry, number>();
  return (made) => {
    const at = known.get(made) ?? allReadSeq(journal, made);
    known.set(made, at);
    return at;
  };
});

/** `seq` of the answer by which all that it made was shown; without an end where something was not. */
function allReadSeq(journal: JournalIndex, made: StoredEntry): number {
  const ids = createdIds(made);
  if (ids.length === 0) return Infinity;
  return Math.max(...ids.map((id) => firstReadSeqOf(journal, id)));
}

const payments: ReadonlySet<OperationName> = new Set(['payment.get']);
const parts: ReadonlySet<OperationName> = new Set(['sale.get', 'auth.get']);
const laterParts: ReadonlySet<OperationName> = new Set(['capture.get', 'refund.get']);
const refundLists: ReadonlySet<OperationName> = new Set(['sale.refunds']);

function firstReadSeqOf(journal: JournalIndex, id: string): number {
  const { records } = journal;
  const refund = records.refunds.get(id);
  const later = refund ?? records.captures.get(id);
  if (later !== undefined) {
    const reads = [
      journal.about(id, laterParts),
      journal.about(later.paymentId, payments),
      journal.about(refund?.of.id ?? '', refundLists),
    ];
    return firstSeqOf(reads, ({ shownIds }) => shownIds.some((shown) => restoreId(shown) === id));
  }
  const part = records.payments.get(id)?.related.first;
  if (part === undefined) return Infinity;
  const reads = [journal.about(id, payments), journal.about(part.id, parts)];
  return firstSeqOf(reads, (read) => showsMoney(journal.answerOf(read)));
}

/** `seq` of the first read that told the client, and shows what is asked for; each list is in order. */
function firstSeqOf(
  lists: readonly (readonly StoredEntry[])[],
  shows: (read: StoredEntry) => boolean,
): number {
  const first = lists.map((reads) => reads.find((read) => isAnswerReceived(read) && shows(read)));
  return Math.min(...first.map((read) => read?.seq ?? Infinity));
}

const toPart = stepsOf('transactions[0].related_resources[0]');

/** Of an answer that shows a payment, or its sale or authorization. A sale that is pending holds none yet. */
function showsMoney(answer: unknown): boolean {
  const part = memberAlong(answer, toPart);
  const ofPayment = memberOf(part, 'sale') ?? memberOf(part, 'authorization');
  const isPayment = memberOf(answer, 'transactions') !== undefined;
  const state = memberOf(isPayment ? ofPayment : answer, 'state');
  return state !== undefined && state !== 'pending';
}
