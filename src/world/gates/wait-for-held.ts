/** Waits until gates hold requests. */
import { serviceProblems } from '../../contract/problems.ts';
import { WaitTimeoutError } from '../../journal/errors.ts';
import type { Journal } from '../../journal/journal.ts';
import {
  hintLines,
  maxWaits,
  throwIfAborted,
  waitLimitError,
  waitUntil,
  type WaitSettings,
} from '../../journal/query/wait.ts';
import { tableOf } from '../../journal/explain/report.ts';
import { GateError } from '../../scenarios/scenario-error.ts';
import {
  describeCame,
  describeGate,
  describeMismatch,
  type Gates,
  type WaitingGate,
} from './gates.ts';
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
    throw new GateError([describeLack(gates, times)]);
  }
  if (gates.waiting >= maxWaits) throw waitLimitError();
  let readHeld = gates.readHeld();
  let unfilled = gates.waitingGates();
  const timeoutError = (why: string): WaitTimeoutError => {
    const held = readHeld();
    return new WaitTimeoutError(
      [
        `${why} ${held.length} of ${times} requests were held.`,
        ...describeMissing(unfilled, journal),
        ...hintLines(settings.hint),
      ].join('\n'),
      held.flatMap(({ debugId }) => journal.get(debugId) ?? []),
    );
  };
  return waitUntil<readonly HeldRequest[]>(
    (resolve, reject) =>
      gates.listen(() => {
        const canFill = gates.size + gates.capacity >= times;
        // When a gate releases by itself, what it held until then is the result.
        if (canFill) {
          readHeld = gates.readHeld();
          unfilled = gates.waitingGates();
        }
        if (gates.size >= times) resolve(readHeld());
        else if (!canFill) reject(timeoutError('The requests were released before all came.'));
      }),
    () => timeoutError(`Waited ${settings.timeoutMs} ms.`),
    settings,
  );
}

const inProgress = serviceProblems['request-in-progress'].name;

/** A client that shares one request id is correct, so its test must hold it in another way. */
const adviceOnRepeats =
  "While a request is held before its commit, a repeat with its PayPal-Request-Id gets this 409. Hold one request, or hold both at: 'before-answer'.";

/** Why the gates cannot hold so many requests. A gate that ended early is the usual reason. */
function describeLack(gates: Gates, times: number): string {
  const most = gates.size + gates.capacity;
  if (most > 0) {
    return `waitForHeld times: the gates hold ${most} ${most === 1 ? 'request' : 'requests'} at most, got ${times}.`;
  }
  const ended = gates
    .unfilled()
    .map((one) => ` ${describeGate(one)} has ended: ${describeCame(one)}`);
  return `waitForHeld: no gate waits for requests. Call hold() first, and release() afterwards.${ended.join('')}`;
}

/** Says what the gates wait for, and what came since they were added without being held. */
function describeMissing(gates: readonly WaitingGate[], journal: Journal): string[] {
  if (gates.length === 0) return [];
  const sinceSeq = Math.min(...gates.map((one) => one.sinceSeq));
  const others = journal
    .all()
    .filter(({ seq, holds, status }) => seq >= sinceSeq && status !== 0 && holds.length === 0);
  return [
    ...gates.map((one) => `${describeGate(one)}: ${describeCame(one)}${describeMismatch(one)}`),
    `Arrived and not held:\n${tableOf(others)}`,
    ...(others.some(({ problem }) => problem === inProgress) ? [adviceOnRepeats] : []),
  ];
}
