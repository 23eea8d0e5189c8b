/** What a client has given back, or let go: it must have known of it. */
import type { OperationName } from '../contract/operations.ts';
import type { KeptEntry } from '../journal/kept-entry.ts';
import { madeBy } from './made-by.ts';
import { tells } from './told.ts';
import type { Trail } from './trail.ts';

const undoing: ReadonlySet<OperationName> = new Set(['sale.refund', 'capture.refund', 'auth.void']);

/** Whether all that a request made was voided, or refunded to the last cent, and the client told so, before another one. */
export function isUndoneBefore(trail: Trail, made: KeptEntry, { seq }: KeptEntry): boolean {
  const ids = madeBy(made).flatMap((id) => relatedOf(trail, id));
  return ids.length > 0 && ids.every((id) => isUndone(trail, id, seq));
}

/** The sale or authorization of a payment, or the capture itself. */
function relatedOf({ records: { payments, captures } }: Trail, id: string): readonly string[] {
  const first = captures.get(id)?.id ?? payments.get(id)?.related[0]?.id;
  return first === undefined ? [] : [first];
}

function isUndone(trail: Trail, id: string, seq: number): boolean {
  const { sales, captures, refunds } = trail.records;
  const answered = trail.about(id, undoing).filter((entry) => entry.seq < seq && tells(entry));
  if (answered.some(({ operation }) => operation === 'auth.void')) return true;
  const taken = sales.get(id) ?? captures.get(id);
  let leftMinor = taken?.amount.minor ?? Number.POSITIVE_INFINITY;
  for (const refundId of new Set(answered.flatMap(({ subject }) => subject ?? []))) {
    const refund = refunds.get(refundId);
    if (refund !== undefined && refund.settlement !== 'failed') leftMinor -= refund.amount.minor;
  }
  return leftMinor <= 0;
}
