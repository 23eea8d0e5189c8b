/** Answers that leave together, at the end of the turn of the event loop that made them. */
import { setImmediate } from 'node:timers';

// Taken at import, so that a test's fake timers do not hold answers back.
const atEndOfTurn = setImmediate;

/**
 * Writing to a client that sleeps wakes it, which costs more than the writing. Of several that wait for answers, the
 * first is woken while the others' leave as well.
 */
export class Outbox {
  #waiting: (() => void)[] = [];

  /** Calls `leave` before the event loop looks for anything new. */
  put(leave: () => void): void {
    if (this.#waiting.push(leave) === 1) atEndOfTurn(() => this.#empty());
  }

  #empty(): void {
    const leaving = this.#waiting;
    this.#waiting = [];
    for (const leave of leaving) {
      try {
        leave();
      } catch (failure) {
        // The others are no part of it, and whoever watches the process is told.
        queueMicrotask(() => {
          throw failure;
        });
      }
    }
  }
}
