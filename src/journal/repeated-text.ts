/** Keeps a text once while it comes again and again, as those of clients that retry or poll do. */
import type { StoredText, TextStore } from './text-store.ts';

export class RepeatedText {
  readonly #store: TextStore;
  #latest: string | undefined;
  #kept: StoredText | undefined;

  constructor(store: TextStore) {
    this.#store = store;
  }

  /** As it was kept before, where it is the one that came last. */
  once(text: string | undefined): StoredText | undefined {
    if (text === undefined) return undefined;
    if (text !== this.#latest) {
      this.#latest = text;
      this.#kept = this.#store.keep(text);
    }
    return this.#kept;
  }

  forget(): void {
    this.#latest = undefined;
    this.#kept = undefined;
  }
}
