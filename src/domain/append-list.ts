/** An append-only list for records that gain an item with each operation. */

interface Link<T> {
  readonly previous: Link<T> | undefined;
  readonly item: T;
}

/**
 * An immutable list that shares its items with the list it was appended to.
 *
 * A sale with ten thousand refunds would otherwise copy all refund ids with each new one.
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

  /** The empty list. */
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

  /** All items, oldest first. */
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
