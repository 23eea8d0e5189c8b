import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds clients that request a new token for most of their calls. */
export const tokenPerCall: FindingRule = {
  id: 'token-per-call',
  severity: 'medium',
  about: 'New tokens were requested again and again while the last one was still valid.',
  remedy: 'Keep a token until shortly before it expires: expires_in says when.',
  needsWholeJournal: true,
  find: findNeedlessTokens,
};

/** In process there are no connections that would tell one process from many. */
const inProcessAdvice =
  'If each command of the client is a process of its own, it may request a token each time. In process, the sandbox cannot tell: test such a client over a socket, or suppress this finding.';

/** Fewer calls show no habit. */
const minCalls = 6;

/** In the first half of the lifetime of a token, every renewal is too early. */
const freshShare = 0.5;

/** Clients renew a token up to five minutes early. Of a token with a shorter lifetime, each call needs another one. */
const earliestRenewalMs = 300_000;

function* findNeedlessTokens(evidence: Evidence): Generator<Detection> {
  if (evidence.of('token.create').length < 2) return;
  const needless: StoredEntry[] = [];
  let calls = 0;
  let followUps = 0;
  let token: StoredEntry | undefined;
  let lastCall: StoredEntry | undefined;
  let isNeedlessBefore = false;
  for (const entry of evidence.entries) {
    if (entry.operation === 'token.create') {
      if (entry.concludes !== 'OK') continue;
      if (token !== undefined && !overlaps(token, entry) && isFresh(evidence, token, entry)) {
        needless.push(entry);
        isNeedlessBefore = true;
      }
      token = entry;
    } else if (entry.operation !== undefined) {
      calls++;
      if (entry.status === 401) token = undefined;
      if (isNeedlessBefore && lastCall !== undefined && isFollowUp(lastCall, entry)) {
        if (!isOwnProcess(token, entry)) followUps++;
      }
      isNeedlessBefore = false;
      lastCall = entry;
    }
  }
  if (calls < minCalls || needless.length <= calls / 2) return;
  yield {
    what: `The client requested ${formatCount(needless.length, 'token')} for ${formatCount(calls, 'call')} while the previous token was still valid.`,
    evidence: firstExamples(needless),
    ...(needless.some(({ arrival }) => arrival === undefined) && {
      remedy: `${tokenPerCall.remedy} ${inProcessAdvice}`,
    }),
    // Each of many tests, or each run of a job, may be a process of its own, but not each step of one flow.
    ...(followUps >= minFollowUps
      ? { confidence: 'likely' as const }
      : { severity: 'low' as const, confidence: 'possible' as const }),
  };
}

function isFresh(evidence: Evidence, token: StoredEntry, now: StoredEntry): boolean {
  const lifetimeS = memberOf(evidence.answerOf(token), 'expires_in');
  if (typeof lifetimeS !== 'number') return false;
  const lifetimeMs = lifetimeS * 1000;
  return gapMs(token, now) < Math.min(lifetimeMs * freshShare, lifetimeMs - earliestRenewalMs);
}

/**
 * Whether a token and the call after it were the first requests on their connections, as those of a command or page that is
 * a process of its own. Some share one connection, and code that opens one for each request does not. A client that keeps
 * running and requests a token for each call uses its connection again.
 */
function isOwnProcess(token: StoredEntry | undefined, { arrival }: StoredEntry): boolean {
  if (token?.arrival?.isFirst !== true) return false;
  return arrival?.isFirst === true || token.arrival.connection === arrival?.connection;
}

/** One process may use what another one has just created, as a card. */
const minFollowUps = 2;

/** A later call may come from the next run of a job. */
const maxStepMs = 60_000;

/** Whether a call uses what the last one has just created, so that one client sent both. */
function isFollowUp(last: StoredEntry, next: StoredEntry): boolean {
  const { committed, subject } = last;
  return (
    committed &&
    subject !== undefined &&
    (next.cardId === subject || next.path.includes(subject)) &&
    gapMs(last, next) <= maxStepMs
  );
}
