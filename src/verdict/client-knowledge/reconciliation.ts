/** Where a client looked whether something was done, after it could not know. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { indexAfter } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import { recordIdIn } from '../evidence/journal-index.ts';
import type { OnceOnlyOperation } from '../purchases/attempts.ts';

/** Reads, and the void of what is captured or held: it is answered by whether there is any of it left. */
const readings = [
  'payment.get',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'auth.void',
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
  'auth.void': 'payment.list',
  'card.create': 'card.list',
} as const satisfies Readonly<Record<OnceOnlyOperation | 'auth.void', OperationName>>;

/** Reads by what they show; each question costs the same however many there are. */
export class ReconciliationReads {
  readonly #evidence: Evidence;
  readonly #counts: (read: StoredEntry) => boolean;
  #byRecord: ReadonlyMap<string | undefined, readonly StoredEntry[]> | undefined;

  /** Only reads that `counts` says count. */
  constructor(evidence: Evidence, counts: (read: StoredEntry) => boolean) {
    this.#evidence = evidence;
    this.#counts = counts;
  }

  /** Whether a read that can show what became of `doubt` came after it, and before `until` where that is given. */
  hasReadAfter(
    operation: keyof typeof listOf,
    doubt: StoredEntry,
    until = Number.POSITIVE_INFINITY,
  ): boolean {
    const byRecord = (this.#byRecord ??= groupBy(
      this.#evidence.of(...readings).filter(this.#counts),
      recordIdIn,
    ));
    const ofRecord = this.#idsOf(doubt).map((id) => byRecord.get(id) ?? []);
    return [this.#evidence.of(listOf[operation]), ...ofRecord].some((reads) =>
      this.#isAny(reads, doubt.seq, until),
    );
  }

  #isAny(reads: readonly StoredEntry[], after: number, until: number): boolean {
    for (let at = indexAfter(reads, after); at < reads.length; at++) {
      const read = reads[at];
      if (read === undefined || read.seq >= until) return false;
      if (this.#counts(read)) return true;
    }
    return false;
  }

  /** The record that was made, the one it was made of, and the payment that both belong to. */
  #idsOf(doubt: StoredEntry): string[] {
    const { sales, captures, authorizations, payments } = this.#evidence.records;
    const worked = recordIdIn(doubt);
    const parent =
      worked === undefined
        ? undefined
        : (sales.get(worked) ?? captures.get(worked) ?? authorizations.get(worked))?.paymentId;
    const made = doubt.subject === undefined ? undefined : payments.get(doubt.subject);
    const related = Array.from(made?.related ?? [], ({ id }) => id);
    return [doubt.subject, worked, parent, ...related].filter((id) => id !== undefined);
  }
}
