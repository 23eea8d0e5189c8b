/** The latest entries, within bounds. Adding one costs the same however many there are. */
import { Buffer } from 'node:buffer';
import type { StoredEntry } from './stored-entry.ts';

export interface RingLimits {
  /** Where it is 0, exchanges are only passed by. */
  readonly maxEntries: number;
  /** Of all entries together. */
  readonly maxBytes: number;
}

/** What an entry takes beside its texts. */
const entryBytes = 700;

function bytesOf(entry: StoredEntry): number {
  const { path, request, requestSummary, response, responseIds } = entry;
  const { requestId, reason, misses } = entry;
  return (
    entryBytes +
    path.length +
    bytesOfText(request) +
    bytesOfText(requestSummary) +
    bytesOfText(response) +
    bytesOfText(responseIds) +
    (requestId?.length ?? 0) +
    (reason?.length ?? 0) +
    // Entries after it share them: at most one list stays when the entry that it came with is gone.
    (misses.since === entry.seq ? misses.bytes : 0)
  );
}

function bytesOfText(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text);
}

/** Entries by their `seq`, which counts up; a new one takes the place of the oldest. */
export class EntryRing {
  readonly #limits: RingLimits;
  readonly #onDrop: ((entry: StoredEntry | undefined) => void) | undefined;
  #ring: (StoredEntry | undefined)[] = [];
  /** By path, the one that was answered last: what it showed is often shown again. */
  readonly #latest = new Map<string, StoredEntry>();
  /** `seq` of the entry in the first place, of the oldest one still there, and of the next one. */
  #base = 1;
  #oldest = 1;
  #next = 1;
  #bytes = 0;
  #dropped = 0;
  #droppedUntilMs = Number.NEGATIVE_INFINITY;

  /** Calls `onDrop` for each entry that makes room for another, and without one for an exchange that is passed by. */
  constructor(limits: RingLimits, onDrop?: (entry: StoredEntry | undefined) => void) {
    this.#limits = limits;
    this.#onDrop = onDrop;
  }

  get nextSeq(): number {
    return this.#next;
  }

  get size(): number {
    return this.#next - this.#oldest;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get droppedUntilMs(): number {
    return this.#droppedUntilMs;
  }

  /** Takes in an entry that carries `nextSeq`. */
  add(entry: StoredEntry): void {
    this.#next++;
    if (this.size > this.#limits.maxEntries) this.#drop();
    this.#ring[this.#placeOf(entry.seq)] = entry;
    entry.bytes = bytesOf(entry);
    this.#bytes += entry.bytes;
    this.#evict();
  }

  /** Counts an exchange of this time as dropped, without an entry of it. */
  skip(atMs: number): void {
    this.#oldest = ++this.#next;
    this.#countDropped(atMs);
    this.#onDrop?.(undefined);
  }

  /** To be told when an entry has been answered; one that is no longer here does not count. */
  updateAnswered(entry: StoredEntry): void {
    if (!this.holds(entry)) return;
    this.#latest.set(entry.path, entry);
    this.#bytes -= entry.bytes;
    entry.bytes = bytesOf(entry);
    this.#bytes += entry.bytes;
    this.#evict();
  }

  /** The one that was answered last at this path, where it is still here. */
  latestAt(path: string): StoredEntry | undefined {
    return this.#latest.get(path);
  }

  /** Oldest first. */
  all(): StoredEntry[] {
    const all: StoredEntry[] = [];
    for (let seq = this.#oldest; seq < this.#next; seq++) {
      const entry = this.#ring[this.#placeOf(seq)];
      if (entry !== undefined) all.push(entry);
    }
    return all;
  }

  *fromLatest(): Generator<StoredEntry> {
    for (let seq = this.#next - 1; seq >= this.#oldest; seq--) {
      const entry = this.#ring[this.#placeOf(seq)];
      if (entry !== undefined) yield entry;
    }
  }

  /** Whether it was neither dropped nor cleared away. */
  holds(entry: StoredEntry): boolean {
    return entry.seq >= this.#oldest;
  }

  wasCleared(entry: StoredEntry): boolean {
    return entry.seq < this.#base;
  }

  clear(): void {
    this.#ring = [];
    this.#latest.clear();
    this.#base = this.#next;
    this.#oldest = this.#next;
    this.#bytes = 0;
    this.#dropped = 0;
    this.#droppedUntilMs = Number.NEGATIVE_INFINITY;
  }

  #placeOf(seq: number): number {
    return (seq - this.#base) % this.#limits.maxEntries;
  }

  /** The latest entry stays, whatever its size. */
  #evict(): void {
    while (this.#bytes > this.#limits.maxBytes && this.size > 1) this.#drop();
  }

  #drop(): void {
    const place = this.#placeOf(this.#oldest++);
    const entry = this.#ring[place];
    if (entry === undefined) return;
    this.#ring[place] = undefined;
    if (this.#latest.get(entry.path) === entry) this.#latest.delete(entry.path);
    this.#bytes -= entry.bytes;
    this.#countDropped(entry.atMs);
    this.#onDrop?.(entry);
  }

  #countDropped(atMs: number): void {
    this.#dropped++;
    this.#droppedUntilMs = Math.max(this.#droppedUntilMs, atMs);
  }
}
