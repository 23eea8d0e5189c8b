/** Merchants that there was no room for, so that they are not taken for some that asked nothing. */

/** Each costs its name and a number. */
const maxMerchants = 1_000;

export class RejectedMerchants {
  readonly #requests = new Map<string, number>();

  /** Counts a request; that of a merchant more than can be remembered is forgotten. */
  record(merchant: string): void {
    const before = this.requestsOf(merchant);
    if (before > 0 || this.#requests.size < maxMerchants) this.#requests.set(merchant, before + 1);
  }

  /** How many requests of a merchant came when there was no room. */
  requestsOf(merchant: string): number {
    return this.#requests.get(merchant) ?? 0;
  }

  /** Whose requests those were. */
  merchants(): string[] {
    return [...this.#requests.keys()];
  }

  /** `false` if there was nothing to forget. */
  forget(merchant: string): boolean {
    return this.#requests.delete(merchant);
  }

  forgetAll(): void {
    this.#requests.clear();
  }
}
