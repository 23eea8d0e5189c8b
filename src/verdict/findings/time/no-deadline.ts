import { operationNames } from '../../../contract/service/operations.ts';
import { type OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { indexAfter } from '../../evidence/exchange-order.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
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
  for (const operation of operationNames) {
    const hung = findHungRequests(evidence, operation);
    const [first] = hung;
    if (first === undefined) continue;
    // A socket shows that the client stays. In process, a client can abandon a call without a sign.
    const hasSocket = hung.some(({ reusedConnection }) => reusedConnection !== undefined);
    yield {
      what: `${formatCount(hung.length, `${operation} request`)} ${hung.length === 1 ? 'was' : 'were'} still open after ${formatDuration(first.waitedMs)} without an answer.`,
      evidence: firstExamples(hung),
      ...(hasSocket ? { confidence: 'likely' } : { severity: 'medium', confidence: 'possible' }),
    };
  }
}

function findHungRequests(evidence: Evidence, operation: OperationName): StoredEntry[] {
  const entries = evidence.of(operation);
  return evidence.forced.filter(
    (entry) =>
      entry.operation === operation &&
      entry.overAtSeq !== 0 &&
      !entry.delivery.clientLeft &&
      entry.waitedMs >= hangMs - timerToleranceMs &&
      hasFault(entry, 'hang') &&
      !wasSentAgainMeanwhile(entries, entry),
  );
}

/** Whether the client sent the same request again while the first one hung: then it had given up on the first. */
function wasSentAgainMeanwhile(entries: readonly StoredEntry[], hung: StoredEntry): boolean {
  for (let at = indexAfter(entries, hung.seq); at < entries.length; at++) {
    const next = entries[at];
    if (next === undefined || next.seq >= hung.overAtSeq) return false;
    if (next.path === hung.path && next.request === hung.request) return true;
  }
  return false;
}
