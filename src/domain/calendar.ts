/** Calendar arithmetic in UTC. All instants are milliseconds since 1970 and come from the world's clock. */

export const dayMs = 86_400_000;

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
