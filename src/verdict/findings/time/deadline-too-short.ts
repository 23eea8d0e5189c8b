import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import { formatCount, formatDuration, firstExamples } from '../../phrases.ts';
import { openForMs } from '../../evidence/exchange-order.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';

/** A client left a payment before a slow bank could have answered, and asked for it again. */
export const deadlineTooShort: FindingRule = {
  id: 'deadline-too-short',
  severity: 'medium',
  about: 'A client left a payment before a slow bank could have answered, and asked for it again.',
  remedy: 'Wait longer than the slowest usual answer: at least 10 s for a payment.',
  find: hastyLeavings,
};

/** Issuers take 8 to 30 seconds at times; a deadline under this turns some of their answers into doubts. */
const shortestDeadlineMs = 10_000;

/** Nobody waits less for a payment but a test that is in a hurry. */
const testsDeadlineMs = 250;

function* hastyLeavings({ retriedGroups }: Evidence): Generator<Detection> {
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
