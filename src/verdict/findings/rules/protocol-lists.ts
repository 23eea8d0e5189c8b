/** Findings about lists that were taken for more than they are. */
import type { OperationName } from '../../../contract/service/operations.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isCut } from '../../../journal/text/truncate.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import { groupIdenticalCards } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, indexAfterSeq, overlaps } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { memoize } from '../../evidence/journal-index.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { describeRequest, firstExamples, formatTimes } from '../../phrases.ts';

export const listRules: readonly FindingRule[] = [
  {
    id: 'ignores-next-link',
    severity: 'medium',
    about: 'What was on a later page of a list was taken for absent.',
    remedy: 'Follow `next` links, or next_id, until there is none.',
    needsWholeJournal: true,
    find: (evidence) => beliefsOf(evidence).page,
  },
  {
    id: 'list-as-proof-of-absence',
    severity: 'medium',
    about: 'Something was made again because a list did not show it yet.',
    remedy: 'Ask for a record by its id, or repeat the request with the same PayPal-Request-Id.',
    needsWholeJournal: true,
    find: (evidence) => beliefsOf(evidence).list,
  },
  {
    id: 'hand-built-url',
    severity: 'info',
    about: 'An address was put together although an answer had a link that is written otherwise.',
    remedy:
      'Follow links as they are: `next` goes on where its page ended, also if cards come and go.',
    find: builtAddresses,
  },
];

/** Where these are listed and made. */
const listings = {
  card: { list: 'card.list', create: 'card.create' },
  payment: { list: 'payment.list', create: 'payment.create' },
} as const;
type Kind = keyof typeof listings;

/** Whoever makes something later than this did not look it up for that. */
const soonMs = 120_000;
const mostPages = 20;

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

type Mistake = 'page' | 'list';

/** What was looked up in lists, was not in them, and was made again: because of a page, or of the whole list. */
const beliefsOf = memoize((evidence: Evidence): Readonly<Record<Mistake, readonly Notice[]>> => {
  const found: Record<Mistake, Notice[]> = { page: [], list: [] };
  for (const kind of ['card', 'payment'] as const) {
    for (const beliefs of beliefsAbout(evidence, kind)) {
      for (const [mistake, alike] of groupBy(beliefs, (belief) => belief.mistake)) {
        // An invoice number lets nothing be charged twice: whoever looks and repeats it risks nothing.
        const isHarmless = kind === 'payment' && mistake === 'list' && !alike.some(isDoneTwice);
        found[mistake].push({
          ...noticeOf(mistake, alike),
          ...(isHarmless && { severity: 'low' as const }),
        });
      }
    }
  }
  return found;
});

/** One time that it was made again. */
interface Belief {
  readonly mistake: Mistake;
  readonly made: StoredEntry;
  readonly pages: readonly StoredEntry[];
  readonly again: StoredEntry;
}

/** By what was made again. */
function beliefsAbout(evidence: Evidence, kind: Kind): Belief[][] {
  const { cardDeletions } = evidence;
  const read = evidence.of(listings[kind].list).filter(({ concludes }) => concludes === 'OK');
  const creates = read.length === 0 ? [] : createsOf(evidence, kind);
  const lists = creates.length === 0 ? [] : listsOf(read);
  return creates.map(({ entries, customer, isMaybeNew = false }) => {
    const beliefs: Belief[] = [];
    for (const [at, again] of entries.entries()) {
      const made = entries[at - 1];
      // With the same request id nothing is made again, whatever was believed.
      const isSafe = again.requestId !== undefined && again.requestId === made?.requestId;
      if (made === undefined || isSafe || (isMaybeNew && made.concludes === 'OK')) continue;
      if ((cardDeletions.get(made.subject ?? '') ?? Infinity) < again.seq) continue;
      const pages = pagesBetween(lists, made, again, customer);
      const last = pages.at(-1);
      if (last === undefined || pages.some((page) => holds(page, made))) continue;
      const mistake = hasNext(last) ? 'page' : 'list';
      if (mistake === 'page' && !made.committed) continue;
      beliefs.push({ mistake, made, pages, again });
    }
    return beliefs;
  });
}

function isDoneTwice({ made, again }: Belief): boolean {
  return made.committed && again.committed;
}

/** What is asked for again and again is one habit. */
function noticeOf(mistake: Mistake, beliefs: readonly Belief[]): Notice {
  const [first] = beliefs;
  const times = beliefs.length === 1 ? '' : ` So ${formatTimes(beliefs.length)}.`;
  return {
    what: `${first === undefined ? '' : wordsFor(mistake, first)}${times}`,
    evidence: evidenceOf(beliefs),
    confidence: beliefs.some(({ made }) => made.committed) ? 'likely' : 'possible',
  };
}

