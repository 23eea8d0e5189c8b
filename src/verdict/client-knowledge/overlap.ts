/**
 * Did the client send several requests for one thing in parallel, with nothing to tie them together?
 *
 * Parallel requests with one request id are safe, because the service answers them once. With different ids, or none, a
 * double click charges twice.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { areParallel, brokenAtMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { memoize } from '../evidence/journal-index.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';

/**
 * The requests that are open while a journal is read in order.
 *
 * The list is filtered only when a request in it may have ended, because thousands may be open together.
 */
export class OpenRequests {
  #entries: StoredEntry[] = [];
  readonly #countById = new Map<string, number>();
  #nextEndSeq = Number.POSITIVE_INFINITY;
  #nextBreakMs = Number.POSITIVE_INFINITY;

  /** The requests that are open when this one begins, oldest first. */
  openAt(entry: StoredEntry): readonly StoredEntry[] {
    if (entry.seq >= this.#nextEndSeq || entry.openedRealMs >= this.#nextBreakMs) {
      this.retain((other) => areParallel(other, entry));
    }
    return this.#entries;
  }

  /** Whether any request has another request id. A missing id equals nothing, not even another missing one. */
  hasOtherKeyThan(requestId: string | undefined): boolean {
    const same = requestId === undefined ? 0 : (this.#countById.get(requestId) ?? 0);
    return this.#entries.length > same;
  }

  add(entry: StoredEntry): void {
    const { requestId, overAtSeq } = entry;
    this.#entries.push(entry);
    if (requestId !== undefined) {
      this.#countById.set(requestId, (this.#countById.get(requestId) ?? 0) + 1);
    }
    if (overAtSeq !== 0) this.#nextEndSeq = Math.min(this.#nextEndSeq, overAtSeq);
    this.#nextBreakMs = Math.min(this.#nextBreakMs, brokenAtMs(entry));
  }

  /** Removes all requests but those for which `isKept` is true. */
  retain(isKept: (entry: StoredEntry) => boolean): void {
    const kept = this.#entries.filter(isKept);
    this.#entries = [];
    this.#countById.clear();
    this.#nextEndSeq = Number.POSITIVE_INFINITY;
    this.#nextBreakMs = Number.POSITIVE_INFINITY;
    for (const entry of kept) this.add(entry);
  }
}

/** Finds the attempts that were open in parallel with another attempt that has a different request id, or none. */
export const parallelAttempts = memoize(({ attempts }: AttemptGroup): ReadonlySet<StoredEntry> => {
  const parallel = new Set<StoredEntry>();
  const open = new OpenRequests();
  const openAlone = new OpenRequests();
  for (const entry of attempts) {
    const { requestId } = entry;
    const hasSameKey = (other: StoredEntry) =>
      requestId !== undefined && other.requestId === requestId;
    open.openAt(entry);
    if (open.hasOtherKeyThan(requestId)) {
      for (const other of openAlone.openAt(entry)) if (!hasSameKey(other)) parallel.add(other);
      openAlone.retain(hasSameKey);
      parallel.add(entry);
    } else openAlone.add(entry);
    open.add(entry);
  }
  return parallel;
});

/**
 * Whether `custom` names one order that was paid several times in parallel.
 *
 * It does if no other payment carries the same `custom`, as with a double click. Two buyers have orders of their own, and
 * a shop that writes one word into every purchase has more payments under it.
 */
export function isOneOrderInParallel(evidence: Evidence, group: AttemptGroup): boolean {
  const { operation, purchase } = group;
  if (operation !== 'payment.create' || purchase === undefined) return false;
  const paymentIds = group.attempts.flatMap(createdIds);
  const customs = new Set(paymentIds.map((id) => customOf(evidence, id)));
  const [custom] = customs;
  if (customs.size !== 1 || custom === undefined) return false;
  if (paymentCountByCustom(evidence).get(custom) !== paymentIds.length) return false;
  return [...parallelAttempts(group)].filter(({ committed }) => committed).length > 1;
}

/** How many payments carry each `custom`, among those that requests in the journal created. */
const paymentCountByCustom = memoize((evidence: Evidence): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const id of evidence.of('payment.create').flatMap(createdIds)) {
    const custom = customOf(evidence, id);
    if (custom !== undefined) counts.set(custom, (counts.get(custom) ?? 0) + 1);
  }
  return counts;
});

/** Reads `custom` from the record, because the journal may have redacted it. */
function customOf({ records }: Evidence, paymentId: string): string | undefined {
  return records.payments.get(paymentId)?.transaction.custom;
}
