/** Stale reads: a forced outcome answers them from a lagging replica, or shifts the start of a page. */
import type { OutcomeChoice } from '../../outcomes/decide/decision.ts';
import { readParams } from '../../outcomes/decide/params.ts';
import type { ReadModel } from '../../world/world.ts';
import type { AuthenticatedContext } from '../context.ts';
import type { View } from '../views/view.ts';

/** The data that answers a read. */
export interface ReadSource {
  readonly books: ReadModel;
  readonly view: View;
  /** How many places too early a page starts; negative: too late. */
  readonly shift: number;
}

/** The current world. */
export function currentSource({ world, view }: AuthenticatedContext): ReadSource {
  return { books: world, view, shift: 0 };
}

/** The stale source of a forced outcome; absent if the outcome has none. */
export function staleSource(
  chosen: OutcomeChoice | undefined,
  { world, view }: AuthenticatedContext,
): ReadSource | undefined {
  if (chosen === undefined) return undefined;
  const { outcome, params: given } = chosen;
  const params = readParams(outcome, given, '');
  switch (outcome.effect.kind) {
    case 'stale-read': {
      const books = world.replica(outcome.effect.of, params.ms('lag'));
      return { books, view: { ...view, books }, shift: 0 };
    }
    case 'page-shift': {
      const by = params.count('by');
      return { books: world, view, shift: params.text('change') === 'insertion' ? by : -by };
    }
    default:
      return undefined;
  }
}
