/** Counts every request as it leaves the hall: a few additions, and nothing that a client sent. */
import type { OperationName } from '../contract/service/operations.ts';
import type { Warning, WarningKind } from '../journal/entry.ts';
import { bucketsS } from './buckets.ts';

/** Stands where a request had no operation, and where nothing was answered. */
export const none = 'none';

/** What is counted of a request that is over. */
export interface Counted {
  readonly operation: OperationName | undefined;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly warnings: readonly Warning[];
}

/** How long the requests of one operation took. */
export interface Durations {
  /** One for each bucket, of those alone that fell into it; the last has no upper bound. */
  readonly counts: readonly number[];
  readonly sumS: number;
}

/** What one operation was asked so far. */
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

  /** `monotonicMs` is a clock that nobody sets. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** A request has come; gives when. */
  begin(): number {
    this.#underWay++;
    return this.#monotonicMs();
  }

  /** It is over: its answer, or what stands in its place, has been handed to the door. */
  end({ operation: asked, status, warnings }: Counted, begunMs: number): void {
    const operation = asked ?? none;
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
    const tookS = (this.#monotonicMs() - begunMs) / 1000;
    counters.sumS += tookS;
    const bucket = bucketOf(tookS);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    for (const { kind } of warnings) this.#warnings.set(kind, (this.#warnings.get(kind) ?? 0) + 1);
  }

  get underWay(): number {
    return this.#underWay;
  }

  get warnings(): ReadonlyMap<WarningKind, number> {
    return this.#warnings;
  }

  /** By operation, as far as any was asked. */
  read(): OperationTraffic[] {
    return [...this.#byOperation].map(([operation, { statuses, counts, sumS }]) => ({
      operation,
      statuses,
      durations: { counts, sumS },
    }));
  }
}

function bucketOf(tookS: number): number {
  const bucket = bucketsS.findIndex((mostS) => tookS <= mostS);
  return bucket === -1 ? bucketsS.length : bucket;
}
