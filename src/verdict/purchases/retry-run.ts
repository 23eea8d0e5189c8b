/** Runs of retries: attempts that follow one another because the last answer allowed another one. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { areParallel, gapMs, haveSeveralSenders } from '../evidence/exchange-order.ts';
import { allowsRetry } from '../evidence/exchange-results.ts';
import { isSameIntent, type AttemptGroup } from './attempts.ts';

/** The time from one attempt to the next. */
export interface Wait {
  readonly ms: number;
  /**
   * Whether the client chose the time itself. It followed no Retry-After, and no slow answer is part of it. No test moved
   * the merchant's clock meanwhile, and no other worker sends the same request.
   */
  readonly isOwn: boolean;
}

export interface RetryRun {
  readonly group: AttemptGroup;
  /** Two or more, oldest first. */
  readonly attempts: readonly StoredEntry[];
  /** One fewer than attempts. */
  readonly waits: readonly Wait[];
}

/** Finds the runs of retries in a group, oldest first. */
export function findRetryRuns(group: AttemptGroup): RetryRun[] {
  const runs: { group: AttemptGroup; attempts: StoredEntry[]; waits: Wait[] }[] = [];
  let last: StoredEntry | undefined;
  let run: (typeof runs)[number] | undefined;
  const isOneSender = !haveSeveralSenders(group.attempts);
  for (const entry of group.attempts) {
    if (last === undefined || !isRetry(group, last, entry)) run = undefined;
    else {
      if (run === undefined) {
        run = { group, attempts: [last], waits: [] };
        runs.push(run);
      }
      run.attempts.push(entry);
      const wait = waitBetween(last, entry);
      run.waits.push(isOneSender ? wait : { ...wait, isOwn: false });
    }
    last = entry;
  }
  return runs;
}

function isRetry(group: AttemptGroup, last: StoredEntry, entry: StoredEntry): boolean {
  return allowsRetry(last) && isSameIntent(group, last, entry) && !areParallel(last, entry);
}

/** How much the readings of two clocks that run alike may differ. */
const clockNoiseMs = 2;

/** The share of a wait that the answer may have taken. */
const answerShare = 0.01;

function waitBetween(last: StoredEntry, entry: StoredEntry): Wait {
  const ms = gapMs(last, entry);
  return {
    ms,
    isOwn:
      last.retryAfter === undefined &&
      last.waitedMs <= Math.max(1, ms * answerShare) &&
      ms <= entry.openedRealMs - last.openedRealMs + clockNoiseMs,
  };
}
