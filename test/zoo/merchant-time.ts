/** A client's clock that is the merchant's: a wait moves it on, and takes no time of this machine. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Merchant } from '../../src/index.ts';
import type { Alarm, ClientClock } from './reference/surroundings.ts';

/** How often it is looked whether a request is held. */
const lookMs = 2;

export class MerchantTime implements ClientClock {
  readonly #merchant: Merchant;
  readonly #held: () => number;
  #rung = 0;

  /**
   * The merchant's clock must stand still. `held` is how many requests were held so far whose answers never come: an
   * alarm rings once for each, so that no deadline depends on how fast this machine is.
   */
  constructor(merchant: Merchant, held: () => number = () => 0) {
    this.#merchant = merchant;
    this.#held = held;
  }

  nowMs(): number {
    return Date.parse(this.#merchant.clock.read().now);
  }

  async sleep(delayMs: number): Promise<void> {
    this.#merchant.clock.advance(Math.ceil(delayMs));
    await nextTurn();
  }

  alarm(afterMs: number): Alarm {
    const rings = new AbortController();
    const timer = setInterval(() => {
      if (this.#held() === this.#rung) return;
      clearInterval(timer);
      this.#rung++;
      this.#merchant.clock.advance(Math.ceil(afterMs));
      rings.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
    }, lookMs);
    return {
      signal: rings.signal,
      off: () => {
        clearInterval(timer);
      },
    };
  }
}

/** Counts the requests that a merchant's rules were met by; right where all they do is hold them. */
export function firedRules(merchant: Merchant): () => number {
  return () => merchant.rules().reduce((sum, { fired }) => sum + fired, 0);
}
