/** Groups requests for the same thing into series, by key, time and request id. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs } from '../evidence/exchange-order.ts';

/** Requests for one thing, oldest first. */
export interface Series {
  /** Unique among all series. */
  readonly key: string;
  readonly entries: readonly StoredEntry[];
}

/** An equal request that comes later than this is for something else. Other services use 30 s to 1 h. */
export const sameIntentWindowMs = 120_000;

/** Whether a request continues a series although some time has passed. */
type ContinuesSeries = (series: readonly StoredEntry[], entry: StoredEntry) => boolean;

/**
 * Groups requests into series, in the order of their first requests. Requests without a key are left out.
 *
 * A request continues a series of its key if it has a request id of that series, if it comes soon after the last
 * request, or if `continuesSeries` says so.
 */
export function groupIntoSeries(
  entries: readonly StoredEntry[],
  keyOf: (entry: StoredEntry) => string | undefined,
  continuesSeries: ContinuesSeries,
): Series[] {
  const byKey = new Map<string, SeriesOfKey>();
  const series: Series[] = [];
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const known = byKey.get(key);
    if (known === undefined) {
      const first = [entry];
      byKey.set(key, new SeriesOfKey(first));
      series.push({ key, entries: first });
      continue;
    }
    const started = known.add(entry, continuesSeries);
    if (started !== undefined) series.push({ key: `${key}@${entry.seq}`, entries: started });
  }
  return series;
}

/** All series with the same key. */
class SeriesOfKey {
  /** The series that received the latest request. */
  #latest: StoredEntry[];
  readonly #first: StoredEntry[];
  /** The series of each request id. Created for the second request with an id, because most keys have only one. */
  #byRequestId: Map<string | undefined, StoredEntry[]> | undefined;

  constructor(first: StoredEntry[]) {
    this.#first = first;
    this.#latest = first;
  }

  /** Adds a request to the series it continues. Returns a new series if it starts one. */
  add(entry: StoredEntry, continuesSeries: ContinuesSeries): readonly StoredEntry[] | undefined {
    const { requestId } = entry;
    const byRequestId = requestId === undefined ? undefined : this.#seriesByRequestId();
    const repeated = byRequestId?.get(requestId);
    const group = repeated ?? (this.#isNext(entry, continuesSeries) ? this.#latest : []);
    group.push(entry);
    this.#latest = group;
    byRequestId?.set(requestId, group);
    return group.length === 1 ? group : undefined;
  }

  #seriesByRequestId(): Map<string | undefined, StoredEntry[]> {
    return (this.#byRequestId ??= new Map([[this.#first[0]?.requestId, this.#first]]));
  }

  #isNext(entry: StoredEntry, continuesSeries: ContinuesSeries): boolean {
    const last = this.#latest.at(-1);
    if (last === undefined) return false;
    return gapMs(last, entry) <= sameIntentWindowMs || continuesSeries(this.#latest, entry);
  }
}
