/**
 * Did one process of the client send these requests, or did several?
 *
 * Each process requests a token of its own and keeps it. A process that was started again has another token, and has not
 * seen the answers that the process before it received.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { gapMs, overlaps } from '../evidence/exchange-order.ts';
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

/**
 * Whether each of these token requests may come from a process of its own. Processes go on with their own tokens, but for
 * one that ends. If each token was used, and hardly again, all of them may have ended.
 */
export function mayBeOfProcesses(journal: JournalIndex, requests: readonly StoredEntry[]): boolean {
  const beginSeq = requests[0]?.seq ?? Number.POSITIVE_INFINITY;
  const tokens = [...callsByToken(journal).values()].filter(
    (calls) => (calls[0]?.seq ?? 0) > beginSeq,
  );
  const { length } = requests;
  if (tokens.filter(isKept).length + 1 >= length) return true;
  // Later tokens may have replaced these.
  return tokens.length >= length && tokens.slice(0, length).flat().length < length * 2;
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

/** The tokens that were requested, in the order of their first use. */
const requestedTokens = memoize(
  (journal: JournalIndex): ReadonlyMap<StoredEntry['tokenMark'], number> => {
    const marks = [...callsByToken(journal).keys()].filter((mark) => mark !== undefined);
    return new Map(marks.map((mark, at) => [mark, at]));
  },
);

/** The exchanges that gave the client a token. */
const tokenAnswers = memoize((journal: JournalIndex) =>
  journal.of('token.create').filter(({ status }) => status === 200),
);

/**
 * Whether a token that was first used later had been requested before an exchange was over. Tokens are assumed to be used
 * in the order in which they were requested.
 */
function wasRequestedBefore(
  journal: JournalIndex,
  mark: StoredEntry['tokenMark'],
  before: StoredEntry,
): boolean {
  const place = requestedTokens(journal).get(mark);
  const requested = place === undefined ? undefined : tokenAnswers(journal)[place];
  return requested !== undefined && overlaps(before, requested);
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
  const { tokenMark } = later;
  const [first] = callsByToken(journal).get(tokenMark) ?? [];
  if (first === undefined || gapMs(earlier, later) >= journal.serviceTimeMs) return false;
  return first.seq < earlier.seq
    ? isFromOtherProcess(journal, earlier, later)
    : wasRequestedBefore(journal, tokenMark, earlier);
}
