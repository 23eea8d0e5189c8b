/** Reads that lag: what was decided on lets them look at a replica, or begin a page in another place. */
import type { OutcomeChoice } from '../../outcomes/decide/decision.ts';
import { readParams } from '../../outcomes/decide/params.ts';
import type { ReadModel } from '../../world/world.ts';
import type { Visit } from '../context.ts';
import type { View } from '../views/view.ts';

/** What a read looks at. */
export interface Sight {
  readonly books: ReadModel;
  readonly view: View;
  readonly shift: number;
}

/** The world as it is. */
export function upToDate({ world, view }: Visit): Sight {
  return { books: world, view, shift: 0 };
}

/** What a read looks at once this was decided on; none where it sees the world as it is. */
export function outOfDate(
  chosen: OutcomeChoice | undefined,
  { world, view }: Visit,
): Sight | undefined {
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
