/** What falls due on a merchant's clock, in order. */
import type { Due } from '../domain/bend.ts';

/** Events by the time they fall due; those of one instant in the order they were noted. */
export class Agenda {
  readonly #due: Due[];

  constructor(due: readonly Due[]) {
    this.#due = [...due];
  }

  /** All that is still to come, in order. */
  get state(): readonly Due[] {
    return [...this.#due];
  }

  get size(): number {
    return this.#due.length;
  }

  /** The next instant something falls due. */
  get nextMs(): number | undefined {
    return this.#due[0]?.atMs;
  }

  note(due: Due): void {
    const later = this.#due.findLastIndex((other) => other.atMs <= due.atMs) + 1;
    this.#due.splice(later, 0, due);
  }

  /** Takes out the first event that is due, with the instant it fell due. */
  take(nowMs: number): Due | undefined {
    const [first] = this.#due;
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#due.shift();
    return first;
  }
}
