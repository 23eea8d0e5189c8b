/** Lists cards and payments page by page, from orders that are kept sorted. */
import type { Position, Ranking } from './sorted-ids.ts';
import type { ReadModel } from '../world.ts';
import type { Card, Payment } from '../../domain/records.ts';

export interface CardQuery {
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly sortBy: 'create_time' | 'update_time';
  readonly descending: boolean;
  readonly merchantReference: string | undefined;
  readonly externalCardId: string | undefined;
  readonly externalCustomerId: string | undefined;
  /**
   * Continues after this position, even if its card has moved or gone. `page` is then only shown.
   */
  readonly after: number | undefined;
  /** How many positions the page starts too early; negative: too late. */
  readonly shift: number;
}

export interface CardPage {
  readonly cards: readonly Card[];
  readonly total: number;
  /** Where the next page starts; absent on the last page. */
  readonly next: number | undefined;
}

/**
 * Lists a page of a merchant's cards. One filter uses an index; further filters scan the matches of
 * the first.
 */
export function listCards(world: ReadModel, query: CardQuery): CardPage {
  return page(candidates(world, query), query, world);
}

/** The source that pages are cut from. */
type PageSource = Omit<Ranking, 'rankAt'>;

function candidates(world: ReadModel, query: CardQuery): PageSource {
  const { cards } = world;
  const { externalCustomerId, externalCardId, merchantReference } = query;
  const filters = [externalCustomerId, externalCardId, merchantReference].filter(
    (filter) => filter !== undefined,
  ).length;
  const byUpdate = query.sortBy === 'update_time';
  const bounded = query.fromMs !== undefined || query.toMs !== undefined;
  if (filters === 0 && byUpdate && !bounded) return cards.byUpdate;
  const order =
    externalCustomerId !== undefined
      ? cards.by('customer', externalCustomerId)
      : externalCardId !== undefined
        ? cards.by('externalCard', externalCardId)
        : merchantReference !== undefined
          ? cards.by('merchantReference', merchantReference)
          : cards.byCreation;
  const range = within(order, query.fromMs, query.toMs);
  if (filters <= 1 && !byUpdate) return range;
  const matching = range.slice(0, range.size).filter((entry) => {
    const card = cards.get(entry.id);
    return (
      card !== undefined &&
      (externalCustomerId === undefined || card.externalCustomerId === externalCustomerId) &&
      (externalCardId === undefined || card.externalCardId === externalCardId) &&
      (merchantReference === undefined || card.merchantReference === merchantReference)
    );
  });
  return byUpdate
    ? sortBySeq(matching.map((entry) => cards.lastUpdate(entry)))
    : sortBySeq(matching);
}

/** The part of an order created within a time span, both ends inclusive. */
function within(order: Ranking, fromMs: number | undefined, toMs: number | undefined): PageSource {
  if (fromMs === undefined && toMs === undefined) return order;
  const start = fromMs === undefined ? 0 : order.rankAt(fromMs);
  const end = Math.max(start, toMs === undefined ? order.size : order.rankAt(toMs + 1));
  return {
    size: end - start,
    slice: (from, to) => order.slice(start + from, Math.min(start + to, end)),
    rankOf: (seq) => Math.min(Math.max(order.rankOf(seq) - start, 0), end - start),
  };
}

function sortBySeq(entries: readonly Position[]): PageSource {
  const sorted = [...entries].sort((a, b) => a.seq - b.seq);
  return {
    size: sorted.length,
    slice: (from, to) => sorted.slice(from, to),
    rankOf: (seq) => {
      const rank = sorted.findIndex((entry) => entry.seq >= seq);
      return rank === -1 ? sorted.length : rank;
    },
  };
}

function page(order: PageSource, query: CardQuery, world: ReadModel): CardPage {
  const { pageSize, descending, after, shift } = query;
  const { size } = order;
  const skipped = (query.page - 1) * pageSize;
  let entries: Position[];
  let more: boolean;
  if (descending) {
    const end = Math.min(
      size,
      (after === undefined ? size - skipped : order.rankOf(after)) + shift,
    );
    const start = Math.max(0, end - pageSize);
    entries = end <= 0 ? [] : order.slice(start, end).reverse();
    more = start > 0 && end > 0;
  } else {
    const start = Math.max(0, (after === undefined ? skipped : order.rankOf(after + 1)) - shift);
    entries = order.slice(start, start + pageSize);
    more = start + pageSize < size;
  }
  return {
    cards: world.cards.resolve(entries),
    total: size,
    next: more ? entries.at(-1)?.seq : undefined,
  };
}

export interface PaymentQuery {
  readonly count: number;
  readonly startIndex: number;
  /** The first payment of the page. */
  readonly startId: string | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly descending: boolean;
  /** How many positions the page starts too early; negative: too late. */
  readonly shift: number;
}

export interface PaymentPage {
  readonly payments: readonly Payment[];
  readonly nextId: string | undefined;
}

/** Lists a page of a merchant's payments; `undefined` if `startId` is unknown. */
export function listPayments(world: ReadModel, query: PaymentQuery): PaymentPage | undefined {
  const { payments } = world;
  const { count, startIndex, startId, descending, shift } = query;
  const order = within(payments.byCreation, query.fromMs, query.toMs);
  // The start may lie outside the time span: the page then starts with the first payment inside.
  const place = startId === undefined ? undefined : payments.placeOf(startId);
  if (startId !== undefined && place === undefined) return undefined;
  // Read one more than the page has: it is the first of the next page.
  const readCount = count + 1;
  let entries: Position[];
  if (descending) {
    const first = (place === undefined ? order.size : order.rankOf(place.seq + 1)) - startIndex;
    const end = Math.min(order.size, first + shift);
    entries = order.slice(Math.max(0, end - readCount), end).reverse();
  } else {
    const first = (place === undefined ? 0 : order.rankOf(place.seq)) + startIndex;
    const start = Math.max(0, first - shift);
    entries = order.slice(start, start + readCount);
  }
  return {
    payments: payments.resolve(entries.slice(0, count)),
    nextId: entries[count]?.id,
  };
}
