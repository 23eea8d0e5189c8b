import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { firstExamples, formatTimes } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { queryOf } from './list-pages.ts';

/** Finds URLs that a client built itself and that differ from the links in the answers. */
export const handBuiltUrl: FindingRule = {
  id: 'hand-built-url',
  severity: 'info',
  about: 'The client built a URL itself instead of using the link from an answer.',
  remedy:
    'Follow links unchanged. A `next` link continues where its page ended, even if cards were added or deleted.',
  find: findBuiltUrls,
};

function* findBuiltUrls(evidence: Evidence): Generator<Detection> {
  // The vault has two documented paths, so both count as the link of a card.
  const withSlash = evidence
    .wherePathHas('slashAtEnd')
    .filter(({ operation }) => operation !== undefined && !isCollection(operation));
  const built = [
    { entries: withSlash, what: 'The client added a slash to the URL of a record' },
    {
      entries: findBuiltPages(evidence),
      what: 'The client built the URL of the next page of cards',
    },
  ];
  for (const { entries, what } of built) {
    if (entries.length === 0) continue;
    yield {
      what: `${what}, ${formatTimes(entries.length)}. The link in the answer is different.`,
      evidence: firstExamples(entries),
      // The URL is documented and works.
      confidence: 'possible',
    };
  }
}

/** Collections have no links. */
function isCollection(operation: OperationName): boolean {
  return operation.endsWith('.create') || operation.endsWith('.list');
}

/** One reader turns to the next page within this time. */
const readerWindowMs = 60_000;

function findBuiltPages(evidence: Evidence): StoredEntry[] {
  const pages = evidence.of('card.list').filter(({ concludes }) => concludes === 'OK');
  return consecutivePairs(pages)
    .filter(([before, page]) => isBuiltPage(evidence, before, page))
    .map(([, page]) => page);
}

function isBuiltPage(evidence: Evidence, before: StoredEntry, page: StoredEntry): boolean {
  if (!page.path.includes('page=')) return false;
  const query = queryOf(page.path);
  const number = query.get('page');
  if (number === null || query.has('after')) return false;
  const next = gapMs(before, page) > readerWindowMs ? undefined : nextLinkOf(evidence, before);
  return next !== undefined && queryOf(next).get('page') === number;
}

/** The `next` link of a page. */
function nextLinkOf(evidence: Evidence, page: StoredEntry): string | undefined {
  const links = memberOf(evidence.answerOf(page), 'links');
  if (!Array.isArray(links)) return undefined;
  const href = memberAt(
    links.find((link) => memberOf(link, 'rel') === 'next'),
    'href',
  );
  return typeof href === 'string' ? href : undefined;
}
