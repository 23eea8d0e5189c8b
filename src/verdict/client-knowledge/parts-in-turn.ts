/** May a client have paid an order in parts, one after the other? */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { partsApartMs } from '../evidence/time-windows.ts';
import { isReadBefore } from './reads.ts';

/**
 * Whether two payments for one order may be parts of it, such as nights. The client had the answer to the first one, read
 * what that had charged, and paid again much later. A queue that delivers a job again reads nothing.
 */
export function arePartsInTurn(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  return (
    first.concludes === 'OK' &&
    gapMs(first, again) >= partsApartMs &&
    isReadBefore(journal, first, again)
  );
}
