/** Keeps a text once while it comes again and again, as those of clients that retry or poll do. */
import type { StoredText, TextStore } from './text-store.ts';

interface Latest {
  /** As it was kept. */
  readonly text: string;
  readonly kept: StoredText;
}

export class RepeatedText {
  readonly #store: TextStore;
  readonly #redact: (text: string) => string;
  #latest: Latest | undefined;

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
    const latest = this.#latest;
    // One that reads like a text that was kept holds nothing that would have to be taken out.
    if (text === latest?.text) return this.#held(latest.kept);
    const redacted = this.#redact(text);
    if (redacted === latest?.text) return this.#held(latest.kept);
    if (latest !== undefined) this.#store.release(latest.kept);
    const kept = this.#store.keep(redacted);
    this.#latest = { text: redacted, kept };
    return this.#held(kept);
  }

  /** To be told when the store begins anew. */
  forget(): void {
    this.#latest = undefined;
  }

  #held(text: StoredText): StoredText {
    this.#store.hold(text);
    return text;
  }
}
