import { serviceProblems } from '../../../contract/problems.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { sumOf } from '../../../shared/counts.ts';
import { isNewCardNotFound } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { areParallel, consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { AttemptGroup } from '../../purchases/attempts.ts';
import { allowsRetry } from '../../evidence/exchange-results.ts';
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

function* findStorms(evidence: Evidence): Generator<Detection> {
  for (const group of evidence.retriedGroups) {
    if (!hasInWindow(group.attempts, maxAttempts + 1)) continue;
    for (const attempts of runsOf(evidence, group)) {
      if (!hasInWindow(attempts, maxAttempts + 1)) continue;
      yield {
        what: `The request for ${group.description} was sent ${formatCount(attempts.length, 'time')} in a row.`,
        evidence: firstExamples(attempts),
        purchase: group.purchase,
        ...weigh(attempts),
      };
    }
  }
}

/** Runs of attempts that repeat one that had failed, perhaps by several workers at once. */
function runsOf(evidence: Evidence, { attempts, hasInvoiceNumber }: AttemptGroup): StoredEntry[][] {
  const runs: StoredEntry[][] = [];
  const openRuns = new Map<string, StoredEntry[]>();
  for (const entry of attempts) {
    const key = hasInvoiceNumber ? '' : (entry.requestId ?? '');
    const open = openRuns.get(key);
    const [first] = open ?? [];
    if (open === undefined || first === undefined) {
      const run = [entry];
      openRuns.set(key, run);
      runs.push(run);
    } else if (!areParallel(first, entry)) open.push(entry);
    if (!allowsRetry(entry) && !isNewCardNotFound(evidence, entry)) openRuns.delete(key);
  }
  return runs;
}

function weigh(attempts: readonly StoredEntry[]): Pick<Detection, 'severity' | 'confidence'> {
  const working = attempts.filter((entry) => !isRecognizedRepeat(entry));
  if (hasInWindow(working, attemptsWithoutBackoff)) return { confidence: 'likely' };
  // Several workers may deliver one job, each within its own budget. Their common request id makes that safe.
  const [first] = attempts;
  const isOneKey =
    first?.requestId !== undefined &&
    attempts.every(({ requestId }) => requestId === first.requestId);
  // A few more attempts with growing waits may be the client's own budget.
  return isOneKey || areWaitsGrowing(attempts)
    ? { severity: 'low', confidence: 'possible' }
    : { severity: 'medium', confidence: 'possible' };
}

/** With waits that double, the last ones take several times as long as the first ones. With equal ones, they take as long. */
const minGrowth = 1.5;

/** Whether the client waited longer in the second half of the attempts. It tells growing waits, even random ones. */
export function areWaitsGrowing(attempts: readonly StoredEntry[]): boolean {
  const waitsMs = consecutivePairs(attempts).map(([last, entry]) => waitMsBetween(last, entry));
  const half = Math.floor(waitsMs.length / 2);
  return sumOf(waitsMs.slice(-half)) > sumOf(waitsMs.slice(0, half)) * minGrowth;
}

/** How long a client waited after an attempt. The time in which it waited for the answer does not count. */
function waitMsBetween(last: StoredEntry, entry: StoredEntry): number {
  return Math.max(0, gapMs(last, entry) - last.waitedMs);
}

/** Whether the service knew the request id and did no work: it refused or replayed the repeat. */
function isRecognizedRepeat({ replayed, problem }: StoredEntry): boolean {
  return replayed || problem === serviceProblems['request-in-progress'].name;
}

/** Whether this many attempts came within one window. */
function hasInWindow(attempts: readonly StoredEntry[], count: number): boolean {
  return attempts.some((entry, at) => {
    const first = attempts[at - count + 1];
    return first !== undefined && gapMs(first, entry) <= windowMs;
  });
}
