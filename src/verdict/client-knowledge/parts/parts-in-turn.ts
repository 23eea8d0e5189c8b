/** May a client have paid an order in parts, one after the other? */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { isBooking } from '../../evidence/orders/order-names.ts';
import { nameOtherParts } from '../../evidence/key-parts.ts';
import { longestNightMs, partsApartMs, sameDayWindowMs } from '../../evidence/time-windows.ts';
import { disclosuresOf } from '../disclosure.ts';
import { areCountedParts } from './counted-parts.ts';
import { mayHoldParts } from './hold-parts.ts';
import { isReadBefore } from '../reads/reads-by-id.ts';

/**
 * Whether two payments for one order may be parts of it.
 *
 * - The client knew of the first one from an answer, read what that had charged, and paid again much later. A queue that
 *   delivers a job again reads nothing. A client that finds a lost payment, and pays again at once, wanted one.
 * - Or they are a day apart and for a booking, as the nights of a stay are. A queue delivers sooner, or days later.
 * - Or their request ids name two periods or parts, such as rooms, or count on from an answered request to the next one.
 * - Or both are holds that may add up.
 */
export function arePartsInTurn(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  const apartMs = gapMs(first, again);
  const isNight = apartMs >= sameDayWindowMs && apartMs <= longestNightMs;
  return (
    (isKnownLongBefore(journal, first, again) && isReadBefore(journal, first, again)) ||
    (isNight && isBooking(journal, first)) ||
    nameOtherParts(first, again) ||
    areCountedParts(journal, first, again) ||
    mayHoldParts(journal, first, again)
  );
}

/** Whether the first answer that showed a payment to the client came long before it paid again. */
function isKnownLongBefore(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  const showing = first.concludes === 'OK' ? [first] : disclosuresOf(journal, first);
  return showing.some((entry) => entry.seq < again.seq && gapMs(entry, again) >= partsApartMs);
}
