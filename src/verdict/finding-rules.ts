/** Every rule about what a client must not do. */
import type { FindingRule } from './finding-rule.ts';
import { moneyRules } from './rules/money.ts';

export const findingRules: readonly FindingRule[] = [...moneyRules];
