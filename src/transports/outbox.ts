/** Sends answers together, at the end of the event loop turn that made them. */
import { setImmediate } from 'node:timers';

// Bound at import, so that the fake timers of a test do not delay answers.
const atEndOfTurn = setImmediate;

/** A write wakes the client that waits for it, which costs more than the write. Answers that are sent together wake it once. */
export class Outbox {
  #waiting: (() => void)[] = [];

  /** Calls `send` before the event loop handles new events. */
  put(send: () => void): void {
    if (this.#waiting.push(send) === 1) atEndOfTurn(() => this.#empty());
  }

  #empty(): void {
    const sends = this.#waiting;
    this.#waiting = [];
    for (const send of sends) {
      try {
        send();
      } catch (failure) {
        // The other answers must still be sent. The process reports the failure.
        queueMicrotask(() => {
          throw failure;
        });
      }
    }
  }
}
