import { beliefsOf } from './list-beliefs.ts';
import type { FindingRule } from '../finding-rule.ts';

/** Something was made again because a list did not show it yet. */
export const listAsProofOfAbsence: FindingRule = {
  id: 'list-as-proof-of-absence',
  severity: 'medium',
  about: 'Something was made again because a list did not show it yet.',
  remedy: 'Ask for a record by its id, or repeat the request with the same PayPal-Request-Id.',
  needsWholeJournal: true,
  find: (evidence) => beliefsOf(evidence).list,
};
