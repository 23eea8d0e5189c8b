/** Findings about repeats that the answer before should have kept from coming, or from coming so soon. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { areParallel, gapMs } from '../../evidence/exchange-order.ts';
import { retryAdviceFor } from '../../evidence/exchange-results.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { capitalize, formatDuration } from '../../phrases.ts';
import { isSameIntent, type AttemptGroup } from '../../purchases/attempts.ts';

export const answerRules: readonly FindingRule[] = [
  {
    id: 'retry-of-final-4xx',
    severity: 'high',
    about: 'A request that was refused for good was sent again unchanged.',
    remedy:
      'Repeat after 408, 425, 429, 5xx and lost answers only; other 4xx need another request.',
    find: finalRetries,
  },
  {
    id: 'ignores-retry-after',
    severity: 'high',
    about: 'A request was repeated sooner than Retry-After allowed.',
    remedy: 'Wait at least as long as Retry-After says, in seconds or until its date.',
    find: hastyRetries,
  },
  {
    id: 'hidden-transport-retry',
    severity: 'high',
    about: 'A POST without a PayPal-Request-Id was sent again at once when its connection broke.',
    remedy:
      'Switch off the retries of the HTTP library for POST, or send a PayPal-Request-Id with it.',
    find: hiddenRetries,
  },
];

const finalStatuses: ReadonlySet<number> = new Set([400, 403, 404, 415, 422]);

/** A buyer presses a button twice; nobody presses it three times in ten seconds for an answer that is the same. */
const finalWindowMs = 10_000;

function* finalRetries({ retriedGroups }: Evidence): Generator<Notice> {
  for (const task of retriedGroups) {
    let run: StoredEntry[] = [];
    for (const entry of task.attempts) {
      const last = run.at(-1);
      if (last !== undefined && repeats(task, last, entry)) run.push(entry);
      else run = [entry];
      const from = run.at(-3);
      if (from !== undefined && gapMs(from, entry) <= finalWindowMs) {
        yield {
          what: `${capitalize(task.description)} was asked for again and again with the same request after it had been refused for good (${from.status}${from.problem === undefined ? '' : ` ${from.problem}`}).`,
          evidence: run,
          purchase: task.purchase,
          ...(!isKept(entry) && { severity: 'medium', confidence: 'possible' }),
        };
        break;
      }
    }
  }
}

/** Without a request id, tests that ask for one refusal after another look the same. */
function isKept({ requestId }: StoredEntry): boolean {
  return requestId !== undefined;
}

function repeats(task: AttemptGroup, last: StoredEntry, entry: StoredEntry): boolean {
  const { request, requestId } = last;
  return (
    request !== undefined &&
    request === entry.request &&
    isSameIntent(task, last, entry) &&
    isFinal(last, requestId !== undefined && requestId === entry.requestId) &&
    !areParallel(last, entry)
  );
}

/** What the catalogue lets a client repeat is not final: as it is, or with a new request id. */
function isFinal(entry: StoredEntry, withSameId: boolean): boolean {
  if (entry.concludes !== 'FAIL' || !finalStatuses.has(entry.status)) return false;
  return !retryAdviceFor(entry).some(
    (advice) =>
      advice === 'same-key' || advice === 'after-wait' || (advice === 'new-key' && !withSameId),
  );
}

/** What a rounded wait, and a clock that ticks otherwise, may take off what was asked for. */
const leeway = 0.9;

/** Under this, a client that waits cannot be told from one whose timers are played. */
const surelyWaitedMs = 500;

/** Dates have whole seconds, and mean a client's clock only where that shows the same time. */
const dateLeewayMs = 1000;
const sameClockMs = 5_000;

function* hastyRetries({ retriedGroups, isClockFrozen }: Evidence): Generator<Notice> {
  for (const task of retriedGroups) {
    for (const [at, entry] of task.attempts.entries()) {
      const last = task.attempts[at - 1];
      if (last === undefined || !isSameIntent(task, last, entry) || areParallel(last, entry))
        continue;
      const askedMs = waitAskedMs(last);
      const waitedMs = gapMs(last, entry);
      if (askedMs === undefined || waitedMs >= askedMs * leeway) continue;
      const isSure = waitedMs >= surelyWaitedMs;
      if (!isSure && isClockFrozen) continue;
      const isMeant = isSure && (task.isNamed || entry.requestId !== undefined);
      yield {
        what: `${capitalize(task.description)} was asked for again after ${formatDuration(waitedMs)}, although the answer said to wait ${formatDuration(askedMs)}.`,
        evidence: [last, entry],
        purchase: task.purchase,
        ...(!isMeant && { severity: 'medium', confidence: 'possible' }),
      };
      break;
    }
  }
}

/** How long an answer says to wait; absent where it says nothing that the client could tell. */
function waitAskedMs({
  retryAfter,
  atMs,
  openedRealMs,
  concludes,
}: StoredEntry): number | undefined {
  if (retryAfter === undefined || concludes === 'OK') return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  if (Math.abs(atMs - openedRealMs) > sameClockMs) return undefined;
  const waitMs = Date.parse(retryAfter) - atMs - dateLeewayMs;
  return waitMs > 0 ? waitMs : undefined;
}

/** Code that waits, looks or logs between two tries takes longer than a library that tries again by itself. */
const hiddenMs = 50;

function* hiddenRetries({ retriedGroups }: Evidence): Generator<Notice> {
  for (const task of retriedGroups) {
    for (const [at, entry] of task.attempts.entries()) {
      const last = task.attempts[at - 1];
      if (last === undefined || !isHidden(last, entry)) continue;
      yield {
        what: `The request for ${task.description} was sent again on a new connection, byte for byte, within ${hiddenMs} ms of the old one breaking: HTTP libraries do that by themselves.`,
        evidence: [last, entry],
        purchase: task.purchase,
        confidence: 'likely',
      };
      break;
    }
  }
}

/** With a request id a repeat does no harm, whoever makes it, and may be meant. */
function isHidden(last: StoredEntry, entry: StoredEntry): boolean {
  const { delivery, closedRealMs, requestId, request, atMs } = last;
  return (
    delivery.state === 'lost' &&
    !delivery.clientLeft &&
    requestId === undefined &&
    entry.requestId === undefined &&
    request !== undefined &&
    request === entry.request &&
    entry.reusedConnection === false &&
    entry.openedRealMs - closedRealMs <= hiddenMs &&
    entry.atMs - atMs <= hiddenMs
  );
}
