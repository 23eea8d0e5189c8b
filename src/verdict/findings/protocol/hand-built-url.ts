import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf, memberAt } from '../../../shared/unknown-value.ts';
import { formatTimes, firstExamples } from '../../phrases.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import { queryOf } from './list-beliefs.ts';
import { gapMs } from '../../evidence/exchange-order.ts';

/** An address was put together although an answer had a link that is written otherwise. */
export const handBuiltUrl: FindingRule = {
  id: 'hand-built-url',
  severity: 'info',
  about: 'An address was put together although an answer had a link that is written otherwise.',
  remedy:
    'Follow links as they are: `next` goes on where its page ended, also if cards come and go.',
  find: builtAddresses,
};

/** The `next` link of a page. */
function nextOf(evidence: Evidence, page: StoredEntry): string | undefined {
  const links = memberOf(evidence.answerOf(page), 'links');
  if (!Array.isArray(links)) return undefined;
  const href = memberAt(
    links.find((link) => memberOf(link, 'rel') === 'next'),
    'href',
  );
  return typeof href === 'string' ? href : undefined;
}

/** Two pages further than this apart were not turned by one reader. */
const turnedMs = 60_000;

function* builtAddresses(evidence: Evidence): Generator<Detection> {
  // Both spellings of the vault are in the document, so a card's address is as good as its link.
  const slashed = evidence
    .wherePathHas('slashAtEnd')
    .filter(({ operation }) => operation !== undefined && !isCollection(operation));
  const built = [
    { found: slashed, what: 'The address of a record was asked for with a slash behind it' },
    { found: builtPages(evidence), what: 'The address of the next page of cards was put together' },
  ];
  for (const { found, what } of built) {
    if (found.length === 0) continue;
    yield {
      what: `${what}, ${formatTimes(found.length)}; its link is written otherwise.`,
      evidence: firstExamples(found),
      // It is as documented, and works.
      confidence: 'possible',
    };
  }
}

/** These have no link, and clients write them either way. */
function isCollection(operation: OperationName): boolean {
  return operation.endsWith('.create') || operation.endsWith('.list');
}

function builtPages(evidence: Evidence): StoredEntry[] {
  const pages = evidence.of('card.list').filter(({ concludes }) => concludes === 'OK');
  return pages.filter((page, at) => {
    const before = pages[at - 1];
    if (before === undefined || !page.path.includes('page=')) return false;
    const query = queryOf(page.path);
    const number = query.get('page');
    if (number === null || query.has('after')) return false;
    const next = gapMs(before, page) > turnedMs ? undefined : nextOf(evidence, before);
    return next !== undefined && queryOf(next).get('page') === number;
  });
}
