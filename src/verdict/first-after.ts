/** Looks things up by when they came. */
import type { Entry } from '../journal/entry.ts';

/** The place of the first exchange after `seq` among some that are in their order; their number where none is. */
export function firstAfter(entries: readonly Entry[], seq: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}
