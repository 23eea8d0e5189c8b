import type { Wait, RetryRun } from '../../purchases/retry-run.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import { groupBy } from '../../evidence/group-by.ts';

/** Timers and networks shake a pause by some milliseconds, which must stay small beside it. */
const leastPauseMs = 100;

/** How much equal pauses may differ: with full jitter, three are as close as this once in ten thousand runs. */
const alike = 1.02;

export function areAlike(waits: readonly Wait[]): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const { ms } of waits) [least, most] = [Math.min(least, ms), Math.max(most, ms)];
  return least >= leastPauseMs && most <= least * alike;
}

export function byOperation({
  retryRuns,
}: Evidence): ReadonlyMap<OperationName, readonly RetryRun[]> {
  return groupBy(retryRuns, ({ group }) => group.operation);
}
