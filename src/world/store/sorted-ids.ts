/** Ids in an order that is kept, never sorted: pages cost the same at any size. */

/** A place in an order. `seq` rises with every place ever given out; `atMs` never falls along the order. */
export interface Position {
  readonly seq: number;
  readonly atMs: number;
  readonly id: string;
}

/** Places in ascending order, reachable by rank: how many stand before. */
export interface Ranking {
  readonly size: number;
  /** How many stand before this `seq`, whether there is one or not. */
  rankOf(seq: number): number;
  /** How many are earlier than this instant. */
  rankAt(atMs: number): number;
  /** Those with ranks from `from` up to, not including, `to`. */
  slice(from: number, to: number): Position[];
}

/** Stands for a list until there is something in it: a world has as many sequences as customers. */
const none: never[] = [];

/** Below this many holes a sequence is left as it is. */
const compactFrom = 64;

/**
 * An append-only order over a shared, immutable beginning. Removing leaves a hole; ranks count over holes by
 * bisection. When most of it is holes it is rewritten, so memory follows what is alive.
 */
export class SortedIds implements Ranking {
  #base: readonly Position[];
  #own: Position[] = none;
  /** Positions of removed entries, ascending. */
  #holes: number[] = none;

  constructor(base: readonly Position[] = []) {
    this.#base = base;
  }

  /** How many entries are alive. */
  get size(): number {
    return this.#length - this.#holes.length;
  }

  /** The same order, to go its own way; the beginning stays shared. */
  copy(): SortedIds {
    const copy = new SortedIds(this.#base);
    if (this.#own !== none) copy.#own = [...this.#own];
    if (this.#holes !== none) copy.#holes = [...this.#holes];
    return copy;
  }

  append(entry: Position): void {
    // Most customers have few cards: a list that is made with one takes no room for others.
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

  /** How many live entries stand before the one with this `seq`, whether that one is alive or not. */
  rankOf(seq: number): number {
    return this.#rankOfPosition(this.#firstWhere((entry) => entry.seq >= seq));
  }

  /** How many live entries are earlier than this instant. */
  rankAt(atMs: number): number {
    return this.#rankOfPosition(this.#firstWhere((entry) => entry.atMs >= atMs));
  }

  /** The live entries with ranks from `from` up to, not including, `to`. */
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

/** The first of `length` indexes for which `test` holds, given that it holds for all after it. */
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
