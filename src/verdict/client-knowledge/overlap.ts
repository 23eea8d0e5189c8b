/** Requests that are under way at once, as one goes through them in their order. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { atOnce, brokeAtMs } from '../evidence/journal-index.ts';

/** Those that had not ended. It is gone through only when one may have: thousands may be under way together. */
export class UnderWay {
  #entries: StoredEntry[] = [];
  readonly #perId = new Map<string, number>();
  #nextEndSeq = Number.POSITIVE_INFINITY;
  #nextBreakMs = Number.POSITIVE_INFINITY;

  /** Those that are under way when this one begins, oldest first. */
  beside(entry: StoredEntry): readonly StoredEntry[] {
    if (entry.seq >= this.#nextEndSeq || entry.openedRealMs >= this.#nextBreakMs) {
      this.keep((other) => atOnce(other, entry));
    }
    return this.#entries;
  }

  /** Whether any of them does not carry the same request id; none at all is the same as nothing. */
  isAnyBut(requestId: string | undefined): boolean {
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
    this.#nextBreakMs = Math.min(this.#nextBreakMs, brokeAtMs(entry));
  }

  /** Forgets all others. */
  keep(stays: (entry: StoredEntry) => boolean): void {
    const left = this.#entries.filter(stays);
    this.#entries = [];
    this.#perId.clear();
    this.#nextEndSeq = Number.POSITIVE_INFINITY;
    this.#nextBreakMs = Number.POSITIVE_INFINITY;
    for (const entry of left) this.add(entry);
  }
}
