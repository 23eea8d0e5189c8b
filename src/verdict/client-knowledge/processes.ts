/**
 * Did one process of the client send these requests, or did several?
 *
 * Each process requests a token of its own and keeps it. A process that was started again has another token, and has not
 * seen the answers that the process before it received.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, type JournalIndex } from '../evidence/journal-index.ts';

/** The calls with each token, oldest first. The token that needs no request stands under `undefined`. */
const callsByToken = memoize(({ entries }: JournalIndex) =>
  groupBy(
    entries.filter(({ operation }) => operation !== undefined && operation !== 'token.create'),
    ({ tokenMark }) => tokenMark,
  ),
);

/** Whether a token served several different calls. */
function isKept([first, ...others]: readonly StoredEntry[]): boolean {
  return others.some(
    ({ path, requestId }) => path !== first?.path || requestId !== first.requestId,
  );
}

/** How many tokens that were first used after these requests served several calls each. */
export function countKeptTokens(journal: JournalIndex, [begin]: readonly StoredEntry[]): number {
  const beginSeq = begin?.seq ?? Number.POSITIVE_INFINITY;
  return [...callsByToken(journal).values()].filter(
    (calls) => (calls[0]?.seq ?? 0) > beginSeq && isKept(calls),
  ).length;
}

/** Whether the client keeps its tokens. One that requests a token for each call is one process with many tokens. */
const areTokensKept = memoize((journal: JournalIndex): boolean => {
  const tokens = [...callsByToken(journal).values()];
  // The latest token may still be in use.
  return tokens.filter(isKept).length * 2 >= tokens.length - 1;
});

/** Whether a later request came from another process than an earlier one, as after a crash. */
export function isFromOtherProcess(
  journal: JournalIndex,
  earlier: StoredEntry,
  later: StoredEntry,
): boolean {
  return earlier.tokenMark !== later.tokenMark && areTokensKept(journal);
}

/**
 * Whether a process that was already at work sent a request before the real service would have answered the earlier one
 * of another process. The sandbox answers at once, so its own time shows nothing.
 */
export function isSentBesideOtherProcess(
  journal: JournalIndex,
  earlier: StoredEntry,
  later: StoredEntry,
): boolean {
  const [first] = callsByToken(journal).get(later.tokenMark) ?? [];
  return (
    first !== undefined &&
    first.seq < earlier.seq &&
    gapMs(earlier, later) < journal.serviceTimeMs &&
    isFromOtherProcess(journal, earlier, later)
  );
}
