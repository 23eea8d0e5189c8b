/** Findings about data that is sent where it does not belong, or not as it should be. */
import type { FindingRule } from '../finding-rule.ts';
import { storedCardRules } from './data-stored-cards.ts';
import { customerRules } from './data-customers.ts';
import { secretRules } from './data-secrets.ts';
import { textRules } from './data-texts.ts';
import { realCardRule } from './warned.ts';

export const dataRules: readonly FindingRule[] = [
  ...secretRules,
  realCardRule,
  ...storedCardRules,
  ...customerRules,
  ...textRules,
];
