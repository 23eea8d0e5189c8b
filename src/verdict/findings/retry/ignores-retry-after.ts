import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { hasSameKey } from '../../client-knowledge/idempotency-keys.ts';
import { isFromOtherProcess } from '../../client-knowledge/processes.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  areParallel,
  consecutivePairs,
  findPair,
  gapMs,
  haveSeveralSenders,
  somePair,
} from '../../evidence/exchange-order.ts';
import { sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { formatDuration, formatTime } from '../../phrases.ts';
import { isSameIntent } from '../../purchases/attempts.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { fakeTimersAdvice } from './retry-waits.ts';

/** Finds retries that came earlier than the Retry-After header of the last answer allowed. */
export const ignoresRetryAfter: FindingRule = {
  id: 'ignores-retry-after',
  severity: 'high',
  about: 'A request was retried sooner than Retry-After allowed.',
  remedy: 'Wait as long as Retry-After says: a number of seconds, or until its date.',
  find: findEarlyRetries,
};

/** Allows for rounded waits and differences between clocks. */
const tolerance = 0.9;

/** Below this, a client that did not wait looks like one with fake timers. */
const minRealWaitMs = 500;

/** A Retry-After date has whole seconds. */
const dateToleranceMs = 1000;

/** A date concerns the client's clock only if the merchant's clock shows about the same time. */
const maxClockDifferenceMs = 5_000;

function* findEarlyRetries(evidence: Evidence): Generator<Detection> {
  const { retriedGroups, isClockFrozen } = evidence;
  for (const group of retriedGroups) {
    const pair = findPair(
      group.attempts,
      (last, entry) =>
        !hasWaited(last, entry) &&
        isSameIntent(group, last, entry) &&
        !areParallel(last, entry) &&
        (isRealWait(last, entry) || !isClockFrozen),
    );
    if (pair === undefined) continue;
    const [last, entry] = pair;
    const isReal = isRealWait(last, entry);
    // Another worker never saw the answer.
    const isOtherWorker =
      last.requestId !== entry.requestId ||
      haveSeveralSenders(group.attempts) ||
      isOnOtherConnection(evidence, last, entry) ||
      isFromOtherProcess(evidence, last, entry) ||
      hasOneThatWaited(group.attempts, last, entry) ||
      haveTwoCallers(group.attempts.filter((attempt) => hasSameKey(attempt, last)));
    const isCertain = isReal && (group.hasInvoiceNumber || entry.requestId !== undefined);
    yield {
      what: `The request for ${group.description} was sent again after ${formatDuration(gapMs(last, entry))}, ${describeRetryAfter(last, entry)}.`,
      evidence: pair,
      purchase: group.purchase,
      ...(!isReal && { remedy: `${ignoresRetryAfter.remedy} ${fakeTimersAdvice}` }),
      ...(isOtherWorker
        ? { severity: 'low' as const, confidence: 'possible' as const }
        : !isCertain && { severity: 'medium' as const, confidence: 'possible' as const }),
    };
  }
}

/** Whether a client waited so long before a request that it does not look like one with fake timers. */
function isRealWait(last: StoredEntry, entry: StoredEntry): boolean {
  return gapMs(last, entry) >= minRealWaitMs;
}

/**
 * Whether a request came on another connection although the connection of an earlier one lay idle: a client that keeps
 * its connection uses it again. `fetch` of Node changes connections although it waits.
 */
function isOnOtherConnection(
  evidence: Evidence,
  { arrival: earlier }: StoredEntry,
  { arrival: later }: StoredEntry,
): boolean {
  if (earlier === undefined || later === undefined) return false;
  if (earlier.connection === later.connection) return false;
  const isOwnFetch = earlier.isOwnFetch && later.isOwnFetch;
  return !isOwnFetch && keptConnections(evidence).has(earlier.connection);
}

/** The connections that carried several requests. */
const keptConnections = memoize(
  ({ entries }: Evidence): ReadonlySet<number> =>
    new Set(
      entries.flatMap(({ arrival }) => (arrival?.isFirst === false ? arrival.connection : [])),
    ),
);

/**
 * Whether the request came once more when the wait was over, although it had succeeded since the early one. Then another
 * worker sent the early one, and the worker that had received Retry-After waited.
 */
function hasOneThatWaited(
  attempts: readonly StoredEntry[],
  refused: StoredEntry,
  early: StoredEntry,
): boolean {
  const earliestMs = minWaitMs(refused);
  const repeats = attempts.filter(
    (attempt) => attempt.seq >= early.seq && hasSameKey(refused, attempt),
  );
  const success = repeats.findIndex(({ concludes }) => concludes === 'OK');
  return (
    success >= 0 &&
    repeats.slice(success + 1).some((later) => {
      const lateMs = gapMs(refused, later) - earliestMs;
      return lateMs >= 0 && lateMs <= sameIntentWindowMs;
    })
  );
}

/**
 * Whether these requests with one request id may come from two callers, each of which came back and waited as long as it was
 * told. One caller that ignores Retry-After waits equally long each time, or longer, so its requests do not alternate between
 * long and short waits.
 */
function haveTwoCallers(attempts: readonly StoredEntry[]): boolean {
  /** The last request of each caller, the latest last, and how many it has sent. */
  const callers: { readonly last: StoredEntry; readonly count: number }[] = [];
  for (const entry of attempts) {
    const at = callers.findLastIndex(({ last }) => hasWaited(last, entry));
    if (at < 0 && callers.length === 2) return false;
    const [caller] = at < 0 ? [] : callers.splice(at, 1);
    callers.push({ last: entry, count: (caller?.count ?? 0) + 1 });
  }
  return (
    callers.length === 2 && callers.every(({ count }) => count > 1) && areWaitsUneven(attempts)
  );
}

/** Whether a request came as late as the last answer asked for. */
function hasWaited(last: StoredEntry, entry: StoredEntry): boolean {
  return gapMs(last, entry) >= minWaitMs(last);
}

/** How long a client must wait after an answer; 0 if the answer does not say. */
function minWaitMs(last: StoredEntry): number {
  return (requestedWaitMs(last) ?? 0) * tolerance;
}

/** Whether a wait was less than half as long as the one before it. */
function areWaitsUneven(attempts: readonly StoredEntry[]): boolean {
  const waits = consecutivePairs(attempts).map(([before, next]) => ({ ms: gapMs(before, next) }));
  return somePair(waits, (before, next) => next.ms * 2 < before.ms);
}

function describeRetryAfter({ retryAfter = '' }: StoredEntry, entry: StoredEntry): string {
  if (isSeconds(retryAfter)) {
    return `although Retry-After asked for ${formatDuration(Number(retryAfter) * 1000)}`;
  }
  const untilMs = Date.parse(retryAfter);
  return `at ${formatTime(entry.atMs)}, although Retry-After asked to wait until ${formatTime(untilMs)}`;
}

function isSeconds(retryAfter: string): boolean {
  return /^\d+$/.test(retryAfter);
}

/** How long an answer asks the client to wait, if the client can tell. */
function requestedWaitMs({
  retryAfter,
  atMs,
  openedRealMs,
  concludes,
}: StoredEntry): number | undefined {
  if (retryAfter === undefined || concludes === 'OK') return undefined;
  if (isSeconds(retryAfter)) return Number(retryAfter) * 1000;
  if (Math.abs(atMs - openedRealMs) > maxClockDifferenceMs) return undefined;
  const waitMs = Date.parse(retryAfter) - atMs - dateToleranceMs;
  return waitMs > 0 ? waitMs : undefined;
}
