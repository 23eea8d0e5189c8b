/** Cards that look the same in the journal, which keeps no numbers: compared as they were kept, as a whole. */
import type { Evidence } from './evidence.ts';
import { largeGroups } from './grouped.ts';
import { once } from './once.ts';

/** Requests to store the same card, where there is more than one, oldest first. */
export const cardsAlike = once((evidence: Evidence) => [
  ...largeGroups(evidence.of('card.create'), 2, ({ request }) => request).values(),
]);
