/** Requests for the same thing that follow one another. */
import type { KeptEntry } from '../journal/kept-entry.ts';
import { gapMs } from './trail.ts';

/** Requests for one thing, oldest first. */
export interface Series {
  /** Unlike that of any other series. */
  readonly key: string;
  readonly entries: readonly KeptEntry[];
}

/** Requests that look alike this long after the last one are for something else (outcomes of peers: 30 s to 1 h). */
export const windowMs = 120_000;

/**
 * Puts requests that are for the same thing together, in the order of their first ones. Those without a key are left
 * out. Whatever lies between, it is the same thing where the request id is, and where `isOne` says so of a request and
 * those before it.
 */
export function seriesOf(
  entries: readonly KeptEntry[],
  keyOf: (entry: KeptEntry) => string | undefined,
  isOne: (before: readonly KeptEntry[], entry: KeptEntry) => boolean,
): Series[] {
  const latest = new Map<string, KeptEntry[]>();
  const series: { readonly key: string; readonly entries: KeptEntry[] }[] = [];
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const group = latest.get(key);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined) {
      const isRepeat = entry.requestId !== undefined && entry.requestId === last.requestId;
      if (isRepeat || gapMs(last, entry) <= windowMs || isOne(group, entry)) {
        group.push(entry);
        continue;
      }
    }
    const first = [entry];
    latest.set(key, first);
    series.push({ key: group === undefined ? key : `${key}@${entry.seq}`, entries: first });
  }
  return series;
}
