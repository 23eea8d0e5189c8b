/** Cards that the client deleted, and when. */
import type { Trail } from './trail.ts';

/** `seq` of the exchange that deleted each card, by the card's id. */
export function deletionsOf(trail: Trail): ReadonlyMap<string, number> {
  return new Map(
    trail
      .of('card.delete')
      .flatMap(({ committed, cardId, seq }) =>
        committed && cardId !== undefined ? [[cardId, seq] as const] : [],
      ),
  );
}
