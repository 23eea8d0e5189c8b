import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds identical requests so soon after a broken connection that only an HTTP library can have sent them. */
export const hiddenTransportRetry: FindingRule = {
  id: 'hidden-transport-retry',
  severity: 'high',
  about: 'A POST without a PayPal-Request-Id was sent again right after its connection broke.',
  remedy:
    'Switch off the automatic retries of your HTTP library for POST, or send a PayPal-Request-Id.',
  find: findHiddenRetries,
};

/** Application code that waits, reads or logs between two attempts takes longer than this. */
const maxGapMs = 50;

function* findHiddenRetries({ retriedGroups }: Evidence): Generator<Detection> {
  for (const group of retriedGroups) {
    for (const [at, entry] of group.attempts.entries()) {
      const last = group.attempts[at - 1];
      if (last === undefined || !isHiddenRetry(last, entry)) continue;
      yield {
        what: `The request for ${group.description} was sent again unchanged on a new connection, within ${maxGapMs} ms after the first connection broke. HTTP libraries do this on their own.`,
        evidence: [last, entry],
        purchase: group.purchase,
        confidence: 'likely',
      };
      break;
    }
  }
}

/** A retry with a request id does no harm and may be intended, so it does not count. */
function isHiddenRetry(last: StoredEntry, entry: StoredEntry): boolean {
  const { delivery, closedRealMs, requestId, request, atMs } = last;
  return (
    delivery.state === 'lost' &&
    !delivery.clientLeft &&
    requestId === undefined &&
    entry.requestId === undefined &&
    request !== undefined &&
    request === entry.request &&
    entry.reusedConnection === false &&
    entry.openedRealMs - closedRealMs <= maxGapMs &&
    entry.atMs - atMs <= maxGapMs
  );
}
