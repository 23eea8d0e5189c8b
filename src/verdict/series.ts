/** Requests for the same thing that follow one another. */
import type { Entry } from '../journal/entry.ts';
import { gapMs } from './trail.ts';

/** What a request is for. */
export interface Sought {
  readonly key: string;
  /** Whether the client gave it a name of its own: then it is the same thing whatever lies between, as it is where the request id is. */
  readonly isNamed: () => boolean;
}

/** Requests for one thing, oldest first. */
export interface Series {
  /** Unlike that of any other series. */
  readonly key: string;
  readonly entries: readonly Entry[];
}

/** Requests that look alike this long after the last one are for something else (outcomes of peers: 30 s to 1 h). */
const windowMs = 120_000;

/** Puts requests that are for the same thing together, in the order of their first ones. */
export function seriesOf(
  entries: readonly Entry[],
  soughtBy: (entry: Entry) => Sought | undefined,
): Series[] {
  const latest = new Map<string, Entry[]>();
  const series: { readonly key: string; readonly entries: Entry[] }[] = [];
  for (const entry of entries) {
    const sought = soughtBy(entry);
    if (sought === undefined) continue;
    const group = latest.get(sought.key);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined) {
      const isRepeat = entry.requestId !== undefined && entry.requestId === last.requestId;
      if (isRepeat || gapMs(last, entry) <= windowMs || sought.isNamed()) {
        group.push(entry);
        continue;
      }
    }
    const first = [entry];
    latest.set(sought.key, first);
    series.push({
      key: group === undefined ? sought.key : `${sought.key}@${entry.seq}`,
      entries: first,
    });
  }
  return series;
}
