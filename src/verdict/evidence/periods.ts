/** Days, weeks and months in request ids, as of a job that runs for each of them. */
import { startOfDayMs } from '../../domain/calendar.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';

/** A day, week or month: `2026-05-06`, `20260506`, `2026-W19`, `2026-05`. */
const periods = /(?<!\d)20\d\d-?(?:W\d\d|[01]\d(?:-?[0-3]\d)?)(?!\d)/gi;

/**
 * Whether the request ids are alike but for the day, week or month in them, although both requests came on one day of the
 * merchant's clock. Then the client chose two periods, and did not read them from a clock.
 */
export function areForOtherPeriods(first: StoredEntry, again: StoredEntry): boolean {
  const [one = '', other = ''] = [first, again].map(({ requestId }) => requestId);
  return (
    one !== other &&
    one.replaceAll(periods, '') === other.replaceAll(periods, '') &&
    startOfDayMs(first.atMs) === startOfDayMs(again.atMs)
  );
}
