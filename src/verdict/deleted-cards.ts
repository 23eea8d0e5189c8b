/** Cards that the client deleted, and when. */
import type { Evidence } from './evidence.ts';

/** `seq` of the exchange that deleted each card, by the card's id. */
export function deletionsOf(evidence: Evidence): ReadonlyMap<string, number> {
  return new Map(
    evidence
      .of('card.delete')
      .flatMap(({ committed, cardId, seq }) =>
        committed && cardId !== undefined ? [[cardId, seq] as const] : [],
      ),
  );
}
