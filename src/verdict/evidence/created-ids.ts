/** What came of a request. */
import type { StoredEntry } from '../../journal/stored-entry.ts';

/** Ids of the records that a request made: one, or two where it was carried out twice. */
export function madeBy({ committed, subject, twin }: StoredEntry): string[] {
  return committed ? [subject, twin].filter((id) => id !== undefined) : [];
}
