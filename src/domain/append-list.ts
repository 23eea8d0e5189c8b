/** Lists in records that grow by one with each operation, however long they are. */

interface Link<T> {
  readonly before: Link<T> | undefined;
  readonly one: T;
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
  static readonly none: AppendList<never> = new AppendList<never>(0, undefined, undefined);

  static of<T>(all: Iterable<T>): AppendList<T> {
    let grown: AppendList<T> = AppendList.none;
    for (const one of all) grown = grown.with(one);
    return grown;
  }

  with(one: T): AppendList<T> {
    const first = this.#last === undefined ? one : this.first;
    return new AppendList(this.length + 1, first, { before: this.#last, one });
  }

  /** All of it, oldest first. */
  all(): T[] {
    const newestFirst: T[] = [];
    for (let link = this.#last; link !== undefined; link = link.before) newestFirst.push(link.one);
    return newestFirst.reverse();
  }

  [Symbol.iterator](): Iterator<T> {
    return this.all()[Symbol.iterator]();
  }
}
