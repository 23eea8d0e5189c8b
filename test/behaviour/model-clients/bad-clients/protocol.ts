/** Mistakes with lists, links and answers. */
import { z } from 'zod';
import { pans } from '../../../support/samples.ts';
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

const cards = '/v1/vault/credit-cards';
const Items = z.object({ items: z.array(z.object({ id: z.string() })) });

/** `list-as-proof-of-absence`: stores a card again because a list does not show it. */
async function storesWhatIsNotListed(shop: CornerShop): Promise<void> {
  shop.meets('card.create', 'error-500-before-commit');
  const body = shop.card('buyer-7');
  await shop.store(body, { key: shop.newKey() });
  const page = await shop.ask('GET', `${cards}?external_customer_id=buyer-7`);
  if (Items.parse(page.body).items.length === 0) await shop.store(body, { key: shop.newKey() });
}

/** `ignores-next-link`: takes the first page for the whole list and stores a card of the second page again. */
async function readsOnePage(shop: CornerShop): Promise<void> {
  const query = `${cards}?page_size=2&external_customer_id=buyer-7`;
  const last = { number: pans.discover, type: 'discover' };
  await shop.keep('buyer-7');
  await shop.keep('buyer-7', { number: pans.mastercard, type: 'mastercard' });
  const lastId = await shop.keep('buyer-7', last);
  await shop.wait(3_600_000);
  const { items } = Items.parse((await shop.ask('GET', query)).body);
  if (items.some(({ id }) => id === lastId)) return;
  await shop.keep('buyer-7', last);
}

/** `mishandles-204`: takes an answer without a body for a failure and deletes the card again. */
async function deletesAgain(shop: CornerShop): Promise<void> {
  const cardId = await shop.keep('buyer-7');
  const to = `/v1/vault/credit-card/${cardId}`;
  const first = await shop.ask('DELETE', to);
  await shop.wait(1_000);
  if (first.body === undefined) await shop.ask('DELETE', to);
}

/** `polling-too-fast`: reads a pending sale in a loop without a pause. */
async function pollsTooFast(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'sale-pending-then-completed');
  const paid = await shop.pay(shop.payment(), { key: shop.newKey() });
  const { id } = z.object({ id: z.string() }).parse(paid.body);
  for (let polls = 0; polls < 40; polls++) {
    await shop.ask('GET', `/v1/payments/payment/${id}`);
    await shop.wait(250);
  }
}

/** `hand-built-url`: builds a refund URL instead of using the link. */
async function buildsRefundUrl(shop: CornerShop): Promise<void> {
  const { id } = await shop.sell();
  const body = { amount: { total: '10.00', currency: 'USD' } };
  await shop.ask('POST', `/v1/payments/sale/${id}/refund/`, { body, key: shop.newKey() });
}

/** `content-type-missing`: sends JSON without a Content-Type. */
async function noContentType(shop: CornerShop): Promise<void> {
  const headers = { 'Content-Type': undefined };
  await shop.pay(shop.payment(), { key: shop.newKey(), headers });
}

/** `unknown-path`: misspells a path. */
async function unknownPath(shop: CornerShop): Promise<void> {
  await shop.ask('GET', '/v1/payments/payments');
}

export const protocol: Readonly<Record<string, BadClient>> = {
  'a list taken for proof of absence': {
    rule: 'list-as-proof-of-absence',
    run: storesWhatIsNotListed,
  },
  'the first page taken for the list': { rule: 'ignores-next-link', run: readsOnePage },
  'a delete repeated after 204': { rule: 'mishandles-204', run: deletesAgain },
  'polls without a pause': { rule: 'polling-too-fast', run: pollsTooFast },
  'a refund URL built by hand': { rule: 'hand-built-url', run: buildsRefundUrl },
  'no Content-Type': { rule: 'content-type-missing', run: noContentType },
  'a misspelled path': { rule: 'unknown-path', run: unknownPath },
};
