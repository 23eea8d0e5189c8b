/**
 * Did the client keep the request id of a request, to send it again?
 *
 * A client that keeps an id sends it again, perhaps after requests for something else.
 */
import { serviceProblems } from '../../contract/problems.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { groupBy } from '../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';

/** The last exchange with each idempotency key. */
const lastByKey = memoize(
  (journal: JournalIndex): ReadonlyMap<string, StoredEntry> =>
    new Map(journal.keyed.map((entry) => [idempotencyKeyOf(entry), entry])),
);

/** The first exchange with each idempotency key. */
const firstByKey = memoize((journal: JournalIndex): ReadonlyMap<string, StoredEntry> => {
  const first = new Map<string, StoredEntry>();
  for (const entry of journal.keyed) {
    const key = idempotencyKeyOf(entry);
    if (!first.has(key)) first.set(key, entry);
  }
  return first;
});

/** Whether two requests share a request id. A missing id equals nothing, not even another missing one. */
export function hasSameKey(one: StoredEntry, other: StoredEntry): boolean {
  return one.requestId !== undefined && one.requestId === other.requestId;
}

/** The first request with the request id of `entry`: what the client decided then, it carries out with each repeat. */
export function firstWithKey(journal: JournalIndex, entry: StoredEntry): StoredEntry {
  if (entry.requestId === undefined) return entry;
  return firstByKey(journal).get(idempotencyKeyOf(entry)) ?? entry;
}

/** The last request with the request id of `entry`. */
export function lastWithKey(journal: JournalIndex, entry: StoredEntry): StoredEntry {
  if (entry.requestId === undefined) return entry;
  return lastByKey(journal).get(idempotencyKeyOf(entry)) ?? entry;
}

/**
 * Whether the client sent the request id of `entry` again after it had sent `other`.
 *
 * If so, `other` was no retry of `entry`: the client still intended to repeat `entry` itself. A shop that serves two
 * buyers of the same article looks like that.
 */
export function isKeyResentAfter(
  journal: JournalIndex,
  entry: StoredEntry,
  other: StoredEntry,
): boolean {
  return entry.requestId !== undefined && lastWithKey(journal, entry).seq > other.seq;
}

const inProgress = serviceProblems['request-in-progress'].name;

/** The repeats that found the request with their idempotency key in progress. */
const earlyRepeats = memoize((journal: JournalIndex) =>
  groupBy(
    journal.keyed.filter(({ problem }) => problem === inProgress),
    idempotencyKeyOf,
  ),
);

/** Whether the client repeated a request before it sent `other`, and was answered that the first one was in progress. */
export function isRepeatedInProgress(
  journal: JournalIndex,
  request: StoredEntry,
  { seq }: StoredEntry,
): boolean {
  const early = earlyRepeats(journal);
  if (early.size === 0) return false;
  const repeats = early.get(idempotencyKeyOf(request)) ?? [];
  return repeats.some((repeat) => repeat.seq > request.seq && repeat.seq < seq);
}

/**
 * The key under which the service remembers a request: its operation, the record in its path and its request id.
 *
 * Refunds of two sales may carry the same request id.
 */
export function idempotencyKeyOf(entry: StoredEntry): string {
  const { operation, requestId } = entry;
  // Neither an operation nor a record id contains a space, so keys cannot collide.
  return `${operation ?? ''} ${recordIdIn(entry) ?? ''} ${requestId ?? ''}`;
}
