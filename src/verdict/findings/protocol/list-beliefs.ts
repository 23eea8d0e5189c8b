import { memoize } from '../../evidence/journal-index.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Detection } from '../finding-rule.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { formatTimes, firstExamples, describeRequest } from '../../phrases.ts';
import { groupIdenticalCards } from '../../evidence/cards.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { indexAfterSeq, gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { isCut } from '../../../journal/text/truncate.ts';

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
export const beliefsOf = memoize(
  (evidence: Evidence): Readonly<Record<Mistake, readonly Detection[]>> => {
    const found: Record<Mistake, Detection[]> = { page: [], list: [] };
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
  },
);

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
function noticeOf(mistake: Mistake, beliefs: readonly Belief[]): Detection {
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

export function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}

// Lists are the sandbox's own text, so a look tells what reading would: quotes within a text of theirs are escaped.
function holds({ response = '' }: StoredEntry, { subject = '' }: StoredEntry): boolean {
  return response.includes(`"id":"${subject}"`);
}

function hasNext({ response = '' }: StoredEntry): boolean {
  return response.includes('"next_id":') || response.includes('"rel":"next"');
}
