/** Clients that keep a request id show it by sending it once more, perhaps after requests for something else. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize, recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';

/** `seq` of the last exchange of each request id. */
const lastSeqByKey = memoize(
  (journal: JournalIndex): ReadonlyMap<string, number> =>
    new Map(journal.keyed.map((entry) => [idempotencyKeyOf(entry), entry.seq])),
);

/**
 * Whether the request id of one request comes once more after another one: then the other, with an id of its own, was
 * no new try of the first. Buyers of the same thing are served side by side.
 */
export function isKeyResentAfter(
  journal: JournalIndex,
  one: StoredEntry,
  other: StoredEntry,
): boolean {
  if (one.requestId === undefined) return false;
  return (lastSeqByKey(journal).get(idempotencyKeyOf(one)) ?? 0) > other.seq;
}

/**
 * A request id as the service keeps it: for one operation on one record. Refunds of two sales may be numbered alike.
 */
export function idempotencyKeyOf(entry: StoredEntry): string {
  const { operation, requestId } = entry;
  // Neither of the first two holds a space.
  return `${operation ?? ''} ${recordIdIn(entry) ?? ''} ${requestId ?? ''}`;
}
