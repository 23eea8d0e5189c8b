/** Tries that follow one another because the answer before allowed another one. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { areParallel, gapMs, openForMs } from '../evidence/exchange-order.ts';
import { isSameIntent, type AttemptGroup } from './attempts.ts';

/** The time from one try to the next. */
export interface Wait {
  readonly ms: number;
  /** The client chose it: no Retry-After did, and no long wait for the answer is part of it. */
  readonly isOwn: boolean;
}

export interface RetryRun {
  readonly task: AttemptGroup;
  /** Two or more. */
  readonly attempts: readonly StoredEntry[];
  /** One fewer. */
  readonly waits: readonly Wait[];
}

/** The runs of a task, oldest first. */
export function findRetryRuns(task: AttemptGroup): RetryRun[] {
  const runs: { task: AttemptGroup; attempts: StoredEntry[]; waits: Wait[] }[] = [];
  let last: StoredEntry | undefined;
  let run: (typeof runs)[number] | undefined;
  for (const entry of task.attempts) {
    const goesOn = last !== undefined && isRetry(task, last, entry);
    if (!goesOn || last === undefined) run = undefined;
    else {
      if (run === undefined) {
        run = { task, attempts: [last], waits: [] };
        runs.push(run);
      }
      run.attempts.push(entry);
      run.waits.push(waitBetween(last, entry));
    }
    last = entry;
  }
  return runs;
}

/** Nothing was done, and the request was not at fault. */
const mayPass: ReadonlySet<number> = new Set([408, 425, 429]);

function isRetry(task: AttemptGroup, last: StoredEntry, entry: StoredEntry): boolean {
  const invites = last.concludes === 'UNKNOWN' || mayPass.has(last.status);
  return invites && isSameIntent(task, last, entry) && !areParallel(last, entry);
}

/** A share of the wait that does not show in it. */
const smallShare = 0.01;

function waitBetween(last: StoredEntry, entry: StoredEntry): Wait {
  const ms = gapMs(last, entry);
  return {
    ms,
    isOwn: last.retryAfter === undefined && openForMs(last) <= Math.max(1, ms * smallShare),
  };
}
