/** Waits for exchanges, for example of a background job, without polling. */
import { setMaxListeners } from 'node:events';
import { clearTimeout, setTimeout } from 'node:timers';
import { conditionsOf, matchEntry, type ReadQuery } from './condition.ts';
import type { Entry } from '../entry.ts';
import { WaitTimeoutReport } from './wait-timeout-report.ts';
import type { Journal } from '../journal.ts';
import { QueryError, WaitEndedError, WaitLimitError, WaitTimeoutError } from '../errors.ts';
import { countExchanges, describeConditions } from '../explain/report.ts';

/** Runs `action` once after `delayMs`, unless the returned function is called first. */
export type StartTimer = (action: () => void, delayMs: number) => () => void;

export interface WaitSettings {
  readonly times?: number | undefined;
  readonly timeoutMs: number;
  /** The first signal to abort ends the wait with its reason. */
  readonly signals?: readonly AbortSignal[] | undefined;
  readonly startTimer?: StartTimer | undefined;
  /** Says what to check if the wait fails, as the caller knows more than one merchant. */
  readonly hint?: (() => string | undefined) | undefined;
}

// Captured at import, so that fake timers of a test do not affect waits.
const [start, stop] = [setTimeout, clearTimeout];

/** A timer on the machine's clock. It keeps the process alive, which a wait in process needs. */
export const realTimer: StartTimer = (action, delayMs) => {
  const timer = start(action, delayMs);
  return () => stop(timer);
};

/**
 * Ends all waits of a merchant or sandbox. The signal is created on first use, because few ever
 * wait.
 */
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

  /** Ends current and future waits with a `WaitEndedError` that gives the reason. */
  cancel(why: string): void {
    this.#reason = new WaitEndedError(why);
    this.#controller?.abort(this.#reason);
  }
}

/** Node warns of a leak at eleven listeners. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal);
  } catch {
    // With happy-dom, for example, signals are not Node's own. Node refuses them, and they never
    // warn.
  }
}

/** For one merchant. Each exchange is checked against every wait. */
export const maxWaits = 1_000;

/**
 * Resolves with the matching exchanges as soon as there are `times` of them, including those
 * already in the journal.
 *
 * An exchange counts once it has ended; `delivery: 'open'` matches one that has only begun. Rejects
 * with a `QueryError` if `times` is more than the journal keeps, and with a `WaitLimitError` if
 * there are too many waits.
 */
export async function waitFor(
  journal: Journal,
  query: ReadQuery,
  { times = 1, timeoutMs, signals = [], startTimer = realTimer, hint }: WaitSettings,
): Promise<readonly Entry[]> {
  refuseTooMany(journal, times);
  const conditions = conditionsOf(query, journal.masking);
  const counts = (entry: Entry): boolean =>
    (entry.delivery.state === 'open') === (query.delivery === 'open') &&
    matchEntry(entry, conditions) === 'meets';
  const report = new WaitTimeoutReport(conditions);
  // Copies, because the journal can drop its own entries later.
  const found: Entry[] = [];
  for (const entry of journal.all()) {
    if (counts(entry)) found.push(entry.plain());
    else if (entry.delivery.state !== 'open') report.addEarlier(entry);
  }
  throwIfAborted(signals);
  if (found.length >= times) return found;
  if (journal.waiting >= maxWaits) throw waitLimitError();
  return waitUntil<readonly Entry[]>(
    (resolve) =>
      journal.listen((entry) => {
        if (counts(entry)) found.push(entry.plain());
        else if (entry.delivery.state !== 'open') report.addArrived(entry);
        if (found.length >= times) resolve(found);
      }),
    () => {
      const waited = `Waited ${timeoutMs} ms for ${countExchanges(times)} ${describeConditions(conditions)}; ${found.length} arrived.`;
      const lines = [waited, report.text, ...hintLines(hint)];
      return new WaitTimeoutError(lines.join('\n'), found);
    },
    { timeoutMs, signals, startTimer },
  );
}

/** The last line of a wait that failed, if there is something to check. */
export function hintLines(hint: WaitSettings['hint']): readonly string[] {
  const text = hint?.();
  return text === undefined ? [] : [text];
}

/** Throws the reason of the first signal that has aborted. */
export function throwIfAborted(signals: readonly AbortSignal[]): void {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) throw asError(aborted.reason);
}

/** The error of one wait too many. */
export function waitLimitError(): WaitLimitError {
  return new WaitLimitError(
    `This merchant has reached the limit of ${maxWaits} waits. Wait for fewer exchanges at once, or use another merchant.`,
  );
}

/**
 * Runs a wait until `watch` ends it, the time is up or a signal aborts. `watch` returns a function that stops watching.
 */
export function waitUntil<T>(
  watch: (resolve: (value: T) => void, reject: (why: Error) => void) => () => void,
  timeoutError: () => Error,
  { timeoutMs, signals = [], startTimer = realTimer }: WaitSettings,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopWatching();
      stopTimer();
      for (const signal of signals) signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => {
      const reason: unknown = signals.find((signal) => signal.aborted)?.reason;
      end(() => reject(asError(reason)));
    };
    const stopWatching = watch(
      (value) => end(() => resolve(value)),
      (why) => end(() => reject(why)),
    );
    const stopTimer = startTimer(() => end(() => reject(timeoutError())), timeoutMs);
    for (const signal of signals) signal.addEventListener('abort', abort);
  });
}

/** A wait keeps all matches until it ends, so it must not need more than the journal may keep. */
function refuseTooMany({ isOff, limits: { maxEntries } }: Journal, times: number): void {
  if (times <= maxEntries) return;
  const setting = 'limits.maxJournalEntries (--max-journal-entries)';
  const why = isOff
    ? `cannot be met: the journal is off. Set ${setting}`
    : `must be at most ${maxEntries}, the number of exchanges that the journal keeps. Raise ${setting}, or wait several times, each from a later time`;
  throw new QueryError(`'times' ${why}.`, { place: 'times' });
}

/** Resolves once no exchange is open, or after the timeout. */
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
  return reason instanceof Error ? reason : new Error(`The wait was aborted: ${String(reason)}`);
}
