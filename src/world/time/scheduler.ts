/** What falls due on a merchant's clock, in order. */
import type { Due } from '../../domain/payment/overrides.ts';
import { firstIndex } from '../store/sorted-ids.ts';

/** Events by the time they fall due; those of one instant in the order they were noted. */
export class Agenda {
  readonly #due: Due[];
  /** How many of them were taken. They are cut off once they are most of the list: moving the rest each time is slow. */
  #taken = 0;

  constructor(due: readonly Due[]) {
    this.#due = [...due];
  }

  /** All that is still to come, in order. */
  get state(): readonly Due[] {
    return this.#due.slice(this.#taken);
  }

  get size(): number {
    return this.#due.length - this.#taken;
  }

  /** The next instant something falls due. */
  get nextMs(): number | undefined {
    return this.#due[this.#taken]?.atMs;
  }

  note(due: Due): void {
    const earlier = firstIndex(this.size, (at) => {
      const other = this.#due[this.#taken + at];
      return other === undefined || other.atMs > due.atMs;
    });
    this.#due.splice(this.#taken + earlier, 0, due);
  }

  /** Takes out the first event that is due, with the instant it fell due. */
  take(nowMs: number): Due | undefined {
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
