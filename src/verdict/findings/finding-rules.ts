/** Every rule about what a client must not do. */
import type { FindingRule } from './finding-rule.ts';
import { authRules } from './rules/auth.ts';
import { concurrencyRules } from './rules/concurrency.ts';
import { dataRules } from './rules/data.ts';
import { moneyRules } from './rules/money.ts';
import { protocolRules } from './rules/protocol.ts';
import { retryRules } from './rules/retry.ts';
import { timeRules } from './rules/time.ts';

export const findingRules: readonly FindingRule[] = [
  ...moneyRules,
  ...retryRules,
  ...concurrencyRules,
  ...timeRules,
  ...authRules,
  ...dataRules,
  ...protocolRules,
];
