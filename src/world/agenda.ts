/** What falls due on a merchant's clock, in order. Plain data, so that a snapshot can carry it. */

/** Something that comes later to a record. */
export interface DueEvent {
  readonly kind:
    | 'sale-completes'
    | 'sale-is-denied'
    | 'sale-is-reversed'
    | 'chargeback-opens'
    | 'chargeback-is-won'
    | 'chargeback-is-lost'
    | 'refund-completes'
    | 'refund-fails';
  /** Id of the record it comes to. */
  readonly subject: string;
}

interface Due {
  readonly atMs: number;
  readonly seq: number;
  readonly event: DueEvent;
}

/** Events by the time they fall due; those of one instant in the order they were noted. */
export class Agenda {
  readonly #due: Due[] = [];
  #noted = 0;

  get size(): number {
    return this.#due.length;
  }

  /** The next instant something falls due. */
  get nextMs(): number | undefined {
    return this.#due[0]?.atMs;
  }

  note(atMs: number, event: DueEvent): void {
    const later = this.#due.findLastIndex((other) => other.atMs <= atMs) + 1;
    this.#due.splice(later, 0, { atMs, seq: ++this.#noted, event });
  }

  /** Takes out the first event that is due, with the instant it fell due. */
  take(nowMs: number): { readonly atMs: number; readonly event: DueEvent } | undefined {
    const [first] = this.#due;
    if (first === undefined || first.atMs > nowMs) return undefined;
    this.#due.shift();
    return first;
  }
}
