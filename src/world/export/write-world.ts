/** Exports a world so that another process can continue it. */
import type { Condition } from '../../outcomes/rules/match.ts';
import type { RuleState } from '../../outcomes/rules/rule-book-state.ts';
import { redactText } from '../../redaction/redact.ts';
import type { SavedWorld } from '../world-state.ts';
import type { Overlay } from '../store/overlay.ts';
import type { DatedRecord, Table } from '../store/table.ts';
import {
  exportFormat,
  exportVersion,
  type WorldDocument,
  type SerializedTable,
} from './document.ts';
import { ExportError } from '../errors.ts';

/**
 * Exports a world without its journal, as plain JSON that shares nothing with it. The same world at
 * the same time gives the same document.
 *
 * The export says which request ids were used and for which record, but not with which body. Body
 * fingerprints are keyed by a secret of this process: a key derived from the seed would be part of
 * the export and allow guessing card numbers. After an import the first repeat of a request id
 * counts as the same request, and later ones are compared with it.
 *
 * Throws an `ExportError` if a rule matches a card number, code or token: exports never contain
 * one.
 */
export function writeWorld(saved: SavedWorld, writtenBy: string): WorldDocument {
  const secrets = saved.state.ruleBook.rules.flatMap(findSecretMistakes);
  if (secrets.length > 0) throw new ExportError(secrets, 'export-refused');
  return toDocument(saved, writtenBy);
}

/** Exports a world without the rules that match a secret, and names those rules. */
export function writeWorldWithoutSecrets(
  saved: SavedWorld,
  writtenBy: string,
): { readonly document: WorldDocument; readonly omitted: readonly string[] } {
  const { state } = saved;
  const { rules } = state.ruleBook;
  const secret = rules.filter((rule) => findSecretMistakes(rule).length > 0);
  const ruleBook = { ...state.ruleBook, rules: rules.filter((rule) => !secret.includes(rule)) };
  const document = toDocument({ ...saved, state: { ...state, ruleBook } }, writtenBy);
  return { document, omitted: secret.map(({ rule }) => rule.id) };
}

function toDocument({ store, state }: SavedWorld, writtenBy: string): WorldDocument {
  const { requestIds, ruleBook, ...rest } = state;
  const document: WorldDocument = {
    format: exportFormat,
    version: exportVersion,
    writtenBy,
    ...rest,
    ruleBook: { ...ruleBook, rules: ruleBook.rules.map(asOwnRule) },
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
  // JSON can represent all members. It omits undefined ones, which their types allow.
  return JSON.parse(JSON.stringify(document)) as WorldDocument;
}

/** A rule for several merchants becomes the merchant's own: another sandbox does not know it. */
function asOwnRule(state: RuleState): RuleState {
  const { rule } = state;
  return rule.source === 'shared' ? { ...state, rule: { ...rule, source: 'armed' } } : state;
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
        `export: the rule "${id}" matches a secret in ${place}, and exports never contain secrets. Match by $card, the cardholder's name or another field, or clear the rule first.`,
    );
}

/** A verification code is recognized by its place, not by its form. `exists` alone is not a secret. */
function isSecret(place: string, condition: Condition): boolean {
  const { exists: _exists, ...compared } =
    typeof condition === 'object' ? condition : { eq: condition, exists: undefined };
  const values = JSON.stringify(Object.values(compared));
  return redactText(values) !== values || (/\bcvv2$/.test(place) && values !== '[]');
}
