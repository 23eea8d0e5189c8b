/** What a server without connections holds: calls that wait for time to pass, or for the rest of a body. */
import { setTimeout } from 'node:timers';

export class PendingCalls {
  readonly #ends = new Set<() => void>();
  /** To be told once nothing is held. */
  readonly #closing = new Set<() => void>();
  #isClosed = false;

  /** Holds a call until it is let go of by the same `end`, which is called where the server closes first. */
  hold(end: () => void): void {
    if (this.#isClosed) end();
    else this.#ends.add(end);
  }

  letGo(end: () => void): void {
    this.#ends.delete(end);
    if (this.#ends.size === 0) for (const closed of this.#closing) closed();
  }

  /** Resolves once nothing is held; after the grace all that is left ends, and what would be held from then on. */
  close(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isClosed = true;
        for (const end of this.#ends) end();
        closed();
      }, graceMs);
      const closed = (): void => {
        this.#closing.delete(closed);
        timer.unref();
        resolve();
      };
      if (this.#ends.size === 0) closed();
      else this.#closing.add(closed);
    });
  }
}
