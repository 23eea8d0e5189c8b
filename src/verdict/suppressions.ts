/** Findings that somebody has looked at and lives with, for a reason and perhaps until a day. */
import type { FindingId } from '../contract/finding-ids.ts';
import type { Order } from './options.ts';

/** The reason by the finding. */
export type Suppressions = ReadonlyMap<FindingId, string>;

/** Those still in force on a day of the machine's calendar. */
export function suppressionsOn(nowMs: number, given: Order['suppress']): Suppressions {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return new Map(
    given
      .filter(({ until }) => until === undefined || today <= until)
      .map(({ rule, reason }) => [rule, reason]),
  );
}
