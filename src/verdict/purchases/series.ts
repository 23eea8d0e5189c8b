/** Requests for the same thing that follow one another. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs } from '../evidence/exchange-order.ts';

/** Requests for one thing, oldest first. */
export interface Series {
  /** Unlike that of any other series. */
  readonly key: string;
  readonly entries: readonly StoredEntry[];
}

/** Requests that look alike this long after the last one are for something else (outcomes of peers: 30 s to 1 h). */
export const sameIntentWindowMs = 120_000;

/** Whether a request is for the same thing as those before it. */
type IsSameIntent = (before: readonly StoredEntry[], entry: StoredEntry) => boolean;

/**
 * Puts requests that are for the same thing together, in the order of their first ones. Those without a key are left
 * out. Whatever lies between, it is the same thing where the request id is, and where `isOne` says so of a request and
 * those before it.
 */
export function groupIntoSeries(
  entries: readonly StoredEntry[],
  keyOf: (entry: StoredEntry) => string | undefined,
  isOne: IsSameIntent,
): Series[] {
  const alike = new Map<string, SeriesOfKey>();
  const series: Series[] = [];
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const known = alike.get(key);
    if (known === undefined) {
      const first = [entry];
      alike.set(key, new SeriesOfKey(first));
      series.push({ key, entries: first });
      continue;
    }
    const begun = known.add(entry, isOne);
    if (begun !== undefined) series.push({ key: `${key}@${entry.seq}`, entries: begun });
  }
  return series;
}

/** Series with one key. */
class SeriesOfKey {
  /** The one that grew last. */
  #latest: StoredEntry[];
  /** Where each request id was sent; made for the second request, as most things are asked for once. */
  #byId: Map<string, StoredEntry[]> | undefined;

  constructor(first: StoredEntry[]) {
    this.#latest = first;
  }

  /** Adds a request to the series that it goes on with, or gives the one that it begins. */
  add(entry: StoredEntry, isOne: IsSameIntent): readonly StoredEntry[] | undefined {
    const byId = (this.#byId ??= new Map(
      this.#latest.flatMap(({ requestId }) =>
        requestId === undefined ? [] : [[requestId, this.#latest]],
      ),
    ));
    const { requestId } = entry;
    const repeated = requestId === undefined ? undefined : byId.get(requestId);
    const group = repeated ?? (this.#isNext(entry, isOne) ? this.#latest : []);
    group.push(entry);
    this.#latest = group;
    if (requestId !== undefined) byId.set(requestId, group);
    return group.length === 1 ? group : undefined;
  }

  #isNext(entry: StoredEntry, isOne: IsSameIntent): boolean {
    const last = this.#latest.at(-1);
    return (
      last !== undefined && (gapMs(last, entry) <= sameIntentWindowMs || isOne(this.#latest, entry))
    );
  }
}
