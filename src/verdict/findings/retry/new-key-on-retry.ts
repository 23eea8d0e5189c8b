import type { FindingRule } from '../finding-rule.ts';
import { findUnsafeRetries } from './unsafe-retries.ts';

/** Finds retries after an unknown outcome that used another request id, so that the service could not recognize them. */
export const newKeyOnRetry: FindingRule = {
  id: 'new-key-on-retry',
  severity: 'critical',
  about: 'After a lost or unreadable answer, a request was retried with a new PayPal-Request-Id.',
  remedy:
    'Create one PayPal-Request-Id per payment, refund or capture, store it before the first attempt, and send it with every retry.',
  find: (evidence) => findUnsafeRetries(evidence, 'new'),
};
