import { warnedOf } from '../guard-warnings.ts';
import type { FindingRule } from '../finding-rule.ts';

/** Credentials were sent that look like live ones. */
export const liveLookingCredential: FindingRule = {
  id: 'live-looking-credential',
  severity: 'critical',
  about: 'Credentials were sent that look like live ones.',
  remedy: 'Take the live credentials back, and give tests some of their own: any will do here.',
  find: (evidence) => warnedOf(evidence, 'live-looking-credential', 'live-looking credentials'),
};
