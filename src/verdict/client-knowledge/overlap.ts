/**
 * Did the client send several requests for one thing in parallel, with nothing to tie them together?
 *
 * Parallel requests with one request id are safe, because the service answers them once. With different ids, or none, a
 * double click charges twice.
 */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isCaptureBeyondAmount } from '../evidence/captures.ts';
import {
  areParallel,
  brokenAtMs,
  gapMs,
  indexAfter,
  isOpenedBefore,
  overlaps,
} from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, recordIdIn, type JournalIndex } from '../evidence/journal-index.ts';
import { orderNameOf } from '../evidence/one-order-name.ts';
import { idsWithRelated } from '../evidence/records.ts';
import { copyAndAmountOf, workOf } from '../evidence/request-fields.ts';
import { isAnswerReceived } from './disclosure.ts';
import { firstWithKey } from './idempotency-keys.ts';

/**
 * The requests that are open while a journal is read in order.
 *
 * The list is filtered only when a request in it may have ended, because thousands may be open together.
 */
export class OpenRequests {
  #entries: StoredEntry[] = [];
  readonly #countById = new Map<string, number>();
  #nextEndSeq = Number.POSITIVE_INFINITY;
  #nextBreakMs = Number.POSITIVE_INFINITY;

  /** The requests that are open when this one begins, oldest first. */
  openAt(entry: StoredEntry): readonly StoredEntry[] {
    if (entry.seq >= this.#nextEndSeq || entry.openedRealMs >= this.#nextBreakMs) {
      this.retain((other) => areParallel(other, entry));
    }
    return this.#entries;
  }

