/** What falls due on a merchant's clock, in order. */
import type { ScheduledEvent } from '../../domain/payment/overrides.ts';
import { firstIndex } from '../store/sorted-ids.ts';

/** Events by the time they fall due; those of one instant in the order they were noted. */
export class Scheduler {
  readonly #events: ScheduledEvent[];
  /** How many of them were taken. They are cut off once they are most of the list: moving the rest each time is slow. */
  #doneCount = 0;

  constructor(due: readonly ScheduledEvent[]) {
    this.#events = [...due];
  }

  /** All that is still to come, in order. */
  get state(): readonly ScheduledEvent[] {
    return this.#events.slice(this.#doneCount);
  }

  get size(): number {
    return this.#events.length - this.#doneCount;
  }

  /** The next instant something falls due. */
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

  /** Takes out the first event that is due, with the instant it fell due. */
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
