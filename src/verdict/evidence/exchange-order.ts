/** How two exchanges lie to each other: in order, in time, and side by side. */
import type { StoredEntry } from '../../journal/stored-entry.ts';

/** Time between the beginnings of two exchanges: on whichever clock more of it has passed. */
export function gapMs(earlier: StoredEntry, later: StoredEntry): number {
  return Math.max(later.atMs - earlier.atMs, later.openedRealMs - earlier.openedRealMs);
}

/** Whether two exchanges were under way at the same time. */
export function overlaps(earlier: StoredEntry, later: StoredEntry): boolean {
  return earlier.overAtSeq === 0 || later.seq < earlier.overAtSeq;
}

/** A client may come again before the end of the connection it left, or lost, is noticed here. */
const disconnectNoticeMs = 50;

/** Whether a client had two exchanges at once: not where the first broke, or was left, just before the second. */
export function areParallel(earlier: StoredEntry, later: StoredEntry): boolean {
  return overlaps(earlier, later) && later.openedRealMs < brokenAtMs(earlier);
}

/** When a client may have known that an exchange broke, on the machine's clock; never, where it did not. */
export function brokenAtMs({ delivery, closedRealMs }: StoredEntry): number {
  const broke = delivery.state === 'lost' || delivery.state === 'cut';
  return broke ? closedRealMs - disconnectNoticeMs : Number.POSITIVE_INFINITY;
}

/** How long an exchange was open, on whichever clock that was longer; 0 while it is. */
export function openForMs({ atMs, overAtMs, openedRealMs, closedRealMs }: StoredEntry): number {
  return Math.max(0, overAtMs - atMs, closedRealMs - openedRealMs);
}

/** The place of the first exchange after `seq` among some that are in their order; their number where none is. */
export function indexAfter(entries: readonly StoredEntry[], seq: number): number {
  return indexAfterSeq(entries, seq, (entry) => entry.seq);
}

/** The same for whatever else belongs to an exchange and is in the order of those. */
export function indexAfterSeq<T>(
  all: readonly T[],
  seq: number,
  seqOf: (one: T) => number,
): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = all[middle];
    if (one !== undefined && seqOf(one) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}
