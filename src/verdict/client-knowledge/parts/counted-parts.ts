/** Do the request ids of two payments count the parts of one order? */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { overlaps } from '../../evidence/exchange-order.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { countsOn, numberOtherParts } from '../../evidence/key-parts.ts';
import { orderNameIn } from '../../evidence/orders/order-names.ts';
import { lastWithKey } from '../idempotency-keys.ts';

/** Whether the request ids of two payments say that they are two parts: in a word for a part, or because they count on. */
export function areNumberedParts(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  return numberOtherParts(first, again) || areCountedParts(journal, first, again);
}

/**
 * Whether the request ids count on from one payment to the next, and the first one was answered before. A client that counts
 * its attempts has no reason for another one then.
 */
export function areCountedParts(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  const name = orderNameIn(journal, first);
  return (
    name !== undefined &&
    countsOn(name, first, again) &&
    [first, lastWithKey(journal, first)].some(
      (entry) => entry.concludes !== 'UNKNOWN' && !overlaps(entry, again),
    )
  );
}
