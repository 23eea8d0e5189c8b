import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { everyPair, gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { areWaitsGrowing } from '../retry/retry-storm.ts';

/** Finds clients that renew their token in a loop because the same call is answered 401 each time. */
export const refreshLoop: FindingRule = {
  id: 'refresh-loop',
  severity: 'high',
  about: 'New tokens were requested in a loop, because the call after each one was answered 401.',
  remedy: 'After a 401, request one new token and retry once. If that fails too, give up.',
  find: findRefreshLoops,
};

/** A client may renew its token twice. */
const maxRefreshes = 2;

/** The longest time from one step of a loop to the next. */
const maxGapMs = 30_000;

/** The same call, answered 401 after each of several new tokens. */
interface Loop {
  readonly request: string;
  /** A token request and the call after it, in turns. */
  readonly entries: StoredEntry[];
  readonly calls: StoredEntry[];
}

function* findRefreshLoops(evidence: Evidence): Generator<Detection> {
  if (evidence.of('token.create').length <= maxRefreshes) return;
  for (const { entries, calls } of loopsIn(evidence)) {
    const cycles = calls.length;
    if (cycles <= maxRefreshes) continue;
    const isForced = entries.some(({ status, outcomes }) => status === 401 && outcomes.length > 0);
    yield {
      what: `The client requested a new token ${cycles} times in a row, and the same call was answered 401 each time.`,
      evidence: firstExamples(entries),
      // If the 401s are forced, several clients that each gave up look the same.
      ...(isForced && {
        // A queue that delivers a job again waits longer each time, and renews the token once for each delivery.
        severity: isPaced(calls) && areWaitsGrowing(calls) ? 'low' : 'medium',
        confidence: 'possible',
      }),
    };
  }
}

/** Shorter waits grow by chance. */
const minQueueWaitMs = 1_000;

/** Whether at least as long as a queue waits lay between each two calls. */
function isPaced(calls: readonly StoredEntry[]): boolean {
  return everyPair(calls, (call, next) => gapMs(call, next) >= minQueueWaitMs);
}

function loopsIn({ entries }: Evidence): Loop[] {
  const loops: Loop[] = [];
  let token: StoredEntry | undefined;
  let loop: Loop | undefined;
  for (const entry of entries) {
    if (entry.operation === undefined) continue;
    if (entry.operation === 'token.create') {
      if (entry.concludes === 'OK') token = entry;
      continue;
    }
    if (token === undefined || !isRejected(token, entry)) loop = undefined;
    else {
      const request = `${entry.method} ${entry.path} ${entry.intent ?? ''}`;
      const last = loop?.entries.at(-1);
      const isSoon = last !== undefined && gapMs(last, token) <= maxGapMs;
      if (!isSoon || loop?.request !== request)
        loops.push((loop = { request, entries: [], calls: [] }));
      loop.entries.push(token, entry);
      loop.calls.push(entry);
    }
    token = undefined;
  }
  return loops;
}

/** Whether a call was answered 401 although the client sent it after it had received the token. */
function isRejected(token: StoredEntry, call: StoredEntry): boolean {
  return call.status === 401 && !overlaps(token, call) && gapMs(token, call) <= maxGapMs;
}
