/** Findings about how long a client waits for an answer. */
import { operationNames, type OperationName } from '../../../contract/service/operations.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { indexAfter, openForMs } from '../../evidence/exchange-order.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { firstExamples, formatCount, formatDuration } from '../../phrases.ts';

export const timeRules: readonly FindingRule[] = [
  {
    id: 'no-deadline',
    severity: 'high',
    about: 'A client waited for an answer that never came until the sandbox closed the connection.',
    remedy: 'Give every call a deadline for the whole of it, such as AbortSignal.timeout.',
    find: endlessWaits,
  },
  {
    id: 'deadline-too-short',
    severity: 'medium',
    about:
      'A client left a payment before a slow bank could have answered, and asked for it again.',
    remedy: 'Wait longer than the slowest usual answer: at least 10 s for a payment.',
    find: hastyLeavings,
  },
  {
    id: 'idle-timer-only',
    severity: 'medium',
    about: 'A client leaves when nothing comes, and stays as long as a little comes now and then.',
    remedy: 'Set a deadline for the whole call beside the idle timer, such as AbortSignal.timeout.',
    find: idleTimers,
  },
];

/** As long as a connection is held by default: no buyer waits longer. */
const longestWaitMs = 60_000;

/** Timers may be early by a little. */
const timerSlackMs = 50;

function* endlessWaits(evidence: Evidence): Generator<Notice> {
  for (const operation of operationNames) {
    const hung = hungUntilTheEnd(evidence, operation);
    const [first] = hung;
    if (first === undefined) continue;
    // In process a call can be given up without a sign; over a socket that leaves the connection open for ever.
    const isSeen = hung.some(({ reusedConnection }) => reusedConnection !== undefined);
    yield {
      what: `${formatCount(hung.length, 'request')} of ${operation} ${hung.length === 1 ? 'was' : 'were'} still open after ${formatDuration(openForMs(first))} without an answer.`,
      evidence: firstExamples(hung),
      ...(isSeen ? { confidence: 'likely' } : { severity: 'medium', confidence: 'possible' }),
    };
  }
}

function hungUntilTheEnd(evidence: Evidence, operation: OperationName): StoredEntry[] {
  const entries = evidence.of(operation);
  return evidence.forced.filter(
    (entry) =>
      entry.operation === operation &&
      entry.overAtSeq !== 0 &&
      !entry.delivery.clientLeft &&
      openForMs(entry) >= longestWaitMs - timerSlackMs &&
      hasFault(entry, 'hang') &&
      !wasAskedMeanwhile(entries, entry),
  );
}

/** Whoever asks for the same meanwhile has given up, though it did not say so. */
function wasAskedMeanwhile(entries: readonly StoredEntry[], hung: StoredEntry): boolean {
  for (let at = indexAfter(entries, hung.seq); at < entries.length; at++) {
    const next = entries[at];
    if (next === undefined || next.seq >= hung.overAtSeq) return false;
    if (next.path === hung.path && next.request === hung.request) return true;
  }
  return false;
}

/** Issuers take 8 to 30 seconds at times; a deadline under this turns some of their answers into doubts. */
const shortestDeadlineMs = 10_000;

/** Nobody waits less for a payment but a test that is in a hurry. */
const testsDeadlineMs = 250;

function* hastyLeavings({ retriedGroups }: Evidence): Generator<Notice> {
  const left = retriedGroups
    .filter(({ operation }) => operation === 'payment.create')
    .flatMap(({ attempts }) =>
      attempts.flatMap((entry, at) => {
        const next = attempts[at + 1];
        return next !== undefined && wasLeftEarly(entry) ? [{ entry, next }] : [];
      }),
    );
  const [first] = left;
  if (first === undefined) return;
  const wasComing = left.some(({ entry }) => !hasFault(entry, 'hang'));
  yield {
    what: `${formatCount(left.length, 'payment')} ${left.length === 1 ? 'was' : 'were'} left after ${formatDuration(openForMs(first.entry))} without an answer, and asked for again.`,
    evidence: firstExamples(left.flatMap(({ entry, next }) => [entry, next])),
    // Where no answer would ever have come, a test may have been in a hurry to see what follows.
    confidence: wasComing ? 'likely' : 'possible',
  };
}

function wasLeftEarly(entry: StoredEntry): boolean {
  const ms = openForMs(entry);
  return entry.delivery.clientLeft && ms >= testsDeadlineMs && ms < shortestDeadlineMs;
}

/** What a total deadline allows for a slow answer at most, in lengths of the wait that it ended. */
const beyondDeadline = 3;

/** Shorter ones are those of tests, whose timers may be played. */
const shortestTimerMs = 500;

function* idleTimers(evidence: Evidence): Generator<Notice> {
  for (const operation of operationNames) {
    const entries = evidence.forced.filter((one) => one.operation === operation);
    const hung = entries.filter((one) => one.delivery.clientLeft && hasFault(one, 'hang'));
    const [first] = hung;
    if (first === undefined) continue;
    const longest = hung.reduce(
      (most, one) => (openForMs(one) > openForMs(most) ? one : most),
      first,
    );
    const dribbled = entries.filter((one) => hasFault(one, 'slow-dribble'));
    const satThrough = dribbled.find(
      (one) =>
        one.delivery.state === 'delivered' && openForMs(one) > beyondDeadline * openForMs(longest),
    );
    if (satThrough === undefined || openForMs(longest) < shortestTimerMs) continue;
    if (dribbled.some(({ delivery }) => delivery.clientLeft)) continue;
    yield {
      what: `A hanging ${operation} was left after ${formatDuration(openForMs(longest))}, and an answer that dripped was waited for ${formatDuration(openForMs(satThrough))}.`,
      evidence: [longest, satThrough].toSorted((a, b) => a.seq - b.seq),
      confidence: 'possible',
    };
  }
}
