/** The operations of the vault. */
import type { vaultRoutes } from '../../contract/service/vault.ts';
import { deleteCard, findCard, reviseCard, storeCard } from '../../domain/card/card.ts';
import { accept } from '../../domain/refusals.ts';
import { listCards, type CardQuery } from '../../world/store/listing.ts';
import { patchCard } from './card-patch.ts';
import { cardDraft, cardOwner } from '../../world/request-drafts.ts';
import type { Handlers, Input } from '../operation.ts';
import { cardView } from '../views/card-view.ts';
import { link, type View } from '../views/view.ts';

const defaultPageSize = 10;

export const vaultHandlers: Handlers<keyof typeof vaultRoutes> = {
  'card.create': {
    kind: 'write',
    status: 201,
    idempotent: true,
    plan: ({ body }, world, _view, overrides) =>
      storeCard(world, cardDraft(body), cardOwner(body), overrides.card),
    show: showCard,
  },
  'card.list': {
    kind: 'read',
    read: ({ query }, books, view, shift) => {
      const listing = { shift, ...cardQuery(query) };
      const { cards, total, next } = listCards(books, listing);
      const pages = Math.ceil(total / listing.pageSize);
      return accept({
        items: cards.map((card) => cardView(view, card)),
        ...(query.total_required === false ? {} : { total_items: total, total_pages: pages }),
        links: pageLinks(view, query, { page: listing.page, pages, next }),
      });
    },
  },
  'card.get': {
    kind: 'read',
    read: ({ params }, _books, view) => showCard(params.card_id, view),
  },
  'card.update': {
    kind: 'write',
    status: 200,
    // Two SDKs send the same request id with every call of an object, so both of two patches must apply (contract.md
    // §14.8).
    idempotent: false,
    plan: ({ params, body }, world, view) => {
      const card = findCard(world, params.card_id);
      if (!card.ok) return card;
      const revision = patchCard(cardView(view, card.value), body);
      return revision.ok ? reviseCard(world, card.value, revision.value) : revision;
    },
    show: showCard,
  },
  'card.delete': {
    kind: 'write',
    status: 204,
    idempotent: false,
    plan: ({ params }, world) => deleteCard(world, params.card_id),
    show: () => accept(null),
  },
};

function showCard(id: string, view: View) {
  const card = findCard(view.books, id);
  return card.ok ? accept(cardView(view, card.value)) : card;
}

type ListQuery = Input<'card.list'>['query'];

function cardQuery(query: ListQuery): Omit<CardQuery, 'shift'> {
  return {
    pageSize: query.page_size ?? defaultPageSize,
    page: query.page ?? 1,
    fromMs: query.start_time,
    toMs: query.end_time,
    sortBy: query.sort_by ?? 'create_time',
    descending: query.sort_order === 'desc',
    merchantReference: query.merchant_id,
    externalCardId: query.external_card_id,
    externalCustomerId: query.external_customer_id,
    after: query.after,
  };
}

interface PagePlace {
  readonly page: number;
  readonly pages: number;
  /** Writes the position after which the next page starts; `undefined` on the last page. */
  readonly next: number | undefined;
}

/** `Seed silent:` the rel names of pages are unrecorded; `next` and `previous` are the usual ones (contract.md §2.6). */
function pageLinks(view: View, query: ListQuery, { page, pages, next }: PagePlace) {
  // After the last page, the previous page is the last one with cards.
  const previous = Math.min(page - 1, pages);
  return [
    link(view, pagePath(query, page, query.after), 'self', 'GET'),
    ...(next === undefined ? [] : [link(view, pagePath(query, page + 1, next), 'next', 'GET')]),
    ...(previous === 0
      ? []
      : [link(view, pagePath(query, previous, undefined), 'previous', 'GET')]),
  ];
}

function pagePath(query: ListQuery, page: number, after: number | undefined): string {
  const parameters = new URLSearchParams();
  const { start_time: fromMs, end_time: toMs, page: _page, after: _after, ...others } = query;
  for (const [name, value] of Object.entries(others)) parameters.set(name, String(value));
  if (fromMs !== undefined) parameters.set('start_time', new Date(fromMs).toISOString());
  if (toMs !== undefined) parameters.set('end_time', new Date(toMs).toISOString());
  parameters.set('page', String(page));
  if (after !== undefined) parameters.set('after', after.toString(36));
  return `/v1/vault/credit-cards?${parameters.toString()}`;
}
