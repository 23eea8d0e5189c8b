import type { FindingRule } from '../finding-rule.ts';
import { detectRecreations } from './recreations.ts';

/** Finds records that a client created again because a complete list did not show them yet. */
export const listAsProofOfAbsence: FindingRule = {
  id: 'list-as-proof-of-absence',
  severity: 'medium',
  about: 'A record was created again because a list did not show it yet.',
  remedy: 'Read a record by its id, or retry its request with the same PayPal-Request-Id.',
  needsWholeJournal: true,
  find: (evidence) => detectRecreations(evidence)['stale-list'],
};
