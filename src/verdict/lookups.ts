/** Where a client looked whether something was done, after it could not know. */
import type { OperationName } from '../contract/operations.ts';
import type { Entry } from '../journal/entry.ts';
import type { Evidence } from './evidence.ts';
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
  readonly #byRecord = new Map<string, number[]>();
  readonly #lists = new Map<OperationName, readonly number[]>();

  /** Only reads that `counts` says count. */
  constructor(evidence: Evidence, counts: (read: Entry) => boolean) {
    this.#evidence = evidence;
    for (const read of evidence.of(...readings)) {
      const id = recordIn(read);
      if (id === undefined || !counts(read)) continue;
      const others = this.#byRecord.get(id);
      if (others === undefined) this.#byRecord.set(id, [read.seq]);
      else others.push(read.seq);
    }
    for (const name of new Set(Object.values(listOf))) {
      const seqs = evidence
        .of(name)
        .filter(counts)
        .map(({ seq }) => seq);
      this.#lists.set(name, seqs);
    }
  }

  /** Whether a read that can show what became of `doubt` came after it, and before `until` where that is given. */
  after(operation: TaskOperation, doubt: Entry, until = Number.POSITIVE_INFINITY): boolean {
    const places = [
      this.#lists.get(listOf[operation]) ?? [],
      ...this.#idsOf(doubt).map((id) => this.#byRecord.get(id) ?? []),
    ];
    return places.some((seqs) => firstAfter(seqs, doubt.seq) < until);
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

function firstAfter(seqs: readonly number[], seq: number): number {
  let [low, high] = [0, seqs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] ?? 0) > seq) high = middle;
    else low = middle + 1;
  }
  return seqs[low] ?? Number.POSITIVE_INFINITY;
}
