/** What was asked, and what was forced on it, counted: it outlives the entries that make room for newer ones. */
import type { OperationName } from '../contract/service/operations.ts';

/** How often each operation was asked, and each outcome met on it. */
export interface Counts {
  readonly operations: Readonly<Record<string, number>>;
  readonly tried: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export class Counters {
  readonly #requests = new Map<OperationName, number>();
  readonly #tried = new Map<OperationName, Map<string, number>>();
  #dropped = 0;

  /** Counts a request and the outcomes that were forced on it. */
  count(operation: OperationName, outcomes: readonly { readonly id: string }[]): void {
    this.#requests.set(operation, (this.#requests.get(operation) ?? 0) + 1);
    if (outcomes.length === 0) return;
    let tried = this.#tried.get(operation);
    if (tried === undefined) {
      tried = new Map();
      this.#tried.set(operation, tried);
    }
    for (const { id } of outcomes) tried.set(id, (tried.get(id) ?? 0) + 1);
  }

  /** Counts an exchange that made room for a newer one. */
  countDropped(): void {
    this.#dropped++;
  }

  /** How many exchanges did. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The counts so far. */
  read(): Counts {
    return {
      operations: Object.fromEntries(this.#requests),
      tried: Object.fromEntries(
        [...this.#tried].map(([operation, counts]) => [operation, Object.fromEntries(counts)]),
      ),
    };
  }
}
