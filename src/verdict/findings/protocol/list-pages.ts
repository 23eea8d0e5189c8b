/** The list pages that a client read, and which records each could show. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isCut } from '../../../journal/text/truncate.ts';
import { bySeq, gapMs, indexAfter, overlaps } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';

/** List pages that a client read, by the customer whose cards they show; those that show every record under undefined. */
export type ListPages = ReadonlyMap<string | undefined, readonly StoredEntry[]>;

/** Query parameters that do not filter a list. */
const unfilteredParameters: ReadonlySet<string> = new Set([
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

/** A client that creates a record later than this did not read the list for it. */
const lookupWindowMs = 120_000;

/** How many pages of one lookup are considered. */
export const maxPages = 20;

/** Groups list pages by customer. Pages that may leave out other records are dropped. */
export function groupListPages(pages: readonly StoredEntry[]): ListPages {
  // Clients read the same URLs over and over.
  const shown = new Map<string, Shown | undefined>();
  for (const path of new Set(pages.map((page) => page.path))) shown.set(path, shownBy(path));
  const complete = pages.filter(({ path }) => shown.get(path) !== undefined);
  return groupBy(complete, ({ path }) => shown.get(path)?.customerId);
}

/** What a list shows: all cards of one customer, or all records. */
interface Shown {
  readonly customerId: string | undefined;
}

function shownBy(path: string): Shown | undefined {
  const customerIds = new Set<string>();
  for (const [name, value] of queryOf(path)) {
    if (value === '' || unfilteredParameters.has(name)) continue;
    if (name !== 'external_customer_id') return undefined;
    customerIds.add(value);
  }
  const [customerId] = customerIds;
  return customerIds.size > 1 ? undefined : { customerId };
}

/** The latest pages read between two requests that could show what the first one created. */
export function findPagesBetween(
  lists: ListPages,
  first: StoredEntry,
  again: StoredEntry,
  customerId: string | undefined,
): readonly StoredEntry[] {
  const pages = [...new Set([undefined, customerId])]
    .flatMap((customer) => latestBetween(lists.get(customer) ?? [], first, again))
    .toSorted(bySeq)
    .slice(-maxPages);
  return pages.some(({ response }) => response === undefined || isCut(response)) ? [] : pages;
}

function latestBetween(
  pages: readonly StoredEntry[],
  first: StoredEntry,
  again: StoredEntry,
): readonly StoredEntry[] {
  const found: StoredEntry[] = [];
  for (let at = indexAfter(pages, again.seq) - 1; at >= 0 && found.length < maxPages; at--) {
    const page = pages[at];
    if (page === undefined || page.seq < first.seq || gapMs(page, again) > lookupWindowMs) break;
    if (!overlaps(page, again)) found.push(page);
  }
  return found;
}

// The sandbox wrote these lists, and quotes inside their texts are escaped: a text search is enough.

export function showsRecord(
  { response = '' }: StoredEntry,
  { subject = '' }: StoredEntry,
): boolean {
  return response.includes(`"id":"${subject}"`);
}

export function hasNextPage({ response = '' }: StoredEntry): boolean {
  return response.includes('"next_id":') || response.includes('"rel":"next"');
}

export function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1] ?? '');
}
