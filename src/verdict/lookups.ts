/** Where a client looked whether something was done, after it could not know. */
import type { OperationName } from '../contract/operations.ts';
import type { Entry } from '../journal/entry.ts';
import type { Evidence } from './evidence.ts';
import { firstAfter } from './first-after.ts';
import { groupedBy } from './grouped.ts';
import type { TaskOperation } from './task.ts';
import { recordIn } from './trail.ts';

const readings = [
  'payment.get',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'capture.get',
  'refund.get',
  'card.get',
] as const satisfies readonly OperationName[];

/** Lists show what was done to whoever does not know its id. */
const listOf = {
  'payment.create': 'payment.list',
  'sale.refund': 'payment.list',
  'capture.refund': 'payment.list',
  'auth.capture': 'payment.list',
  'card.create': 'card.list',
} as const satisfies Readonly<Record<TaskOperation, OperationName>>;

/** Reads by what they show; each question costs the same however many there are. */
export class Lookups {
  readonly #evidence: Evidence;
  readonly #byRecord: ReadonlyMap<string | undefined, readonly Entry[]>;
  readonly #lists: ReadonlyMap<OperationName, readonly Entry[]>;

  /** Only reads that `counts` says count. */
  constructor(evidence: Evidence, counts: (read: Entry) => boolean) {
    this.#evidence = evidence;
    this.#byRecord = groupedBy(evidence.of(...readings).filter(counts), recordIn);
    this.#lists = new Map(
      Object.values(listOf).map((name) => [name, evidence.of(name).filter(counts)]),
    );
  }

  /** Whether a read that can show what became of `doubt` came after it, and before `until` where that is given. */
  after(operation: TaskOperation, doubt: Entry, until = Number.POSITIVE_INFINITY): boolean {
    const places = [
      this.#lists.get(listOf[operation]) ?? [],
      ...this.#idsOf(doubt).map((id) => this.#byRecord.get(id) ?? []),
    ];
    return places.some((reads) => {
      const next = reads[firstAfter(reads, doubt.seq)];
      return next !== undefined && next.seq < until;
    });
  }

  /** The record that was made, the one it was made of, and the payment that both belong to. */
  #idsOf(doubt: Entry): string[] {
    const { sales, captures, authorizations, payments } = this.#evidence.records;
    const worked = recordIn(doubt);
    const parent =
      worked === undefined
        ? undefined
        : (sales.get(worked) ?? captures.get(worked) ?? authorizations.get(worked))?.paymentId;
    const made = doubt.subject === undefined ? undefined : payments.get(doubt.subject);
    const related = made?.related.map(({ id }) => id) ?? [];
    return [doubt.subject, worked, parent, ...related].filter((id) => id !== undefined);
  }
}
