/** Findings about lists that were taken for more than they are. */
import type { Entry } from '../../journal/entry.ts';
import { memberAt } from '../../member.ts';
import type { Evidence } from '../evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { groupedBy } from '../grouped.ts';
import { gapMs, overlap } from '../trail.ts';
import { firstOf } from '../words.ts';

export const listRules: readonly FindingRule[] = [
  {
    id: 'ignores-next-link',
    severity: 'medium',
    about: 'What was on a later page of a list was taken for absent.',
    remedy: 'Follow `next` links, or next_id, until there is none.',
    needsWholeJournal: true,
    find: (evidence) => beliefsOf(evidence, 'page'),
  },
  {
    id: 'list-as-proof-of-absence',
    severity: 'medium',
    about: 'Something was made again because a list did not show it yet.',
    remedy: 'Ask for a record by its id, or repeat the request with the same PayPal-Request-Id.',
    needsWholeJournal: true,
    find: (evidence) => beliefsOf(evidence, 'list'),
  },
  {
    id: 'hand-built-url',
    severity: 'info',
    about: 'The address of the next page was put together, and not taken from its link.',
    remedy: 'Follow the `next` link: it goes on where the page ended, also if cards come and go.',
    find: builtPages,
  },
];

/** What a list of these answers is made of. */
const listings = {
  card: { list: 'card.list', create: 'card.create', items: 'items' },
  payment: { list: 'payment.list', create: 'payment.create', items: 'payments' },
} as const;
type Kind = keyof typeof listings;

/** Whoever makes something later than this did not look it up for that. */
const soonMs = 120_000;
const mostPages = 50;

/** Parameters that leave nothing out of a list, or only other customers' cards. */
const wholeParameters: ReadonlySet<string> = new Set([
  'page_size',
  'page',
  'after',
  'count',
  'start_id',
  'start_index',
  'sort_by',
  'sort_order',
  'total_required',
]);

function* beliefsOf(evidence: Evidence, mistake: 'page' | 'list'): Generator<Notice> {
  for (const kind of ['card', 'payment'] as const) {
    const lists = evidence.of(listings[kind].list).filter(({ concludes }) => concludes === 'OK');
    if (lists.length === 0) continue;
    for (const [, creates] of groupedBy(createsOf(evidence, kind), ({ name }) => name)) {
      for (const [at, { entry, customer }] of creates.entries()) {
        const made = creates[at - 1]?.entry;
        // With the same request id nothing is made again, whatever was believed.
        const isSafe = entry.requestId !== undefined && entry.requestId === made?.requestId;
        if (made?.subject === undefined || isSafe || isDeleted(evidence, made, entry)) continue;
        const pages = pagesBetween(evidence, lists, made, entry, customer);
        const last = pages.at(-1);
        if (last === undefined || pages.some((page) => holds(evidence, kind, page, made))) continue;
        if (hasNext(evidence, last) !== (mistake === 'page')) continue;
        yield {
          what:
            mistake === 'page'
              ? `${made.subject} stood on a page of ${last.operation ?? ''} that was not read, and was made again as ${entry.subject ?? ''}.`
              : `${made.subject} was not in the answer to ${last.operation ?? ''} yet, and was made again as ${entry.subject ?? ''}.`,
          evidence: firstOf([made, ...pages, entry]),
          confidence: 'likely',
        };
      }
    }
  }
}

interface Create {
  readonly entry: Entry;
  /** Equal for what is the same thing, made twice. */
  readonly name: string;
  readonly customer: string | undefined;
}

/** What was made, as far as it can be told from others: payments by invoice number, cards by customer and face. */
function createsOf(evidence: Evidence, kind: Kind): Create[] {
  if (kind === 'payment') {
    return evidence.purchases.flatMap(({ key, invoiceNumber, attempts }) =>
      invoiceNumber === undefined
        ? []
        : attempts
            .filter(({ committed }) => committed)
            .map((entry) => ({ entry, name: key, customer: undefined })),
    );
  }
  return evidence.of('card.create').flatMap((entry) => {
    const customer = memberAt(evidence.bodyOf(entry), 'external_customer_id');
    return entry.committed && typeof customer === 'string' && customer !== ''
      ? [{ entry, name: entry.request ?? '', customer }]
      : [];
  });
}

function isDeleted(evidence: Evidence, made: Entry, again: Entry): boolean {
  return (
    made.subject !== undefined &&
    evidence.of('card.delete').some(({ cardId, seq }) => cardId === made.subject && seq < again.seq)
  );
}

/** Lists that were read between the two, the latest so many, and could have shown the first. */
function pagesBetween(
  evidence: Evidence,
  lists: readonly Entry[],
  made: Entry,
  again: Entry,
  customer: string | undefined,
): Entry[] {
  const pages: Entry[] = [];
  for (let at = firstAfter(lists, again.seq) - 1; at >= 0 && pages.length < mostPages; at--) {
    const page = lists[at];
    if (page === undefined || page.seq < made.seq || gapMs(page, again) > soonMs) break;
    if (overlap(page, again) || !couldShow(page, customer)) continue;
    if (evidence.answerOf(page) === undefined) return [];
    pages.unshift(page);
  }
  return pages;
}

/** The place of the first entry that came after `seq`. */
function firstAfter(entries: readonly Entry[], seq: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function couldShow({ path }: Entry, customer: string | undefined): boolean {
  return [...queryOf(path)].every(
    ([name, value]) =>
      value === '' ||
      wholeParameters.has(name) ||
      (name === 'external_customer_id' && value === customer),
  );
}

function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}

function holds(evidence: Evidence, kind: Kind, page: Entry, made: Entry): boolean {
  const items = memberAt(evidence.answerOf(page), listings[kind].items);
  return Array.isArray(items) && items.some((item) => memberAt(item, 'id') === made.subject);
}

function hasNext(evidence: Evidence, page: Entry): boolean {
  return (
    memberAt(evidence.answerOf(page), 'next_id') !== undefined ||
    nextOf(evidence, page) !== undefined
  );
}

/** The `next` link of a page. */
function nextOf(evidence: Evidence, page: Entry): string | undefined {
  const links = memberAt(evidence.answerOf(page), 'links');
  if (!Array.isArray(links)) return undefined;
  const href = memberAt(
    links.find((link) => memberAt(link, 'rel') === 'next'),
    'href',
  );
  return typeof href === 'string' ? href : undefined;
}

/** Two pages further than this apart were not turned by one reader. */
const turnedMs = 60_000;

function* builtPages(evidence: Evidence): Generator<Notice> {
  const pages = evidence.of('card.list').filter(({ concludes }) => concludes === 'OK');
  const built = pages.flatMap((page, at) => {
    const before = pages[at - 1];
    if (before === undefined || gapMs(before, page) > turnedMs) return [];
    const number = queryOf(page.path).get('page');
    if (number === null || queryOf(page.path).has('after')) return [];
    const next = nextOf(evidence, before);
    return next !== undefined && queryOf(next).get('page') === number ? [before, page] : [];
  });
  if (built.length === 0) return;
  yield {
    what: `The address of a page of cards was put together although the page before had a \`next\` link.`,
    evidence: firstOf([...new Set(built)]),
    // The documented parameter alone works as well, as long as no card comes or goes.
    confidence: 'possible',
  };
}
