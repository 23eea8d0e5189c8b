/** What an outcome lets befall a sale or refund once time has passed. */
import type { Fate } from '../domain/bend.ts';
import type { Outcome } from './outcome.ts';
import { paramsOf, type Given } from './params.ts';

/** `immediately` leaves out the outcome's own wait: a timeline has waited already. */
export function fatesOf(
  outcome: Outcome,
  given: Given,
  { immediately = false }: { readonly immediately?: boolean } = {},
): readonly Fate[] {
  const { effect } = outcome;
  const params = paramsOf(outcome, given, '');
  switch (effect.kind) {
    case 'payment':
      if (effect.bend.settlesTo === undefined) return [];
      return [
        {
          event: effect.bend.settlesTo === 'completed' ? 'sale-completes' : 'sale-is-denied',
          afterMs: params.ms('settleAfter'),
        },
      ];
    case 'refund':
      if (effect.bend.settlesTo === undefined) return [];
      return [
        {
          event: effect.bend.settlesTo === 'completed' ? 'refund-completes' : 'refund-fails',
          afterMs: params.ms('after'),
        },
      ];
    case 'later': {
      const afterMs = immediately ? 0 : params.ms('after');
      if (effect.event === 'sale-reversed') return [{ event: 'sale-is-reversed', afterMs }];
      return [
        { event: 'chargeback-opens', afterMs },
        {
          event: params.text('outcome') === 'won' ? 'chargeback-is-won' : 'chargeback-is-lost',
          afterMs: afterMs + params.ms('resolveAfter'),
        },
      ];
    }
    default:
      return [];
  }
}
