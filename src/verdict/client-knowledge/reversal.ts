/** What a client has given back, or let go: it must have known of it. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Authorization } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isAnswerReceived } from './disclosure.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';

const reversing: ReadonlySet<OperationName> = new Set([
  'sale.refund',
  'capture.refund',
  'auth.void',
]);

const capturing: ReadonlySet<OperationName> = new Set(['auth.capture']);

/** Whether all that a request made was voided, or refunded to the last cent, and the client told so, before another one. */
export function isReversedBefore(
  journal: JournalIndex,
  made: StoredEntry,
  { seq }: StoredEntry,
): boolean {
  const ids = createdIds(made).flatMap((id) => relatedOf(journal, id));
  return ids.length > 0 && ids.every((id) => isReversed(journal, id, seq));
}

/** The sale or authorization of a payment, or the capture itself. */
function relatedOf(
  { records: { payments, captures } }: JournalIndex,
  id: string,
): readonly string[] {
  const first = captures.get(id)?.id ?? payments.get(id)?.related.first?.id;
  return first === undefined ? [] : [first];
}

function isReversed(journal: JournalIndex, id: string, seq: number): boolean {
  const { sales, captures, authorizations } = journal.records;
  const held = authorizations.get(id);
  if (held !== undefined) return isReleased(journal, held, seq);
  const taken = sales.get(id) ?? captures.get(id);
  return taken !== undefined && refundedMinor(journal, id, seq) >= taken.amount.minor;
}

/** What it held was captured and given back, and no more can be captured. */
function isReleased(journal: JournalIndex, { id, amount }: Authorization, seq: number): boolean {
  const captured = journal
    .about(id, capturing)
    .flatMap(createdIds)
    .flatMap((made) => journal.records.captures.get(made) ?? []);
  const capturedMinor = captured.reduce((sum, one) => sum + one.amount.minor, 0);
  const isOver =
    capturedMinor >= amount.minor ||
    captured.some(({ isFinal }) => isFinal) ||
    knownReversals(journal, id, seq).some(({ operation }) => operation === 'auth.void');
  return isOver && captured.every((one) => isReversed(journal, one.id, seq));
}

function refundedMinor(journal: JournalIndex, id: string, seq: number): number {
  const ids = knownReversals(journal, id, seq).flatMap(({ subject }) => subject ?? []);
  let sum = 0;
  for (const refundId of new Set(ids)) {
    const refund = journal.records.refunds.get(refundId);
    if (refund !== undefined && refund.settlement !== 'failed') sum += refund.amount.minor;
  }
  return sum;
}

function knownReversals(journal: JournalIndex, id: string, seq: number): readonly StoredEntry[] {
  return journal.about(id, reversing).filter((entry) => entry.seq < seq && isAnswerReceived(entry));
}
