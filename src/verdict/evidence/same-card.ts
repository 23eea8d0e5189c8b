/** Cards that look the same in the journal, which keeps no numbers: compared as they were kept, as a whole. */
import { largeGroups } from './group-by.ts';
import { once } from './memoize.ts';
import type { Trail } from './journal-index.ts';

/** Requests to store the same card, where there is more than one, oldest first. */
export const cardsAlike = once((trail: Trail) => {
  const sent = trail.of('card.create').filter(({ storedRequest }) => storedRequest !== undefined);
  return [...largeGroups(sent, 2, ({ request }) => request).values()];
});
