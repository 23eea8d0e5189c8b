/**
 * A snapshot costs what was written since the base, whatever the size of the base. Counted, not
 * timed.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { World } from '../../../src/world/world.ts';
import { settings } from '../../unit/fixtures/build-world.ts';
import { countedBase, write } from '../../support/worlds/counted-base.ts';

/**
 * Counts how much of the base a snapshot and a restore read, and how much they copy, after some
 * writes.
 */
function costOf(
  size: number,
  writes: number,
): { readonly looked: number; readonly copied: number } {
  const reads = { count: 0 };
  const world = new World('merchant', settings, countedBase(size, reads));
  write(world, writes);
  reads.count = 0;
  const set = vi.spyOn(Map.prototype, 'set');
  const restored = new World('merchant', settings, world.save());
  const copied = set.mock.calls.length;
  set.mockRestore();
  const looked = reads.count;
  expect(restored.records).toBe(world.records);
  expect(restored.cards.byUpdate.size).toBe(world.cards.byUpdate.size);
  return { looked, copied };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a snapshot and a restore', () => {
  it('read nothing of a base of 100,000 cards and copy as much as with 100', () => {
    const [small, large] = [costOf(100, 60), costOf(100_000, 60)];
    expect(large.looked).toBe(0);
    expect(large.copied).toBe(small.copied);
  });

  it('copy in proportion to what was written', () => {
    const [none, some, many] = [
      costOf(100_000, 0).copied,
      costOf(100_000, 100).copied,
      costOf(100_000, 1000).copied,
    ];
    expect(none).toBe(0);
    expect(many - none).toBeLessThanOrEqual(10 * (some - none));
    expect(some / 100).toBeLessThan(8);
  });
});
