/** Findings about money: charged twice, given back twice, taken where it should not have been, or not taken at all. */
import type { FindingRule } from '../finding-rule.ts';
import { declineRules } from './money-declines.ts';
import { movedRules } from './money-moved.ts';
import { unsettledRules } from './money-unsettled.ts';

export const moneyRules: readonly FindingRule[] = [
  ...movedRules,
  ...declineRules,
  ...unsettledRules,
];
