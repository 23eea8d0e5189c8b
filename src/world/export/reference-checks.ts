/** Checks references within an export: every named record must exist. */
import type { Path } from '../../documents/source.ts';
import type { RelatedKind } from '../../domain/records.ts';
import type { Records, WorldDocument, SerializedTable } from './document.ts';
import type { ExportIssue } from '../errors.ts';
import { findListIssues } from './list-checks.ts';
import { findRuleIssues } from './rule-checks.ts';

/**
 * Finds everything that does not fit together.
 *
 * A card may be missing although payments or request ids name it: deleting a card does not delete
 * its payments.
 */
export function findReferenceIssues(document: WorldDocument): ExportIssue[] {
  const { records, transfers, scheduledEvents, timeline } = document;
  const known = new RecordIndex(records);
  return [
    ...known.duplicates,
    ...findOrderIssues('cards', records.cards),
    ...findOrderIssues('payments', records.payments),
    ...findInvoiceIssues(records.payments),
    ...findMissingRecords(records, known),
    ...findHomeIssues(records),
    ...findListIssues(records),
    ...transfers.flatMap(({ subject, payment }, at) => [
      ...known.issueIfMissing(['transfers', at, 'subject'], ['sale', 'capture', 'refund'], subject),
      ...known.issueIfMissing(['transfers', at, 'payment'], ['payment'], payment),
    ]),
    ...scheduledEvents.flatMap(({ event }, at) =>
      event.kind.startsWith('card-')
        ? []
        : known.issueIfMissing(
            ['scheduledEvents', at, 'event', 'subject'],
            event.kind === 'sale-is-made' ? ['payment'] : ['sale', 'refund'],
            event.subject,
          ),
    ),
    ...findTimeIssues('scheduledEvents', scheduledEvents),
    ...findTimeIssues('timeline', timeline),
    ...findRuleIssues(document),
    ...findKeyIssues(document),
  ];
}

type Kind = RelatedKind | 'card' | 'payment';

/** Every record of a document by its id. */
class RecordIndex {
  /** Ids that several records have. */
  readonly duplicates: ExportIssue[] = [];
  readonly #kinds = new Map<string, Kind>();

  constructor(records: Records) {
    for (const [at, { record }] of records.cards.rows.entries()) {
      this.#add(['records', 'cards', 'rows', at, 'record', 'id'], 'card', record.id);
    }
    for (const [at, { record }] of records.payments.rows.entries()) {
      this.#add(['records', 'payments', 'rows', at, 'record', 'id'], 'payment', record.id);
    }
    const others = [
      ['sales', 'sale'],
      ['authorizations', 'authorization'],
      ['captures', 'capture'],
      ['refunds', 'refund'],
    ] as const;
    for (const [table, kind] of others) {
      for (const [at, { id }] of records[table].entries()) {
        this.#add(['records', table, at, 'id'], kind, id);
      }
    }
  }

  /** Reports a record that is named but missing. */
  issueIfMissing(path: Path, kinds: readonly Kind[], id: string): ExportIssue[] {
    const kind = this.#kinds.get(id);
    if (kind !== undefined && kinds.includes(kind)) return [];
    const words = kinds.join(' or ');
    return [
      [path, `this document has no ${words} with the id "${id}". Was something removed from it?`],
    ];
  }

  #add(path: Path, kind: Kind, id: string): void {
    if (this.#kinds.has(id))
      this.duplicates.push([path, `another record has the same id "${id}".`]);
    this.#kinds.set(id, kind);
  }
}

function findMissingRecords(records: Records, known: RecordIndex): ExportIssue[] {
  const { payments, sales, authorizations, captures, refunds } = records;
  return [
    ...payments.rows.flatMap(({ record }, at) =>
      record.related.flatMap(({ kind, id }, which) =>
        known.issueIfMissing(
          ['records', 'payments', 'rows', at, 'record', 'related', which, 'id'],
          [kind],
          id,
        ),
      ),
    ),
    ...Object.entries({ sales, authorizations, captures, refunds }).flatMap(([table, list]) =>
      list.flatMap(({ paymentId }, at) =>
        known.issueIfMissing(['records', table, at, 'paymentId'], ['payment'], paymentId),
      ),
    ),
    ...Object.entries({ sales, captures }).flatMap(([table, list]) =>
      list.flatMap(({ refundIds }, at) =>
        refundIds.flatMap((id, which) =>
          known.issueIfMissing(['records', table, at, 'refundIds', which], ['refund'], id),
        ),
      ),
    ),
    ...captures.flatMap(({ authorizationId }, at) =>
      known.issueIfMissing(
        ['records', 'captures', at, 'authorizationId'],
        ['authorization'],
        authorizationId,
      ),
    ),
    ...refunds.flatMap(({ of }, at) =>
      known.issueIfMissing(['records', 'refunds', at, 'of', 'id'], [of.kind], of.id),
    ),
  ];
}

