/** Bad habits with lists, links and answers. */
import { z } from 'zod';
import { pans } from '../../../support/samples.ts';
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

const cards = '/v1/vault/credit-cards';
const Items = z.object({ items: z.array(z.object({ id: z.string() })) });

/** `list-as-proof-of-absence`: what a list does not show was not stored, so it is begun anew. */
async function storesWhatIsNotListed(shop: CornerShop): Promise<void> {
  shop.meets('card.create', 'error-500-before-commit');
  const body = shop.card('buyer-7');
  await shop.store(body, { key: shop.newKey() });
  const page = await shop.ask('GET', `${cards}?external_customer_id=buyer-7`);
  if (Items.parse(page.body).items.length === 0) await shop.store(body, { key: shop.newKey() });
}

/** `ignores-next-link`: the first page is taken for the list, and a card on the second for lost. */
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

/** `mishandles-204`: no body is no answer, so the card is deleted again. */
async function deletesAgain(shop: CornerShop): Promise<void> {
  const cardId = await shop.keep('buyer-7');
  const to = `/v1/vault/credit-card/${cardId}`;
  const first = await shop.ask('DELETE', to);
  await shop.wait(1_000);
  if (first.body === undefined) await shop.ask('DELETE', to);
}

/** `polling-too-fast`: asks for a pending sale for as long as it is pending, without a pause. */
async function pollsTooFast(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'sale-pending-then-completed');
  const paid = await shop.pay(shop.payment(), { key: shop.newKey() });
  const { id } = z.object({ id: z.string() }).parse(paid.body);
  for (let polls = 0; polls < 40; polls++) {
    await shop.ask('GET', `/v1/payments/payment/${id}`);
    await shop.wait(250);
  }
}

/** `hand-built-url`: the refund link was given, and an address of the client's own is asked. */
async function buildsRefundUrl(shop: CornerShop): Promise<void> {
  const { id } = await shop.sell();
  const body = { amount: { total: '10.00', currency: 'USD' } };
  await shop.ask('POST', `/v1/payments/sale/${id}/refund/`, { body, key: shop.newKey() });
}

/** `content-type-missing`: JSON that does not say so. */
async function noContentType(shop: CornerShop): Promise<void> {
  const headers = { 'Content-Type': undefined };
  await shop.pay(shop.payment(), { key: shop.newKey(), headers });
}

/** `unknown-path`: one letter more than there is. */
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
  'a refund address built by hand': { rule: 'hand-built-url', run: buildsRefundUrl },
  'no Content-Type': { rule: 'content-type-missing', run: noContentType },
  'a path that is not there': { rule: 'unknown-path', run: unknownPath },
};
