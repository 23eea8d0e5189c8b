import { warnedOf } from '../guard-warnings.ts';
import type { FindingRule } from '../finding-rule.ts';

/** A card number was sent that is on no list of test numbers. */
export const realLookingCard: FindingRule = {
  id: 'real-looking-card',
  severity: 'critical',
  about: 'A card number was sent that is on no list of test numbers.',
  remedy: 'Test with published numbers, and add numbers of your own by --allow-cards.',
  find: (evidence) => warnedOf(evidence, 'real-looking-card', 'a card number that may be real'),
};
