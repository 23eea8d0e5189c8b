/** Purchases that share one `custom`, told apart by the cards and amounts that they were paid with. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { cardAndAmountOf, isSentAlike } from '../evidence/request-fields.ts';
import { groupedBy } from '../evidence/group-by.ts';
import type { Series } from './series.ts';
import type { Trail } from '../evidence/journal-index.ts';

/** What of a request to pay is to be known for it. */
export interface Told {
  /** Whether it took money, or holds it. */
  readonly hasPaid: (entry: StoredEntry) => boolean;
  /** Whether it pays anew, otherwise, for what an earlier one is for. */
  readonly isPaidAnew: (entry: StoredEntry) => boolean;
}

/**
 * Some shops write one word into the `custom` of all that is bought: each card and amount that was paid is a purchase of
 * its own there. What nobody could pay belongs to the next that was paid, as whoever is declined tries another card.
 */
export function purchasesUnder(trail: Trail, series: Series, told: Told): Series[] {
  const { key, entries } = series;
  const [first] = entries;
  if (entries.every((entry) => isSentAlike(entry, first))) return [series];
  const tries = [...groupedBy(entries, (entry) => cardAndAmountOf(trail, entry)).values()];
  const paid = tries.filter((alike) => alike.some(told.hasPaid));
  if (paid.length < 2 || entries.some(told.isPaidAnew)) return [series];
  const purchases: StoredEntry[][] = [];
  let unpaid: StoredEntry[] = [];
  for (const alike of tries) {
    if (!alike.some(told.hasPaid)) unpaid.push(...alike);
    else {
      purchases.push([...unpaid, ...alike]);
      unpaid = [];
    }
  }
  purchases.at(-1)?.push(...unpaid);
  return purchases.map((own, at) => ({
    key: at === 0 ? key : `${key}@${own[0]?.seq ?? ''}`,
    entries: own.toSorted((a, b) => a.seq - b.seq),
  }));
}
