/**
 * Which requests succeeded without the client being able to know?
 *
 * A lost or unreadable answer leaves an outcome unknown. It becomes known when the client receives a replay of the
 * answer, reads the record by id, or reverses the charge. A list does not count here, because another part of the
 * program may have read it.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { hasForcedEffect, isRefund } from '../evidence/exchange-results.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { maxRedeliveryMs, sameDayWindowMs } from '../evidence/time-windows.ts';
import { isReadBefore } from './reads/reads-by-id.ts';
import { isReversedBefore } from './reversal.ts';

/** The requests with an unknown outcome, while a journal is read in order. */
export class UnknownOutcomes {
  readonly #journal: JournalIndex;
  readonly #unknown = new Set<StoredEntry>();
  /** All that were ever unknown, in order. Those at the end that became known are removed on demand. */
  readonly #inOrder: StoredEntry[] = [];
  #byRequestId: Map<string, StoredEntry[]> | undefined;

  constructor(journal: JournalIndex) {
    this.#journal = journal;
  }

  /** Whether the outcome of a request is unknown by the requests added so far. */
  has(request: StoredEntry): boolean {
    return this.#unknown.has(request);
  }

  /** Adds the next request. If it repeats an earlier one and its answer arrived, the earlier outcome becomes known. */
  add(entry: StoredEntry): void {
    const { requestId } = entry;
    if (entry.concludes === 'OK' && requestId !== undefined) {
      for (const earlier of this.#byRequestId?.get(requestId) ?? []) {
        if (entry.atMs >= moneyArrivedMs(this.#journal, earlier)) this.#unknown.delete(earlier);
      }
    }
    if (!entry.committed || this.#isKnownByAnswer(entry)) return;
    this.#unknown.add(entry);
    this.#inOrder.push(entry);
    if (requestId === undefined) return;
    this.#byRequestId ??= new Map();
    const sameId = this.#byRequestId.get(requestId);
    if (sameId === undefined) this.#byRequestId.set(requestId, [entry]);
    else sameId.push(entry);
  }

  /**
   * The latest recent request whose success the client does not know of when it sends `entry`.
   *
   * @param isNamedOrder Whether both pay one order: then its sale may also have been pending for days.
   */
  latestBefore(entry: StoredEntry, isNamedOrder = false): StoredEntry | undefined {
    let latest = this.#inOrder.at(-1);
    while (
      latest !== undefined &&
      (!this.#unknown.has(latest) ||
        isReversedBefore(this.#journal, latest, entry) ||
        isReadBefore(this.#journal, latest, entry))
    ) {
      this.#inOrder.pop();
      latest = this.#inOrder.at(-1);
    }
    if (latest === undefined) return undefined;
    const isStillOpen = isNamedOrder && moneyArrivedMs(this.#journal, latest) > entry.atMs;
    // A charge may be due each day. A sale is not refunded each day.
    const windowMs = isRefund(entry.operation) ? maxRedeliveryMs : sameDayWindowMs;
    return isStillOpen || gapMs(latest, entry) < windowMs ? latest : undefined;
  }

  #isKnownByAnswer(entry: StoredEntry): boolean {
    return entry.concludes === 'OK' && !wasPending(this.#journal, entry);
  }
}

/** Whether the sale of a payment was pending or missing at first, so that the client may take it for unpaid. */
export function wasPending(journal: JournalIndex, entry: StoredEntry): boolean {
  // Only a payment with a forced result has a sale that waits.
  if (entry.operation !== 'payment.create' || !hasForcedEffect(entry, 'payment')) return false;
  const payment = journal.records.payments.get(entry.subject ?? '');
  return payment !== undefined && moneyArrivedMs(journal, entry) > payment.createdAtMs;
}

/** When the money of a sale arrived; -Infinity if it did not. */
export function moneyArrivedMs(journal: JournalIndex, { subject = '' }: StoredEntry): number {
  const transfers = journal.transfersOf(subject);
  return transfers.find(({ cause }) => cause === 'sale')?.atMs ?? Number.NEGATIVE_INFINITY;
}

interface GroupState {
  /** How many requests of the group were added. */
  addedCount: number;
  readonly byKind: Map<string, UnknownOutcomes>;
}

/**
 * Unknown outcomes in groups of requests that grow. Each request is added once, even if the group is queried many
 * times.
 */
export class GroupedUnknownOutcomes {
  readonly #journal: JournalIndex;
  readonly #kindOf: (entry: StoredEntry) => string;
  readonly #groups = new Map<readonly StoredEntry[], GroupState>();

  /** @param kindOf Only requests of one kind within a group are for the same thing. */
  constructor(journal: JournalIndex, kindOf: (entry: StoredEntry) => string = () => '') {
    this.#journal = journal;
    this.#kindOf = kindOf;
  }

  /** Whether `entry`, which follows the group, is sent while the outcome of one of its kind is unknown. */
  hasUnknownBefore(group: readonly StoredEntry[], entry: StoredEntry): boolean {
    const { byKind } = this.#stateOf(group);
    return byKind.get(this.#kindOf(entry))?.latestBefore(entry) !== undefined;
  }

  #stateOf(group: readonly StoredEntry[]): GroupState {
    let state = this.#groups.get(group);
    if (state === undefined) {
      state = { addedCount: 0, byKind: new Map() };
      this.#groups.set(group, state);
    }
    for (const entry of group.slice(state.addedCount)) {
      const kind = this.#kindOf(entry);
      let outcomes = state.byKind.get(kind);
      if (outcomes === undefined) {
        outcomes = new UnknownOutcomes(this.#journal);
        state.byKind.set(kind, outcomes);
      }
      outcomes.add(entry);
    }
    state.addedCount = group.length;
    return state;
  }
}
