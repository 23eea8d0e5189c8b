/** Calendar arithmetic in UTC. All instants are milliseconds since 1970 and come from the world's clock. */

export const dayMs = 86_400_000;

/**
 * The last instant a clock shows. `Seed silent:` clocks end with the year 9996: times are written with four digits for
 * the year, and a card that is stored then is valid until 9999.
 */
export const endOfTimeMs = Date.UTC(9996, 11, 31, 23, 59, 59, 999);

/** Midnight UTC at the start of the day this instant falls in. */
export function startOfDayMs(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** The first instant after a month: the month is over from here on. */
export function endOfMonthMs(year: number, month: number): number {
  return Date.UTC(year, month, 1);
}

/** The same day `years` later, at midnight; 29 February becomes 1 March. */
export function addYearsMs(atMs: number, years: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear() + years, at.getUTCMonth(), at.getUTCDate());
}
