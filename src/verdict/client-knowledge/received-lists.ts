/** The lists of payments that the client received. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { lastBefore } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { isAnswerReceived } from './disclosure.ts';

const receivedLists = memoize((journal: JournalIndex) =>
  journal.of('payment.list').filter(isAnswerReceived),
);

/** The last list that the client received between two requests. */
export function lastListBetween(
  journal: JournalIndex,
  before: StoredEntry,
  next: StoredEntry,
): StoredEntry | undefined {
  const last = lastBefore(receivedLists(journal), next);
  return last !== undefined && last.seq > before.seq ? last : undefined;
}
