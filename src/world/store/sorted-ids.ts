/** Ids in an order that is always kept sorted, so that a page costs the same at any size. */

/**
 * A position in an order. `seq` increases with every position ever assigned; `atMs` never decreases
 * along the order.
 */
export interface Position {
  readonly seq: number;
  readonly atMs: number;
  readonly id: string;
}

/** Positions in ascending order, accessible by rank (the number of positions before). */
export interface Ranking {
  readonly size: number;
  /** How many positions are before this `seq`, whether it exists or not. */
  rankOf(seq: number): number;
  /** How many positions are earlier than this time. */
  rankAt(atMs: number): number;
  /** The positions with ranks from `from` (inclusive) to `to` (exclusive). */
  slice(from: number, to: number): Position[];
}

/** Shared placeholder for empty lists: a world has as many orders as it has customers. */
const none: never[] = [];

/** With fewer holes than this, an order is not compacted. */
const compactFrom = 64;

/**
 * An append-only order over a shared, immutable base.
 *
 * Removing leaves a hole, and ranks skip holes by bisection. When more than half are holes the
 * order is compacted, so memory follows the live entries.
 */
export class SortedIds implements Ranking {
  #base: readonly Position[];
  #own: Position[] = none;
  /** Indexes of removed entries, ascending. */
  #holes: number[] = none;

  constructor(base: readonly Position[] = []) {
    this.#base = base;
  }

  /** The number of live entries. */
  get size(): number {
    return this.#length - this.#holes.length;
  }

  /** An independent copy that shares the base. */
  copy(): SortedIds {
    const copy = new SortedIds(this.#base);
    if (this.#own !== none) copy.#own = [...this.#own];
    if (this.#holes !== none) copy.#holes = [...this.#holes];
    return copy;
  }

  append(entry: Position): void {
    // Most customers have few cards: a list created with one entry reserves no more space.
    if (this.#own === none) this.#own = [entry];
    else this.#own.push(entry);
  }

  remove(seq: number): void {
    const position = this.#firstWhere((entry) => entry.seq >= seq);
    if (this.#entryAt(position)?.seq !== seq) return;
    const hole = firstIndex(this.#holes.length, (i) => (this.#holes[i] ?? 0) >= position);
    if (this.#holes[hole] === position) return;
    if (this.#holes === none) this.#holes = [];
    this.#holes.splice(hole, 0, position);
    if (this.#holes.length > compactFrom && this.#holes.length * 2 > this.#length) this.#compact();
  }

  /** The entry with `rank` live ones before it. */
  at(rank: number): Position | undefined {
    if (rank < 0 || rank >= this.size) return undefined;
    const skipped = firstIndex(this.#holes.length, (i) => (this.#holes[i] ?? 0) - i > rank);
    return this.#entryAt(rank + skipped);
  }

  /** How many live entries are before this `seq`, whether it is live or not. */
  rankOf(seq: number): number {
    return this.#rankOfPosition(this.#firstWhere((entry) => entry.seq >= seq));
  }

  /** How many live entries are earlier than this time. */
  rankAt(atMs: number): number {
    return this.#rankOfPosition(this.#firstWhere((entry) => entry.atMs >= atMs));
  }

  /** The live entries with ranks from `from` (inclusive) to `to` (exclusive). */
  slice(from: number, to: number): Position[] {
    const entries: Position[] = [];
    for (let rank = Math.max(0, from); rank < Math.min(to, this.size); rank++) {
      const entry = this.at(rank);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  get #length(): number {
    return this.#base.length + this.#own.length;
  }

  #entryAt(position: number): Position | undefined {
    return position < this.#base.length
      ? this.#base[position]
      : this.#own[position - this.#base.length];
  }

  #firstWhere(test: (entry: Position) => boolean): number {
    return firstIndex(this.#length, (position) => {
      const entry = this.#entryAt(position);
      return entry === undefined || test(entry);
    });
  }

  #rankOfPosition(position: number): number {
    return position - firstIndex(this.#holes.length, (i) => (this.#holes[i] ?? 0) >= position);
  }

  #compact(): void {
    const alive = this.slice(0, this.size);
    this.#base = none;
    this.#own = alive;
    this.#holes = none;
  }
}

/** The first of `length` indexes that passes `test`, given that all later ones pass too. */
export function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
