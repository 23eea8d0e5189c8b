/**
 * A table of records over a shared, immutable base. Creating or dropping a table costs nothing,
 * whatever the size of the base.
 */
import type { Records } from '../../domain/ports.ts';
import { Overlay } from './overlay.ts';
import { SortedIds, type Position, type Ranking } from './sorted-ids.ts';

export interface DatedRecord {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A record with its positions in the orders of creation and update. */
export interface Row<T> {
  readonly record: T;
  readonly created: Position;
  readonly updated: Position;
}

/** The indexed members of a record; `undefined` excludes the record from that index. */
export type Indexes<T, N extends string> = Readonly<Record<N, (record: T) => string | undefined>>;

/** The immutable state of a table, shared by many tables. */
export interface TableBase<T, N extends string> {
  readonly rows: ReadonlyMap<string, Row<T>>;
  readonly created: readonly Position[];
  readonly updated: readonly Position[];
  readonly indexes: Readonly<Record<N, ReadonlyMap<string, readonly Position[]>>>;
  readonly lastSeq: number;
}

/** Reads records and their positions by id. */
export abstract class RowReader<T> implements Records<T> {
  /** A record with its positions. */
  abstract rowOf(id: string): Row<T> | undefined;

  get(id: string): T | undefined {
    return this.rowOf(id)?.record;
  }

  /** The position of a record in the order of creation. */
  placeOf(id: string): Position | undefined {
    return this.rowOf(id)?.created;
  }

  /** The position of a record in the order of updates. */
  lastUpdate(entry: Position): Position {
    return this.rowOf(entry.id)?.updated ?? entry;
  }

  /** The records at these positions, in order. */
  resolve(entries: readonly Position[]): T[] {
    return entries.map(({ id }) => this.get(id)).filter((record) => record !== undefined);
  }
}

/** A table, for reading. */
export interface TableView<T, N extends string> extends RowReader<T> {
  readonly byCreation: Ranking;
  readonly byUpdate: Ranking;
  /** The records with this value of an indexed member, in the order of creation. */
  by(name: N, key: string): Ranking;
}

/**
 * Records listed by creation, by last update and by index. All orders are kept sorted. Indexed
 * members of a record never change.
 */
export class Table<T extends DatedRecord, N extends string>
  extends RowReader<T>
  implements TableView<T, N>
{
  readonly #rows: Overlay<Row<T>>;
  readonly #keys: Indexes<T, N>;
  readonly #names: readonly N[];
  readonly #base: TableBase<T, N> | undefined;
  /** A key with a single record holds its position without a list: most customers have one card. */
  readonly #indexes: Partial<Record<N, Map<string, Position | SortedIds>>> = {};
  readonly byCreation: SortedIds;
  readonly byUpdate: SortedIds;
  #lastSeq: number;

  constructor(keys: Indexes<T, N>, base?: TableBase<T, N>, source?: Table<T, N>) {
    super();
    this.#keys = keys;
    // The keys of a Record<N, …> are N; the library type of Object.keys loses that.
    this.#names = Object.keys(keys) as N[];
    this.#base = base;
    if (source === undefined) {
      this.#rows = new Overlay(base?.rows ?? new Map());
      this.byCreation = new SortedIds(base?.created);
      this.byUpdate = new SortedIds(base?.updated);
      this.#lastSeq = base?.lastSeq ?? 0;
    } else {
      this.#rows = source.#rows.copy();
      this.byCreation = source.byCreation.copy();
      this.byUpdate = source.byUpdate.copy();
      for (const name of this.#names) {
        const index = source.#indexes[name];
        if (index === undefined) continue;
        this.#indexes[name] = new Map(
          [...index].map(([key, held]) => [key, held instanceof SortedIds ? held.copy() : held]),
        );
      }
      this.#lastSeq = source.#lastSeq;
    }
  }

