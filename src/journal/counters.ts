/** Counts requests and forced outcomes. The counts outlive the journal entries. */
import type { OperationName } from '../contract/service/operation-name.ts';

/** Number of requests by operation, and of forced outcomes by operation and outcome. */
export interface Counts {
  readonly operations: Readonly<Record<string, number>>;
  readonly tried: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Adds up counts. */
export function mergeCounts(
  parts: readonly {
    readonly operations: Readonly<Record<string, number | undefined>>;
    readonly tried: Readonly<Record<string, Readonly<Record<string, number>> | undefined>>;
  }[],
): Counts {
  const operations: Record<string, number> = {};
  const tried: Record<string, Record<string, number>> = {};
  for (const part of parts) {
    add(operations, part.operations);
    for (const [operation, counts = {}] of Object.entries(part.tried)) {
      add((tried[operation] ??= {}), counts);
    }
  }
  return { operations, tried };
}

function add(
  sums: Record<string, number>,
  counts: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, count = 0] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
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

  /** Counts an entry that was dropped to make space for a newer one. */
  countDropped(): void {
    this.#dropped++;
  }

  /** The number of dropped entries. */
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
