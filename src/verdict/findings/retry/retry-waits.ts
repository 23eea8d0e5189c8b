/** What the rules about waits between retries share. */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { RetryRun, Wait } from '../../purchases/retry-run.ts';

/** Timers and networks add some milliseconds to a wait. In shorter waits they would hide that two are equal. */
const minWaitMs = 100;

/** How much equal waits may differ. With full jitter, three are this close once in ten thousand runs. */
const tolerance = 1.02;

/** Advice where a wait is so short that the client may have waited with fake timers. */
export const fakeTimersAdvice =
  "If the client waited with fake timers, move the merchant's clock by the same time, with merchant.clock.advance.";

/** Whether a client waited equally long each time, so that its waits neither grow nor vary. */
export function areEqual(waits: readonly Wait[]): boolean {
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (const { ms } of waits) [shortest, longest] = [Math.min(shortest, ms), Math.max(longest, ms)];
  return shortest >= minWaitMs && longest <= shortest * tolerance;
}

/** The runs of retries of each operation: one client repeats it everywhere in the same way. */
export function groupByOperation({
  retryRuns,
}: Evidence): ReadonlyMap<OperationName, readonly RetryRun[]> {
  return groupBy(retryRuns, ({ group }) => group.operation);
}