/** As much of it as shows the habit, oldest first. */
function evidenceOf(beliefs: readonly Belief[]): readonly StoredEntry[] {
  const shown = beliefs
    .slice(0, mostPages)
    .flatMap(({ made, pages, again }) => [made, ...pages, again]);
  return firstExamples(new Set(shown));
}

function wordsFor(mistake: Mistake, { made, pages, again }: Belief): string {
  const list = pages.at(-1) ?? again;
  const what = made.committed ? (made.subject ?? '') : `What ${describeRequest(made)} asked for`;
  const where =
    mistake === 'page'
      ? `stood on a page of ${list.operation ?? ''} that was not read`
      : `was not in the answer to ${describeRequest(list)}`;
  return `${what} ${where}, and was asked for again by ${describeRequest(again)}.`;
}

/** Requests for the same thing, oldest first. */
interface Creates {
  readonly entries: readonly StoredEntry[];
  readonly customer: string | undefined;
  /** What was answered may be wanted once more; what was not is looked for. */
  readonly isMaybeNew?: boolean;
}

/** What was made more than once, as far as it can be told: payments by what they are called, cards by customer and face. */
function createsOf(evidence: Evidence, kind: Kind): Creates[] {
  if (kind === 'payment') {
    return evidence.retriedGroups.flatMap(({ operation, attempts, purchase, isNamed }) => {
      if (operation !== 'payment.create') return [];
      if (!isNamed && purchase?.custom === undefined) return [];
      const entries = attempts.filter(mayBeThere);
      return [{ entries, customer: undefined, isMaybeNew: !isNamed }];
    });
  }
  return groupIdenticalCards(evidence).flatMap((stores) => {
    const entries = stores.filter(mayBeThere);
    const [first] = entries;
    const customer = first && memberOf(evidence.bodyOf(first), 'external_customer_id');
    return typeof customer === 'string' && customer !== '' ? [{ entries, customer }] : [];
  });
}

/** What was refused was not made, and everybody knows. */
function mayBeThere({ committed, concludes }: StoredEntry): boolean {
  return committed || concludes === 'UNKNOWN';
}

/** Lists that were read between the two, the latest so many, and could have shown the first. */
function pagesBetween(
  lists: readonly List[],
  made: StoredEntry,
  again: StoredEntry,
  customer: string | undefined,
): StoredEntry[] {
  const pages: StoredEntry[] = [];
  const before = indexAfterSeq(lists, again.seq, ({ page }) => page.seq) - 1;
  for (let at = before; at >= 0 && pages.length < mostPages; at--) {
    const list = lists[at];
    if (list === undefined) break;
    const { page, isPartial, customers } = list;
    if (page.seq < made.seq || gapMs(page, again) > soonMs) break;
    const couldShow = !isPartial && customers.every((only) => only === customer);
    if (overlaps(page, again) || !couldShow) continue;
    if (page.response === undefined || isCut(page.response)) return [];
    pages.unshift(page);
  }
  return pages;
}

/** What of everything a list shows, by its address. */
interface Range {
  /** The customers whose cards alone it shows; of everybody where there are none. */
  readonly customers: readonly string[];
  /** Something else is left out of it. */
  readonly isPartial: boolean;
}

/** A list that was read. */
interface List extends Range {
  readonly page: StoredEntry;
}

/** Clients read the same address over and over. */
function listsOf(pages: readonly StoredEntry[]): List[] {
  const ranges = new Map<string, Range>();
  return pages.map((page) => {
    const range = ranges.get(page.path) ?? rangeOf(page.path);
    ranges.set(page.path, range);
    return { page, customers: range.customers, isPartial: range.isPartial };
  });
}

function rangeOf(path: string): Range {
  const narrowing = [...queryOf(path)].filter(
    ([name, value]) => value !== '' && !wholeParameters.has(name),
  );
  const ofCustomers = narrowing.filter(([name]) => name === 'external_customer_id');
  return {
    customers: ofCustomers.map(([, value]) => value),
    isPartial: ofCustomers.length < narrowing.length,
  };
}

function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}

// Lists are the sandbox's own text, so a look tells what reading would: quotes within a text of theirs are escaped.
function holds({ response = '' }: StoredEntry, { subject = '' }: StoredEntry): boolean {
  return response.includes(`"id":"${subject}"`);
}

function hasNext({ response = '' }: StoredEntry): boolean {
  return response.includes('"next_id":') || response.includes('"rel":"next"');
}

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

function* builtAddresses(evidence: Evidence): Generator<Notice> {
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
