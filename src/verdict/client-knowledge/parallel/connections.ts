/** What the connections of two requests show: did the client wait for the first answer before it sent the second one? */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { gapMs, indexAfter, isOpenedBefore, overlaps } from '../../evidence/exchange-order.ts';
import { allowsRetry, createdIds } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { idsWithRelated } from '../../evidence/records.ts';
import { isAnswerReceived } from '../disclosure.ts';
import { sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { firstWithKey, hasSameKey, isKeyResentAfter, lastWithKey } from '../idempotency-keys.ts';
import { isReversalSentBefore } from '../reversal.ts';

/** With how many connections an attempt is compared. Of thousands that were sent together, it meets others among these. */
const maxConnections = 32;

/**
 * Pairs of attempts that came on different connections although the connection of the earlier one was idle.
 *
 * A client that waits for each answer uses one connection again, so these were sent in parallel, even if the sandbox
 * answered the first before the second arrived. A repeat with a request id is judged by the first request with that id,
 * because a retry may need another connection.
 */
export function* pairsOnOtherConnections(
  journal: JournalIndex,
  attempts: readonly StoredEntry[],
): Generator<readonly [earlier: StoredEntry, later: StoredEntry]> {
  /** The latest attempt on each connection, oldest first. */
  const latest = new Map<number, StoredEntry>();
  for (const entry of attempts) {
    const { connection } = entry.arrival ?? {};
    if (connection === undefined) continue;
    const decided = firstWithKey(journal, entry);
    for (const [of, earlier] of latest) {
      if (gapMs(earlier, entry) > journal.serviceTimeMs) latest.delete(of);
      else if (decided !== entry && earlier.seq < decided.seq) continue;
      else if (isBeside(journal, attempts, earlier, entry)) yield [earlier, entry];
    }
    latest.delete(connection);
    latest.set(connection, entry);
    for (const oldest of latest.keys()) {
      if (latest.size <= maxConnections) break;
      latest.delete(oldest);
    }
  }
}

/** Whether two requests came on different connections, and nothing shows that the later one waited, or replaced the earlier one. */
function isBeside(
  journal: JournalIndex,
  attempts: readonly StoredEntry[],
  earlier: StoredEntry,
  later: StoredEntry,
): boolean {
  if (later.replayed || hasSameKey(earlier, later)) return false;
  if (earlier.delivery.state !== 'delivered') return false;
  // The later one is a retry, unless the client then sent the earlier one again: that one has a worker of its own.
  const isKnown = earlier.concludes === 'OK';
  if (!isKnown && !isSentAgainAfter(journal, attempts, earlier, later)) return false;
  if (isReversalSentBefore(journal, earlier, later)) return false;
  return (
    isCalledBeforeAnswer(earlier, later) ??
    (isOnNewConnection(journal, earlier, later) || isOnOtherConnection(journal, earlier, later))
  );
}

/**
 * Whether the client called `fetch` for a request before it had the answer to an earlier one; `undefined` unless this process
 * sent both with `fetch`. Answers that leave together are read one after the other, and a worker may go on while the others
 * are not read yet.
 */
export function isCalledBeforeAnswer(
  earlier: StoredEntry,
  later: StoredEntry,
): boolean | undefined {
  const [own, next] = [earlier.arrival?.ownRequest, later.arrival?.ownRequest];
  return own && next && next.requestedAt < own.readAt;
}

/** Whether a request that failed was sent again after a later one: with its request id, or perhaps with another one or none. */
function isSentAgainAfter(
  journal: JournalIndex,
  attempts: readonly StoredEntry[],
  failed: StoredEntry,
  later: StoredEntry,
): boolean {
  return (
    isKeyResentAfter(journal, failed, later) ||
    (later.concludes === 'OK' &&
      attempts.some((entry) => entry.seq > later.seq && isRetryOf(journal, failed, entry)))
  );
}

/**
 * Whether a client that gives each attempt an id of its own, or none, may have sent a request again that did nothing.
 */
export function isRetryOf(journal: JournalIndex, failed: StoredEntry, entry: StoredEntry): boolean {
  return (
    !failed.committed &&
    allowsRetry(failed) &&
    lastWithKey(journal, failed) === failed &&
    firstWithKey(journal, entry) === entry &&
    failed.seq < entry.seq &&
    !overlaps(failed, entry) &&
    gapMs(failed, entry) <= sameIntentWindowMs
  );
}

/** Whether the client wanted another connection for a request before the answer to an earlier one was out. */
function isOnNewConnection(journal: JournalIndex, earlier: StoredEntry, later: StoredEntry) {
  return isOnConnectionOf(earlier, later)
    ? isAskedForAnother(journal, earlier, later)
    : isOpenedBefore(later, earlier);
}

/** Whether a request came on another connection, and nothing shows that the client waited for the answer to an earlier one. */
function isOnOtherConnection(journal: JournalIndex, earlier: StoredEntry, later: StoredEntry) {
  if (isOnConnectionOf(earlier, later)) return false;
  return !isBroken(journal, earlier, later) && !isReadInTurn(journal, earlier, later);
}

/**
 * Whether the client sent a request for something else before it had the answer to an earlier one. It is `assumed` if only
 * the time that the real service would have taken shows it, or if a connection was asked for in time and used later.
 */
export function isSentAtOnce(
  journal: JournalIndex,
  earlier: StoredEntry,
  later: StoredEntry,
): boolean | 'assumed' {
  if (overlaps(earlier, later)) return true;
  const isCalledAtOnce = isCalledBeforeAnswer(earlier, later);
  if (isCalledAtOnce !== undefined) return isCalledAtOnce;
  if (gapMs(earlier, later) >= journal.serviceTimeMs) {
    const realGapMs = later.openedRealMs - earlier.openedRealMs;
    // Another worker may have moved the merchant's clock meanwhile, in place of a wait.
    return realGapMs < journal.serviceTimeMs && isOpenedBefore(later, earlier) && 'assumed';
  }
  if (isOnNewConnection(journal, earlier, later)) return true;
  return isOnOtherConnection(journal, earlier, later) && 'assumed';
}

/**
 * Whether the client asked for another connection between two requests on one connection, although that one lay idle
 * when the first was answered.
 *
 * Some clients, as those of Go and .NET, open a connection for a second request, but send it on the first connection
 * if the first answer comes sooner. The other connection then has carried nothing. The server may notice it late.
 */
export function isAskedForAnother(
  journal: JournalIndex,
  earlier: StoredEntry,
  { arrival: later }: StoredEntry,
): boolean {
  const answeredAt = earlier.arrival?.answeredAt;
  if (answeredAt === undefined || later === undefined || later.unused.length === 0) return false;
  // What was opened sooner may have been for earlier requests.
  const fromMoment = lastAnswerBefore(journal, earlier);
  return later.unused.some(
    ({ number, openedAt, isUsed }) =>
      fromMoment < openedAt &&
      // If it was used later, another client may have opened it, or this one for another request.
      (!isUsed || (openedAt < answeredAt && countsByConnection(journal).has(number))),
  );
}

/** Whether other clients of the same host were connected when a request came, so that an unused connection may be theirs. */
export function haveOthersConnections(journal: JournalIndex, { arrival }: StoredEntry): boolean {
  const counts = countsByConnection(journal);
  return arrival?.used.some((number) => !counts.has(number)) === true;
}

/** The moment of the answer to the last request that came before another one over a socket. */
function lastAnswerBefore({ entries }: JournalIndex, { seq }: StoredEntry): number {
  for (let at = indexAfter(entries, seq - 1) - 1; at >= 0; at--) {
    const moment = entries[at]?.arrival?.answeredAt;
    if (moment !== undefined) return moment;
  }
  return Number.NEGATIVE_INFINITY;
}

/** How many requests each connection carried. */
const countsByConnection = memoize(({ entries }: JournalIndex): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const { arrival } of entries) {
    if (arrival === undefined) continue;
    counts.set(arrival.connection, (counts.get(arrival.connection) ?? 0) + 1);
  }
  return counts;
});

