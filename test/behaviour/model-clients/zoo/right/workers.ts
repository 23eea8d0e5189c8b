/** Right clients with several workers, processes or people, and those that keep cards for a long time. */
import { at } from '../../../forcing/tolerant-client.ts';
import { cardBody, pans, paymentBody, rawPaymentBody } from '../../../../support/samples.ts';
import {
  cancel,
  isRefusal,
  isUnknown,
  pay,
  read,
  refund,
  sendPayment,
  settle,
} from '../careful.ts';
import type { Forced, RightClient } from '../client.ts';
import { payments, stores, telling } from '../outcomes.ts';
import {
  bodyOf,
  cardPath,
  idIn,
  paymentPath,
  textAt,
  type Order,
  type ShopCode,
} from '../shop-code.ts';
import { believe } from './checkout.ts';
import { cardsOf, remove, store } from './vault.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const meets = telling(payments);

const deletions: readonly Forced[] = (
  ['reset-after-commit', 'error-500-before-commit', 'hang-after-commit'] as const
).map((outcome) => ({ op: 'card.delete', outcome }));

const declines: readonly Forced[] = (
  ['decline-generic', 'decline-insufficient-funds', 'decline-lost-or-stolen'] as const
).map((outcome) => ({ op: 'payment.create', outcome }));

const outages: readonly Forced[] = (
  ['error-503-before-commit', 'reset-before-commit', 'rate-limited-no-header'] as const
).flatMap((outcome) => [1, 3, 6].map((times) => ({ op: 'payment.create', outcome, times })));

const otherCard = { number: pans.mastercard, type: 'mastercard' };

/** Pays with a body of its own, and looks in the list if the answers left it open. */
async function payWith(code: ShopCode, body: unknown, order: Order): Promise<void> {
  await settle(code, await sendPayment(code, order, { body, key: code.newKey() }));
}

