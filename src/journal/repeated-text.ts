/** Keeps a text once while it comes again and again, as those of clients that retry or poll do. */
import type { StoredText, TextStore } from './text-store.ts';

interface Latest {
  /** As it was kept. */
  readonly text: string;
  readonly kept: StoredText;
}

/** Addresses of which the latest text is known: clients poll a few records in turn. */
const mostAddresses = 16;

export class RepeatedText {
  readonly #store: TextStore;
  readonly #redact: (text: string) => string;
  /** By address; the one that was first asked for longest ago comes first. */
  readonly #latest = new Map<string, Latest>();

  /** `redact` gives a text as it may be kept, and such a text as it is. */
  constructor(store: TextStore, redact: (text: string) => string) {
    this.#store = store;
    this.#redact = redact;
  }

  /**
   * Without its secrets; as it was kept before, where it is the one that came last at this address and is still there.
   * It is held for whoever asked, who releases it.
   */
  once(text: string | undefined, address: string): StoredText | undefined {
    if (text === undefined) return undefined;
    const latest = this.#latest.get(address);
    // One that reads like a text that was kept holds nothing that would have to be taken out.
    if (latest !== undefined && latest.text === text && this.#store.hold(latest.kept)) {
      return latest.kept;
    }
    const redacted = this.#redact(text);
    if (latest !== undefined && latest.text === redacted && this.#store.hold(latest.kept)) {
      return latest.kept;
    }
    if (latest === undefined && this.#latest.size === mostAddresses) this.#forgetFirst();
    const kept = this.#store.keep(redacted);
    this.#latest.set(address, { text: redacted, kept });
    return kept;
  }

  /** To be told when the store begins anew. */
  forget(): void {
    this.#latest.clear();
  }

  #forgetFirst(): void {
    for (const address of this.#latest.keys()) {
      this.#latest.delete(address);
      return;
    }
  }
}
