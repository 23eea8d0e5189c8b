/** Findings about tokens. */
import type { Entry } from '../../journal/entry.ts';
import { memberAt } from '../../member.ts';
import type { Evidence } from '../evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { leavesOf } from '../leaves.ts';
import { gapMs, overlap } from '../trail.ts';
import { countWords, firstOf } from '../words.ts';

export const authRules: readonly FindingRule[] = [
  {
    id: 'token-per-call',
    severity: 'medium',
    about: 'A new token was asked for again and again while the last one was good.',
    remedy: 'Keep a token until shortly before its expires_in is over.',
    needsWholeJournal: true,
    find: tokensPerCall,
  },
  {
    id: 'refresh-loop',
    severity: 'high',
    about: 'New tokens were asked for in a loop, because each call after one was answered 401.',
    remedy: 'After a 401 ask for one new token, send that one, and give up if it is not accepted.',
    find: refreshLoops,
  },
  {
    id: 'token-in-url',
    severity: 'critical',
    about: 'A token stood in an address or a body, where it is logged.',
    remedy: 'Send a token in the Authorization header only.',
    find: tokensInUrls,
  },
];

/** Fewer calls are no habit. */
const fewestCalls = 6;
/** Some clients ask two minutes early, and short tokens are asked for sooner: half of its life is never too early. */
const spentPart = 0.5;

function* tokensPerCall(evidence: Evidence): Generator<Notice> {
  const wasted: Entry[] = [];
  let calls = 0;
  let related = 0;
  let sure = 0;
  let token: Entry | undefined;
  let last: Entry | undefined;
  let asked: Entry | undefined;
  for (const entry of evidence.entries) {
    if (entry.operation === 'token.create') {
      if (entry.concludes !== 'OK') continue;
      if (token !== undefined && !overlap(token, entry) && isGood(evidence, token, entry)) {
        wasted.push(entry);
        asked = entry;
      }
      token = entry;
    } else if (entry.operation !== undefined) {
      calls++;
      if (entry.status === 401) token = undefined;
      if (asked !== undefined && last !== undefined) {
        const relation = relationOf(last, entry);
        if (relation !== undefined) related++;
        if (relation === 'step') sure++;
      }
      asked = undefined;
      last = entry;
    }
  }
  // Each of many tests may have a client of its own: only what one flow did between two steps is a client's habit.
  if (calls < fewestCalls || wasted.length <= calls / 2 || related < wasted.length / 2) return;
  yield {
    what: `${countWords(wasted.length, 'token')} were asked for while another one was good, for ${countWords(calls, 'call')}.`,
    evidence: firstOf(wasted),
    confidence: sure > 0 ? 'likely' : 'possible',
  };
}

function isGood(evidence: Evidence, token: Entry, now: Entry): boolean {
  const lifetimeS = memberAt(evidence.answerOf(token), 'expires_in');
  return typeof lifetimeS === 'number' && gapMs(token, now) < lifetimeS * 1000 * spentPart;
}

/** `step` where a call goes on with what the last one made; `card` where both are about one card. */
function relationOf(last: Entry, next: Entry): 'step' | 'card' | undefined {
  const { subject, committed } = last;
  if (committed && subject !== undefined) {
    if (next.cardId === subject || next.path.includes(subject)) return 'step';
  }
  return last.cardId !== undefined && last.cardId === next.cardId ? 'card' : undefined;
}

/** So many in a row, each within so long of its token. */
const mostRefreshes = 2;
const refreshMs = 30_000;

function* refreshLoops({ entries }: Evidence): Generator<Notice> {
  let token: Entry | undefined;
  let loop: Entry[] = [];
  const loops: Entry[][] = [];
  for (const entry of entries) {
    // Calls that were under way together do not follow from each other's answers.
    if (entry.operation === 'token.create') {
      if (entry.concludes === 'OK') token = entry;
      continue;
    }
    if (entry.operation === undefined) continue;
    // A 401 that was forced is the sandbox's doing, as is the loop that it leads to.
    const isRefused = entry.status === 401 && entry.outcomes.length === 0;
    if (!isRefused) loop = [];
    else if (token !== undefined && !overlap(token, entry) && gapMs(token, entry) <= refreshMs) {
      if (loop.length === 0) loops.push(loop);
      loop.push(token, entry);
    }
    token = undefined;
  }
  for (const found of loops) {
    const cycles = found.length / 2;
    if (cycles <= mostRefreshes) continue;
    yield {
      what: `${cycles} times in a row a new token was asked for, and the next call was answered 401 all the same.`,
      evidence: firstOf(found),
    };
  }
}

const tokenInPath = /[?&;](?:access|refresh)[_-]?token=[^&#;]/i;
const tokenKey = /^(?:access|refresh)[_-]?token$/i;

function* tokensInUrls(evidence: Evidence): Generator<Notice> {
  const inPath = evidence.entries.filter(({ path }) => tokenInPath.test(path));
  const inBody = evidence.entries.filter(
    (entry) =>
      /token"/i.test(entry.request ?? '') &&
      [...leavesOf(evidence.bodyOf(entry))].some(
        ({ key, value }) => tokenKey.test(key) && typeof value === 'string' && value !== '',
      ),
  );
  const sightings = [
    ['address', inPath],
    ['body', inBody],
  ] as const;
  for (const [where, entries] of sightings) {
    if (entries.length === 0) continue;
    yield {
      what: `A token stood in the ${where} of ${countWords(entries.length, 'request')}.`,
      evidence: firstOf(entries),
    };
  }
}
