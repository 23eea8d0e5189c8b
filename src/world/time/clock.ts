/** A merchant's own clock: running or frozen, at any time. */
import { ClockError } from '../errors.ts';
import { z } from '@hono/zod-openapi';
import { endOfTimeMs } from '../../domain/calendar.ts';
import { addDuration, durationForms, readDuration } from '../../domain/duration.ts';
import { describeValue } from '../../shared/unknown-value.ts';

export interface ClockStart {
  /** Start time. Default: the real time. */
  readonly atMs?: number | undefined;
  /** A frozen clock stands still until it is advanced. */
  readonly frozen?: boolean | undefined;
}

/** Whether a clock can start at this time. */
export function canStartAt(start: unknown): boolean {
  return timeOf(start) <= endOfTimeMs;
}

/** The message for a start that is too late. */
export const startsTooLate = `must not be later than ${new Date(endOfTimeMs).toISOString()}, the last time that a clock can show`;

/**
 * The state of a clock.
 *
 * A running clock keeps its distance from the real time, also when it continues in another process.
 * `atMs` is the latest time it has shown; it never shows an earlier one.
 */
export type ClockState =
  | { readonly frozen: true; readonly atMs: number }
  | { readonly frozen: false; readonly atMs: number; readonly aheadMs: number };

/** The state of a clock that starts now. */
export function clockStart(start: ClockStart, realNowMs: number): ClockState {
  const atMs = start.atMs ?? realNowMs;
  return start.frozen === true
    ? { frozen: true, atMs }
    : { frozen: false, atMs, aheadMs: atMs - realNowMs };
}

export interface ClockReading {
  /** RFC 3339, with milliseconds. */
  readonly now: string;
  readonly frozen: boolean;
}

/** RFC 3339. Without an offset it would be a different time on every machine. */
const timeForm = z.iso.datetime({ offset: true });

/**
 * Reads the time to set a clock to, in milliseconds since 1970. Throws a `ClockError` if it is
 * invalid.
 */
export function instantMs(given: unknown): number {
  const atMs = timeOf(given);
  if (!Number.isNaN(atMs)) return atMs;
  throw new ClockError(
    'invalid-time',
    `Set a clock to a time such as "2030-01-02T03:04:05Z" or to a Date, got ${describeValue(given)}.`,
    { place: 'set' },
  );
}

/**
 * Reads the span to advance a clock by, in milliseconds: a whole number, or a duration such as `5s`
 * or `P1M` from the clock's time. Throws a `ClockError` if it is neither.
 */
export function spanMs(given: unknown, nowMs: number): number {
  if (Number.isInteger(given)) return Number(given);
  const duration = typeof given === 'string' ? readDuration(given) : undefined;
  if (duration !== undefined) return addDuration(nowMs, duration) - nowMs;
  throw new ClockError(
    'invalid-time',
    `Advance a clock by a duration or by a whole number of milliseconds such as 60000, got ${describeValue(given)}. Write a duration as ${durationForms}.`,
    { place: 'advance' },
  );
}

/** Reads an RFC 3339 text or a `Date`, in milliseconds since 1970. Anything else is `NaN`. */
export function timeOf(given: unknown): number {
  if (typeof given === 'string') {
    return timeForm.safeParse(given).success ? Date.parse(given) : Number.NaN;
  }
  // Another realm, for example that of a test runner, has its own Date class.
  return Object.prototype.toString.call(given) === '[object Date]' ? Number(given) : Number.NaN;
}

/** The clock of one world. It never runs backwards, whatever the machine's clock does. */
export class WorldClock {
  readonly #realNowMs: () => number;
  /** Added to the real time. Not used while frozen. */
  #offsetMs: number;
  #frozenAtMs: number | undefined;
  #latestMs: number;

  constructor(realNowMs: () => number, state: ClockState) {
    this.#realNowMs = realNowMs;
    this.#offsetMs = state.frozen ? 0 : state.aheadMs;
    this.#frozenAtMs = state.frozen ? state.atMs : undefined;
    this.#latestMs = state.atMs;
  }

  get state(): ClockState {
    const atMs = this.nowMs();
    return this.frozen ? { frozen: true, atMs } : { frozen: false, atMs, aheadMs: this.#offsetMs };
  }

  /** Milliseconds since 1970 in this world. */
  nowMs(): number {
    if (this.#frozenAtMs !== undefined) return this.#frozenAtMs;
    const nowMs = Math.min(this.#realNowMs() + this.#offsetMs, endOfTimeMs);
    if (nowMs > this.#latestMs) this.#latestMs = nowMs;
    return this.#latestMs;
  }

  get frozen(): boolean {
    return this.#frozenAtMs !== undefined;
  }

  freeze(): void {
    this.#frozenAtMs = this.nowMs();
  }

  /** Lets a frozen clock run on from its time. */
  resume(): void {
    if (this.#frozenAtMs === undefined) return;
    this.#runFrom(this.#frozenAtMs);
    this.#frozenAtMs = undefined;
  }

  /** Moves the clock to a later time. */
  set(atMs: number): void {
    this.#move(this.nowMs(), atMs);
  }

  /** Advances the clock. */
  advance(byMs: number): void {
    // Read the time once: a running clock may already show a later one, and an advance by 0 would
    // then go back.
    const nowMs = this.nowMs();
    this.#move(nowMs, nowMs + byMs);
  }

  #move(nowMs: number, atMs: number): void {
    if (atMs < nowMs) {
      throw new ClockError(
        'clock-refused',
        `The clock shows ${new Date(nowMs).toISOString()} and never runs backwards. Set it to a later time, or reset the merchant.`,
      );
    }
    if (atMs > endOfTimeMs) {
      throw new ClockError(
        'clock-refused',
        `A clock ends at ${new Date(endOfTimeMs).toISOString()}: a card stored then is valid until 9999, and years have four digits.`,
      );
    }
    if (this.#frozenAtMs === undefined) this.#runFrom(atMs);
    else this.#frozenAtMs = atMs;
  }

  #runFrom(atMs: number): void {
    this.#offsetMs = atMs - this.#realNowMs();
    this.#latestMs = atMs;
  }
}

export function clockReading(clock: WorldClock): ClockReading {
  return { now: new Date(clock.nowMs()).toISOString(), frozen: clock.frozen };
}