export const workers: Readonly<Record<string, RightClient>> = {
  'an account closed by two workers': {
    about:
      'two workers delete the cards at once, and a third one does so when the queue delivers the job again',
    meets: [...deletions, { op: 'card.delete', outcome: 'reset-before-commit', times: 9 }],
    run: async (code) => {
      const ids = [await code.card('ada'), await code.card('ada', otherCard)];
      await Promise.all([...ids, ...ids].map((id) => remove(code, id)));
      await code.wait(30_000);
      for (const id of ids) await remove(code, id);
    },
  },
  'an account closed with a charge in flight': {
    about: 'deletes the card while a payment with it is open',
    meets: [...meets, ...deletions],
    run: async (code) => {
      const cardId = await code.card('ada');
      const [known] = await Promise.all([
        pay(code, { cardId, customer: 'ada', custom: 'order-1' }),
        remove(code, cardId),
      ]);
      await settle(code, known);
    },
  },
  'a customer forgotten': {
    about: 'deletes every card that the list of the customer shows, and looks again',
    meets: [...meets, ...deletions],
    run: async (code) => {
      const cardId = await code.card('ada');
      await code.card('ada', otherCard);
      const known = await pay(code, { cardId, customer: 'ada', custom: 'order-1' });
      if ((await settle(code, known)).state !== 'done') return;
      for (let times = 0; times < 2; times++) {
        for (const id of await cardsOf(code, 'ada')) await remove(code, id);
      }
    },
  },
  'a card stored again after it expired': {
    about:
      'is told that the card has expired, stores it with its new expiry, and deletes the old one',
    meets: [...meets, ...stores],
    run: async (code) => {
      const order = { customer: 'ada', custom: 'order-1' };
      const key = code.newKey();
      const old = { expire_month: 7, expire_year: 2026 };
      const cardId = idIn((await store(code, 'ada', key, old)).answer);
      if (cardId === '') return;
      await code.wait(120 * dayMs);
      const known = await settle(code, await pay(code, { ...order, cardId }));
      if (known.state !== 'not-done') return;
      const renewed = idIn((await store(code, 'ada')).answer);
      if (renewed === '') return;
      await settle(code, await pay(code, { ...order, cardId: renewed }));
      await remove(code, cardId);
    },
  },
  'a card that is not stored twice': {
    about: 'looks in the list for the same last digits before it stores a card',
    meets: stores,
    run: async (code) => {
      for (let times = 0; times < 2; times++) {
        if ((await cardsOf(code, 'ada')).length === 0) await store(code, 'ada');
      }
    },
  },
  'a card looked for in the list': {
    about:
      'stores a card without a request id, waits a minute after a lost answer, and looks first',
    meets: stores,
    run: async (code) => {
      const body = cardBody({ external_customer_id: 'ada' });
      let answer = await code.post(cardPath, body);
      for (let times = 0; times < 2 && isUnknown(answer); times++) {
        await code.wait(answer.waitMs);
        if ((await cardsOf(code, 'ada')).length > 0) return;
        answer = await code.post(cardPath, body);
      }
    },
  },
  'a guest who opens an account': {
    about: 'pays with the card itself, then stores it and pays with its id',
    meets: [...meets, ...stores],
    run: async (code) => {
      const order = { custom: 'order-1', description: 'A test order' };
      const body = rawPaymentBody({}, { total: '30.11', transaction: order });
      await payWith(code, body, { cardId: '', ...order });
      const cardId = idIn((await store(code, 'ada')).answer);
      if (cardId === '') return;
      await settle(code, await pay(code, { cardId, customer: 'ada', custom: 'order-2' }));
    },
  },
  'a wallet with a default card': {
    about: 'tries the default card, then the other ones, each after a known decline',
    meets: [...meets, ...declines],
    run: async (code) => {
      const cards = [await code.card('ada', otherCard), await code.card('ada')];
      for (const cardId of cards) {
        const order = { cardId, customer: 'ada', custom: 'order-1' };
        const known = await settle(code, await pay(code, order));
        if (known.state !== 'not-done') return believe('order-1', known);
      }
      return { 'order-1': 'not-paid' };
    },
  },
  'attempts counted after declines': {
    about:
      'makes the request id from the order and an attempt, which it counts after a decline alone',
    meets: [...meets, ...declines],
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-7' };
      for (let attempt = 1; attempt <= 3; attempt++) {
        const known = await settle(code, await pay(code, order, `order-7-${attempt}`));
        if (known.state !== 'not-done') return believe('order-7', known);
        await code.wait(2 * dayMs);
      }
      return { 'order-7': 'not-paid' };
    },
  },
  'a card verified by a hold': {
    about: 'authorizes one dollar, voids it, and pays with the card',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const hold = { cardId, custom: 'check-1', total: '1.00', intent: 'authorize' } as const;
      const known = await settle(code, await pay(code, hold));
      if (known.state === 'not-done') return;
      await cancel(code, hold, known);
      await settle(code, await pay(code, { cardId, custom: 'order-1' }));
    },
  },
  'a pending sale cancelled': {
    about: 'asks for the money back at once, is refused, and asks again when the sale is completed',
    meets,
    run: async (code) => {
      const { id } = await pay(code, { cardId: await code.card(), custom: 'order-1' });
      if (id === '') return;
      await refund(code, { id });
      for (let days = 1; days < 20; days *= 2) {
        await code.wait(days * dayMs);
        await code.renewToken();
        const { body } = await read(code, `/v1/payments/sale/${id}`);
        const state = textAt(body, 'state');
        if (state === 'completed') await refund(code, { id });
        if (state !== 'pending') return;
      }
    },
  },
  'parts of a sum at once': {
    about: 'charges two orders of equal sums at once, with another tax',
    meets: telling(payments),
    run: async (code) => {
      const cardId = await code.card();
      await Promise.all(
        ['tax', 'shipping'].map((part) => {
          const details = { subtotal: '20.11', [part]: '10.00' };
          const order = {
            custom: 'web',
            description: 'Goods',
            amount: { total: '30.11', currency: 'USD', details },
          };
          return payWith(code, paymentBody({ cardId, transaction: order }), { cardId, ...order });
        }),
      );
    },
  },
  'workers that have not seen the 429': {
    about:
      'a queue gives the job to two other processes at once, with its request id, while the first one waits',
    meets: [{ op: 'payment.create', outcome: 'rate-limited-seconds' }],
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'job-1' };
      const key = code.newKey();
      const first = await code.pay(order, key);
      if (isRefusal(first)) return;
      if (first.waitMs === 0) await code.wait(1_000);
      else {
        await code.wait(first.waitMs / 2);
        const sent = { body: bodyOf(order), key, newConnection: true };
        const others = await Promise.all(
          ['second', 'third'].map(() => code.send('POST', paymentPath, sent)),
        );
        // They mark the job as failed, or hand it back with their own wait.
        if (others.some(isRefusal)) return;
        await code.wait(Math.max(first.waitMs, ...others.map(({ waitMs }) => waitMs)));
      }
      await settle(code, await pay(code, order, key));
    },
  },
  'seven attempts with growing waits': {
    about: 'has an invoice number and no request id, and waits longer each time',
    meets: outages,
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      const body = bodyOf(order);
      await settle(code, await sendPayment(code, order, { body, maxTries: 7 }));
    },
  },
  'a token for each process': {
    about: 'two processes start together, and each gets a token and keeps it',
    meets: [{ op: 'token.create', outcome: 'token-endpoint-slow' }],
    run: async (code) => {
      const work = async (): Promise<void> => {
        await code.requestToken();
        for (let times = 0; times < 4; times++) await code.get(`${paymentPath}?count=1`);
      };
      await Promise.all([work(), work()]);
    },
  },
  'a job that is a process': {
    about: 'runs every ten minutes, with a token of its own each time',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      for (let run = 0; run < 8; run++) {
        await code.requestToken();
        await settle(code, await pay(code, { cardId, custom: `subscription-${run}` }));
        await code.wait(600_000);
      }
    },
  },
  'a company with one account': {
    about: 'keeps the cards of three employees under the id of their company',
    meets,
    run: async (code) => {
      for (const first_name of ['Ada', 'Bob', 'Cyd']) {
        const cardId = await code.card('company-1', { first_name, last_name: `${first_name}son` });
        const order = { cardId, customer: 'company-1', custom: first_name };
        await settle(code, await pay(code, order));
      }
    },
  },
  'a card looked at until it shows': {
    about: 'waits and reads a new card again after a 404, and then pays with it',
    meets: [1, 3].map((times) => ({ op: 'card.get', outcome: 'created-not-visible-yet', times })),
    run: async (code) => {
      const cardId = await code.card('ada');
      const { status, body } = await read(code, `${cardPath}/${cardId}`);
      if (status !== 200 || at(body, 'state') !== 'ok') return;
      await settle(code, await pay(code, { cardId, customer: 'ada', custom: 'order-1' }));
    },
  },
};
