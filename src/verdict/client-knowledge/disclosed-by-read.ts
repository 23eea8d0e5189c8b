/** Payments, captures and refunds that a client asked for by name, and saw done: whoever does so knows of them. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { storedId } from '../../outcomes/effects/long-id-dialect.ts';
import { madeBy } from '../evidence/created-ids.ts';
import { once } from '../evidence/memoize.ts';
import { tells } from './disclosure.ts';
import type { Trail } from '../evidence/journal-index.ts';

/**
 * Whether an answer about a payment that this request made showed its money, taken or held, before another request; or
 * one about the payment, or the sale, of a capture or refund that it made showed that very one.
 */
export function isReadBefore(trail: Trail, made: StoredEntry, { seq }: StoredEntry): boolean {
  return readsOf(trail)(made) < seq;
}

/** By request: what is asked about many times is looked through once. */
const readsOf = once((trail: Trail): ((made: StoredEntry) => number) => {
  const known = new Map<StoredEntry, number>();
  return (made) => {
    const at = known.get(made) ?? firstReadOf(trail, made);
    known.set(made, at);
    return at;
  };
});

/** `seq` of the answer by which all that it made was shown; without an end where something was not. */
function firstReadOf(trail: Trail, made: StoredEntry): number {
  const ids = madeBy(made);
  if (ids.length === 0) return Infinity;
  return Math.max(...ids.map((id) => shownAt(trail, id)));
}

const payments: ReadonlySet<OperationName> = new Set(['payment.get']);
const parts: ReadonlySet<OperationName> = new Set(['sale.get', 'auth.get']);
const laterParts: ReadonlySet<OperationName> = new Set(['capture.get', 'refund.get']);
const refundLists: ReadonlySet<OperationName> = new Set(['sale.refunds']);

function shownAt(trail: Trail, id: string): number {
  const { records } = trail;
  const refund = records.refunds.get(id);
  const later = refund ?? records.captures.get(id);
  if (later !== undefined) {
    const reads = [
      trail.about(id, laterParts),
      trail.about(later.paymentId, payments),
      trail.about(refund?.of.id ?? '', refundLists),
    ];
    return firstSeqOf(reads, ({ shownIds }) => shownIds.some((shown) => storedId(shown) === id));
  }
  const part = records.payments.get(id)?.related.first;
  if (part === undefined) return Infinity;
  const reads = [trail.about(id, payments), trail.about(part.id, parts)];
  return firstSeqOf(reads, (read) => showsMoney(trail.answerOf(read)));
}

/** `seq` of the first read that told the client, and shows what is asked for; each list is in order. */
function firstSeqOf(
  lists: readonly (readonly StoredEntry[])[],
  shows: (read: StoredEntry) => boolean,
): number {
  const first = lists.map((reads) => reads.find((read) => tells(read) && shows(read)));
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
