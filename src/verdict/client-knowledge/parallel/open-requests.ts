/** Which requests are open at a moment, while a journal is read in order. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { areParallel, brokenAtMs } from '../../evidence/exchange-order.ts';

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
    const { requestId, waitedUntilSeq } = entry;
    this.#entries.push(entry);
    if (requestId !== undefined) {
      this.#countById.set(requestId, (this.#countById.get(requestId) ?? 0) + 1);
    }
    if (waitedUntilSeq !== 0) this.#nextEndSeq = Math.min(this.#nextEndSeq, waitedUntilSeq);
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
