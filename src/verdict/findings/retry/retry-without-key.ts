import { unsafeRetries } from './unsafe-retries.ts';
import type { FindingRule } from '../finding-rule.ts';

/** A request whose answer was lost or unreadable was sent again without a PayPal-Request-Id. */
export const retryWithoutKey: FindingRule = {
  id: 'retry-without-key',
  severity: 'critical',
  about:
    'A request whose answer was lost or unreadable was sent again without a PayPal-Request-Id.',
  remedy:
    'Send a PayPal-Request-Id with every POST that must not be done twice, the same one each time.',
  find: (evidence) => unsafeRetries(evidence, 'without-key'),
};
