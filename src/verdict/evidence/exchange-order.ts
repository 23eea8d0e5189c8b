/** How exchanges relate in time: pairs of neighbours, the gap between two, whether they overlap, and their order. */
import type { StoredEntry } from '../../journal/stored-entry.ts';

/** Compares exchanges by the order in which they came. */
export function bySeq(one: StoredEntry, other: StoredEntry): number {
  return one.seq - other.seq;
}

/** Each item of a list with the one that follows it. */
export function consecutivePairs<T extends object>(
  items: readonly T[],
): (readonly [before: T, next: T])[] {
  const pairs: (readonly [T, T])[] = [];
  let before: T | undefined;
  for (const next of items) {
    if (before !== undefined) pairs.push([before, next]);
    before = next;
  }
  return pairs;
}

/** The first item of a list, with the one that follows it, for which a test holds. */
export function findPair<T extends object>(
  items: readonly T[],
  holds: (before: T, next: T) => boolean,
): readonly [before: T, next: T] | undefined {
  let before: T | undefined;
  for (const next of items) {
    if (before !== undefined && holds(before, next)) return [before, next];
    before = next;
  }
  return undefined;
}

/** Whether a test holds for any item of a list and the one that follows it. */
export function somePair<T extends object>(
  items: readonly T[],
  holds: (before: T, next: T) => boolean,
): boolean {
  return findPair(items, holds) !== undefined;
}

/** Whether a test holds for each item of a list and the one that follows it. */
export function everyPair<T extends object>(
  items: readonly T[],
  holds: (before: T, next: T) => boolean,
): boolean {
  return findPair(items, (before, next) => !holds(before, next)) === undefined;
}

/** Time between the starts of two exchanges, on the clock on which more time passed: the merchant's or the machine's. */
export function gapMs(earlier: StoredEntry, later: StoredEntry): number {
  return Math.max(later.atMs - earlier.atMs, later.openedRealMs - earlier.openedRealMs);
}

/** Whether a client waited for two answers at the same time. */
export function overlaps({ waitedUntilSeq }: StoredEntry, later: StoredEntry): boolean {
  return waitedUntilSeq === 0 || later.seq < waitedUntilSeq;
}

/** A client may send its next request before the sandbox notices that the last connection broke. */
const disconnectNoticeMs = 50;

/** Whether the sandbox noticed at once when the client stopped waiting: in process, and at a gate. */
export function isEndExact({ arrival, leftAtSeq }: StoredEntry): boolean {
  return arrival === undefined || leftAtSeq !== undefined;
}

/** Whether a client had two exchanges open in parallel. It did not if the first broke just before the second. */
export function areParallel(earlier: StoredEntry, later: StoredEntry): boolean {
  return overlaps(earlier, later) && later.openedRealMs < brokenAtMs(earlier);
}

/**
 * Whether an exchange was still open some time after another one had begun, on the clock on which more time passed. The
 * client did not wait for its end before it sent the other one, even if the sandbox noticed that end late.
 */
export function outlasts(earlier: StoredEntry, later: StoredEntry): boolean {
  if (isEndExact(earlier)) return overlaps(earlier, later);
  const leftMs = Math.max(earlier.overAtMs - later.atMs, earlier.closedRealMs - later.openedRealMs);
  return leftMs > disconnectNoticeMs;
}

/**
 * Whether the client asked for a connection for a request before the answer to an earlier request was out. Of an answer
 * that was lost, only the times tell when the client noticed it.
 */
export function isOpenedBefore(
  { arrival: later }: StoredEntry,
  { arrival: earlier, delivery }: StoredEntry,
): boolean {
  if (delivery.state !== 'delivered' || later?.isFirst !== true) return false;
  return later.openedAt < (earlier?.answeredAt ?? 0);
}

/** Whether the client asked for a connection for a request before the connection of an earlier one broke. */
export function isOpenedBeforeBreak(
  { arrival: later }: StoredEntry,
  { arrival: earlier, delivery }: StoredEntry,
): boolean {
  if (delivery.state !== 'lost' && delivery.state !== 'cut') return false;
  return later?.isFirst === true && later.openedAt < (earlier?.answeredAt ?? 0);
}

/** Whether several workers of a client sent these attempts: two that follow one another were sent in parallel. */
export function haveSeveralSenders(attempts: readonly StoredEntry[]): boolean {
  return somePair(
    attempts,
    (earlier, later) => areParallel(earlier, later) || isOpenedBefore(later, earlier),
  );
}

/** When a client may have known that its connection broke, on the machine's clock; infinite if it did not break. */
export function brokenAtMs(entry: StoredEntry): number {
  const { delivery, closedRealMs } = entry;
  const isBroken = !isEndExact(entry) && (delivery.state === 'lost' || delivery.state === 'cut');
  return isBroken ? closedRealMs - disconnectNoticeMs : Number.POSITIVE_INFINITY;
}

/** Index of the first exchange after `seq` in an ordered list; the length of the list if there is none. */
export function indexAfter(entries: readonly StoredEntry[], seq: number): number {
  return indexAfterSeq(entries, seq, (entry) => entry.seq);
}

/** The first exchange of an ordered list that came after another one. */
export function firstAfter(
  entries: readonly StoredEntry[],
  { seq }: StoredEntry,
): StoredEntry | undefined {
  return entries[indexAfter(entries, seq)];
}

/** The last exchange of an ordered list that came before another one. */
export function lastBefore(
  entries: readonly StoredEntry[],
  { seq }: StoredEntry,
): StoredEntry | undefined {
  return entries[indexAfter(entries, seq - 1) - 1];
}

/** The index for other things that are ordered by the exchange they belong to. */
export function indexAfterSeq<T>(
  items: readonly T[],
  seq: number,
  seqOf: (item: T) => number,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && seqOf(item) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether the client was answered something else between two requests, so that the second is no reflex to the first. */
export function isOtherAnsweredBetween(
  entries: readonly StoredEntry[],
  { overAtSeq }: StoredEntry,
  { seq }: StoredEntry,
): boolean {
  const between = entries.slice(indexAfter(entries, overAtSeq - 1), indexAfter(entries, seq - 1));
  return between.some((other) => other.overAtSeq !== 0 && other.overAtSeq <= seq);
}

/** When a request came, on the clock of the merchant and on that of the machine. */
export function sentAtMsOf({ atMs, openedRealMs }: StoredEntry): readonly number[] {
  return [atMs, openedRealMs];
}
