/** What an outcome does to a sale, refund or card after some time. */
import type { PlannedEvent } from '../../domain/payment/overrides.ts';
import { readParams, type ParamValues } from '../decide/params.ts';
import type { Outcome } from '../outcome.ts';

const settlements = {
  completed: 'sale-completes',
  denied: 'sale-is-denied',
  released: 'hold-is-released',
  made: 'sale-is-made',
} as const satisfies Record<string, PlannedEvent['event']>;

/**
 * Lists the later events of an outcome and how long each waits.
 *
 * @param immediately Ignores the wait of the outcome itself, because a timeline has waited already.
 */
export function planEvents(
  outcome: Outcome,
  given: ParamValues,
  { immediately = false }: { readonly immediately?: boolean } = {},
): readonly PlannedEvent[] {
  const { effect } = outcome;
  const params = readParams(outcome, given, '');
  switch (effect.kind) {
    case 'payment': {
      const { settlesTo } = effect.overrides;
      if (settlesTo === undefined) return [];
      return [{ event: settlements[settlesTo], afterMs: params.ms('settleAfter') }];
    }
    case 'refund': {
      const { settlesTo } = effect.overrides;
      if (settlesTo === undefined) return [];
      const event = settlesTo === 'completed' ? 'refund-completes' : 'refund-fails';
      return [{ event, afterMs: params.ms('after') }];
    }
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
          triggeredOutcome:
            'triggeredOutcome' in effect.event ? effect.event.triggeredOutcome : undefined,
        },
      ];
    default:
      return [];
  }
}
