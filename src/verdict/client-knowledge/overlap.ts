/** Which requests for the same thing were open at the same time? */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { areParallel, brokenAtMs } from '../evidence/exchange-order.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { memoize } from '../evidence/journal-index.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';

/** Those that had not ended. It is gone through only when one may have: thousands may be under way together. */
export class OpenRequests {
  #entries: StoredEntry[] = [];
  readonly #perId = new Map<string, number>();
  #nextEndSeq = Number.POSITIVE_INFINITY;
  #nextBreakMs = Number.POSITIVE_INFINITY;

  /** Those that are under way when this one begins, oldest first. */
  openAt(entry: StoredEntry): readonly StoredEntry[] {
    if (entry.seq >= this.#nextEndSeq || entry.openedRealMs >= this.#nextBreakMs) {
      this.retain((other) => areParallel(other, entry));
    }
    return this.#entries;
  }

  /** Whether any of them does not carry the same request id; none at all is the same as nothing. */
  hasOtherKeyThan(requestId: string | undefined): boolean {
    const same = requestId === undefined ? 0 : (this.#perId.get(requestId) ?? 0);
    return this.#entries.length > same;
  }

  add(entry: StoredEntry): void {
    const { requestId, overAtSeq } = entry;
    this.#entries.push(entry);
    if (requestId !== undefined) {
      this.#perId.set(requestId, (this.#perId.get(requestId) ?? 0) + 1);
    }
    if (overAtSeq !== 0) this.#nextEndSeq = Math.min(this.#nextEndSeq, overAtSeq);
    this.#nextBreakMs = Math.min(this.#nextBreakMs, brokenAtMs(entry));
  }

  /** Forgets all others. */
  retain(stays: (entry: StoredEntry) => boolean): void {
    const left = this.#entries.filter(stays);
    this.#entries = [];
    this.#perId.clear();
    this.#nextEndSeq = Number.POSITIVE_INFINITY;
    this.#nextBreakMs = Number.POSITIVE_INFINITY;
    for (const entry of left) this.add(entry);
  }
}

/** Attempts that were under way beside another one which does not carry the same request id. */
export const parallelAttempts = memoize(({ attempts }: AttemptGroup): ReadonlySet<StoredEntry> => {
  const together = new Set<StoredEntry>();
  const open = new OpenRequests();
  const alone = new OpenRequests();
  for (const entry of attempts) {
    const { requestId } = entry;
    const isTied = (other: StoredEntry) => requestId !== undefined && other.requestId === requestId;
    open.openAt(entry);
    if (open.hasOtherKeyThan(requestId)) {
      for (const other of alone.openAt(entry)) if (!isTied(other)) together.add(other);
      alone.retain(isTied);
      together.add(entry);
    } else alone.add(entry);
    open.add(entry);
  }
  return together;
});

/**
 * Whether `custom` names one order that was paid several times at once: no other payment carries it. Two clicks are so,
 * while two buyers have orders of their own, and a shop that writes one word into every purchase has more of them.
 */
export function isOneOrderInParallel(evidence: Evidence, task: AttemptGroup): boolean {
  const { operation, purchase } = task;
  if (operation !== 'payment.create' || purchase === undefined) return false;
  const made = task.attempts.flatMap(createdIds);
  const customs = new Set(made.map((id) => customOf(evidence, id)));
  const [custom] = customs;
  if (customs.size !== 1 || custom === undefined) return false;
  if (paymentsUnder(evidence).get(custom) !== made.length) return false;
  return [...parallelAttempts(task)].filter(({ committed }) => committed).length > 1;
}

/** How many payments that requests in the journal made carry each `custom`. */
const paymentsUnder = memoize((evidence: Evidence): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const id of evidence.of('payment.create').flatMap(createdIds)) {
    const custom = customOf(evidence, id);
    if (custom !== undefined) counts.set(custom, (counts.get(custom) ?? 0) + 1);
  }
  return counts;
});

/** As the record holds it. */
function customOf({ records }: Evidence, paymentId: string): string | undefined {
  return records.payments.get(paymentId)?.transaction.custom;
}
