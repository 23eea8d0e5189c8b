import { operationNames } from '../../../contract/service/operations.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { indexAfter } from '../../evidence/exchange-order.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples, formatCount, formatDuration } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds requests that the client kept open until the sandbox ended the `hang` fault. */
export const noDeadline: FindingRule = {
  id: 'no-deadline',
  severity: 'high',
  about: 'The client waited for an answer until the sandbox closed the connection.',
  remedy: 'Set a deadline for every whole call, for example with AbortSignal.timeout.',
  find: findEndlessWaits,
};

/** The default length of the `hang` fault. No buyer waits longer. */
const hangMs = 60_000;

/** Timers may fire a little early. */
const timerToleranceMs = 50;

function* findEndlessWaits(evidence: Evidence): Generator<Detection> {
  const hungByOperation = groupBy(evidence.forced.filter(hasHung), ({ operation }) => operation);
  for (const operation of operationNames) {
    const hung = hungByOperation.get(operation);
    if (hung === undefined) continue;
    const alike = groupBy(evidence.of(operation), textOf);
    const awaited = hung.filter((entry) => !wasSentAgainMeanwhile(alike, entry));
    const [first] = awaited;
    if (first === undefined) continue;
    // A socket shows that the client stays. In process, a client can abandon a call without a sign.
    const hasSocket = awaited.some(({ reusedConnection }) => reusedConnection !== undefined);
    yield {
      what: `${formatCount(awaited.length, `${operation} request`)} ${awaited.length === 1 ? 'was' : 'were'} still open after ${formatDuration(first.waitedMs)} without an answer.`,
      evidence: firstExamples(awaited),
      ...(hasSocket ? { confidence: 'likely' } : { severity: 'medium', confidence: 'possible' }),
    };
  }
}

function hasHung(entry: StoredEntry): boolean {
  return (
    entry.overAtSeq !== 0 &&
    !entry.delivery.clientLeft &&
    entry.waitedMs >= hangMs - timerToleranceMs &&
    hasFault(entry, 'hang')
  );
}

/** All that a request says, as a key. */
function textOf({ path, request }: StoredEntry): string {
  return JSON.stringify([path, request]);
}

/** Whether the client sent the same request again while the first one hung: then it had given up on the first. */
function wasSentAgainMeanwhile(
  alike: ReadonlyMap<string, readonly StoredEntry[]>,
  hung: StoredEntry,
): boolean {
  const same = alike.get(textOf(hung)) ?? [];
  const next = same[indexAfter(same, hung.seq)];
  return next !== undefined && next.seq < hung.overAtSeq;
}
