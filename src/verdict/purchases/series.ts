/** Splits requests for the same thing into series, by time and request id. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { everyPair, gapMs } from '../evidence/exchange-order.ts';
import { sameIntentWindowMs } from '../evidence/time-windows.ts';

/** Requests for one thing, oldest first. */
export interface Series {
  /** Unique among all series. */
  readonly key: string;
  readonly entries: readonly StoredEntry[];
}

/** Whether a request continues a series although some time has passed. */
type ContinuesSeries = (series: readonly StoredEntry[], entry: StoredEntry) => boolean;

/**
 * Splits groups of requests for the same thing into series, in the order of their first requests. Requests without a key
 * are left out.
 *
 * A request continues a series of its group if it has a request id of that series, if it comes soon after the last
 * request, or if `continuesSeries` says so.
 */
export function splitIntoSeries(
  groups: Iterable<readonly [key: string | undefined, requests: readonly StoredEntry[]]>,
  continuesSeries: ContinuesSeries,
): Series[] {
  const all: Series[] = [];
  for (const [key, requests] of groups) {
    if (key === undefined) continue;
    // Most things are requested once, or several times in a row.
    if (everyPair(requests, isSoonAfter)) {
      all.push({ key, entries: requests });
      continue;
    }
    for (const [at, entries] of seriesOf(requests, continuesSeries).entries()) {
      all.push({ key: at === 0 ? key : `${key}@${entries[0]?.seq ?? ''}`, entries });
    }
  }
  return all.sort((one, other) => startOf(one) - startOf(other));
}

function startOf({ entries: [first] }: Series): number {
  return first?.seq ?? 0;
}

function seriesOf(
  requests: readonly StoredEntry[],
  continuesSeries: ContinuesSeries,
): readonly (readonly StoredEntry[])[] {
  const all: StoredEntry[][] = [];
  const byRequestId = new Map<string, StoredEntry[]>();
  /** The series that received the latest request. */
  let latest: StoredEntry[] = [];
  for (const entry of requests) {
    const { requestId } = entry;
    const repeated = requestId === undefined ? undefined : byRequestId.get(requestId);
    if (repeated !== undefined) latest = repeated;
    else if (!isNext(latest, entry, continuesSeries)) all.push((latest = []));
    latest.push(entry);
    if (requestId !== undefined) byRequestId.set(requestId, latest);
  }
  return all;
}

function isNext(
  series: readonly StoredEntry[],
  entry: StoredEntry,
  continuesSeries: ContinuesSeries,
): boolean {
  const last = series.at(-1);
  if (last === undefined) return false;
  return isSoonAfter(last, entry) || continuesSeries(series, entry);
}

function isSoonAfter(last: StoredEntry, entry: StoredEntry): boolean {
  return gapMs(last, entry) <= sameIntentWindowMs;
}
