/** Waits for exchanges: for what a background job will send, without asking again and again. */
import { setMaxListeners } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { conditionsOf, matchEntry, type ReadQuery } from './condition.ts';
import type { Entry } from '../entry.ts';
import { WaitTimeoutReport } from './wait-timeout-report.ts';
import type { Journal } from '../journal.ts';
import { QueryError, WaitEndedError, WaitLimitError, WaitTimeoutError } from '../errors.ts';
import { countExchanges, describeConditions } from '../explain/report.ts';

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
const realTimer: StartTimer = (action, delayMs) => {
  const timer = start(action, delayMs);
  return () => stop(timer);
};

/** Ends the waits of a merchant or a sandbox. Its signal is made for the first that waits: few ever do. */
export class WaitCanceller {
  #controller: AbortController | undefined;
  #reason: WaitEndedError | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      allowManyListeners(this.#controller.signal);
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Ends the waits there are and those to come, with a `WaitEndedError` that says why. */
  cancel(why: string): void {
    this.#reason = new WaitEndedError(why);
    this.#controller?.abort(this.#reason);
  }
}

/** From eleven listeners on Node would warn of a leak. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal);
  } catch {
    // Where a test plays a browser, as with happy-dom, signals are not Node's: it refuses them, and warns of none.
  }
}

/** Of one merchant. Each exchange is held against what every one of them waits for. */
export const maxWaits = 1_000;

/**
 * Resolves with the exchanges that meet a query as soon as there are `times` of them, those already in the journal
 * included. An exchange counts once it is over; ask for `delivery: 'open'` to be told of one that has only begun.
 * Rejects with a `QueryError` where there are more `times` than the journal keeps exchanges, and with a `WaitLimitError`
 * where too many wait already.
 */
export async function waitFor(
  journal: Journal,
  query: ReadQuery,
  { times = 1, timeoutMs, signals = [], startTimer = realTimer }: WaitSettings,
): Promise<readonly Entry[]> {
  refuseTooMany(journal, times);
  const conditions = conditionsOf(query);
  const counts = (entry: Entry): boolean =>
    (entry.delivery.state === 'open') === (query.delivery === 'open') &&
    matchEntry(entry, conditions) === 'meets';
  const report = new WaitTimeoutReport(conditions);
  // As they are now: the journal's own lose their texts when later ones take their place.
  const found: Entry[] = [];
  for (const entry of journal.all()) {
    if (counts(entry)) found.push(entry.plain());
    else if (entry.delivery.state !== 'open') report.addEarlier(entry);
  }
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) throw asError(aborted.reason);
  if (found.length >= times) return found;
  if (journal.waiting >= maxWaits) {
    throw new WaitLimitError(
      `${maxWaits} wait for exchanges of this merchant already, the most that may. Wait for fewer at once, or as another merchant.`,
    );
  }
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopListening();
      stopTimer();
      for (const signal of signals) signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => {
      const reason: unknown = signals.find((signal) => signal.aborted)?.reason;
      end(() => reject(asError(reason)));
    };
    const stopListening = journal.listen((entry) => {
      if (counts(entry)) found.push(entry.plain());
      else if (entry.delivery.state !== 'open') report.addArrived(entry);
      if (found.length >= times) end(() => resolve(found));
    });
    const stopTimer = startTimer(() => {
      const waited = `Waited ${timeoutMs} ms for ${countExchanges(times)} ${describeConditions(conditions)}; ${found.length} came.`;
      end(() => reject(new WaitTimeoutError(`${waited}\n${report.text}`, found)));
    }, timeoutMs);
    for (const signal of signals) signal.addEventListener('abort', abort);
  });
}

/** What is found is held until the wait ends, so a wait holds no more than the journal may. */
function refuseTooMany({ isOff, limits: { maxEntries } }: Journal, times: number): void {
  if (times <= maxEntries) return;
  const room = 'limits.maxJournalEntries (--max-journal-entries)';
  const why = isOff
    ? `cannot be met: the journal is off, so nothing can be waited for. Give it room by ${room}`
    : `must be at most ${maxEntries}: the journal keeps no more exchanges. Give it more room by ${room}, or wait several times, each from a later time on`;
  throw new QueryError(`'times' ${why}.`, 'times', undefined, undefined);
}

/** Resolves once every exchange is over, and at the latest when the time has passed. */
export async function waitUntilIdle(
  journal: Journal,
  { timeoutMs, signals = [], startTimer = realTimer }: WaitSettings,
): Promise<void> {
  const isQuiet = (): boolean => journal.openCount === 0;
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
