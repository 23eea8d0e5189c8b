import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { capitalize, formatCount, firstExamples } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { gapMs } from '../../evidence/exchange-order.ts';

/** One request was tried so often and so fast that it makes an outage worse. */
export const retryStorm: FindingRule = {
  id: 'retry-storm',
  severity: 'high',
  about: 'One request was tried so often and so fast that it makes an outage worse.',
  remedy:
    'Retry at one layer only, a few times, with growing pauses and a budget for all requests.',
  find: storms,
};

/** Requests for one purchase beyond which retries do more harm than good. */
const mostTries = 5;

const windowMs = 120_000;

/** No client that backs off comes to this many within the window. */
const mostWithBackoff = 20;

function* storms({ retryRuns }: Evidence): Generator<Detection> {
  for (const { group, attempts } of retryRuns) {
    if (!hasWithin(attempts, mostTries + 1)) continue;
    yield {
      what: `${capitalize(group.description)} was asked for ${formatCount(attempts.length, 'time')} in a row.`,
      evidence: firstExamples(attempts),
      purchase: group.purchase,
      // A few tries more than that, ever slower, are one client's own budget.
      ...(hasWithin(attempts, mostWithBackoff)
        ? { confidence: 'likely' }
        : { severity: 'medium', confidence: 'possible' }),
    };
  }
}

/** Whether so many of them came within the window. */
function hasWithin(attempts: readonly StoredEntry[], count: number): boolean {
  return attempts.some((entry, at) => {
    const before = attempts[at - count + 1];
    return before !== undefined && gapMs(before, entry) <= windowMs;
  });
}
