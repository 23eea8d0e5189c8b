import { beliefsOf } from './list-beliefs.ts';
import type { FindingRule } from '../finding-rule.ts';

/** What was on a later page of a list was taken for absent. */
export const ignoresNextLink: FindingRule = {
  id: 'ignores-next-link',
  severity: 'medium',
  about: 'What was on a later page of a list was taken for absent.',
  remedy: 'Follow `next` links, or next_id, until there is none.',
  needsWholeJournal: true,
  find: (evidence) => beliefsOf(evidence).page,
};
