import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isSameIntent } from '../../purchases/attempts.ts';
import { areParallel, gapMs } from '../../evidence/exchange-order.ts';
import { capitalize, formatDuration } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';

/** A request was repeated sooner than Retry-After allowed. */
export const ignoresRetryAfter: FindingRule = {
  id: 'ignores-retry-after',
  severity: 'high',
  about: 'A request was repeated sooner than Retry-After allowed.',
  remedy: 'Wait at least as long as Retry-After says, in seconds or until its date.',
  find: hastyRetries,
};

/** What a rounded wait, and a clock that ticks otherwise, may take off what was asked for. */
const leeway = 0.9;

/** Under this, a client that waits cannot be told from one whose timers are played. */
const surelyWaitedMs = 500;

/** Dates have whole seconds, and mean a client's clock only where that shows the same time. */
const dateLeewayMs = 1000;

const sameClockMs = 5_000;

function* hastyRetries({ retriedGroups, isClockFrozen }: Evidence): Generator<Detection> {
  for (const task of retriedGroups) {
    for (const [at, entry] of task.attempts.entries()) {
      const last = task.attempts[at - 1];
      if (last === undefined || !isSameIntent(task, last, entry) || areParallel(last, entry))
        continue;
      const askedMs = waitAskedMs(last);
      const waitedMs = gapMs(last, entry);
      if (askedMs === undefined || waitedMs >= askedMs * leeway) continue;
      const isSure = waitedMs >= surelyWaitedMs;
      if (!isSure && isClockFrozen) continue;
      const isMeant = isSure && (task.isNamed || entry.requestId !== undefined);
      yield {
        what: `${capitalize(task.description)} was asked for again after ${formatDuration(waitedMs)}, although the answer said to wait ${formatDuration(askedMs)}.`,
        evidence: [last, entry],
        purchase: task.purchase,
        ...(!isMeant && { severity: 'medium', confidence: 'possible' }),
      };
      break;
    }
  }
}

/** How long an answer says to wait; absent where it says nothing that the client could tell. */
function waitAskedMs({
  retryAfter,
  atMs,
  openedRealMs,
  concludes,
}: StoredEntry): number | undefined {
  if (retryAfter === undefined || concludes === 'OK') return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  if (Math.abs(atMs - openedRealMs) > sameClockMs) return undefined;
  const waitMs = Date.parse(retryAfter) - atMs - dateLeewayMs;
  return waitMs > 0 ? waitMs : undefined;
}
