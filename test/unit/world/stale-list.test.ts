/** A read that lags looks at what changed lately and at its own page. Counted, not timed. */
import { expect, it } from 'vitest';
import type { ChangeKind } from '../../../src/outcomes/outcome.ts';
import { listCards } from '../../../src/world/store/listing.ts';
import { World } from '../../../src/world/world.ts';
import { settings } from '../fixtures/build-world.ts';
import { countedBase, write } from '../../support/counted-base.ts';

const firstPage = {
  pageSize: 10,
  page: 1,
  fromMs: undefined,
  toMs: undefined,
  sortBy: 'create_time',
  descending: false,
  merchantReference: undefined,
  externalCardId: undefined,
  externalCustomerId: undefined,
  after: undefined,
  shift: 0,
} as const;

/** How often a list of a world with so many cards in its base looks at them, after a few writes. */
function looksAt(size: number, unheard: ChangeKind): number {
  const reads = { count: 0 };
  const world = new World('merchant', settings, countedBase(size, reads));
  write(world, 12);
  reads.count = 0;
  expect(listCards(world.replica(unheard, 1_000), firstPage).cards).toHaveLength(10);
  return reads.count;
}

it.each(['made', 'changed', 'removed'] as const)(
  'looks at a base of 100,000 cards a few times more than at one of 1,000: unheard of what was %s',
  (unheard) => {
    const [small, large] = [looksAt(1_000, unheard), looksAt(100_000, unheard)];
    // Places are found by bisection, so a hundred times as many take seven more looks each.
    expect(large).toBeLessThan(3 * small);
    expect(large).toBeLessThan(2_000);
  },
);
