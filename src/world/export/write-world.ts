/** Writes a world down, so that another process can go on with it. */
import type { Condition } from '../../outcomes/rules/match.ts';
import type { RuleState } from '../../outcomes/rules/rule-book-state.ts';
import { redactText } from '../../redaction/redact.ts';
import type { SavedWorld } from '../world-state.ts';
import type { Overlay } from '../store/overlay.ts';
import type { DatedRecord, Table } from '../store/table.ts';
import { exportFormat, exportVersion, type WorldExport, type SerializedTable } from './document.ts';
import { ExportError } from './export-error.ts';

/**
 * All of a world but its journal, as plain JSON that shares nothing with it. While no time passes, the same world gives
 * the same document.
 *
 * Of the request ids it tells which were used and for what, not what the body was: those marks are keyed by a secret
 * of this process. A key drawn from the seed would go along in the document, and whoever has both could try out card
 * numbers until one fits. Where the world goes on, the first repeat of each id passes for the same request, and later
 * ones are held against it.
 *
 * Throws an `ExportError` where a rule waits for a card number, a code or a token: no export holds one.
 */
export function writeWorld({ store, state }: SavedWorld, madeBy: string): WorldExport {
  const secrets = state.ruleBook.rules.flatMap(findSecretMistakes);
  if (secrets.length > 0) throw new ExportError(secrets);
  const { requestIds, ...rest } = state;
  const document: WorldExport = {
    format: exportFormat,
    version: exportVersion,
    madeBy,
    ...rest,
    records: {
      cards: serializeTable(store.cards, (card) => card),
      payments: serializeTable(store.payments, (payment) => ({
        ...payment,
        related: payment.related.toArray(),
      })),
      sales: byId(store.sales).map((sale) => ({ ...sale, refundIds: sale.refundIds.toArray() })),
      authorizations: byId(store.authorizations),
      captures: byId(store.captures).map((capture) => ({
        ...capture,
        refundIds: capture.refundIds.toArray(),
      })),
      refunds: byId(store.refunds),
    },
    transfers: store.transfers(),
    requestIds: {
      dropped: requestIds.dropped,
      settled: requestIds.settled.map(({ key, untilMs, subject }) => ({ key, untilMs, subject })),
    },
  };
  // All of it is data that JSON keeps; members that are undefined are left out, which their types allow when read.
  return JSON.parse(JSON.stringify(document)) as WorldExport;
}

function serializeTable<T extends DatedRecord, N extends string, W>(
  table: Table<T, N>,
  written: (record: T) => W,
): SerializedTable<W> {
  const rows = [...table.rows()].map(({ record, created, updated }) => ({
    createdSeq: created.seq,
    updatedSeq: updated.seq,
    record: written(record),
  }));
  return { lastSeq: table.lastSeq, rows: rows.sort((a, b) => a.createdSeq - b.createdSeq) };
}

function byId<T extends { readonly id: string }>(records: Overlay<T>): T[] {
  return [...records.entries()]
    .map(([, record]) => record)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

function findSecretMistakes({ rule: { id, match = {} } }: RuleState): string[] {
  return Object.entries(match)
    .filter(([place, condition]) => isSecret(place, condition))
    .map(
      ([place]) =>
        `export: the rule "${id}" waits for a secret in ${place}, and no export holds one. Match by $card, by the cardholder's name or by another field, or disarm the rule first.`,
    );
}

/** A verification code is told by its place, whatever it looks like; that one is there at all is no secret. */
function isSecret(place: string, condition: Condition): boolean {
  const { exists: _exists, ...compared } =
    typeof condition === 'object' ? condition : { eq: condition, exists: undefined };
  const values = JSON.stringify(Object.values(compared));
  return redactText(values) !== values || (/\bcvv2$/.test(place) && values !== '[]');
}
