/**
 * Counts requests of merchants that the sandbox had no capacity for, so that they do not look
 * unused.
 */

/** Each entry costs a name and a number. */
const maxMerchants = 1_000;

export class RejectedMerchants {
  readonly #requests = new Map<string, number>();

  /** Counts a request. Requests of further merchants are not counted once the limit is reached. */
  record(merchant: string): void {
    const before = this.requestsOf(merchant);
    if (before > 0 || this.#requests.size < maxMerchants) this.#requests.set(merchant, before + 1);
  }

  /** How many requests of a merchant were rejected. */
  requestsOf(merchant: string): number {
    return this.#requests.get(merchant) ?? 0;
  }

  /** Merchants with rejected requests. */
  merchants(): string[] {
    return [...this.#requests.keys()];
  }

  /** Returns `false` if there was nothing to forget. */
  forget(merchant: string): boolean {
    return this.#requests.delete(merchant);
  }

  forgetAll(): void {
    this.#requests.clear();
  }
}