  /** Whether any request has another request id. A missing id equals nothing, not even another missing one. */
  hasOtherKeyThan(requestId: string | undefined): boolean {
    const same = requestId === undefined ? 0 : (this.#countById.get(requestId) ?? 0);
    return this.#entries.length > same;
  }

  add(entry: StoredEntry): void {
    const { requestId, waitedUntilSeq } = entry;
    this.#entries.push(entry);
    if (requestId !== undefined) {
      this.#countById.set(requestId, (this.#countById.get(requestId) ?? 0) + 1);
    }
    if (waitedUntilSeq !== 0) this.#nextEndSeq = Math.min(this.#nextEndSeq, waitedUntilSeq);
    this.#nextBreakMs = Math.min(this.#nextBreakMs, brokenAtMs(entry));
  }

  /** Removes all requests but those for which `isKept` is true. */
  retain(isKept: (entry: StoredEntry) => boolean): void {
    const kept = this.#entries.filter(isKept);
    this.#entries = [];
    this.#countById.clear();
    this.#nextEndSeq = Number.POSITIVE_INFINITY;
    this.#nextBreakMs = Number.POSITIVE_INFINITY;
    for (const entry of kept) this.add(entry);
  }
}

/** Requests for one thing. */
interface Requests {
  readonly operation: OperationName;
  /** Oldest first. */
  readonly attempts: readonly StoredEntry[];
}

/** Attempts that were sent in parallel with another attempt that has a different request id, or none. */
export interface ParallelAttempts {
  /** In the order in which they were sent. */
  readonly entries: readonly StoredEntry[];
  /** Whether only the assumed time of the service shows it: the sandbox answered each before the next one came. */
  readonly isAssumed: boolean;
}

/** Finds the parallel attempts of a group. */
export function parallelAttempts(evidence: JournalIndex, group: Requests): ParallelAttempts {
  return parallelAttemptsIn(evidence)(group);
}

const parallelAttemptsIn = memoize((evidence: JournalIndex) => {
  const known = new Map<Requests, ParallelAttempts>();
  return (group: Requests): ParallelAttempts => {
    let found = known.get(group);
    if (found === undefined) {
      found = findParallelAttempts(evidence, group);
      known.set(group, found);
    }
    return found;
  };
});

export const noneParallel: ParallelAttempts = { entries: [], isAssumed: true };

/** Whether each attempt came after the end of all before it, and nothing is known of connections. */
function wereSentInTurn({ attempts }: Requests): boolean {
  let last: StoredEntry | undefined;
  for (const entry of attempts) {
    if (entry.arrival !== undefined) return false;
    if (last !== undefined && overlaps(last, entry)) return false;
    last = entry;
  }
  return true;
}

/** Finds the requests for one thing that were sent in parallel, before they are known to be a group. */
export function findParallelAttempts(evidence: JournalIndex, group: Requests): ParallelAttempts {
  if (wereSentInTurn(group)) return noneParallel;
  const all = new Set(attemptsOpenAtOnce(group));
  let isAssumed = all.size === 0;
  for (const [earlier, later] of pairsOnOtherConnections(evidence, group)) {
    all.add(earlier).add(later);
    if (isOpenedBefore(later, earlier) || isAskedForAnother(evidence, earlier, later)) {
      isAssumed = false;
    }
  }
  return { entries: group.attempts.filter((entry) => all.has(entry)), isAssumed };
}

function attemptsOpenAtOnce({ attempts }: Requests): ReadonlySet<StoredEntry> {
  const parallel = new Set<StoredEntry>();
  const open = new OpenRequests();
  const openAlone = new OpenRequests();
  for (const entry of attempts) {
    const { requestId } = entry;
    open.openAt(entry);
    if (open.hasOtherKeyThan(requestId)) {
      for (const other of openAlone.openAt(entry)) {
        if (!hasSameKey(other, entry)) parallel.add(other);
      }
      openAlone.retain((other) => hasSameKey(other, entry));
      parallel.add(entry);
    } else openAlone.add(entry);
    open.add(entry);
  }
  return parallel;
}

/** Whether two requests share a request id. A missing id equals nothing, not even another missing one. */
export function hasSameKey(one: StoredEntry, other: StoredEntry): boolean {
  return one.requestId !== undefined && one.requestId === other.requestId;
}

/** With how many connections an attempt is compared. Of thousands that were sent together, it meets others among these. */
const maxConnections = 32;

/**
 * Pairs of attempts that came on different connections although the connection of the earlier one was idle.
 *
 * A client that waits for each answer uses one connection again, so these were sent in parallel, even if the sandbox
 * answered the first before the second arrived. A repeat with a request id is judged by the first request with that id,
 * because a retry may need another connection.
 */
function* pairsOnOtherConnections(
  evidence: JournalIndex,
  { operation, attempts }: Requests,
): Generator<readonly [earlier: StoredEntry, later: StoredEntry]> {
  // A test may store one card several times, each for another buyer.
  if (operation === 'card.create') return;
  /** The latest attempt on each connection, oldest first. */
  const latest = new Map<number, StoredEntry>();
  /** What the first request with each request id came beside. Its repeats carry out what the client decided then. */
  const besideFirst = new Map<StoredEntry, readonly StoredEntry[]>();
  for (const entry of attempts) {
    const { connection } = entry.arrival ?? {};
    if (connection === undefined) continue;
    const decided = firstWithKey(evidence, entry);
    if (!entry.replayed)
      for (const earlier of besideFirst.get(decided) ?? []) yield [earlier, entry];
    for (const [of, earlier] of latest) {
      if (gapMs(earlier, entry) > evidence.serviceTimeMs) latest.delete(of);
      else if (decided !== entry && earlier.seq < decided.seq) continue;
      else if (isBeside(evidence, earlier, entry)) {
        yield [earlier, entry];
        besideFirst.set(entry, [...(besideFirst.get(entry) ?? []), earlier]);
      }
    }
    latest.delete(connection);
    latest.set(connection, entry);
    for (const oldest of latest.keys()) {
      if (latest.size <= maxConnections) break;
      latest.delete(oldest);
    }
  }
}

/** Whether a successful request and a later one came on different connections, and nothing shows that the later one waited. */
function isBeside(evidence: JournalIndex, earlier: StoredEntry, later: StoredEntry): boolean {
  const { delivery, concludes, arrival } = earlier;
  // After a refusal or a lost answer the later one is a retry, and so is one that repeats an even earlier request.
  if (concludes !== 'OK' || delivery.state !== 'delivered' || later.replayed) return false;
  if (hasSameKey(earlier, later)) return false;
  if (arrival?.connection === later.arrival?.connection) {
    return isAskedForAnother(evidence, earlier, later);
  }
  if (isOpenedBefore(later, earlier)) return true;
  if (arrival?.isOwnFetch === true && later.arrival?.isOwnFetch === true) return false;
  return !isBroken(evidence, earlier, later) && !isReadInTurn(evidence, earlier, later);
}

/**
 * Whether the client asked for another connection between two requests on one connection, although that one lay idle
 * when the first was answered.
 *
 * Some clients, as those of Go and .NET, open a connection for a second request, but send it on the first connection
 * if the first answer comes sooner. The other connection then has carried nothing. The server may notice it late.
 */
function isAskedForAnother(
  evidence: JournalIndex,
  earlier: StoredEntry,
  { arrival: later }: StoredEntry,
): boolean {
  const answeredAt = earlier.arrival?.answeredAt;
  if (answeredAt === undefined || later === undefined || later.unused.length === 0) return false;
  // What was opened sooner may have been for earlier requests.
  const fromMoment = lastAnswerBefore(evidence, earlier);
  return later.unused.some(
    ({ number, openedAt, isUsed }) =>
      fromMoment < openedAt &&
      // If it was used later, another client may have opened it, or this one for another request.
      (!isUsed || (openedAt < answeredAt && countsByConnection(evidence).has(number))),
  );
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
  evidence: JournalIndex,
  { arrival, seq }: StoredEntry,
  later: StoredEntry,
): boolean {
  const breaks = breaksByConnection(evidence).get(arrival?.connection);
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
function isReadInTurn(evidence: JournalIndex, earlier: StoredEntry, later: StoredEntry): boolean {
  const recordId = recordIdIn(earlier);
  const readsOf = (id: string) =>
    evidence
      .about(id, resultReads)
      .filter((read) => read.seq > earlier.seq && read.seq < later.seq && isAnswerReceived(read));
  const ids = createdIds(earlier).flatMap((id) => idsWithRelated(id, evidence.records));
  const looks = recordId === undefined ? [] : readsOf(recordId);
  const reads = [...looks, ...ids.flatMap(readsOf)];
  return (
    looks.some((look) => areOnOwnConnections(evidence, [earlier, look, later])) ||
    reads.some(
      (read) =>
        isOnConnectionOf(later, read) &&
        reads.some((next) => next.seq > read.seq && isOnConnectionOf(earlier, next)),
    )
  );
}

function isOnConnectionOf(one: StoredEntry, other: StoredEntry): boolean {
  return one.arrival?.connection === other.arrival?.connection;
}

/** Whether each request had a connection to itself, and the client opened it after the answer to the one before. */
function areOnOwnConnections(evidence: JournalIndex, entries: readonly StoredEntry[]): boolean {
  const counts = countsByConnection(evidence);
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
const breaksByConnection = memoize((evidence: JournalIndex) =>
  groupBy(
    evidence.forced.filter(({ delivery: { state } }) => state === 'lost' || state === 'cut'),
    ({ arrival }) => arrival?.connection,
  ),
);

/**
 * Whether several requests that were sent in parallel were for one thing.
 *
 * Payments are if their `custom` names one order: all payments that carry it were made equally often. A double click
 * pays each part of an order twice. Two buyers have orders of their own, and a shop that writes one word into every
 * purchase has other payments under it. Without a `custom`, a description may hold the number of the order. Without a
 * name, payments are if a test held them at one gate. Refunds are,
 * because they name their sale. Captures are if together they took more than was authorized: two parts of an order may
 * cost the same.
 */
export function isOneThingInParallel(evidence: JournalIndex, group: Requests): boolean {
  const executed = parallelAttempts(evidence, group).entries.filter(({ committed }) => committed);
  if (executed.length < 2 || group.operation === 'card.create') return false;
  if (group.operation === 'auth.capture') {
    return executed.some((entry) => isCaptureBeyondAmount(evidence, entry));
  }
  if (group.operation !== 'payment.create') return true;
  const paymentIds = group.attempts.flatMap(createdIds);
  const together = new Set(executed);
  const inTurn = group.attempts.filter((entry) => entry.committed && !together.has(entry));
  if (inTurn.some((entry) => !wasQueued(evidence, entry, executed))) return false;
  const [name, ...others] = new Set(paymentIds.map((id) => nameOf(evidence, id)));
  if (others.length > 0) return false;
  if (name === undefined) return areHeldTogether(executed);
  const counts = paymentCounts(evidence).get(name);
  return counts !== undefined && [...counts.values()].every((count) => count === paymentIds.length);
}

/**
 * Whether a request may have waited for a connection of those that were sent in parallel. A pool with two connections
 * sends the third click when the first is answered.
 */
function wasQueued(
  { serviceTimeMs }: JournalIndex,
  entry: StoredEntry,
  parallel: readonly StoredEntry[],
): boolean {
  return (
    entry.arrival !== undefined &&
    parallel.some(
      (before) =>
        before.seq < entry.seq &&
        isOnConnectionOf(before, entry) &&
        gapMs(before, entry) < serviceTimeMs,
    )
  );
}

/** Whether a test held equal requests without request ids at one gate: it tests a double click. */
function areHeldTogether(entries: readonly StoredEntry[]): boolean {
  const [first] = entries;
  return (
    entries.every(({ requestId }) => requestId === undefined) &&
    first?.holds.some(({ gate }) => entries.every((entry) => wasHeldAt(gate, entry))) === true
  );
}

function wasHeldAt(gate: string, { holds }: StoredEntry): boolean {
  return holds.some((hold) => hold.gate === gate);
}

/** How many equal payments carry each name, among those that requests in the journal created. */
const paymentCounts = memoize(
  (evidence: JournalIndex): ReadonlyMap<string, ReadonlyMap<string, number>> => {
    const byName = new Map<string, Map<string, number>>();
    for (const entry of evidence.of('payment.create')) {
      for (const id of createdIds(entry)) {
        const name = nameOf(evidence, id);
        if (name === undefined) continue;
        let counts = byName.get(name);
        if (counts === undefined) byName.set(name, (counts = new Map<string, number>()));
        // Two workers may each have stored the card.
        const work = workOf(evidence, entry, copyAndAmountOf);
        counts.set(work, (counts.get(work) ?? 0) + 1);
      }
    }
    return byName;
  },
);

/** Reads the name from the record, because the journal may have redacted it. */
function nameOf({ records }: JournalIndex, paymentId: string): string | undefined {
  const payment = records.payments.get(paymentId);
  return payment && orderNameOf(payment.transaction);
}
