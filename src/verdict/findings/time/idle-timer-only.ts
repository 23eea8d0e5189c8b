import { operationNames } from '../../../contract/service/operations.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq } from '../../evidence/exchange-order.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatDuration } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds clients that abort a hanging answer but wait much longer for one that arrives byte by byte. */
export const idleTimerOnly: FindingRule = {
  id: 'idle-timer-only',
  severity: 'medium',
  about: 'The client aborts a silent answer, but waits without limit for one that arrives slowly.',
  remedy: 'Add a deadline for the whole call to the idle timer, for example AbortSignal.timeout.',
  find: findIdleTimers,
};

/** A client with a total deadline waits at most this many times as long for a slow answer. */
const maxRatio = 3;

/** Shorter timers belong to tests, which may fake them. */
const minTimerMs = 500;

function* findIdleTimers(evidence: Evidence): Generator<Detection> {
  const byOperation = groupBy(evidence.forced, (entry) => entry.operation);
  for (const operation of operationNames) {
    const entries = byOperation.get(operation) ?? [];
    const aborted = entries.filter((entry) => entry.delivery.clientLeft && hasFault(entry, 'hang'));
    const [first] = aborted;
    if (first === undefined) continue;
    const longest = aborted.reduce(
      (most, entry) => (entry.waitedMs > most.waitedMs ? entry : most),
      first,
    );
    const slow = entries.filter((entry) => hasFault(entry, 'slow-dribble'));
    const awaited = slow.find(
      (entry) =>
        entry.delivery.state === 'delivered' && entry.waitedMs > maxRatio * longest.waitedMs,
    );
    if (awaited === undefined || longest.waitedMs < minTimerMs) continue;
    if (slow.some(({ delivery }) => delivery.clientLeft)) continue;
    yield {
      what: `The client aborted a silent ${operation} after ${formatDuration(longest.waitedMs)}, but waited ${formatDuration(awaited.waitedMs)} for an answer that arrived slowly.`,
      evidence: [longest, awaited].toSorted(bySeq),
      confidence: 'possible',
    };
  }
}
