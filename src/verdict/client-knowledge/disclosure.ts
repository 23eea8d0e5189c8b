/**
 * Which answer first told the client about a record?
 *
 * A client knows the content of every answer that it received completely. The answer to the request itself counts, and
 * so does its replay, a read by id, and a list.
 */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memoize } from '../../shared/memoize.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { indexAfter } from '../evidence/exchange-order.ts';
import { createdIds, hasCreated } from '../evidence/exchange-results.ts';
import { recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import { idsWithRelated } from '../evidence/records.ts';
import { lastWithKey } from './idempotency-keys.ts';

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

/** Whether the client knew that a request had succeeded, from its own answer or from another one, before it sent `next`. */
export function isKnownBefore(
  journal: JournalIndex,
  request: StoredEntry,
  next: StoredEntry,
): boolean {
  return request.concludes === 'OK' || isDisclosedByAnotherAnswer(journal, request, next);
}

/**
 * Whether a request created a record, and the client learned of it before the exchange with this `seq`: from its answer, from
 * that to a repeat with the same request id, or from another one.
 */
export function isDoneBefore(journal: JournalIndex, entry: StoredEntry, seq: number): boolean {
  if (!hasCreated(entry)) return false;
  if (entry.concludes === 'OK') return true;
  const repeat = lastWithKey(journal, entry);
  return [repeat, ...disclosuresOf(journal, entry)].some(
    (answer) => answer.concludes === 'OK' && answer.seq < seq,
  );
}

/** Whether an answer other than its own had disclosed what a request created, before the client sent `next`. */
export function isDisclosedByAnotherAnswer(
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

export function shownIdsIn({ shownIds }: StoredEntry): string[] {
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
 * only while a single request made any, and no twin of it. The same holds for the refunds of a sale or capture.
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
  const created = creating
    .slice(0, indexAfter(creating, read.seq))
    .map(createdIds)
    .filter(({ length }) => length > 0);
  const [only = [], ...others] = created;
  if (state === some) return others.length === 0 ? only.slice(0, 1) : [];
  return created.flat();
}
