/** Schedules events on a merchant's clock. */
import type { ScheduledEvent } from '../../domain/payment/overrides.ts';
import { firstIndex } from '../store/sorted-ids.ts';

/** Events in order of time; events of the same time in the order they were added. */
export class Scheduler {
  readonly #events: ScheduledEvent[];
  /**
   * How many events at the start of the list are done. They are cut off only once they are most of
   * the list, because moving the rest each time is slow.
   */
  #doneCount = 0;

  constructor(due: readonly ScheduledEvent[]) {
    this.#events = [...due];
  }

  /** All future events, in order. */
  get state(): readonly ScheduledEvent[] {
    return this.#events.slice(this.#doneCount);
  }

  get size(): number {
    return this.#events.length - this.#doneCount;
  }

  /** The time of the next event. */
  get nextMs(): number | undefined {
    return this.#events[this.#doneCount]?.atMs;
  }

  add(due: ScheduledEvent): void {
    const earlier = firstIndex(this.size, (at) => {
      const other = this.#events[this.#doneCount + at];
      return other === undefined || other.atMs > due.atMs;
    });
    this.#events.splice(this.#doneCount + earlier, 0, due);
  }

  /** Removes and returns the first event that is due. */
  takeDue(nowMs: number): ScheduledEvent | undefined {
    const first = this.#events[this.#doneCount];
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#doneCount++;
    if (this.#doneCount * 2 > this.#events.length) {
      this.#events.splice(0, this.#doneCount);
      this.#doneCount = 0;
    }
    return first;
  }
}
