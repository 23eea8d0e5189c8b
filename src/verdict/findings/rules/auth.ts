/** Findings about tokens. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { leavesOf } from '../../evidence/json-leaves.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { liveCredentialRule } from './warned.ts';
import { firstExamples, formatCount } from '../../phrases.ts';

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
  liveCredentialRule,
];

/** Fewer calls are no habit. */
const fewestCalls = 6;
/** Some clients ask two minutes early, and short tokens are asked for sooner: half of its life is never too early. */
const spentPart = 0.5;

function* tokensPerCall(evidence: Evidence): Generator<Notice> {
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

/** A client may try twice; each step must come within so long of the one before. */
const mostRefreshes = 2;
const refreshMs = 30_000;

interface Loop {
  readonly request: string;
  readonly entries: StoredEntry[];
}

function* refreshLoops(evidence: Evidence): Generator<Notice> {
  if (evidence.of('token.create').length <= mostRefreshes) return;
  const loops: Loop[] = [];
  let token: StoredEntry | undefined;
  let loop: Loop | undefined;
  for (const entry of evidence.entries) {
    if (entry.operation === undefined) continue;
    if (entry.operation === 'token.create') {
      if (entry.concludes === 'OK') token = entry;
      continue;
    }
    const isCycle =
      entry.status === 401 &&
      token !== undefined &&
      // Calls that were under way together do not follow from each other's answers.
      !overlaps(token, entry) &&
      gapMs(token, entry) <= refreshMs;
    if (!isCycle || token === undefined) loop = undefined;
    else {
      const request = `${entry.method} ${entry.path} ${entry.intent ?? ''}`;
      const last = loop?.entries.at(-1);
      const isSoon = last !== undefined && gapMs(last, token) <= refreshMs;
      if (!isSoon || loop?.request !== request) loops.push((loop = { request, entries: [] }));
      loop.entries.push(token, entry);
    }
    token = undefined;
  }
  for (const { entries: found } of loops) {
    const cycles = found.length / 2;
    if (cycles <= mostRefreshes) continue;
    yield {
      what: `${cycles} times in a row a new token was asked for, and the same call was answered 401 all the same.`,
      evidence: firstExamples(found),
      // Where the sandbox was made to refuse, a client that gave up and was asked again looks the same.
      ...(found.some(({ status, outcomes }) => status === 401 && outcomes.length > 0) && {
        severity: 'medium',
        confidence: 'possible',
      }),
    };
  }
}

const tokenKey = /^(?:access|refresh)[_-]?token$/i;

function* tokensInUrls(evidence: Evidence): Generator<Notice> {
  // Other keys end in `token` as well.
  const inBody = evidence
    .whereBodyHas('token')
    .filter((entry) =>
      [...leavesOf(evidence.bodyOf(entry))].some(
        ({ key, value }) => tokenKey.test(key) && typeof value === 'string' && value !== '',
      ),
    );
  const sightings = [
    ['address', evidence.wherePathHas('token')],
    ['body', inBody],
  ] as const;
  for (const [where, entries] of sightings) {
    if (entries.length === 0) continue;
    yield {
      what: `A token stood in the ${where} of ${formatCount(entries.length, 'request')}.`,
      evidence: firstExamples(entries),
    };
  }
}
