import type { FindingRule } from '../finding-rule.ts';
import { findWarnings } from '../guard-warnings.ts';

/** Reports card numbers that the guard does not know as test numbers. */
export const realLookingCard: FindingRule = {
  id: 'real-looking-card',
  severity: 'critical',
  about: 'A card number was sent that is not on any list of test numbers.',
  remedy: 'Use published test numbers, and allow your own test numbers with --allow-cards.',
  find: (evidence) => findWarnings(evidence, 'real-looking-card', 'a card number that may be real'),
};
