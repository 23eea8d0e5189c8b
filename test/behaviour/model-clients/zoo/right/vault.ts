/** Right clients that keep, use and delete cards, and that hold a token. */
import { at } from '../../../forcing/tolerant-client.ts';
import { cardBody } from '../../../../support/samples.ts';
import { isUnknown, pay, persist, read, settle } from '../careful.ts';
import type { RightClient } from '../client.ts';
import { payments, stores } from '../outcomes.ts';
import { cardPath, idIn, textAt, type ShopCode } from '../shop-code.ts';

/** Stores a card of a customer with one request id. */
export function store(
  code: ShopCode,
  customer: string,
  key = code.newKey(),
  change: Readonly<Record<string, unknown>> = {},
) {
  const body = cardBody({ external_customer_id: customer, ...change });
  return persist(code, { path: cardPath, body, key }, (seen) => idIn(seen) !== '');
}

/** The ids of the cards of a customer, oldest first. */
export async function cardsOf(code: ShopCode, customer: string): Promise<string[]> {
  await code.wait(60_000);
  const { body } = await read(code, `${cardPath}?external_customer_id=${customer}&sort_order=asc`);
  const items = at(body, 'items');
  return Array.isArray(items) ? items.map((item: unknown) => textAt(item, 'id')) : [];
}

/** Deletes a card, and looks whether it is gone after an answer that was lost. */
export async function remove(code: ShopCode, id: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    const answer = await code.send('DELETE', `${cardPath}/${id}`, {});
    if (answer.status === 204 || !isUnknown(answer)) return;
    await code.wait(1_000 * 2 ** tries);
    if ((await code.get(`${cardPath}/${id}`)).status === 404) return;
  }
}

export const vault: Readonly<Record<string, RightClient>> = {
  'a card kept once': {
    about: 'stores a card with one request id, and looks in the list if it is in doubt',
    meets: [...stores, { op: 'payment.create', outcome: 'sale-pending-then-denied' }],
    run: async (code) => {
      const { answer } = await store(code, 'ada');
      const cardId = idIn(answer) || (await cardsOf(code, 'ada'))[0];
      if (!cardId) return;
      await settle(code, await pay(code, { cardId, customer: 'ada', invoice: 'INV-1' }));
    },
  },
  'a twin deleted': {
    about: 'stores a card again after a lost answer, and deletes the twin that the list shows',
    meets: stores,
    run: async (code) => {
      const body = cardBody({ external_customer_id: 'ada' });
      const first = await code.post(cardPath, body, code.newKey());
      if (!isUnknown(first)) return;
      await code.wait(1_500);
      const second = await store(code, 'ada');
      const known = await cardsOf(code, 'ada');
      const kept = idIn(second.answer) || known[0];
      for (const id of known) if (id !== kept) await remove(code, id);
    },
  },
  'a test suite': {
    about: 'each test stores the same card, pays with it and deletes it',
    meets: [...stores, ...payments],
    run: async (code) => {
      for (let test = 0; test < 4; test++) {
        const { answer } = await store(code, 'ada');
        const cardId = idIn(answer);
        if (answer.status >= 300 || cardId === '') return;
        const known = await settle(
          code,
          await pay(code, { cardId, customer: 'ada', invoice: `INV-${test}` }),
        );
        if (known.state === 'done') await remove(code, cardId);
        await code.wait(2_000);
      }
    },
  },
  'a household': {
    about: 'two people keep one card, each under a customer id',
    meets: [...stores, ...payments],
    run: async (code) => {
      for (const customer of ['ada', 'bob']) {
        const { answer } = await store(code, customer);
        const cardId = idIn(answer);
        if (answer.status < 300 && cardId !== '') {
          await settle(code, await pay(code, { cardId, customer, custom: `order-${customer}` }));
        }
        await code.wait(5_000);
      }
    },
  },
  'a card moved to another customer': {
    about: 'stores the card under the new customer id, and deletes the old entry',
    meets: stores,
    run: async (code) => {
      const old = idIn((await store(code, 'guest-1')).answer);
      const moved = await store(code, 'ada');
      if (old !== '' && moved.answer.status === 201) await remove(code, old);
    },
  },
  'a card deleted and stored again': {
    about: 'deletes a card and pays with a new entry of it later',
    meets: [...stores, ...payments],
    run: async (code) => {
      const first = idIn((await store(code, 'ada')).answer);
      if (first === '') return;
      await remove(code, first);
      await code.wait(24 * 3_600_000);
      const cardId = idIn((await store(code, 'ada')).answer);
      if (cardId !== '')
        await settle(code, await pay(code, { cardId, customer: 'ada', custom: 'order-1' }));
    },
  },
  'one token for all': {
    about: 'gets a token when the old one is refused, one request for all calls',
    meets: [
      { op: 'any', outcome: 'token-expired' },
      { op: 'any', outcome: 'token-revoked' },
      { op: 'payment.create', outcome: 'token-expires-mid-flow' },
    ],
    run: async (code) => {
      await code.renewToken();
      const cardId = await code.card();
      for (const invoice of ['INV-1', 'INV-2']) {
        await settle(code, await pay(code, { cardId, invoice }));
      }
      await code.wait(9 * 3_600_000);
      await settle(code, await pay(code, { cardId, invoice: 'INV-3' }));
    },
  },
  'a test suite that cleans up': {
    about: 'deletes the card after each test, even if the test has deleted it',
    meets: stores,
    run: async (code) => {
      for (const test of ['pays', 'deletes', 'pays again']) {
        const cardId = idIn((await store(code, 'ada')).answer);
        // Without its card, the suite does not go on.
        if (cardId === '') return;
        if (test === 'deletes') await remove(code, cardId);
        else {
          const order = { cardId, customer: 'ada', custom: test };
          await settle(code, await pay(code, order));
        }
        await remove(code, cardId);
      }
    },
  },
};
