/** A client clock on the merchant's time: a wait advances it and takes no real time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Merchant } from '../../../../src/index.ts';
import { findOutcome } from '../../../../src/outcomes/catalogue.ts';
import type { Alarm, ClientClock } from './surroundings.ts';

/** How often to check whether a request hangs. */
const lookMs = 2;

/** The deadlines of all clients of a merchant. */
const deadlinesOf = new WeakMap<Merchant, Deadlines>();

export class MerchantClock implements ClientClock {
  readonly #merchant: Merchant;
  readonly #deadlines: Deadlines;

  constructor(merchant: Merchant) {
    this.#merchant = merchant;
    this.#deadlines = deadlinesOf.get(merchant) ?? new Deadlines(merchant);
    deadlinesOf.set(merchant, this.#deadlines);
  }

  nowMs(): number {
    return Date.parse(this.#merchant.clock.read().now);
  }

  async sleep(delayMs: number): Promise<void> {
    this.#merchant.clock.advance(Math.ceil(delayMs));
    await nextTurn();
  }

  alarm(afterMs: number): Alarm {
    return this.#deadlines.add(afterMs);
  }
}

interface Deadline {
  readonly afterMs: number;
  readonly rings: AbortController;
}

/**
 * Deadlines that do not use the machine's clock, so that none depends on its speed.
 *
 * They pass once no request is under way but those that hang: the others are answered long before a deadline.
 */
class Deadlines {
  readonly #merchant: Merchant;
  readonly #waiting = new Set<Deadline>();
  /** How many requests hang that no client waits for any longer. */
  #givenUp = 0;

  constructor(merchant: Merchant) {
    this.#merchant = merchant;
  }

  add(afterMs: number): Alarm {
    if (this.#waiting.size === 0) this.#givenUp = heldRequests(this.#merchant);
    const deadline: Deadline = { afterMs, rings: new AbortController() };
    this.#waiting.add(deadline);
    const timer = setInterval(() => {
      this.#ringIfAllHang();
    }, lookMs);
    return {
      signal: deadline.rings.signal,
      off: () => {
        clearInterval(timer);
        this.#waiting.delete(deadline);
      },
    };
  }

  #ringIfAllHang(): void {
    const held = heldRequests(this.#merchant);
    if (this.#waiting.size === 0 || held - this.#givenUp < this.#waiting.size) return;
    this.#givenUp = held;
    const passed = [...this.#waiting];
    this.#waiting.clear();
    this.#merchant.clock.advance(Math.ceil(Math.max(...passed.map(({ afterMs }) => afterMs))));
    for (const { rings } of passed)
      rings.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
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
