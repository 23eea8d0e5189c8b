/**
 * A ring buffer of the latest entries, limited in number and size. Adding costs the same at any
 * length.
 */
import { Buffer } from 'node:buffer';
import type { StoredEntry } from './stored-entry.ts';

export interface RingLimits {
  /** If 0, exchanges are only counted. */
  readonly maxEntries: number;
  /** For all entries together. */
  readonly maxBytes: number;
}

/** Size of an entry without its texts. */
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
    // Later entries share this list, so at most one list outlives its entry.
    (misses.since === entry.seq ? misses.bytes : 0)
  );
}

function bytesOfText(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text);
}

/** Entries by their increasing `seq`. A new entry replaces the oldest. */
export class EntryRing {
  readonly #limits: RingLimits;
  readonly #onDrop: ((entry: StoredEntry | undefined) => void) | undefined;
  #ring: (StoredEntry | undefined)[] = [];
  /** The latest completed entry of each path: clients often read the same again. */
  readonly #latest = new Map<string, StoredEntry>();
  /** `seq` of the entry at index 0, of the oldest entry, and of the next one. */
  #base = 1;
  #oldest = 1;
  #next = 1;
  #bytes = 0;
  #dropped = 0;
  #droppedUntilMs = Number.NEGATIVE_INFINITY;

  /** Calls `onDrop` with each dropped entry, and without one for each skipped exchange. */
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

  /** Adds an entry with `nextSeq`. */
  add(entry: StoredEntry): void {
    this.#next++;
    if (this.size > this.#limits.maxEntries) this.#drop();
    this.#ring[this.#placeOf(entry.seq)] = entry;
    entry.bytes = bytesOf(entry);
    this.#bytes += entry.bytes;
    this.#evict();
  }

  /** Counts an exchange at this time as dropped, without an entry. */
  skip(atMs: number): void {
    this.#oldest = ++this.#next;
    this.#countDropped(atMs);
    this.#onDrop?.(undefined);
  }

  /** Updates the size of an entry with a response. Ignores entries that were dropped. */
  updateAnswered(entry: StoredEntry): void {
    if (!this.holds(entry)) return;
    this.#latest.set(entry.path, entry);
    this.#bytes -= entry.bytes;
    entry.bytes = bytesOf(entry);
    this.#bytes += entry.bytes;
    this.#evict();
  }

  /** The latest entry with a response at this path, if it is still here. */
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

  /** Whether the entry was neither dropped nor cleared. */
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

  /** The latest entry always stays, even if it exceeds the limit. */
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
