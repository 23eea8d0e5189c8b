/** Findings about trying again: with what, after what, how fast, and not at all. */
import type { FindingRule } from '../finding-rule.ts';
import { answerRules } from './retry-answers.ts';
import { keyFormRules } from './retry-key-form.ts';
import { keyRules } from './retry-keys.ts';
import { paceRules } from './retry-pace.ts';
import { silenceRules } from './retry-silence.ts';

export const retryRules: readonly FindingRule[] = [
  ...keyRules,
  ...keyFormRules,
  ...answerRules,
  ...paceRules,
  ...silenceRules,
];
