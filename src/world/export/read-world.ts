/** Reads an exported world, completely or not at all. */
import { z } from '@hono/zod-openapi';
import { AppendList } from '../../domain/append-list.ts';
import { explainIssues } from '../../documents/schema-issues.ts';
import { inMemorySource } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { cardIndexes, RecordStore } from '../store/store.ts';
import { tableBase, type DatedRecord, type Row } from '../store/table.ts';
import { noGates } from '../gates/gates.ts';
import type { SavedWorld } from '../world-state.ts';
import {
  exportFormat,
  exportVersion,
  worldSchema,
  type WorldDocument,
  type SerializedTable,
} from './document.ts';
import { ExportError } from '../errors.ts';
import { findMoneyIssues } from './money-checks.ts';
import { findReferenceIssues } from './reference-checks.ts';
import { maskFreeText } from '../../redaction/free-text.ts';

/** Limits of the sandbox that imports a world. */
export interface ReadLimits {
  readonly maxRecords: number;
  readonly maxRequestIds: number;
}

/**
 * Reads a world from its export. Throws an `ExportError` that names everything that is wrong with
 * the document.
 */
export function readWorld(document: unknown, limits: ReadLimits): SavedWorld {
  const source = inMemorySource('export', document);
  const headerMistake = findHeaderMistake(document);
  if (headerMistake !== undefined) throw new ExportError([headerMistake]);
  const read = worldSchema().safeParse(document);
  if (!read.success) {
    const schema = z.toJSONSchema(worldSchema(), { io: 'input', target: 'draft-7' });
    throw new ExportError(explainIssues(source, read.error.issues, schema));
  }
  const issues = findReferenceIssues(read.data);
  // Sums only make sense if all records exist.
  const sums = issues.length > 0 ? [] : findMoneyIssues(read.data);
  const mistakes = [
    ...[...issues, ...sums].map(([path, words]) => `${source.at(path)}: ${words}`),
    ...findLimitMistakes(read.data, limits),
  ];
  if (mistakes.length > 0) throw new ExportError(mistakes);
  // No world keeps a card number, whatever wrote the document.
  return toSavedWorld(maskFreeText(read.data).value);
}

/** Checks the header first: a document of another kind would be wrong everywhere. */
function findHeaderMistake(document: unknown): string | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return `export: expected the document that export() returned, got ${kindOf(document)}. Parse a JSON text with JSON.parse first.`;
  }
  const format = memberOf(document, 'format');
  if (format !== exportFormat) {
    return `export format: must be "${exportFormat}". ${format === undefined ? 'This is not an export' : 'This is another kind of document'}: use one from export() or GET /_sandbox/world.`;
  }
  const version = memberOf(document, 'version');
  if (version !== exportVersion) {
    return `export version: this package reads version ${exportVersion}. Import the document with the package that wrote it${writtenBy(document)}, or create a new export.`;
  }
  return undefined;
}

function kindOf(document: unknown): string {
  if (document === null) return 'null';
  if (Array.isArray(document)) return 'a list';
  return typeof document === 'string' ? 'a text' : `a value of type ${typeof document}`;
}

function writtenBy(document: object): string {
  const named = memberOf(document, 'writtenBy');
  return typeof named === 'string' ? `, ${named.slice(0, 100)}` : '';
}

function findLimitMistakes({ records, requestIds }: WorldDocument, limits: ReadLimits): string[] {
  const { cards, payments, sales, authorizations, captures, refunds } = records;
  const lists = [cards.rows, payments.rows, sales, authorizations, captures, refunds];
  const held = lists.reduce((sum, list) => sum + list.length, 0);
  const used = requestIds.settled.length;
  return [
    ...(held > limits.maxRecords
      ? [
          `export records: ${held} records exceed this sandbox's limit of ${limits.maxRecords} for a merchant. Raise limits.maxRecords (--max-records).`,
        ]
      : []),
    ...(used > limits.maxRequestIds
      ? [
          `export requestIds: ${used} request ids exceed this sandbox's limit of ${limits.maxRequestIds} for a merchant. Raise limits.maxRequestIds (--max-request-ids).`,
        ]
      : []),
  ];
}

function toSavedWorld(document: WorldDocument): SavedWorld {
  const { requestIds } = document;
  const { origin, clock, streams, ruleBook, dealtCards } = document;
  const { scheduledEvents, timeline, missed, givenCards, scenarioStartMs, expect } = document;
  return {
    store: toStore(document),
    state: {
      origin,
      clock,
      streams,
      requestIds: {
        dropped: requestIds.dropped,
        settled: requestIds.settled.map((one) => ({ ...one, fingerprint: undefined })),
      },
      longIds: document.longIds,
      ruleBook,
      dealtCards,
      scheduledEvents,
      timeline,
      missed,
      givenCards,
      scenarioStartMs,
      expect,
    },
    changeLog: [],
    gates: noGates,
  };
}

/** The records become a base, so that snapshots of this world cost only what is written from now on. */
function toStore({ records, transfers }: WorldDocument): RecordStore {
  return new RecordStore({
    cards: tableBase(
      cardIndexes,
      rowsOf(records.cards, (card) => card),
      records.cards.lastSeq,
    ),
    payments: tableBase(
      {},
      rowsOf(records.payments, (payment) => ({
        ...payment,
        related: AppendList.of(payment.related),
      })),
      records.payments.lastSeq,
    ),
    sales: byId(
      records.sales.map((sale) => ({ ...sale, refundIds: AppendList.of(sale.refundIds) })),
    ),
    authorizations: byId(records.authorizations),
    captures: byId(
      records.captures.map((capture) => ({
        ...capture,
        refundIds: AppendList.of(capture.refundIds),
      })),
    ),
    refunds: byId(records.refunds),
    invoices: new Map(
      records.payments.rows.flatMap(({ record: { id, transaction } }) =>
        transaction.invoiceNumber === undefined ? [] : [[transaction.invoiceNumber, id]],
      ),
    ),
    transfers,
  });
}

function rowsOf<W extends DatedRecord, T>(
  { rows }: SerializedTable<W>,
  read: (written: W) => T,
): Row<T>[] {
  return rows.map(({ createdSeq, updatedSeq, record }) => ({
    record: read(record),
    created: { seq: createdSeq, atMs: record.createdAtMs, id: record.id },
    updated: { seq: updatedSeq, atMs: record.updatedAtMs, id: record.id },
  }));
}

function byId<T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> {
  return new Map(records.map((record) => [record.id, record]));
}
