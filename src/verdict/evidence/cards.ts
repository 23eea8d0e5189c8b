/** What the journal shows of cards: when each was deleted, and which ones look the same. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { hasForcedEffect } from './exchange-results.ts';
import { groupRepeats } from './group-by.ts';
import { memoize, type JournalIndex } from './journal-index.ts';

/** Finds the `seq` of the exchange that deleted each card: by a request, or by an outcome during a payment. */
export function findCardDeletions(journal: JournalIndex): ReadonlyMap<string, number> {
  const seqByCard = new Map<string, number>();
  const note = ({ cardId, seq }: StoredEntry): void => {
    if (cardId !== undefined) seqByCard.set(cardId, seq);
  };
  for (const entry of journal.of('card.delete')) if (entry.committed) note(entry);
  for (const entry of journal.forced) if (hasForcedEffect(entry, 'card-deleted')) note(entry);
  return seqByCard;
}

/** Groups the requests that stored the same card with the same data, oldest first, if there is more than one. */
export const groupIdenticalCards = memoize((journal: JournalIndex) => {
  const sent = journal.of('card.create').filter(({ request }) => request !== undefined);
  const alike = groupRepeats(sent, 2, ({ request }) => request).values();
  return [...alike].flatMap((entries) =>
    // The journal hides numbers, so that bodies with two of them can look the same.
    [...groupRepeats(entries, 2, ({ cardMark }) => cardMark ?? '').values()],
  );
});
