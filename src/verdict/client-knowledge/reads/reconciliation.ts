/**
 * Did the client look up what became of a request whose outcome it could not know?
 *
 * A read of the record counts, and so does a list that would contain it.
 */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { indexAfter } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { findPaymentPart, idsWithRelated } from '../../evidence/records.ts';
import type { OnceOnlyOperation } from '../../purchases/attempts.ts';

/** Reads, and the void: its answer says whether anything is left of an authorization. */
const reads = [
  'payment.get',
  'sale.get',
  'sale.refunds',
  'auth.get',
  'auth.void',
  'capture.get',
  'refund.get',
  'card.get',
] as const satisfies readonly OperationName[];

/** The list that shows what each operation created, for a client that does not know the id. */
const lists = {
  'payment.create': 'payment.list',
  'sale.refund': 'payment.list',
  'capture.refund': 'payment.list',
  'auth.capture': 'payment.list',
  'auth.void': 'payment.list',
  'card.create': 'card.list',
} as const satisfies Readonly<Record<OnceOnlyOperation | 'auth.void', OperationName>>;

/** An operation whose result a client can look up. */
export type LookedUpOperation = keyof typeof lists;

/** Reads that can reveal what became of a request. A lookup costs the same for any number of reads. */
export class ReconciliationReads {
  readonly #evidence: Evidence;
  readonly #isRelevant: (read: StoredEntry) => boolean;
  #byRecord: ReadonlyMap<string | undefined, readonly StoredEntry[]> | undefined;
  readonly #lists = new Map<OperationName, readonly StoredEntry[]>();

  /** @param isRelevant Says which reads count, for example only those whose answer arrived. */
  constructor(evidence: Evidence, isRelevant: (read: StoredEntry) => boolean) {
    this.#evidence = evidence;
    this.#isRelevant = isRelevant;
  }

  /** Whether a read after `request`, and before `untilSeq`, could show what became of it. */
  hasReadAfter(
    operation: LookedUpOperation,
    request: StoredEntry,
    untilSeq = Number.POSITIVE_INFINITY,
  ): boolean {
    return this.listsOf(operation, request).some((relevant) => {
      const next = relevant[indexAfter(relevant, request.seq)];
      return next !== undefined && next.seq < untilSeq;
    });
  }

  /** The reads that could show what became of `request`, in several lists; each is in order, from before the request too. */
  listsOf(operation: LookedUpOperation, request: StoredEntry): readonly (readonly StoredEntry[])[] {
    const byRecord = (this.#byRecord ??= groupBy(
      this.#evidence.of(...reads).filter(this.#isRelevant),
      recordIdIn,
    ));
    const ofRecords =
      byRecord.size === 0 ? [] : this.#idsOf(request).map((id) => byRecord.get(id) ?? []);
    return [this.#relevantLists(lists[operation]), ...ofRecords];
  }

  #relevantLists(operation: OperationName): readonly StoredEntry[] {
    let relevant = this.#lists.get(operation);
    if (relevant === undefined) {
      relevant = this.#evidence.of(operation).filter(this.#isRelevant);
      this.#lists.set(operation, relevant);
    }
    return relevant;
  }

  /** The record that a request created and its parts, the record in its path, and the payment of that one. */
  #idsOf(request: StoredEntry): string[] {
    const { records } = this.#evidence;
    const inPath = recordIdIn(request);
    const paymentId = findPaymentPart(records, inPath ?? '')?.paymentId;
    const created = request.subject === undefined ? [] : idsWithRelated(request.subject, records);
    return [...created, inPath, paymentId].filter((id) => id !== undefined);
  }
}
