import type { Evidence } from '../../evidence/evidence.ts';
import { firstExamples, formatCount, formatDuration } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { areEqual, fakeTimersAdvice, groupByOperation } from './retry-waits.ts';

/** Finds clients that retry without waits, or with waits of equal length. */
export const retryNoBackoff: FindingRule = {
  id: 'retry-no-backoff',
  severity: 'medium',
  about: 'A request was retried several times without waits, or with waits that do not grow.',
  remedy: 'Double the wait with each retry, with full jitter and an upper limit.',
  find: findFlatRetries,
};

/** Waits drawn at random from a useful range are not shorter than this three times in a row. */
const noWaitMs = 20;

/** Fewer waits prove nothing: full jitter may draw two short ones. */
const minWaits = 3;

function* findFlatRetries(evidence: Evidence): Generator<Detection> {
  for (const [operation, runs] of groupByOperation(evidence)) {
    // A single wait cannot grow.
    const long = runs.filter(({ waits }) => waits.length >= 2 && waits.every(({ isOwn }) => isOwn));
    const waits = long.flatMap((run) => run.waits);
    if (waits.length < minWaits) continue;
    const found = {
      evidence: firstExamples(long.flatMap(({ attempts }) => attempts)),
      purchase: long[0]?.group.purchase,
    };
    const retried = `${operation} was retried ${formatCount(waits.length, 'time')}`;
    if (waits.every(({ ms }) => ms < noWaitMs)) {
      // On a frozen clock, waits with fake timers cannot be seen.
      if (evidence.isClockFrozen) continue;
      yield {
        ...found,
        what: `${retried} without a wait.`,
        confidence: 'possible',
        remedy: `${retryNoBackoff.remedy} ${fakeTimersAdvice}`,
      };
    } else if (long.every((run) => run.waits.length >= minWaits && areEqual(run.waits))) {
      const wait = formatDuration(waits[0]?.ms ?? 0);
      yield {
        ...found,
        what: `${retried}, each time after the same wait of ${wait}.`,
        confidence: 'likely',
      };
    }
  }
}
