/** What the journal shows of cards: when each was deleted, and which ones look the same. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { hasForcedEffect } from './exchange-results.ts';
import { memoize, type JournalIndex } from './journal-index.ts';
import { groupRepeats } from './group-by.ts';

/** `seq` of the exchange that deleted each card, by the card's id. */
export function findCardDeletions(journal: JournalIndex): ReadonlyMap<string, number> {
  const deletedAt = new Map<string, number>();
  const note = ({ cardId, seq }: StoredEntry): void => {
    if (cardId !== undefined) deletedAt.set(cardId, seq);
  };
  for (const entry of journal.of('card.delete')) if (entry.committed) note(entry);
  for (const entry of journal.forced) if (hasForcedEffect(entry, 'card-deleted')) note(entry);
  return deletedAt;
}

/** Requests to store the same card, where there is more than one, oldest first. */
export const groupIdenticalCards = memoize((journal: JournalIndex) => {
  const sent = journal.of('card.create').filter(({ request }) => request !== undefined);
  return [...groupRepeats(sent, 2, ({ request }) => request).values()];
});
