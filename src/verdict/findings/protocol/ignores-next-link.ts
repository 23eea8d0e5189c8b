import type { FindingRule } from '../finding-rule.ts';
import { detectRecreations } from './recreations.ts';

/** Finds records that a client created again because it read only the first pages of a list. */
export const ignoresNextLink: FindingRule = {
  id: 'ignores-next-link',
  severity: 'medium',
  about: 'The client treated a record on a later page of a list as missing.',
  remedy: 'Follow `next` links, or next_id, until there is none.',
  needsWholeJournal: true,
  find: (evidence) => detectRecreations(evidence)['unread-page'],
};
