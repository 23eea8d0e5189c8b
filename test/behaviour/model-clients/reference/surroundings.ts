/** The clock, chance and storage that a client receives, so that tests control them. */

/** Aborts its signal after some time, unless it is cancelled. */
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
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly newKey: () => string;
  /** Request ids by intent. A shop stores them in its database, because they must survive a crash. */
  readonly keys: Map<string, string>;
}

/** Longer than the slowest answer of the service, so that a retry never overlaps the first attempt. */
export const attemptMs = 20_000;

/** The time limit of one operation with all its waits. */
export const totalMs = 300_000;

/** How many requests one operation may send. */
export const maxTries = 4;

const firstWaitMs = 500;
const longestWaitMs = 30_000;

/**
 * How long to wait after an attempt, counted from 0: at least what the service asked for, plus a random time.
 *
 * Both parts grow with each attempt, so that many clients together do not overload the service.
 */
export function waitAfter(tries: number, askedMs: number, random: () => number): number {
  const spanMs = Math.min(longestWaitMs, firstWaitMs * 2 ** tries);
  return Math.max(askedMs, spanMs) + random() * spanMs;
}
