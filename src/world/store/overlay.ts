/** A map over a shared base. Writes never change the base. */

const removed = Symbol('removed');

export class Overlay<V> {
  readonly #base: ReadonlyMap<string, V>;
  readonly #own = new Map<string, V | typeof removed>();
  #size: number;

  constructor(base: ReadonlyMap<string, V>) {
    this.#base = base;
    this.#size = base.size;
  }

  /** An independent copy that shares the base. */
  copy(): Overlay<V> {
    const copy = new Overlay(this.#base);
    for (const [key, value] of this.#own) copy.#own.set(key, value);
    copy.#size = this.#size;
    return copy;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): V | undefined {
    const own = this.#own.get(key);
    if (own === undefined) return this.#base.get(key);
    return own === removed ? undefined : own;
  }

  set(key: string, value: V): void {
    if (this.get(key) === undefined) this.#size++;
    this.#own.set(key, value);
  }

  delete(key: string): void {
    if (this.get(key) === undefined) return;
    this.#size--;
    if (this.#base.has(key)) this.#own.set(key, removed);
    else this.#own.delete(key);
  }

  /**
   * All pairs of the base and of this map. Slow: for building a base, not for serving a request.
   */
  *entries(): IterableIterator<[string, V]> {
    for (const [key, value] of this.#base) if (!this.#own.has(key)) yield [key, value];
    for (const [key, value] of this.#own) if (value !== removed) yield [key, value];
  }
}
