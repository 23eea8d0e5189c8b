import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { findPair, isOtherAnsweredBetween } from '../../evidence/exchange-order.ts';
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

/**
 * A library sends the request again at once, and on a loaded machine that takes up to this time. Application code that
 * waits between two attempts takes longer, or does something else in between.
 */
const maxGapMs = 250;

function* findHiddenRetries(evidence: Evidence): Generator<Detection> {
  for (const group of evidence.retriedGroups) {
    const pair = findPair(
      group.attempts,
      (last, entry) =>
        isHiddenRetry(last, entry) && !isOtherAnsweredBetween(evidence.entries, last, entry),
    );
    if (pair === undefined) continue;
    yield {
      what: `The request for ${group.description} was sent again unchanged on another connection, within ${maxGapMs} ms after the first one broke. HTTP libraries do this on their own.`,
      evidence: pair,
      purchase: group.purchase,
      confidence: 'likely',
    };
  }
}

/**
 * A retry with a request id does no harm and may be intended, so it does not count. The other connection is a new one, or
 * another one of the pool. In process there is none.
 */
function isHiddenRetry(last: StoredEntry, entry: StoredEntry): boolean {
  const { delivery, closedRealMs, requestId, request, overAtMs } = last;
  return (
    delivery.state === 'lost' &&
    !delivery.clientLeft &&
    requestId === undefined &&
    entry.requestId === undefined &&
    request !== undefined &&
    request === entry.request &&
    entry.reusedConnection !== undefined &&
    entry.openedRealMs - closedRealMs <= maxGapMs &&
    entry.atMs - overAtMs <= maxGapMs
  );
}
