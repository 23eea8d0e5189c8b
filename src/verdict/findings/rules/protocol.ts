/** Findings about how the service is spoken to. */
import type { FindingRule } from '../finding-rule.ts';
import { listRules } from './protocol-lists.ts';
import { pollingRules } from './protocol-polling.ts';
import { requestRules } from './protocol-requests.ts';

export const protocolRules: readonly FindingRule[] = [
  ...listRules,
  ...requestRules,
  ...pollingRules,
];
