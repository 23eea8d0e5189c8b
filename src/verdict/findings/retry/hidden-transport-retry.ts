import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';

/** A POST without a PayPal-Request-Id was sent again at once when its connection broke. */
export const hiddenTransportRetry: FindingRule = {
  id: 'hidden-transport-retry',
  severity: 'high',
  about: 'A POST without a PayPal-Request-Id was sent again at once when its connection broke.',
  remedy:
    'Switch off the retries of the HTTP library for POST, or send a PayPal-Request-Id with it.',
  find: hiddenRetries,
};

/** Code that waits, looks or logs between two tries takes longer than a library that tries again by itself. */
const hiddenMs = 50;

function* hiddenRetries({ retriedGroups }: Evidence): Generator<Detection> {
  for (const task of retriedGroups) {
    for (const [at, entry] of task.attempts.entries()) {
      const last = task.attempts[at - 1];
      if (last === undefined || !isHidden(last, entry)) continue;
      yield {
        what: `The request for ${task.description} was sent again on a new connection, byte for byte, within ${hiddenMs} ms of the old one breaking: HTTP libraries do that by themselves.`,
        evidence: [last, entry],
        purchase: task.purchase,
        confidence: 'likely',
      };
      break;
    }
  }
}

/** With a request id a repeat does no harm, whoever makes it, and may be meant. */
function isHidden(last: StoredEntry, entry: StoredEntry): boolean {
  const { delivery, closedRealMs, requestId, request, atMs } = last;
  return (
    delivery.state === 'lost' &&
    !delivery.clientLeft &&
    requestId === undefined &&
    entry.requestId === undefined &&
    request !== undefined &&
    request === entry.request &&
    entry.reusedConnection === false &&
    entry.openedRealMs - closedRealMs <= hiddenMs &&
    entry.atMs - atMs <= hiddenMs
  );
}
