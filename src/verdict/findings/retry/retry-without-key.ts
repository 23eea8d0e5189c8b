import type { FindingRule } from '../finding-rule.ts';
import { findUnsafeRetries } from './unsafe-retries.ts';

/** Finds retries after an unknown outcome for which no shared request id protects the customer. */
export const retryWithoutKey: FindingRule = {
  id: 'retry-without-key',
  severity: 'critical',
  about: 'After a lost or unreadable answer, a request was retried without a PayPal-Request-Id.',
  remedy:
    'Send a PayPal-Request-Id with every payment, refund and capture, and the same one with every retry.',
  find: (evidence) => findUnsafeRetries(evidence, 'none'),
};
