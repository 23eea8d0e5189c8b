/** Calls in process that wait: for time to pass, or for the rest of a body. */
import { setTimeout } from 'node:timers';

export class PendingCalls {
  /** One function for each call. It ends the call. */
  readonly #calls = new Set<() => void>();
  readonly #onEmpty = new Set<() => void>();
  #isClosed = false;

  /** Adds a call. `end` is called when the sandbox closes before the call is over. */
  add(end: () => void): void {
    if (this.#isClosed) end();
    else this.#calls.add(end);
  }

  /** Removes a call that is over. */
  delete(end: () => void): void {
    this.#calls.delete(end);
    if (this.#calls.size === 0) for (const resolve of this.#onEmpty) resolve();
  }

  /** Resolves when no call waits. After `graceMs` it ends the calls that are left, and those that come later. */
  close(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isClosed = true;
        for (const end of this.#calls) end();
        close();
      }, graceMs);
      const close = (): void => {
        this.#onEmpty.delete(close);
        timer.unref();
        resolve();
      };
      if (this.#calls.size === 0) close();
      else this.#onEmpty.add(close);
    });
  }
}
