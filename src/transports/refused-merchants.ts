/** Merchants whose calls in process are refused for a while, as if the host were down. Other merchants notice nothing. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { RefusingMerchant } from '../transport-port/transport.ts';

export class RefusedMerchants {
  /** By merchant, a function that ends the refusal. */
  readonly #ends = new Map<string, () => void>();

  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  has(merchant: string): boolean {
    return this.#ends.has(merchant);
  }

  /** Refuses a merchant for `lastsMs`, or until it is reset. */
  add(lastsMs: number, { merchant, ended: { signal } }: RefusingMerchant): void {
    if (signal.aborted) return;
    this.#ends.get(merchant)?.();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      this.#ends.delete(merchant);
    };
    const timer = setTimeout(end, lastsMs).unref();
    signal.addEventListener('abort', end);
    this.#ends.set(merchant, end);
  }
}
