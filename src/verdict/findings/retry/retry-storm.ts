import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds requests with so many retries in two minutes that they make an outage worse. */
export const retryStorm: FindingRule = {
  id: 'retry-storm',
  severity: 'high',
  about: 'One request was retried so often and so fast that it makes an outage worse.',
  remedy:
    'Retry in one layer only, a few times, with growing waits and one budget for all requests.',
  find: findStorms,
};

const windowMs = 120_000;

/** With more attempts than this, retries do more harm than good. */
const maxAttempts = 5;

/** A client that backs off does not reach this many attempts. */
const attemptsWithoutBackoff = 20;

function* findStorms({ retryRuns }: Evidence): Generator<Detection> {
  for (const { group, attempts } of retryRuns) {
    if (!hasInWindow(attempts, maxAttempts + 1)) continue;
    yield {
      what: `The request for ${group.description} was sent ${formatCount(attempts.length, 'time')} in a row.`,
      evidence: firstExamples(attempts),
      purchase: group.purchase,
      // A few more attempts with growing waits may be the client's own budget.
      ...(hasInWindow(attempts, attemptsWithoutBackoff)
        ? { confidence: 'likely' }
        : { severity: 'medium', confidence: 'possible' }),
    };
  }
}

/** Whether this many attempts came within one window. */
function hasInWindow(attempts: readonly StoredEntry[], count: number): boolean {
  return attempts.some((entry, at) => {
    const first = attempts[at - count + 1];
    return first !== undefined && gapMs(first, entry) <= windowMs;
  });
}
