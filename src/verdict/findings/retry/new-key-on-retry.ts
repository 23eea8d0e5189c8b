import { unsafeRetries } from './unsafe-retries.ts';
import type { FindingRule } from '../finding-rule.ts';

/** A request whose answer was lost or unreadable was sent again with another PayPal-Request-Id. */
export const newKeyOnRetry: FindingRule = {
  id: 'new-key-on-retry',
  severity: 'critical',
  about:
    'A request whose answer was lost or unreadable was sent again with another PayPal-Request-Id.',
  remedy:
    'Make one PayPal-Request-Id for each purchase, capture and refund, keep it before the first try, and send it with every try.',
  find: (evidence) => unsafeRetries(evidence, 'new-key'),
};
