import type { FindingRule, Detection } from '../finding-rule.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { overlaps, gapMs } from '../../evidence/exchange-order.ts';
import { firstExamples } from '../../phrases.ts';

/** New tokens were asked for in a loop, because each call after one was answered 401. */
export const refreshLoop: FindingRule = {
  id: 'refresh-loop',
  severity: 'high',
  about: 'New tokens were asked for in a loop, because each call after one was answered 401.',
  remedy: 'After a 401 ask for one new token, send that one, and give up if it is not accepted.',
  find: refreshLoops,
};

/** A client may try twice; each step must come within so long of the one before. */
const mostRefreshes = 2;

const refreshMs = 30_000;

interface Loop {
  readonly request: string;
  readonly entries: StoredEntry[];
}

function* refreshLoops(evidence: Evidence): Generator<Detection> {
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
