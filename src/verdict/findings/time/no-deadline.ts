import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { operationNames, type OperationName } from '../../../contract/service/operations.ts';
import { formatCount, formatDuration, firstExamples } from '../../phrases.ts';
import { openForMs, indexAfter } from '../../evidence/exchange-order.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { hasFault } from '../../evidence/exchange-results.ts';

/** A client waited for an answer that never came until the sandbox closed the connection. */
export const noDeadline: FindingRule = {
  id: 'no-deadline',
  severity: 'high',
  about: 'A client waited for an answer that never came until the sandbox closed the connection.',
  remedy: 'Give every call a deadline for the whole of it, such as AbortSignal.timeout.',
  find: endlessWaits,
};

/** As long as a connection is held by default: no buyer waits longer. */
const longestWaitMs = 60_000;

/** Timers may be early by a little. */
const timerSlackMs = 50;

function* endlessWaits(evidence: Evidence): Generator<Detection> {
  for (const operation of operationNames) {
    const hung = hungUntilTheEnd(evidence, operation);
    const [first] = hung;
    if (first === undefined) continue;
    // In process a call can be given up without a sign; over a socket that leaves the connection open for ever.
    const isSeen = hung.some(({ reusedConnection }) => reusedConnection !== undefined);
    yield {
      what: `${formatCount(hung.length, 'request')} of ${operation} ${hung.length === 1 ? 'was' : 'were'} still open after ${formatDuration(openForMs(first))} without an answer.`,
      evidence: firstExamples(hung),
      ...(isSeen ? { confidence: 'likely' } : { severity: 'medium', confidence: 'possible' }),
    };
  }
}

function hungUntilTheEnd(evidence: Evidence, operation: OperationName): StoredEntry[] {
  const entries = evidence.of(operation);
  return evidence.forced.filter(
    (entry) =>
      entry.operation === operation &&
      entry.overAtSeq !== 0 &&
      !entry.delivery.clientLeft &&
      openForMs(entry) >= longestWaitMs - timerSlackMs &&
      hasFault(entry, 'hang') &&
      !wasAskedMeanwhile(entries, entry),
  );
}

/** Whoever asks for the same meanwhile has given up, though it did not say so. */
function wasAskedMeanwhile(entries: readonly StoredEntry[], hung: StoredEntry): boolean {
  for (let at = indexAfter(entries, hung.seq); at < entries.length; at++) {
    const next = entries[at];
    if (next === undefined || next.seq >= hung.overAtSeq) return false;
    if (next.path === hung.path && next.request === hung.request) return true;
  }
  return false;
}
