/** A table read as if some of its rows were others. It costs what is amended, whatever the table holds. */
import type { Entry, Order } from './sorted-ids.ts';
import { Rows, type Indexes, type Listed, type Row, type Table, type TableView } from './table.ts';

/** Rows by id, in the place of those there are; `undefined` where there is to be none. */
export type Amendments<R> = ReadonlyMap<string, R | undefined>;

/** Reads through to what there is. */
export function amended<R>(
  live: { get(id: string): R | undefined },
  amendments: Amendments<R>,
): { get(id: string): R | undefined } {
  return { get: (id) => (amendments.has(id) ? amendments.get(id) : live.get(id)) };
}

/** It reads the table as it is when asked, and never writes to it. */
export class AmendedTable<T extends Listed, N extends string>
  extends Rows<T>
  implements TableView<T, N>
{
  readonly #live: Table<T, N>;
  readonly #keys: Indexes<T, N>;
  readonly #amendments: Amendments<Row<T>>;

  constructor(live: Table<T, N>, keys: Indexes<T, N>, amendments: Amendments<Row<T>>) {
    super();
    this.#live = live;
    this.#keys = keys;
    this.#amendments = amendments;
  }

  rowOf(id: string): Row<T> | undefined {
    return this.#amendments.has(id) ? this.#amendments.get(id) : this.#live.rowOf(id);
  }

  get byCreation(): Order {
    return this.#amend(this.#live.byCreation, ({ created }) => created);
  }

  get byUpdate(): Order {
    return this.#amend(this.#live.byUpdate, ({ updated }) => updated);
  }

  by(name: N, key: string): Order {
    return this.#amend(this.#live.by(name, key), ({ record, created }) =>
      this.#keys[name](record) === key ? created : undefined,
    );
  }

  #amend(order: Order, placeIn: (row: Row<T>) => Entry | undefined): Order {
    const gone: Entry[] = [];
    const added: Entry[] = [];
    const note = (entries: Entry[], row: Row<T> | undefined): void => {
      const entry = row && placeIn(row);
      if (entry !== undefined) entries.push(entry);
    };
    for (const [id, row] of this.#amendments) {
      note(gone, this.#live.rowOf(id));
      note(added, row);
    }
    return new AmendedOrder(order, gone, added);
  }
}

/** An order without some of its entries and with others. One that is both stays where it is. */
class AmendedOrder implements Order {
  readonly #live: Order;
  readonly #gone: readonly Entry[];
  readonly #added: readonly Entry[];

  constructor(live: Order, gone: readonly Entry[], added: readonly Entry[]) {
    this.#live = live;
    this.#gone = gone;
    this.#added = added;
  }

  get size(): number {
    return this.#live.size - this.#gone.length + this.#added.length;
  }

  rankOf(seq: number): number {
    return this.#amended(this.#live.rankOf(seq), (entry) => entry.seq < seq);
  }

  rankAt(atMs: number): number {
    return this.#amended(this.#live.rankAt(atMs), (entry) => entry.atMs < atMs);
  }

  slice(from: number, to: number): Entry[] {
    // No entry is further from its place than so many came or went before it.
    const first = Math.max(0, from - this.#added.length);
    const gone = new Set(this.#gone.map(({ seq }) => seq));
    const near = this.#live
      .slice(first, to + gone.size)
      .filter(({ seq }) => !gone.has(seq))
      .concat(this.#added)
      .sort((one, other) => one.seq - other.seq);
    const before = this.#gone.filter(({ seq }) => this.#live.rankOf(seq) < first).length;
    const skipped = first - before;
    return near.slice(Math.max(0, from - skipped), Math.max(0, to - skipped));
  }

  /** A rank among those there are, as one among these. */
  #amended(rank: number, isBefore: (entry: Entry) => boolean): number {
    return rank - this.#gone.filter(isBefore).length + this.#added.filter(isBefore).length;
  }
}
