/**
 * Did one process of the client send these requests, or did several?
 *
 * Each process requests a token of its own and keeps it. A process that was started again has another token, and has not
 * seen the answers that the process before it received.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memoize } from '../../shared/memoize.ts';
import { gapMs, overlaps } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';

/** The calls with each token, oldest first. The token that needs no request stands under `undefined`. */
const callsByToken = memoize(({ entries }: JournalIndex) =>
  groupBy(
    entries.filter(({ operation }) => operation !== undefined && operation !== 'token.create'),
    ({ tokenMark }) => tokenMark,
  ),
);

/** How many calls a token served. A retry with the same request id is the same call. */
function countCalls(calls: readonly StoredEntry[]): number {
  return new Set(calls.map(({ path, requestId, seq }) => `${requestId ?? seq} ${path}`)).size;
}

/** Whether a token served several different calls. */
function isKept(calls: readonly StoredEntry[]): boolean {
  const [first] = calls;
  return calls.some(({ path, requestId }) => path !== first?.path || requestId !== first.requestId);
}

/** Which request gave the client which token: tokens are assumed to be used in the order in which they were requested. */
const requestedTokens = memoize((journal: JournalIndex) => {
  const marks = [...callsByToken(journal).keys()].filter((mark) => mark !== undefined);
  const answered = journal.of('token.create').filter(({ concludes }) => concludes === 'OK');
  const requestOf = new Map<StoredEntry['tokenMark'], StoredEntry>();
  const callsOf = new Map<StoredEntry, readonly StoredEntry[]>();
  for (const [at, request] of answered.slice(0, marks.length).entries()) {
    requestOf.set(marks[at], request);
    callsOf.set(request, callsByToken(journal).get(marks[at]) ?? []);
  }
  return { requestOf, callsOf };
});

/**
 * Whether each of these token requests may come from a process of its own. Processes go on with their own tokens, but for
 * one that ends. If each token was used, and hardly again, all of them may have ended.
 */
export function mayBeOfProcesses(journal: JournalIndex, requests: readonly StoredEntry[]): boolean {
  const { callsOf } = requestedTokens(journal);
  const uses = requests.map((request) => callsOf.get(request) ?? []);
  if (uses.filter(isKept).length + 1 >= requests.length) return true;
  const counts = uses.map(countCalls);
  return !counts.includes(0) && counts.reduce((sum, count) => sum + count, 0) < counts.length * 2;
}

/** The tokens that served several different calls. */
const keptTokens = memoize(
  (journal: JournalIndex) =>
    new Set([...callsByToken(journal)].flatMap(([mark, calls]) => (isKept(calls) ? [mark] : []))),
);

/**
 * Whether a later request came from another process than an earlier one, as after a crash.
 *
 * A client that requests a token for each call is one process with many tokens. Its other tokens show that: more than one
 * of them served a single call. The tokens of these two requests show nothing, because the first process may have ended
 * after one call, and the second one may begin with the repeat of that call.
 */
export function isFromOtherProcess(
  journal: JournalIndex,
  earlier: StoredEntry,
  later: StoredEntry,
): boolean {
  if (earlier.tokenMark === later.tokenMark) return false;
  const kept = keptTokens(journal);
  const ownTokens = [earlier, later].filter(({ tokenMark }) => !kept.has(tokenMark)).length;
  // One more process may have ended after a call, or may still use its token.
  return kept.size * 2 >= callsByToken(journal).size - ownTokens - 1;
}

/** Whether a token that was first used later had been requested before an exchange was over. */
function wasRequestedBefore(
  journal: JournalIndex,
  mark: StoredEntry['tokenMark'],
  before: StoredEntry,
): boolean {
  const requested = requestedTokens(journal).requestOf.get(mark);
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
