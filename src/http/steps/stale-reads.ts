/** Reads that lag: a forced outcome lets them read from a replica, or begin a page at another place. */
import type { OutcomeChoice } from '../../outcomes/decide/decision.ts';
import { readParams } from '../../outcomes/decide/params.ts';
import type { ReadModel } from '../../world/world.ts';
import type { AuthenticatedContext } from '../context.ts';
import type { View } from '../views/view.ts';

/** What a read is answered from. */
export interface ReadSource {
  readonly books: ReadModel;
  readonly view: View;
  /** By how many places a page begins too early, or too late where it is negative. */
  readonly shift: number;
}

/** The world as it is. */
export function currentSource({ world, view }: AuthenticatedContext): ReadSource {
  return { books: world, view, shift: 0 };
}

/** The lagging source that an outcome forces; absent where it forces none. */
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
