/** Cards that were deleted, and when: by the client, or by somebody else while it paid. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { wasForced } from './forced-outcomes.ts';
import type { Trail } from './journal-index.ts';

/** `seq` of the exchange that deleted each card, by the card's id. */
export function deletionsOf(trail: Trail): ReadonlyMap<string, number> {
  const deletedAt = new Map<string, number>();
  const note = ({ cardId, seq }: StoredEntry): void => {
    if (cardId !== undefined) deletedAt.set(cardId, seq);
  };
  for (const entry of trail.of('card.delete')) if (entry.committed) note(entry);
  for (const entry of trail.forced) if (wasForced(entry, 'card-deleted')) note(entry);
  return deletedAt;
}
