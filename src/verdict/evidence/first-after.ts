/** Looks things up by when they came. */
import type { StoredEntry } from '../../journal/stored-entry.ts';

/** The place of the first exchange after `seq` among some that are in their order; their number where none is. */
export function firstAfter(entries: readonly StoredEntry[], seq: number): number {
  return placeAfter(entries, seq, (entry) => entry.seq);
}

/** The same for whatever else belongs to an exchange and is in the order of those. */
export function placeAfter<T>(all: readonly T[], seq: number, seqOf: (one: T) => number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = all[middle];
    if (one !== undefined && seqOf(one) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}
