/** Keeps a text once while it comes again and again, as those of clients that retry or poll do. */
export class RepeatedText {
  #latest: string | undefined;

  /** The same text: as it was kept before, where it is the one that came last. */
  once(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    if (text !== this.#latest) this.#latest = text;
    return this.#latest;
  }

  forget(): void {
    this.#latest = undefined;
  }
}
