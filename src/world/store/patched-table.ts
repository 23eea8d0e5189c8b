/**
 * A table that reads as if some rows were different. Its cost depends on the patches, not on the
 * table's size.
 */
import type { Position, Ranking } from './sorted-ids.ts';
import {
  RowReader,
  type Indexes,
  type DatedRecord,
  type Row,
  type Table,
  type TableView,
} from './table.ts';

/** Replacement rows by id; `undefined` hides a row. */
export type Patches<R> = ReadonlyMap<string, R | undefined>;

/** Reads through to the live records, except for patched ones. */
export function patchRecords<R>(
  live: { get(id: string): R | undefined },
  patches: Patches<R>,
): { get(id: string): R | undefined } {
  return { get: (id) => (patches.has(id) ? patches.get(id) : live.get(id)) };
}

/** Reads the live table at the time of each call and never writes to it. */
export class PatchedTable<T extends DatedRecord, N extends string>
  extends RowReader<T>
  implements TableView<T, N>
{
  readonly #live: Table<T, N>;
  readonly #keys: Indexes<T, N>;
  readonly #patches: Patches<Row<T>>;

  constructor(live: Table<T, N>, keys: Indexes<T, N>, patches: Patches<Row<T>>) {
    super();
    this.#live = live;
    this.#keys = keys;
    this.#patches = patches;
  }

  rowOf(id: string): Row<T> | undefined {
    return this.#patches.has(id) ? this.#patches.get(id) : this.#live.rowOf(id);
  }

  get byCreation(): Ranking {
    return this.#patch(this.#live.byCreation, ({ created }) => created);
  }

  get byUpdate(): Ranking {
    return this.#patch(this.#live.byUpdate, ({ updated }) => updated);
  }

  by(name: N, key: string): Ranking {
    return this.#patch(this.#live.by(name, key), ({ record, created }) =>
      this.#keys[name](record) === key ? created : undefined,
    );
  }

  #patch(order: Ranking, placeIn: (row: Row<T>) => Position | undefined): Ranking {
    const removed: Position[] = [];
    const added: Position[] = [];
    const note = (entries: Position[], row: Row<T> | undefined): void => {
      const entry = row && placeIn(row);
      if (entry !== undefined) entries.push(entry);
    };
    for (const [id, row] of this.#patches) {
      note(removed, this.#live.rowOf(id));
      note(added, row);
    }
    return new PatchedRanking(order, removed, added);
  }
}

/** An order with some entries removed and others added. An entry in both lists stays in place. */
class PatchedRanking implements Ranking {
  readonly #live: Ranking;
  readonly #removed: readonly Position[];
  readonly #added: readonly Position[];

  constructor(live: Ranking, removed: readonly Position[], added: readonly Position[]) {
    this.#live = live;
    this.#removed = removed;
    this.#added = added;
  }

  get size(): number {
    return this.#live.size - this.#removed.length + this.#added.length;
  }

  rankOf(seq: number): number {
    return this.#patchRank(this.#live.rankOf(seq), (entry) => entry.seq < seq);
  }

  rankAt(atMs: number): number {
    return this.#patchRank(this.#live.rankAt(atMs), (entry) => entry.atMs < atMs);
  }

  slice(from: number, to: number): Position[] {
    // An entry moves at most by the number of entries added or removed before it.
    const first = Math.max(0, from - this.#added.length);
    const removed = new Set(this.#removed.map(({ seq }) => seq));
    const near = this.#live
      .slice(first, to + removed.size)
      .filter(({ seq }) => !removed.has(seq))
      .concat(this.#added)
      .sort((one, other) => one.seq - other.seq);
    const before = this.#removed.filter(({ seq }) => this.#live.rankOf(seq) < first).length;
    const skipped = first - before;
    return near.slice(Math.max(0, from - skipped), Math.max(0, to - skipped));
  }

  /** Converts a rank in the live order to a rank in this one. */
  #patchRank(rank: number, isBefore: (entry: Position) => boolean): number {
    return rank - this.#removed.filter(isBefore).length + this.#added.filter(isBefore).length;
  }
}
