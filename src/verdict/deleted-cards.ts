/** Cards that were deleted, and when: by the client, or by somebody else while it paid. */
import { wasForced } from './forced.ts';
import type { Trail } from './trail.ts';

/** `seq` of the exchange that deleted each card, by the card's id. */
export function deletionsOf(trail: Trail): ReadonlyMap<string, number> {
  const own = trail.of('card.delete').filter(({ committed }) => committed);
  const others = trail.of('payment.create').filter((entry) => wasForced(entry, 'card-deleted'));
  return new Map(
    [...own, ...others].flatMap(({ cardId, seq }) =>
      cardId === undefined ? [] : [[cardId, seq] as const],
    ),
  );
}