/** A capture or refund belongs to the payment of its authorization, sale or capture. */
function findHomeIssues({ sales, authorizations, captures, refunds }: Records): ExportIssue[] {
  const homes = new Map(
    [...sales, ...authorizations, ...captures].map(({ id, paymentId }) => [id, paymentId]),
  );
  const issueFor = (table: string, at: number, from: string, paymentId: string): ExportIssue[] => {
    const home = homes.get(from) ?? paymentId;
    if (home === paymentId) return [];
    return [[['records', table, at, 'paymentId'], `"${from}" belongs to "${home}".`]];
  };
  return [
    ...captures.flatMap((one, at) => issueFor('captures', at, one.authorizationId, one.paymentId)),
    ...refunds.flatMap((one, at) => issueFor('refunds', at, one.of.id, one.paymentId)),
  ];
}

/** Each position is assigned once, because pages continue after a position. */
function findOrderIssues<T>(
  table: 'cards' | 'payments',
  { rows, lastSeq }: SerializedTable<T>,
): ExportIssue[] {
  return (['createdSeq', 'updatedSeq'] as const).flatMap((order) => {
    const seen = new Set<number>();
    return rows.flatMap((row, at): ExportIssue[] => {
      const path = ['records', table, 'rows', at, order];
      const seq = row[order];
      if (seq > lastSeq) return [[path, `must be at most ${lastSeq}, the value of lastSeq.`]];
      if (seen.has(seq)) return [[path, 'another record has the same number.']];
      seen.add(seq);
      return [];
    });
  });
}

function findInvoiceIssues({ rows }: Records['payments']): ExportIssue[] {
  const seen = new Set<string>();
  return rows.flatMap(({ record }, at): ExportIssue[] => {
    const { invoiceNumber } = record.transaction;
    if (invoiceNumber === undefined) return [];
    if (!seen.has(invoiceNumber)) {
      seen.add(invoiceNumber);
      return [];
    }
    const path = ['records', 'payments', 'rows', at, 'record', 'transaction', 'invoiceNumber'];
    return [[path, 'another payment has the same invoice number.']];
  });
}

function findTimeIssues(name: string, list: readonly { readonly atMs: number }[]): ExportIssue[] {
  return list.flatMap(({ atMs }, at): ExportIssue[] =>
    (list[at - 1]?.atMs ?? atMs) > atMs
      ? [[[name, at, 'atMs'], 'the previous entry is later. Entries must be in order of time.']]
      : [],
  );
}

/** Lists that are read as tables must not repeat a key. */
function findKeyIssues({
  ruleBook,
  requestIds,
  givenCards,
  dealtCards,
}: WorldDocument): ExportIssue[] {
  return [
    ...findDuplicates(
      requestIds.settled.map(({ key }) => key),
      (at) => ['requestIds', 'settled', at, 'key'],
    ),
    ...findDuplicates(
      givenCards.map(([ref]) => ref),
      (at) => ['givenCards', at],
    ),
    ...findDuplicates(
      dealtCards.map(([deck]) => deck),
      (at) => ['dealtCards', at],
    ),
    ...ruleBook.rules.flatMap(({ attempts }, rule) =>
      findDuplicates(
        attempts.map(([key]) => key),
        (at) => ['ruleBook', 'rules', rule, 'attempts', at],
      ),
    ),
  ];
}

function findDuplicates(keys: readonly string[], placeOf: (at: number) => Path): ExportIssue[] {
  const seen = new Set<string>();
  return keys.flatMap((key, at): ExportIssue[] => {
    if (seen.has(key)) return [[placeOf(at), 'another entry has the same key.']];
    seen.add(key);
    return [];
  });
}
