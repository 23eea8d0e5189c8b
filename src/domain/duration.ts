/**
 * Durations as people write them: `90s`, `1.5h`, or ISO 8601, such as `P1M`. The same forms are read everywhere. Fixtures give
 * times relative to the start with them: `-10d` is always ten days ago.
 */
import { dayMs, endOfMonthMs, startOfDayMs } from './calendar.ts';

/** A span of time. Months are separate because their length varies. Both parts carry the sign. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

/** A fixed time, or a span from the sandbox's start. */
export type TimePoint = number | Duration;

/** The forms of a duration, for messages. */
export const durationForms =
  'a number with ms, s, m, h or d, such as 90s, or ISO 8601, such as P1D or PT90M';

/** They have few enough digits that every result is a valid date. ISO 8601 takes whole numbers only. */
const shortForm = String.raw`(\d{1,9}(?:\.\d{1,9})?)(ms|s)|(\d{1,6}(?:\.\d{1,9})?)(m|h|d)`;
const isoForm = String.raw`P(?=\d|T\d)(?:(\d{1,3})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?`;

/** The text of a duration, with an optional sign. */
export const durationPattern = new RegExp(`^([-+]?)(?:${shortForm}|${isoForm})$`);

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
};

/** Reads a duration such as `90s`, `-10d`, `P3Y` or `-P1DT12H`, or returns `undefined`. */
export function readDuration(text: string): Duration | undefined {
  const match = durationPattern.exec(text);
  if (match === null) return undefined;
  const part = (group: number): number => Number(match[group] ?? 0);
  // Subtract from 0 instead of negating: JSON has no -0.
  const signed = (amount: number): number => (match[1] === '-' ? 0 - amount : amount);
  const unitMs = unitsMs[match[3] ?? match[5] ?? ''];
  if (unitMs !== undefined) {
    return { months: 0, ms: signed(Math.round((part(2) + part(4)) * unitMs)) };
  }
  return {
    months: signed(part(6) * 12 + part(7)),
    ms: signed(
      (part(8) * 7 + part(9)) * dayMs + ((part(10) * 60 + part(11)) * 60 + part(12)) * 1000,
    ),
  };
}

/**
 * Reads a duration or a number of milliseconds, in milliseconds, or returns `undefined`. It is not negative. Months and years
 * are counted from `fromMs`, by default from 1970.
 */
export function readDurationMs(given: string | number, fromMs = 0): number | undefined {
  const duration = typeof given === 'number' ? { months: 0, ms: given } : readDuration(given);
  if (duration === undefined) return undefined;
  const ms = addDuration(fromMs, duration) - fromMs;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

/**
 * Adds a duration to a time. Months come first and end on the last day of a month that is too
 * short.
 */
export function addDuration(atMs: number, { months, ms }: Duration): number {
  if (months === 0) return atMs + ms;
  const at = new Date(atMs);
  const monthMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
  const month = new Date(monthMs);
  const lastDayMs = endOfMonthMs(month.getUTCFullYear(), month.getUTCMonth() + 1) - dayMs;
  const dayOfMonthMs = monthMs + (at.getUTCDate() - 1) * dayMs;
  return Math.min(dayOfMonthMs, lastDayMs) + (atMs - startOfDayMs(atMs)) + ms;
}

/** Resolves a time point for a sandbox that starts at `startMs`. */
export function timePointMs(moment: TimePoint, startMs: number): number {
  return typeof moment === 'number' ? moment : addDuration(startMs, moment);
}
