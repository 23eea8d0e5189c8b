/** What a client could not know of what it had done, by the answers to the very requests. */
import { dayMs } from '../domain/calendar.ts';
import type { KeptEntry } from '../journal/kept-entry.ts';
import { gapMs, type Trail } from './trail.ts';

/** Requests that were carried out while the client could not know it, as one goes through them in their order. */
export class OpenDoubts {
  readonly #trail: Trail;
  readonly #open = new Set<KeptEntry>();

  constructor(trail: Trail) {
    this.#trail = trail;
  }

  get open(): Iterable<KeptEntry> {
    return this.#open;
  }

  /** Takes the next request. Only a repeat of the same one settles a doubt: it shows that the client had it. */
  see(entry: KeptEntry): void {
    if (entry.concludes === 'OK' && entry.requestId !== undefined) {
      for (const doubt of this.#open) {
        const isRepeat = doubt.requestId === entry.requestId;
        if (isRepeat && entry.atMs >= this.#cameMs(doubt)) this.#open.delete(doubt);
      }
    }
    if (entry.committed && !this.#wasTold(entry)) this.#open.add(entry);
  }

  /** A payment whose sale was pending when it was answered, or did not exist yet, may be taken for unpaid. */
  #wasTold(entry: KeptEntry): boolean {
    if (entry.concludes !== 'OK') return false;
    const payment = this.#trail.records.payments.get(entry.subject ?? '');
    return payment === undefined || this.#cameMs(entry) <= payment.createdAtMs;
  }

  /** When the money of a sale came; before everything where none did. */
  #cameMs({ subject = '' }: KeptEntry): number {
    const transfers = this.#trail.transfersOf(subject);
    return transfers.find(({ cause }) => cause === 'sale')?.atMs ?? Number.NEGATIVE_INFINITY;
  }
}

/** A job that tries again what was left in doubt runs within a day; what is bought, or given back, anew comes later. */
const nextRunMs = dayMs;

/** Whether a request comes while its client does not know of an earlier one, not long ago, that it was carried out. */
export function isLeftInDoubt(
  trail: Trail,
  before: readonly KeptEntry[],
  entry: KeptEntry,
): boolean {
  const doubts = new OpenDoubts(trail);
  for (const one of before) doubts.see(one);
  return [...doubts.open].some((doubt) => gapMs(doubt, entry) < nextRunMs);
}
