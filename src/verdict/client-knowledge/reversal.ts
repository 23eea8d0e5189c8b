/** What a client has given back, or let go: it must have known of it. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Authorization } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { madeBy } from '../evidence/created-ids.ts';
import { tells } from './disclosure.ts';
import type { Trail } from '../evidence/journal-index.ts';

const undoing: ReadonlySet<OperationName> = new Set(['sale.refund', 'capture.refund', 'auth.void']);

const capturing: ReadonlySet<OperationName> = new Set(['auth.capture']);

/** Whether all that a request made was voided, or refunded to the last cent, and the client told so, before another one. */
export function isUndoneBefore(trail: Trail, made: StoredEntry, { seq }: StoredEntry): boolean {
  const ids = madeBy(made).flatMap((id) => relatedOf(trail, id));
  return ids.length > 0 && ids.every((id) => isUndone(trail, id, seq));
}

/** The sale or authorization of a payment, or the capture itself. */
function relatedOf({ records: { payments, captures } }: Trail, id: string): readonly string[] {
  const first = captures.get(id)?.id ?? payments.get(id)?.related.first?.id;
  return first === undefined ? [] : [first];
}

function isUndone(trail: Trail, id: string, seq: number): boolean {
  const { sales, captures, authorizations } = trail.records;
  const held = authorizations.get(id);
  if (held !== undefined) return isLetGo(trail, held, seq);
  const taken = sales.get(id) ?? captures.get(id);
  return taken !== undefined && refundedMinor(trail, id, seq) >= taken.amount.minor;
}

/** What it held was captured and given back, and no more can be captured. */
function isLetGo(trail: Trail, { id, amount }: Authorization, seq: number): boolean {
  const captured = trail
    .about(id, capturing)
    .flatMap(madeBy)
    .flatMap((made) => trail.records.captures.get(made) ?? []);
  const capturedMinor = captured.reduce((sum, one) => sum + one.amount.minor, 0);
  const isOver =
    capturedMinor >= amount.minor ||
    captured.some(({ isFinal }) => isFinal) ||
    toldOfUndoing(trail, id, seq).some(({ operation }) => operation === 'auth.void');
  return isOver && captured.every((one) => isUndone(trail, one.id, seq));
}

function refundedMinor(trail: Trail, id: string, seq: number): number {
  const ids = toldOfUndoing(trail, id, seq).flatMap(({ subject }) => subject ?? []);
  let sum = 0;
  for (const refundId of new Set(ids)) {
    const refund = trail.records.refunds.get(refundId);
    if (refund !== undefined && refund.settlement !== 'failed') sum += refund.amount.minor;
  }
  return sum;
}

function toldOfUndoing(trail: Trail, id: string, seq: number): readonly StoredEntry[] {
  return trail.about(id, undoing).filter((entry) => entry.seq < seq && tells(entry));
}
