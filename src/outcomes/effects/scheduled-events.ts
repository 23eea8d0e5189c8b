/** What an outcome lets befall a sale, refund or card once time has passed. */
import type { PlannedEvent } from '../../domain/payment/overrides.ts';
import type { Outcome } from '../outcome.ts';
import { readParams, type ParamValues } from '../decide/params.ts';

const settlements = {
  completed: 'sale-completes',
  denied: 'sale-is-denied',
  released: 'hold-is-released',
  made: 'sale-is-made',
} as const satisfies Record<string, PlannedEvent['event']>;

/** `immediately` leaves out the outcome's own wait: a timeline has waited already. */
export function plannedEvents(
  outcome: Outcome,
  given: ParamValues,
  { immediately = false }: { readonly immediately?: boolean } = {},
): readonly PlannedEvent[] {
  const { effect } = outcome;
  const params = readParams(outcome, given, '');
  switch (effect.kind) {
    case 'payment':
      if (effect.overrides.settlesTo === undefined) return [];
      return [
        { event: settlements[effect.overrides.settlesTo], afterMs: params.ms('settleAfter') },
      ];
    case 'refund':
      if (effect.overrides.settlesTo === undefined) return [];
      return [
        {
          event: effect.overrides.settlesTo === 'completed' ? 'refund-completes' : 'refund-fails',
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
    case 'card':
      return [
        {
          event: effect.event.kind,
          afterMs: immediately ? 0 : params.ms('after'),
          asksFor: 'asksFor' in effect.event ? effect.event.asksFor : undefined,
        },
      ];
    default:
      return [];
  }
}
