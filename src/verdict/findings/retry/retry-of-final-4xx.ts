import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { gapMs, areParallel } from '../../evidence/exchange-order.ts';
import { capitalize } from '../../phrases.ts';
import { type AttemptGroup, isSameIntent } from '../../purchases/attempts.ts';
import { retryAdviceFor } from '../../evidence/exchange-results.ts';

/** A request that was refused for good was sent again unchanged. */
export const retryOfFinal4xx: FindingRule = {
  id: 'retry-of-final-4xx',
  severity: 'high',
  about: 'A request that was refused for good was sent again unchanged.',
  remedy: 'Repeat after 408, 425, 429, 5xx and lost answers only; other 4xx need another request.',
  find: finalRetries,
};

const finalStatuses: ReadonlySet<number> = new Set([400, 403, 404, 415, 422]);

/** A buyer presses a button twice; nobody presses it three times in ten seconds for an answer that is the same. */
const finalWindowMs = 10_000;

function* finalRetries({ retriedGroups }: Evidence): Generator<Detection> {
  for (const task of retriedGroups) {
    let run: StoredEntry[] = [];
    for (const entry of task.attempts) {
      const last = run.at(-1);
      if (last !== undefined && repeats(task, last, entry)) run.push(entry);
      else run = [entry];
      const from = run.at(-3);
      if (from !== undefined && gapMs(from, entry) <= finalWindowMs) {
        yield {
          what: `${capitalize(task.description)} was asked for again and again with the same request after it had been refused for good (${from.status}${from.problem === undefined ? '' : ` ${from.problem}`}).`,
          evidence: run,
          purchase: task.purchase,
          ...(!isKept(entry) && { severity: 'medium', confidence: 'possible' }),
        };
        break;
      }
    }
  }
}

/** Without a request id, tests that ask for one refusal after another look the same. */
function isKept({ requestId }: StoredEntry): boolean {
  return requestId !== undefined;
}

function repeats(task: AttemptGroup, last: StoredEntry, entry: StoredEntry): boolean {
  const { request, requestId } = last;
  return (
    request !== undefined &&
    request === entry.request &&
    isSameIntent(task, last, entry) &&
    isFinal(last, requestId !== undefined && requestId === entry.requestId) &&
    !areParallel(last, entry)
  );
}

/** What the catalogue lets a client repeat is not final: as it is, or with a new request id. */
function isFinal(entry: StoredEntry, withSameId: boolean): boolean {
  if (entry.concludes !== 'FAIL' || !finalStatuses.has(entry.status)) return false;
  return !retryAdviceFor(entry).some(
    (advice) =>
      advice === 'same-key' || advice === 'after-wait' || (advice === 'new-key' && !withSameId),
  );
}
