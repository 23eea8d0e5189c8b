/** Every rule about what a client must not do. */
import type { FindingRule } from './finding-rule.ts';
import { authRules } from './rules/auth.ts';
import { dataRules } from './rules/data.ts';
import { moneyRules } from './rules/money.ts';
import { protocolRules } from './rules/protocol.ts';

export const findingRules: readonly FindingRule[] = [
  ...moneyRules,
  ...authRules,
  ...dataRules,
  ...protocolRules,
];
