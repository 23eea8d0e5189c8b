/** Keeps a text once while it comes again and again, as those of clients that retry or poll do. */
import type { StoredText, TextStore } from './text-store.ts';

export class RepeatedText {
  readonly #store: TextStore;
  readonly #redact: (text: string) => string;
  #latest: string | undefined;
  #kept: StoredText | undefined;

  /** `redact` gives a text as it may be kept, and such a text as it is. */
  constructor(store: TextStore, redact: (text: string) => string) {
    this.#store = store;
    this.#redact = redact;
  }

  /**
   * Without its secrets; as it was kept before, where it is the one that came last. It is held for whoever asked, who
   * releases it.
   */
  once(text: string | undefined): StoredText | undefined {
    if (text === undefined) return undefined;
    // One that reads like a text that was kept holds nothing that would have to be taken out.
    if (this.#kept !== undefined && text === this.#latest) return this.#held(this.#kept);
    const redacted = this.#redact(text);
    if (this.#kept !== undefined && redacted === this.#latest) return this.#held(this.#kept);
    if (this.#kept !== undefined) this.#store.release(this.#kept);
    this.#latest = redacted;
    this.#kept = this.#store.keep(redacted);
    return this.#held(this.#kept);
  }

  /** To be told when the store begins anew. */
  forget(): void {
    this.#latest = undefined;
    this.#kept = undefined;
  }

  #held(text: StoredText): StoredText {
    this.#store.hold(text);
    return text;
  }
}
