/** Every rule about what a client must not do. */
import type { FindingRule } from './finding-rule.ts';
import { concurrencyRules } from './rules/concurrency.ts';
import { moneyRules } from './rules/money.ts';
import { retryRules } from './rules/retry.ts';
import { timeRules } from './rules/time.ts';

export const findingRules: readonly FindingRule[] = [
  ...moneyRules,
  ...retryRules,
  ...concurrencyRules,
  ...timeRules,
];