  /**
   * An independent copy. It costs what was written since the base, whatever the size of the base.
   */
  copy(): Table<T, N> {
    return new Table(this.#keys, this.#base, this);
  }

  get size(): number {
    return this.#rows.size;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** All records with their positions. Slow: for exports, not for serving a request. */
  *rows(): IterableIterator<Row<T>> {
    for (const [, row] of this.#rows.entries()) yield row;
  }

  rowOf(id: string): Row<T> | undefined {
    return this.#rows.get(id);
  }

  put(record: T): void {
    const before = this.#rows.get(record.id);
    const updated = { seq: ++this.#lastSeq, atMs: record.updatedAtMs, id: record.id };
    if (before !== undefined) {
      this.byUpdate.remove(before.updated.seq);
      this.byUpdate.append(updated);
      this.#rows.set(record.id, { record, created: before.created, updated });
      return;
    }
    const created =
      record.createdAtMs === record.updatedAtMs
        ? updated
        : { seq: updated.seq, atMs: record.createdAtMs, id: record.id };
    this.#rows.set(record.id, { record, created, updated });
    this.byCreation.append(created);
    this.byUpdate.append(updated);
    for (const name of this.#names) {
      const key = this.#keys[name](record);
      if (key !== undefined) this.#addToIndex(name, key, created);
    }
  }

  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#rows.delete(id);
    this.byCreation.remove(row.created.seq);
    this.byUpdate.remove(row.updated.seq);
    for (const name of this.#names) {
      const key = this.#keys[name](row.record);
      if (key === undefined) continue;
      const order = this.by(name, key);
      order.remove(row.created.seq);
      if (order.size > 0 || this.#base?.indexes[name].has(key) === true) {
        this.#indexOf(name).set(key, order);
      } else this.#indexes[name]?.delete(key);
    }
  }

  /**
   * The records with this value of an indexed member, in the order of creation. A lookup stores
   * nothing.
   */
  by(name: N, key: string): SortedIds {
    const held = this.#indexes[name]?.get(key);
    if (held instanceof SortedIds) return held;
    return new SortedIds(held === undefined ? this.#base?.indexes[name].get(key) : [held]);
  }

  /** The rows of this table, as the base of other tables. */
  toBase(): TableBase<T, N> {
    return tableBase(this.#keys, this.rows(), this.#lastSeq);
  }

  #addToIndex(name: N, key: string, created: Position): void {
    const index = this.#indexOf(name);
    const held = index.get(key);
    if (held instanceof SortedIds) {
      held.append(created);
      return;
    }
    if (held === undefined && this.#base?.indexes[name].get(key) === undefined) {
      index.set(key, created);
      return;
    }
    const order = this.by(name, key);
    order.append(created);
    index.set(key, order);
  }

  #indexOf(name: N): Map<string, Position | SortedIds> {
    return (this.#indexes[name] ??= new Map<string, Position | SortedIds>());
  }
}

/** Builds a base from rows. */
export function tableBase<T extends DatedRecord, N extends string>(
  keys: Indexes<T, N>,
  of: Iterable<Row<T>>,
  lastSeq: number,
): TableBase<T, N> {
  const rows = [...of].sort((one, other) => one.created.seq - other.created.seq);
  const indexes: Partial<Record<N, Map<string, Position[]>>> = {};
  // The keys of a Record<N, …> are N; the library type of Object.keys loses that.
  for (const name of Object.keys(keys) as N[]) {
    indexes[name] = groupByKey(rows, keys[name]);
  }
  return {
    rows: new Map(rows.map((row) => [row.record.id, row])),
    created: rows.map(({ created }) => created),
    updated: rows.map(({ updated }) => updated).sort((one, other) => one.seq - other.seq),
    // The loop above filled every index.
    indexes: indexes as Record<N, Map<string, Position[]>>,
    lastSeq,
  };
}

function groupByKey<T>(
  rows: readonly Row<T>[],
  keyOf: (record: T) => string | undefined,
): Map<string, Position[]> {
  const groups = new Map<string, Position[]>();
  for (const { record, created } of rows) {
    const key = keyOf(record);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [created]);
    else group.push(created);
  }
  return groups;
}
