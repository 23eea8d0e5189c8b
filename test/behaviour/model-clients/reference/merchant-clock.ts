/** A client clock on the merchant's time: a wait advances it and takes no real time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Merchant } from '../../../../src/index.ts';
import { findOutcome } from '../../../../src/outcomes/catalogue.ts';
import type { Alarm, ClientClock } from './surroundings.ts';

/** How often to check whether a request hangs. */
const lookMs = 2;

export class MerchantClock implements ClientClock {
  readonly #merchant: Merchant;

  /**
   * An alarm rings when a request that arrived after it was set hangs. It does not use the machine's clock, so no
   * timeout depends on the speed of the machine.
   */
  constructor(merchant: Merchant) {
    this.#merchant = merchant;
  }

  nowMs(): number {
    return Date.parse(this.#merchant.clock.read().now);
  }

  async sleep(delayMs: number): Promise<void> {
    this.#merchant.clock.advance(Math.ceil(delayMs));
    await nextTurn();
  }

  alarm(afterMs: number): Alarm {
    const heldBefore = heldRequests(this.#merchant);
    const rings = new AbortController();
    const timer = setInterval(() => {
      if (heldRequests(this.#merchant) <= heldBefore) return;
      clearInterval(timer);
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

function heldRequests(merchant: Merchant): number {
  return merchant
    .rules()
    .filter(({ steps }) => steps.every(({ outcome }) => holds(outcome)))
    .reduce((sum, { fired }) => sum + fired, 0);
}

function holds(outcome: string): boolean {
  const effect = findOutcome(outcome)?.effect;
  return effect?.kind === 'fault' && effect.fault === 'hang';
}