/** Whether a fault ended the connection of the earlier request, so that the later one could not use it again. */
function isBroken(
  journal: JournalIndex,
  { arrival, seq }: StoredEntry,
  later: StoredEntry,
): boolean {
  const breaks = breaksByConnection(journal).get(arrival?.connection);
  return breaks?.some((broken) => seq < broken.seq && broken.seq < later.seq) === true;
}

const resultReads: ReadonlySet<OperationName> = new Set([
  'payment.get',
  'sale.get',
  'sale.refunds',
  'refund.get',
  'auth.get',
  'capture.get',
]);

/**
 * Whether one client read what an earlier request had done, before it sent a later one.
 *
 * It did if it read on both connections in turn, as `fetch` of Node uses them. A client that opens a connection for each
 * request did if it looked at the sale or authorization. A look at a payment shows less: a double click may pay and look
 * in each of its workers.
 */
function isReadInTurn(journal: JournalIndex, earlier: StoredEntry, later: StoredEntry): boolean {
  const recordId = recordIdIn(earlier);
  const readsOf = (id: string) =>
    journal
      .about(id, resultReads)
      .filter((read) => read.seq > earlier.seq && read.seq < later.seq && isAnswerReceived(read));
  const ids = createdIds(earlier).flatMap((id) => idsWithRelated(id, journal.records));
  const looks = recordId === undefined ? [] : readsOf(recordId);
  const reads = [...looks, ...ids.flatMap(readsOf)];
  return (
    looks.some((look) => areOnOwnConnections(journal, [earlier, look, later])) ||
    reads.some(
      (read) =>
        isOnConnectionOf(later, read) &&
        reads.some((next) => next.seq > read.seq && isOnConnectionOf(earlier, next)),
    )
  );
}

/** Whether two requests came on one connection. */
export function isOnConnectionOf(one: StoredEntry, other: StoredEntry): boolean {
  return one.arrival?.connection === other.arrival?.connection;
}

/** Whether each request had a connection to itself, and the client opened it after the answer to the one before. */
function areOnOwnConnections(journal: JournalIndex, entries: readonly StoredEntry[]): boolean {
  const counts = countsByConnection(journal);
  return entries.every(({ arrival }, at) => {
    const before = entries[at - 1];
    const answeredAt = before === undefined ? 0 : (before.arrival?.answeredAt ?? 0);
    return (
      arrival?.isFirst === true &&
      arrival.openedAt > answeredAt &&
      counts.get(arrival.connection) === 1
    );
  });
}

/** The exchanges after which a connection could not be used again. Few of them share one. */
const breaksByConnection = memoize((journal: JournalIndex) =>
  groupBy(
    journal.forced.filter(({ delivery: { state } }) => state === 'lost' || state === 'cut'),
    ({ arrival }) => arrival?.connection,
  ),
);
