/** The list pages that a client read, and which records each could show. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isCut } from '../../../journal/text/truncate.ts';
import { gapMs, indexAfterSeq, overlaps } from '../../evidence/exchange-order.ts';

/** A list page that the client read. */
export interface ListPage extends Filter {
  readonly page: StoredEntry;
}

/** Which records a list shows, by its URL. */
interface Filter {
  /** The list shows only the cards of these customers; empty for all. */
  readonly customerIds: readonly string[];
  /** The list also leaves out other records. */
  readonly isPartial: boolean;
}

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

export function toListPages(pages: readonly StoredEntry[]): ListPage[] {
  // Clients read the same URLs over and over.
  const filters = new Map<string, Filter>();
  return pages.map((page) => {
    const filter = filters.get(page.path) ?? filterOf(page.path);
    filters.set(page.path, filter);
    return { page, customerIds: filter.customerIds, isPartial: filter.isPartial };
  });
}

function filterOf(path: string): Filter {
  const filters = [...queryOf(path)].filter(
    ([name, value]) => value !== '' && !unfilteredParameters.has(name),
  );
  const byCustomer = filters.filter(([name]) => name === 'external_customer_id');
  return {
    customerIds: byCustomer.map(([, value]) => value),
    isPartial: byCustomer.length < filters.length,
  };
}

/** The latest pages read between two requests that could show what the first one created. */
export function findPagesBetween(
  lists: readonly ListPage[],
  first: StoredEntry,
  again: StoredEntry,
  customerId: string | undefined,
): StoredEntry[] {
  const pages: StoredEntry[] = [];
  const before = indexAfterSeq(lists, again.seq, ({ page }) => page.seq) - 1;
  for (let at = before; at >= 0 && pages.length < maxPages; at--) {
    const list = lists[at];
    if (list === undefined) break;
    const { page, isPartial, customerIds } = list;
    if (page.seq < first.seq || gapMs(page, again) > lookupWindowMs) break;
    const couldShow = !isPartial && customerIds.every((id) => id === customerId);
    if (overlaps(page, again) || !couldShow) continue;
    if (page.response === undefined || isCut(page.response)) return [];
    pages.unshift(page);
  }
  return pages;
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
