/** May a client have paid an order in parts, one after the other? */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { isBooking } from '../evidence/orders/order-names.ts';
import { longestNightMs, partsApartMs, sameDayWindowMs } from '../evidence/time-windows.ts';
import { isReadBefore } from './reads.ts';

/**
 * Whether two payments for one order may be parts of it.
 *
 * - The client had the answer to the first one, read what that had charged, and paid again much later. A queue that
 *   delivers a job again reads nothing.
 * - Or they are a day apart and for a booking, as the nights of a stay are. A queue delivers sooner, or days later.
 */
export function arePartsInTurn(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  const apartMs = gapMs(first, again);
  const isNight = apartMs >= sameDayWindowMs && apartMs <= longestNightMs;
  return (
    (first.concludes === 'OK' && apartMs >= partsApartMs && isReadBefore(journal, first, again)) ||
    (isNight && isBooking(journal, first))
  );
}
