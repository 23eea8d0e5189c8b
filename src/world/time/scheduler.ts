/** What falls due on a merchant's clock, in order. */
import type { ScheduledEvent } from '../../domain/payment/overrides.ts';
import { firstIndex } from '../store/sorted-ids.ts';

/** Events by the time they fall due; those of one instant in the order they were noted. */
export class Scheduler {
  readonly #due: ScheduledEvent[];
  /** How many of them were taken. They are cut off once they are most of the list: moving the rest each time is slow. */
  #taken = 0;

  constructor(due: readonly ScheduledEvent[]) {
    this.#due = [...due];
  }

  /** All that is still to come, in order. */
  get state(): readonly ScheduledEvent[] {
    return this.#due.slice(this.#taken);
  }

  get size(): number {
    return this.#due.length - this.#taken;
  }

  /** The next instant something falls due. */
  get nextMs(): number | undefined {
    return this.#due[this.#taken]?.atMs;
  }

  note(due: ScheduledEvent): void {
    const earlier = firstIndex(this.size, (at) => {
      const other = this.#due[this.#taken + at];
      return other === undefined || other.atMs > due.atMs;
    });
    this.#due.splice(this.#taken + earlier, 0, due);
  }

  /** Takes out the first event that is due, with the instant it fell due. */
  take(nowMs: number): ScheduledEvent | undefined {
    const first = this.#due[this.#taken];
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#taken++;
    if (this.#taken * 2 > this.#due.length) {
      this.#due.splice(0, this.#taken);
      this.#taken = 0;
    }
    return first;
  }
}
