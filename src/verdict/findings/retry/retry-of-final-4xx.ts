import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { hasSameKey } from '../../client-knowledge/idempotency-keys.ts';
import { isNewCardNotFound } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { areForcedApart, retryAdviceFor } from '../../evidence/exchange-results.ts';
import { areParallel, gapMs, indexAfter } from '../../evidence/exchange-order.ts';
import { groupRepeats } from '../../evidence/group-by.ts';
import { isNamedOrder } from '../../evidence/orders/order-names.ts';
import { firstExamples } from '../../phrases.ts';
import { isSameIntent, type AttemptGroup } from '../../purchases/attempts.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds requests that were sent again unchanged although their refusal was final. */
export const retryOfFinal4xx: FindingRule = {
  id: 'retry-of-final-4xx',
  severity: 'high',
  about: 'A request was sent again unchanged after a final refusal.',
  remedy:
    'Retry only after 408, 425, 429, 5xx or a lost answer; change the request after any other 4xx.',
  find: findRetriesOfFinalRefusals,
};

const finalStatuses: ReadonlySet<number> = new Set([400, 403, 404, 415, 422]);

/** A buyer may press a button twice, but not three times within this time for the same answer. */
const windowMs = 10_000;

function* findRetriesOfFinalRefusals(evidence: Evidence): Generator<Detection> {
  yield* findOldTokens(evidence);
  for (const group of evidence.retriedGroups) {
    // Most groups have too few attempts for a loop.
    const run = group.attempts.length < 3 ? undefined : runsOf(evidence, group).find(isLoop);
    const [first] = run ?? [];
    if (run === undefined || first === undefined) continue;
    yield {
      what: `The request for ${group.description} was sent ${run.length} times unchanged, although the first answer was final: ${[first.status, first.problem].filter(Boolean).join(' ')}.`,
      evidence: firstExamples(run),
      purchase: group.purchase,
      // Tests that provoke one refusal after another look the same, but have no request ids, or a rule for each.
      ...((first.requestId === undefined || areForcedApart(run)) && {
        severity: 'medium',
        confidence: 'possible',
      }),
    };
  }
}

/** Requests that were repeated with a token that had been refused: no new one was received in between. */
function* findOldTokens(evidence: Evidence): Generator<Detection> {
  const refused = evidence.remarkable.filter(
    ({ status, outcomes, requestId }) =>
      status === 401 && outcomes.length === 0 && requestId !== undefined,
  );
  const tokens = evidence.of('token.create').filter(({ concludes }) => concludes === 'OK');
  const alike = groupRepeats(refused, 3, (entry) =>
    JSON.stringify([
      entry.method,
      entry.path,
      entry.requestId,
      // How many tokens the client had received.
      indexAfter(tokens, entry.seq),
    ]),
  );
  for (const run of alike.values()) {
    const [first] = run;
    if (first === undefined || !isLoop(run)) continue;
    yield {
      what: `${first.method} ${first.path} was sent ${run.length} times with a token that had been refused with 401, and no new token was requested.`,
      evidence: firstExamples(run),
      remedy: 'After a 401, request one new token and retry once.',
    };
  }
}

/** Requests that repeat a final refusal, in runs. */
function runsOf(evidence: Evidence, group: AttemptGroup): StoredEntry[][] {
  const runs: StoredEntry[][] = [];
  for (const entry of group.attempts) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last !== undefined && isRetryOfRefusal(evidence, group, last, entry)) run?.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/** Whether three requests of a run came within a short time. */
function isLoop(run: readonly StoredEntry[]): boolean {
  return run.some((entry, at) => {
    const third = run[at - 2];
    return third !== undefined && gapMs(third, entry) <= windowMs;
  });
}

function isRetryOfRefusal(
  evidence: Evidence,
  group: AttemptGroup,
  last: StoredEntry,
  entry: StoredEntry,
): boolean {
  return (
    last.request !== undefined &&
    last.request === entry.request &&
    // A new request id does not make another purchase of an order that has a number.
    (isSameIntent(group, last, entry) || isNamedOrder(evidence, entry)) &&
    isFinal(last, hasSameKey(last, entry)) &&
    !isNewCardNotFound(evidence, last) &&
    !areParallel(last, entry)
  );
}

/** Whether an answer refused the request for good. It is not final if the catalogue lets a client retry after it. */
function isFinal(entry: StoredEntry, isSameId: boolean): boolean {
  if (entry.concludes !== 'FAIL' || !finalStatuses.has(entry.status)) return false;
  return !retryAdviceFor(entry).some(
    (advice) =>
      advice === 'same-key' || advice === 'after-wait' || (advice === 'new-key' && !isSameId),
  );
}
