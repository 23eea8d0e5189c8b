/** What a client of the service is given, so that tests own its time, its chance and its memory. */

/** Aborts its signal once its time has passed, unless it was switched off. */
export interface Alarm {
  readonly signal: AbortSignal;
  off(): void;
}

export interface ClientClock {
  nowMs(): number;
  sleep(delayMs: number): Promise<void>;
  alarm(afterMs: number): Alarm;
}

export interface Surroundings {
  /** Base address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secret: string;
  readonly clock: ClientClock;
  /** A draw in [0, 1). */
  readonly random: () => number;
  readonly newKey: () => string;
  /** Request ids by intent. A shop keeps them in its database: they must outlive the process that made them. */
  readonly keys: Map<string, string>;
}

/** Longer than the slowest answer of the service, so that a repeat is never a race with the first try. */
export const attemptMs = 20_000;

/** What one operation may take in all, with its waits. */
export const totalMs = 300_000;

/** Requests for one operation, the first included. */
export const maxTries = 4;

const firstWaitMs = 500;
const longestWaitMs = 30_000;

/**
 * How long to wait after a try, counted from 0: at least what the service asked for, and a drawn time on top. The floor
 * grows with each try and so does the span drawn from, so that neither one client nor many of them storm the service.
 */
export function waitAfter(tries: number, askedMs: number, random: () => number): number {
  const spanMs = Math.min(longestWaitMs, firstWaitMs * 2 ** tries);
  return Math.max(askedMs, spanMs) + random() * spanMs;
}
