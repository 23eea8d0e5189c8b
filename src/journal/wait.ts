/** Waits for exchanges: for what a background job will send, without asking again and again. */
import { setMaxListeners } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { conditionsOf, judge, type ReadQuery } from './condition.ts';
import type { Entry } from './entry.ts';
import type { Journal } from './journal.ts';
import { WaitTimeout } from './mistakes.ts';
import { exchanges, nearestOf, tableOf, wordsOf } from './report.ts';

/** Runs `action` once after `delayMs`, unless what it returns is called first. */
export type StartTimer = (action: () => void, delayMs: number) => () => void;

export interface WaitSettings {
  readonly times?: number | undefined;
  readonly timeoutMs: number;
  /** The first of them to abort ends the wait, with its reason. */
  readonly signals?: readonly AbortSignal[] | undefined;
  readonly startTimer?: StartTimer | undefined;
}

// Taken at import, so that a test's fake timers do not stop the clock of those who wait.
const [start, stop] = [setTimeout, clearTimeout];

/** Time of the machine. It holds the process: nothing else may, where nobody listens, and somebody waits. */
const machineTimer: StartTimer = (action, delayMs) => {
  const timer = start(action, delayMs);
  return () => stop(timer);
};

/** Ends waits, however many there are: from eleven listeners on Node would warn of a leak. */
export function endOfWaits(): AbortController {
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  return end;
}

/**
 * Resolves with the exchanges that meet a query as soon as there are `times` of them, those already in the journal
 * included. An exchange counts once it is over; ask for `delivery: 'open'` to be told of one that has only begun.
 */
export function waitFor(
  journal: Journal,
  query: ReadQuery,
  { times = 1, timeoutMs, signals = [], startTimer = machineTimer }: WaitSettings,
): Promise<readonly Entry[]> {
  const conditions = conditionsOf(query);
  const counts = (entry: Entry): boolean =>
    (entry.delivery.state === 'open') === (query.delivery === 'open') &&
    judge(entry, conditions) === 'meets';
  const all = journal.all();
  const found = all.filter(counts).map((entry) => entry.plain());
  // As they are now: the journal's own lose their texts when later ones take their place.
  const others: Entry[] = all
    .filter((entry) => entry.delivery.state !== 'open' && !counts(entry))
    .map((entry) => entry.plain());
  let cameInstead = 0;
  const note = (entry: Entry): void => {
    cameInstead++;
    others.push(entry);
    // A wait holds no more than the journal does, however long it lasts.
    if (others.length > journal.limits.maxEntries) others.shift();
  };
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopListening();
      stopTimer();
      for (const signal of signals) signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => {
      const reason: unknown = signals.find(({ aborted }) => aborted)?.reason;
      end(() => reject(asError(reason)));
    };
    const stopListening = journal.listen((entry) => {
      if (counts(entry)) found.push(entry);
      else if (entry.delivery.state !== 'open') note(entry);
      if (found.length >= times) end(() => resolve(found));
    });
    const stopTimer = startTimer(() => {
      const kept = others.slice(Math.max(0, others.length - cameInstead));
      const message = [
        `Waited ${timeoutMs} ms for ${exchanges(times)} ${wordsOf(conditions)}; ${found.length} came.`,
        `What came instead:\n${tableOf(kept, cameInstead - kept.length)}`,
        nearestOf(others, conditions),
      ];
      end(() => reject(new WaitTimeout(message.filter((line) => line !== '').join('\n'), found)));
    }, timeoutMs);
    for (const signal of signals) signal.addEventListener('abort', abort);
    if (signals.some(({ aborted }) => aborted)) abort();
    else if (found.length >= times) end(() => resolve(found));
  });
}

/** Resolves once every exchange is over, and at the latest when the time has passed. */
export async function quiet(
  journal: Journal,
  { timeoutMs, signals = [], startTimer = machineTimer }: WaitSettings,
): Promise<void> {
  const isQuiet = (): boolean => journal.underWay === 0;
  if (isQuiet() || timeoutMs === 0 || signals.some(({ aborted }) => aborted)) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      stopListening();
      stopTimer();
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    const stopListening = journal.listen(() => {
      if (isQuiet()) end();
    });
    const stopTimer = startTimer(end, timeoutMs);
    for (const signal of signals) signal.addEventListener('abort', end);
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(`The wait was given up: ${String(reason)}`);
}
