import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { overlaps, gapMs } from '../../evidence/exchange-order.ts';
import { formatCount, firstExamples } from '../../phrases.ts';
import { memberOf } from '../../../shared/unknown-value.ts';

/** A new token was asked for again and again while the last one was good. */
export const tokenPerCall: FindingRule = {
  id: 'token-per-call',
  severity: 'medium',
  about: 'A new token was asked for again and again while the last one was good.',
  remedy: 'Keep a token until shortly before its expires_in is over.',
  needsWholeJournal: true,
  find: tokensPerCall,
};

/** Fewer calls are no habit. */
const fewestCalls = 6;

/** Some clients ask two minutes early, and short tokens are asked for sooner: half of its life is never too early. */
const spentPart = 0.5;

function* tokensPerCall(evidence: Evidence): Generator<Detection> {
  if (evidence.of('token.create').length < 2) return;
  const wasted: StoredEntry[] = [];
  let calls = 0;
  let steps = 0;
  let token: StoredEntry | undefined;
  let last: StoredEntry | undefined;
  let asked: StoredEntry | undefined;
  for (const entry of evidence.entries) {
    if (entry.operation === 'token.create') {
      if (entry.concludes !== 'OK') continue;
      if (token !== undefined && !overlaps(token, entry) && isGood(evidence, token, entry)) {
        wasted.push(entry);
        asked = entry;
      }
      token = entry;
    } else if (entry.operation !== undefined) {
      calls++;
      if (entry.status === 401) token = undefined;
      if (asked !== undefined && last !== undefined && goesOn(last, entry)) steps++;
      asked = undefined;
      last = entry;
    }
  }
  if (calls < fewestCalls || wasted.length <= calls / 2) return;
  yield {
    what: `${formatCount(wasted.length, 'token')} were asked for while another one was good, for ${formatCount(calls, 'call')}.`,
    evidence: firstExamples(wasted),
    // Each of many tests may have a client of its own, but not each step of one.
    confidence: steps > 0 ? 'likely' : 'possible',
  };
}

function isGood(evidence: Evidence, token: StoredEntry, now: StoredEntry): boolean {
  const lifetimeS = memberOf(evidence.answerOf(token), 'expires_in');
  return typeof lifetimeS === 'number' && gapMs(token, now) < lifetimeS * 1000 * spentPart;
}

/** Whether a call goes on with what the last one made. */
function goesOn({ committed, subject }: StoredEntry, next: StoredEntry): boolean {
  return (
    committed && subject !== undefined && (next.cardId === subject || next.path.includes(subject))
  );
}
