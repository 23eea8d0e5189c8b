/** Findings about how fast a client tries again. */
import type { OperationName } from '../../../contract/service/operations.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { capitalize, firstExamples, formatCount, formatDuration } from '../../phrases.ts';
import type { RetryRun, Wait } from '../../purchases/retry-run.ts';

export const paceRules: readonly FindingRule[] = [
  {
    id: 'retry-no-backoff',
    severity: 'medium',
    about: 'A request was tried again and again without a pause, or with pauses that do not grow.',
    remedy: 'Double the pause with each try, with full jitter and a cap.',
    find: flatRetries,
  },
  {
    id: 'retry-no-jitter',
    severity: 'low',
    about: 'Every first retry came after the same pause.',
    remedy: 'Draw each pause at random between nothing and its full length.',
    find: evenRetries,
  },
  {
    id: 'retry-storm',
    severity: 'high',
    about: 'One request was tried so often and so fast that it makes an outage worse.',
    remedy:
      'Retry at one layer only, a few times, with growing pauses and a budget for all requests.',
    find: storms,
  },
];

/** Shorter than what is drawn from any useful pause three times in a row. */
const noPauseMs = 20;

/** Timers and networks shake a pause by some milliseconds, which must stay small beside it. */
const leastPauseMs = 100;

/** How much equal pauses may differ: with full jitter, three are as close as this once in ten thousand runs. */
const alike = 1.02;

/** Fewer say nothing: full jitter may draw two short ones. */
const fewestWaits = 3;

function* flatRetries(evidence: Evidence): Generator<Notice> {
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
        purchase: long[0]?.task.purchase,
        confidence: 'possible',
      };
    } else if (long.every(isEven)) {
      yield {
        what: `${operation} was tried again ${formatCount(waits.length, 'time')} with pauses that do not grow, of ${formatDuration(waits[0]?.ms ?? 0)} each.`,
        evidence: evidenceOf,
        purchase: long[0]?.task.purchase,
        confidence: 'likely',
      };
    }
  }
}

function isEven({ waits }: RetryRun): boolean {
  return waits.length >= fewestWaits && areAlike(waits);
}

function areAlike(waits: readonly Wait[]): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const { ms } of waits) [least, most] = [Math.min(least, ms), Math.max(most, ms)];
  return least >= leastPauseMs && most <= least * alike;
}

/** As few purchases as can show it. */
const fewestRuns = 4;

function* evenRetries(evidence: Evidence): Generator<Notice> {
  for (const [operation, runs] of byOperation(evidence)) {
    const firsts = runs.flatMap(({ attempts: [one, two], waits: [wait] }) =>
      wait?.isOwn === true && one !== undefined && two !== undefined ? [{ wait, one, two }] : [],
    );
    if (firsts.length < fewestRuns || !areAlike(firsts.map(({ wait }) => wait))) continue;
    yield {
      what: `The first retry of ${operation} came after ${formatDuration(firsts[0]?.wait.ms ?? 0)} in all ${firsts.length} cases.`,
      evidence: firstExamples(firsts.flatMap(({ one, two }) => [one, two])),
      confidence: 'likely',
    };
  }
}

/** Requests for one purchase beyond which retries do more harm than good. */
const mostTries = 5;
const windowMs = 120_000;

/** No client that backs off comes to this many within the window. */
const mostWithBackoff = 20;

function* storms({ retryRuns }: Evidence): Generator<Notice> {
  for (const { task, attempts } of retryRuns) {
    if (!hasWithin(attempts, mostTries + 1)) continue;
    yield {
      what: `${capitalize(task.description)} was asked for ${formatCount(attempts.length, 'time')} in a row.`,
      evidence: firstExamples(attempts),
      purchase: task.purchase,
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

function byOperation({ retryRuns }: Evidence): ReadonlyMap<OperationName, readonly RetryRun[]> {
  return groupBy(retryRuns, ({ task }) => task.operation);
}
