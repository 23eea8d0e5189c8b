/** Waits until gates hold requests. */
import { WaitTimeoutError } from '../../journal/errors.ts';
import type { Journal } from '../../journal/journal.ts';
import {
  maxWaits,
  throwIfAborted,
  waitLimitError,
  waitUntil,
  type WaitSettings,
} from '../../journal/query/wait.ts';
import { GateError } from '../../scenarios/scenario-error.ts';
import type { Gates } from './gates.ts';
import type { HeldRequest } from './held-request.ts';

/**
 * Resolves with the held requests as soon as there are `times` of them. Default: as many as the gates hold when all of
 * them are full.
 *
 * Rejects at once if the gates cannot hold so many, also if one of them ends during the wait.
 */
export async function waitForHeld(
  { gates, journal }: { readonly gates: Gates; readonly journal: Journal },
  { times = Math.max(1, gates.size + gates.capacity), ...settings }: WaitSettings,
): Promise<readonly HeldRequest[]> {
  throwIfAborted(settings.signals ?? []);
  if (gates.size >= times) return gates.held();
  if (gates.size + gates.capacity < times) {
    throw new GateError([
      `waitForHeld: the gates can hold ${gates.size + gates.capacity} of ${times} requests. Call hold() first, and release() afterwards.`,
    ]);
  }
  if (gates.waiting >= maxWaits) throw waitLimitError();
  let held = gates.held();
  const timeoutError = (why: string): WaitTimeoutError =>
    new WaitTimeoutError(
      `${why} ${held.length} of ${times} requests were held.`,
      held.flatMap(({ debugId }) => journal.get(debugId) ?? []),
    );
  return waitUntil<readonly HeldRequest[]>(
    (resolve, reject) =>
      gates.listen(() => {
        const canFill = gates.size + gates.capacity >= times;
        // When a gate releases by itself, what it held until then is the result.
        if (canFill) held = gates.held();
        if (gates.size >= times) resolve(held);
        else if (!canFill) reject(timeoutError('The requests were released before all came.'));
      }),
    () => timeoutError(`Waited ${settings.timeoutMs} ms.`),
    settings,
  );
}
