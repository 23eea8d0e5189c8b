/** Keeps a text once while it comes again and again, as those of clients that retry or poll do. */
import type { StoredText, TextStore } from './text-store.ts';

export class RepeatedText {
  readonly #store: TextStore;
  readonly #redact: (text: string) => string;

  /** `redact` gives a text as it may be kept, and such a text as it is. */
  constructor(store: TextStore, redact: (text: string) => string) {
    this.#store = store;
    this.#redact = redact;
  }

  /**
   * Without its secrets; `latest`, the one that came last at the same address, where it reads the same and is still
   * there. It is held for whoever asked, who releases it.
   */
  store(text: string | undefined, latest: StoredText | undefined): StoredText | undefined {
    if (text === undefined) return undefined;
    // One that reads like a text that was kept holds nothing that would have to be taken out.
    if (latest?.reads(text) === true && this.#store.hold(latest)) return latest;
    const redacted = this.#redact(text);
    if (redacted !== text && latest?.reads(redacted) === true && this.#store.hold(latest)) {
      return latest;
    }
    return this.#store.keep(redacted);
  }
}
