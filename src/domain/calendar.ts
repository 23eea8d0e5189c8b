/**
 * Calendar arithmetic in UTC, in milliseconds since 1970. The time comes from the world's clock.
 */

export const dayMs = 86_400_000;

/**
 * The last time that a clock can show.
 *
 * `Seed silent:` clocks end with the year 9996. Times have four digits for the year, and a card
 * stored then is valid until 9999.
 */
export const endOfTimeMs = Date.UTC(9996, 11, 31, 23, 59, 59, 999);

/** Midnight UTC at the start of this day. */
export function startOfDayMs(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** Whether two times are in one month of one year, in UTC. */
export function isSameMonth(oneMs: number, otherMs: number): boolean {
  const [month, otherMonth] = [oneMs, otherMs].map((ms) => new Date(ms).toISOString().slice(0, 7));
  return month === otherMonth;
}

/** The first instant after a month. */
export function endOfMonthMs(year: number, month: number): number {
  return Date.UTC(year, month, 1);
}

/** The same day `years` later, at midnight; 29 February becomes 1 March. */
export function addYearsMs(atMs: number, years: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear() + years, at.getUTCMonth(), at.getUTCDate());
}
