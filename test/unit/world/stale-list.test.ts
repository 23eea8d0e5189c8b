/** A stale list reads only recent changes and its own page. Counted, not timed. */
import { expect, it } from 'vitest';
import type { ChangeKind } from '../../../src/outcomes/outcome.ts';
import { listCards } from '../../../src/world/store/listing.ts';
import { World } from '../../../src/world/world.ts';
import { settings } from '../fixtures/build-world.ts';
import { countedBase, write } from '../../support/worlds/counted-base.ts';

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

/** Counts how often a list reads cards of a large base after a few writes. */
function looksAt(size: number, unheard: ChangeKind): number {
  const reads = { count: 0 };
  const world = new World('merchant', settings, countedBase(size, reads));
  write(world, 12);
  reads.count = 0;
  expect(listCards(world.replica(unheard, 1_000), firstPage).cards).toHaveLength(10);
  return reads.count;
}

it.each(['made', 'changed', 'removed'] as const)(
  'reads hardly more of 100,000 cards than of 1,000 without changes of kind "%s"',
  (unheard) => {
    const [small, large] = [looksAt(1_000, unheard), looksAt(100_000, unheard)];
    // Bisection: a hundred times as many cards need seven more steps each.
    expect(large).toBeLessThan(3 * small);
    expect(large).toBeLessThan(2_000);
  },
);
