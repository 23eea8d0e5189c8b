/** What the rules about stored cards share. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';

/** Whether a request stored a card and the client knows it. */
export function isKnownStore({ committed, concludes }: StoredEntry): boolean {
  return committed && concludes === 'OK';
}
