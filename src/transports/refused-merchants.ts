/** Merchants that the server in process is shut for: to each it is as if the host were down, and to nobody else. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { RefusingMerchant } from '../transport-port/transport.ts';

export class RefusedMerchants {
  /** What opens the server again, by merchant. */
  readonly #open = new Map<string, () => void>();

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  has(merchant: string): boolean {
    return this.#open.has(merchant);
  }

  /** Shuts it until the merchant is begun anew, and for `lastsMs` at most. */
  shut(lastsMs: number, { merchant, ended: { signal } }: RefusingMerchant): void {
    if (signal.aborted) return;
    this.#open.get(merchant)?.();
    const open = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', open);
      this.#open.delete(merchant);
    };
    const timer = setTimeout(open, lastsMs).unref();
    signal.addEventListener('abort', open);
    this.#open.set(merchant, open);
  }
}
