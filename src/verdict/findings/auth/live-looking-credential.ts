import type { FindingRule } from '../finding-rule.ts';
import { findWarnings } from '../guard-warnings.ts';

/** Reports credentials that the guard takes for live ones. */
export const liveLookingCredential: FindingRule = {
  id: 'live-looking-credential',
  severity: 'critical',
  about: 'Credentials were sent that look like live ones.',
  remedy: 'Revoke these credentials: they have been exposed. Any value works in the sandbox.',
  find: (evidence) =>
    findWarnings(evidence, 'live-looking-credential', 'credentials that look live'),
};
