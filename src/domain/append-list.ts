/** Lists in records that grow by one with each operation, however long they are. */

interface Link<T> {
  readonly previous: Link<T> | undefined;
  readonly item: T;
}

/**
 * A list that is added to at its end and stays what it was: the longer one goes on from the shorter and copies nothing
 * of it. A sale that is refunded ten thousand times would otherwise be copied with all its refunds by each.
 */
export class AppendList<T> implements Iterable<T> {
  readonly length: number;
  readonly first: T | undefined;
  readonly #last: Link<T> | undefined;

  private constructor(length: number, first: T | undefined, last: Link<T> | undefined) {
    this.length = length;
    this.first = first;
    this.#last = last;
  }

  /** The list that everything begins with. */
  static readonly empty: AppendList<never> = new AppendList<never>(0, undefined, undefined);

  static of<T>(all: Iterable<T>): AppendList<T> {
    let list: AppendList<T> = AppendList.empty;
    for (const item of all) list = list.append(item);
    return list;
  }

  append(item: T): AppendList<T> {
    const first = this.#last === undefined ? item : this.first;
    return new AppendList(this.length + 1, first, { previous: this.#last, item });
  }

  /** All of it, oldest first. */
  toArray(): T[] {
    const newestFirst: T[] = [];
    for (let link = this.#last; link !== undefined; link = link.previous)
      newestFirst.push(link.item);
    return newestFirst.reverse();
  }

  [Symbol.iterator](): Iterator<T> {
    return this.toArray()[Symbol.iterator]();
  }
}
