/** Counts requests and answers. It keeps numbers only, and nothing that a client sent. */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { Warning, WarningKind } from '../journal/entry.ts';

/**
 * Upper bounds of the latency histogram, in seconds. They range from the sandbox's own time, a fraction of a
 * millisecond, to the delays that outcomes force.
 */
export const bucketsS = [
  0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  30, 60,
] as const;

/** Label of a request without an operation, or without an answer. */
export const none = 'none';

/** The part of an exchange that is counted. */
export interface CountedExchange {
  readonly operation: OperationName | undefined;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly warnings: readonly Warning[];
}

/** The durations of the requests of one operation. */
export interface Durations {
  /** How many fell into each bucket; the last bucket has no upper bound. */
  readonly counts: readonly number[];
  readonly sumS: number;
}

/** The requests of one operation so far. */
export interface OperationTraffic {
  readonly operation: OperationName | typeof none;
  readonly statuses: ReadonlyMap<number, number>;
  readonly durations: Durations;
}

interface Counters {
  readonly statuses: Map<number, number>;
  readonly counts: number[];
  sumS: number;
}

export class Traffic {
  readonly #byOperation = new Map<OperationName | typeof none, Counters>();
  readonly #warnings = new Map<WarningKind, number>();
  readonly #monotonicMs: () => number;
  #underWay = 0;

  /** `monotonicMs` is a clock that is never set back. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Counts the start of a request, and returns its time. */
  begin(): number {
    this.#underWay++;
    return this.#monotonicMs();
  }

  /** Counts the end of a request: its answer was handed to the transport. */
  end({ operation: requested, status, warnings }: CountedExchange, startedMs: number): void {
    const operation = requested ?? none;
    this.#underWay--;
    let counters = this.#byOperation.get(operation);
    if (counters === undefined) {
      counters = {
        statuses: new Map(),
        counts: Array.from({ length: bucketsS.length + 1 }, () => 0),
        sumS: 0,
      };
      this.#byOperation.set(operation, counters);
    }
    const { statuses, counts } = counters;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const durationS = (this.#monotonicMs() - startedMs) / 1000;
    counters.sumS += durationS;
    const bucket = findBucket(durationS);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    for (const { kind } of warnings) this.#warnings.set(kind, (this.#warnings.get(kind) ?? 0) + 1);
  }

  get underWay(): number {
    return this.#underWay;
  }

  get warnings(): ReadonlyMap<WarningKind, number> {
    return this.#warnings;
  }

  /** The traffic of every operation that was requested. */
  read(): OperationTraffic[] {
    return [...this.#byOperation].map(([operation, { statuses, counts, sumS }]) => ({
      operation,
      statuses,
      durations: { counts, sumS },
    }));
  }
}

function findBucket(durationS: number): number {
  const bucket = bucketsS.findIndex((mostS) => durationS <= mostS);
  return bucket === -1 ? bucketsS.length : bucket;
}
