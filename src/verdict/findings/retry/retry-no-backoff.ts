import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { byOperation, areAlike } from './retry-waits.ts';
import { firstExamples, formatCount, formatDuration } from '../../phrases.ts';
import type { RetryRun } from '../../purchases/retry-run.ts';

/** A request was tried again and again without a pause, or with pauses that do not grow. */
export const retryNoBackoff: FindingRule = {
  id: 'retry-no-backoff',
  severity: 'medium',
  about: 'A request was tried again and again without a pause, or with pauses that do not grow.',
  remedy: 'Double the pause with each try, with full jitter and a cap.',
  find: flatRetries,
};

/** Shorter than what is drawn from any useful pause three times in a row. */
const noPauseMs = 20;

/** Fewer say nothing: full jitter may draw two short ones. */
const fewestWaits = 3;

function* flatRetries(evidence: Evidence): Generator<Detection> {
  for (const [operation, runs] of byOperation(evidence)) {
    // A run of two tries has one pause, and no pause before it to grow from.
    const long = runs.filter(({ waits }) => waits.length >= 2 && waits.every(({ isOwn }) => isOwn));
    const waits = long.flatMap((run) => run.waits);
    if (waits.length < fewestWaits) continue;
    const evidenceOf = firstExamples(long.flatMap(({ attempts }) => attempts));
    if (waits.every(({ ms }) => ms < noPauseMs)) {
      // On a clock that stands still, a pause that is only played cannot be seen.
      if (evidence.isClockFrozen) continue;
      yield {
        what: `${operation} was tried again ${formatCount(waits.length, 'time')} without a pause.`,
        evidence: evidenceOf,
        purchase: long[0]?.group.purchase,
        confidence: 'possible',
      };
    } else if (long.every(isEven)) {
      yield {
        what: `${operation} was tried again ${formatCount(waits.length, 'time')} with pauses that do not grow, of ${formatDuration(waits[0]?.ms ?? 0)} each.`,
        evidence: evidenceOf,
        purchase: long[0]?.group.purchase,
        confidence: 'likely',
      };
    }
  }
}

function isEven({ waits }: RetryRun): boolean {
  return waits.length >= fewestWaits && areAlike(waits);
}
