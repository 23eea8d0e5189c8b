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
import { tableOf } from '../../journal/explain/report.ts';
import { GateError } from '../../scenarios/scenario-error.ts';
import { describeMismatch, type Gates, type WaitingGate } from './gates.ts';
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
  let readHeld = gates.readHeld();
  const timeoutError = (why: string): WaitTimeoutError => {
    const held = readHeld();
    return new WaitTimeoutError(
      [
        `${why} ${held.length} of ${times} requests were held.`,
        ...describeMissing(gates.waitingGates(), journal),
      ].join('\n'),
      held.flatMap(({ debugId }) => journal.get(debugId) ?? []),
    );
  };
  return waitUntil<readonly HeldRequest[]>(
    (resolve, reject) =>
      gates.listen(() => {
        const canFill = gates.size + gates.capacity >= times;
        // When a gate releases by itself, what it held until then is the result.
        if (canFill) readHeld = gates.readHeld();
        if (gates.size >= times) resolve(readHeld());
        else if (!canFill)
          reject(
            timeoutError(
              'The requests were released before all came, by a call or because the time of their gate was over.',
            ),
          );
      }),
    () => timeoutError(`Waited ${settings.timeoutMs} ms.`),
    settings,
  );
}

/** Says what the gates wait for, and what came since they were added without being held. */
function describeMissing(gates: readonly WaitingGate[], journal: Journal): string[] {
  if (gates.length === 0) return [];
  const sinceSeq = Math.min(...gates.map((one) => one.sinceSeq));
  const others = journal
    .all()
    .filter(({ seq, holds, status }) => seq >= sinceSeq && status !== 0 && holds.length === 0);
  return [
    ...gates.map((one) => {
      const { id, operations, at, count } = one.gate;
      return `Gate ${id} (${operations.join(', ')}, ${at}): ${one.came} of ${count} came.${describeMismatch(one)}`;
    }),
    `Arrived and not held:\n${tableOf(others)}`,
  ];
}
