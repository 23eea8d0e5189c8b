/** What a client could not know of what it had done, by the answers to the very requests. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isReadBefore } from './disclosure.ts';
import { isReversedBefore } from './reversal.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';

/** Requests that were carried out while the client could not know it, as one goes through them in their order. */
export class UnknownOutcomes {
  readonly #journal: JournalIndex;
  readonly #open = new Set<StoredEntry>();
  /** Those that were ever open, as they came; what was settled at the end is taken off when somebody looks. */
  readonly #inOrder: StoredEntry[] = [];
  readonly #byRequestId = new Map<string, StoredEntry[]>();

  constructor(journal: JournalIndex) {
    this.#journal = journal;
  }

  has(doubt: StoredEntry): boolean {
    return this.#open.has(doubt);
  }

  /**
   * Takes the next request. A repeat of the same one settles a doubt, as it shows that the client had it; so do undoing
   * all of it, as nobody undoes what they do not know of, and reading it by its id. A list may be read by somebody else.
   */
  add(entry: StoredEntry): void {
    const { requestId } = entry;
    if (entry.concludes === 'OK' && requestId !== undefined) {
      for (const doubt of this.#byRequestId.get(requestId) ?? []) {
        if (entry.atMs >= this.#cameMs(doubt)) this.#open.delete(doubt);
      }
    }
    if (!entry.committed || this.#wasTold(entry)) return;
    this.#open.add(entry);
    this.#inOrder.push(entry);
    if (requestId === undefined) return;
    const alike = this.#byRequestId.get(requestId);
    if (alike === undefined) this.#byRequestId.set(requestId, [entry]);
    else alike.push(entry);
  }

  /** The latest request, not long ago, of which the client does not know when this one comes that it was carried out. */
  latestBefore(entry: StoredEntry): StoredEntry | undefined {
    let latest = this.#inOrder.at(-1);
    while (
      latest !== undefined &&
      (!this.#open.has(latest) ||
        isReversedBefore(this.#journal, latest, entry) ||
        isReadBefore(this.#journal, latest, entry))
    ) {
      this.#inOrder.pop();
      latest = this.#inOrder.at(-1);
    }
    return latest !== undefined && gapMs(latest, entry) < retryJobWindowMs ? latest : undefined;
  }

  /** Whether the sale of a payment was pending at first, or did not exist yet: it may be taken for unpaid. */
  wasPending(entry: StoredEntry): boolean {
    const payment = this.#journal.records.payments.get(entry.subject ?? '');
    return payment !== undefined && this.#cameMs(entry) > payment.createdAtMs;
  }

  #wasTold(entry: StoredEntry): boolean {
    return entry.concludes === 'OK' && !this.wasPending(entry);
  }

  /** When the money of a sale came; before everything where none did. */
  #cameMs({ subject = '' }: StoredEntry): number {
    const transfers = this.#journal.transfersOf(subject);
    return transfers.find(({ cause }) => cause === 'sale')?.atMs ?? Number.NEGATIVE_INFINITY;
  }
}

/**
 * A job that tries again what was left in doubt runs within hours; what is bought, or given back, anew comes later. What
 * is paid for daily may come some hours early.
 */
const retryJobWindowMs = 20 * 3_600_000;

/** What of a group was looked at, and what is open of each kind of request in it. */
interface Looked {
  count: number;
  readonly byKind: Map<string, UnknownOutcomes>;
}

/** The doubts in groups of requests that grow: each request is looked at once, however often somebody asks. */
export class GroupedUnknownOutcomes {
  readonly #journal: JournalIndex;
  readonly #kindOf: (entry: StoredEntry) => string;
  readonly #groups = new Map<readonly StoredEntry[], Looked>();

  /** Within a group, only requests of one kind are for the same thing. */
  constructor(journal: JournalIndex, kindOf: (entry: StoredEntry) => string = () => '') {
    this.#journal = journal;
    this.#kindOf = kindOf;
  }

  /** Whether this request, which follows those of the group, comes while one of its kind is in doubt. */
  hasUnknownBefore(group: readonly StoredEntry[], entry: StoredEntry): boolean {
    const { byKind } = this.#lookedAt(group);
    return byKind.get(this.#kindOf(entry))?.latestBefore(entry) !== undefined;
  }

  #lookedAt(group: readonly StoredEntry[]): Looked {
    let looked = this.#groups.get(group);
    if (looked === undefined) this.#groups.set(group, (looked = { count: 0, byKind: new Map() }));
    for (const entry of group.slice(looked.count)) {
      const kind = this.#kindOf(entry);
      let doubts = looked.byKind.get(kind);
      if (doubts === undefined)
        looked.byKind.set(kind, (doubts = new UnknownOutcomes(this.#journal)));
      doubts.add(entry);
    }
    looked.count = group.length;
    return looked;
  }
}
