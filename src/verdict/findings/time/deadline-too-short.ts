import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isEndExact, outlasts } from '../../evidence/exchange-order.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import { firstExamples, formatCount, formatDuration } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds payments that the client aborted and sent again before a slow issuer could have answered. */
export const deadlineTooShort: FindingRule = {
  id: 'deadline-too-short',
  severity: 'medium',
  about: 'The client aborted a payment before a slow bank could answer, and sent it again.',
  remedy: 'Wait longer than the slowest usual answer: at least 10 s for a payment.',
  find: findEarlyAborts,
};

/** Issuers can take 8 to 30 seconds. A shorter deadline turns their answers into unknown outcomes. */
const minDeadlineMs = 10_000;

/** Only a test in a hurry waits less than this. */
const testDeadlineMs = 250;

function* findEarlyAborts({ retriedGroups }: Evidence): Generator<Detection> {
  const aborted: { readonly entry: StoredEntry; readonly next: StoredEntry }[] = [];
  for (const { operation, attempts } of retriedGroups) {
    if (operation !== 'payment.create') continue;
    let last: StoredEntry | undefined;
    for (const next of attempts) {
      // A client that sends a second request beside the first may abort the slower one.
      if (last !== undefined && wasAbortedEarly(last) && !outlasts(last, next))
        aborted.push({ entry: last, next });
      last = next;
    }
  }
  const [first] = aborted;
  if (first === undefined) return;
  const wasAnswerComing = aborted.some(({ entry }) => !hasFault(entry, 'hang'));
  yield {
    what: `The client stopped waiting for ${formatCount(aborted.length, 'payment')} after ${describeWait(first.entry)} and sent ${aborted.length === 1 ? 'it' : 'them'} again.`,
    evidence: firstExamples(aborted.flatMap(({ entry, next }) => [entry, next])),
    // If no answer was coming, a test may have been in a hurry to see the retry.
    ...(wasAnswerComing
      ? { confidence: 'likely' as const }
      : { severity: 'low' as const, confidence: 'possible' as const }),
  };
}

function wasAbortedEarly(entry: StoredEntry): boolean {
  const ms = entry.waitedMs;
  return entry.delivery.clientLeft && ms >= testDeadlineMs && ms < minDeadlineMs;
}

/**
 * How long the client waited. Over a socket, the merchant's clock may have moved before the sandbox noticed that the client
 * had left, so the time on it is the most that the wait can have been.
 */
function describeWait(entry: StoredEntry): string {
  const waited = formatDuration(entry.waitedMs);
  const isExact =
    isEndExact(entry) || waited === formatDuration(entry.closedRealMs - entry.openedRealMs);
  return isExact ? waited : `at most ${waited}`;
}
