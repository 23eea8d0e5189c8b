/**
 * Did the client send several requests for one thing in parallel, with nothing to tie them together?
 *
 * Parallel requests with one request id are safe, because the service answers them once. With different ids, or none, a
 * double click charges twice.
 */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { everyPair, isOpenedBefore, overlaps } from '../../evidence/exchange-order.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { nameOtherParts } from '../../evidence/key-parts.ts';
import { firstWithKey, hasSameKey } from '../idempotency-keys.ts';
import { isRecordReadBefore } from '../reads/reads-by-id.ts';
import {
  haveOthersConnections,
  isAskedForAnother,
  isCalledBeforeAnswer,
  isRetryOf,
  pairsOnOtherConnections,
} from './connections.ts';
import { OpenRequests } from './open-requests.ts';

/** Requests for one thing. */
export interface Requests {
  readonly operation: OperationName;
  /** Oldest first. */
  readonly attempts: readonly StoredEntry[];
}

/** Attempts that were sent in parallel with another attempt that has a different request id, or none. */
export interface ParallelAttempts {
  /** In the order in which they were sent. */
  readonly entries: readonly StoredEntry[];
  /** Which of these were executed, or else the request that sent one again which did nothing. */
  readonly executed: readonly StoredEntry[];
  /** Whether only the assumed time of the service shows it: the sandbox answered each before the next one came. */
  readonly isAssumed: boolean;
}

/** Whether two requests of one operation were sent in parallel. */
export function areSentInParallel(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
): boolean {
  const { operation } = first;
  if (operation === undefined) return false;
  return findParallelAttempts(journal, { operation, attempts: [first, again] }).entries.length > 0;
}

/** Finds the parallel attempts of a group. */
export function parallelAttempts(journal: JournalIndex, group: Requests): ParallelAttempts {
  return parallelAttemptsIn(journal)(group);
}

const parallelAttemptsIn = memoize((journal: JournalIndex) => {
  const known = new Map<Requests, ParallelAttempts>();
  return (group: Requests): ParallelAttempts => {
    let found = known.get(group);
    if (found === undefined) {
      found = findParallelAttempts(journal, group);
      known.set(group, found);
    }
    return found;
  };
});

export const noneParallel: ParallelAttempts = { entries: [], executed: [], isAssumed: true };

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

/**
 * Finds the requests for one thing that were sent in parallel, before they are known to be a group. A job that charges several
 * months or rooms at once means each of them.
 */
export function findParallelAttempts(journal: JournalIndex, group: Requests): ParallelAttempts {
  if (wereSentInTurn(group)) return noneParallel;
  const all = new Set(attemptsOpenAtOnce(group));
  let isAssumed = all.size === 0;
  // A test may store one card several times, each for another buyer.
  const onOtherConnections =
    group.operation === 'card.create' ? [] : pairsOnOtherConnections(journal, group.attempts);
  for (const [earlier, later] of onOtherConnections) {
    all.add(earlier).add(later);
    if (
      isCalledBeforeAnswer(earlier, later) === true ||
      isOpenedBefore(later, earlier) ||
      (isAskedForAnother(journal, earlier, later) && !haveOthersConnections(journal, later))
    ) {
      isAssumed = false;
    }
  }
  const entries = group.attempts.filter((entry) => all.has(entry));
  const areForOtherParts = everyPair(entries, (one, next) => nameOtherParts(one, next));
  if (areForOtherParts) return noneParallel;
  const decided = new Set(entries.map((entry) => firstWithKey(journal, entry)));
  const retries = new Set(entries.length === 0 ? [] : findRetries(journal, group, entries));
  const executed = group.attempts.filter(
    (entry) =>
      entry.committed &&
      !entry.replayed &&
      (decided.has(firstWithKey(journal, entry)) || retries.has(entry)) &&
      (all.has(entry) || !isSentInformed(journal, group, entry)),
  );
  return { entries, executed, isAssumed };
}

/** The requests by which a client without steady request ids may have sent those of `parallel` again that did nothing. */
function findRetries(
  journal: JournalIndex,
  { attempts }: Requests,
  parallel: readonly StoredEntry[],
): StoredEntry[] {
  const together = new Set(parallel);
  const others = attempts.filter((entry) => !together.has(entry));
  return parallel.flatMap((failed) => {
    const at = others.findIndex((entry) => isRetryOf(journal, failed, entry));
    return at === -1 ? [] : others.splice(at, 1);
  });
}

/** Whether the client had read what another of these requests had done when it sent one. Then it wanted both. */
function isSentInformed(journal: JournalIndex, { attempts }: Requests, entry: StoredEntry) {
  return attempts.some((other) => isRecordReadBefore(journal, other, entry));
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
