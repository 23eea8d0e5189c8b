/** Right clients that charge the same customers again and again. */
import { find, judge, pay, refund, sendPayment, settle } from '../careful.ts';
import type { RightClient } from '../client.ts';
import { payments, telling } from '../outcomes.ts';
import { bodyOf, cardPath, paymentPath, ShopCode, type Order } from '../shop-code.ts';
import { cardBody, rawPaymentBody } from '../../../../support/samples.ts';
import { remove } from './vault.ts';

const meets = telling(payments);
const dayMs = 24 * 3_600_000;

async function payAndSettle(code: ShopCode, order: Order, key?: string) {
  return settle(code, await pay(code, order, key));
}

/** Pays with a card that is not stored, with one request id. */
async function payWithCard(
  code: ShopCode,
  card: Readonly<Record<string, unknown>>,
  order: Order,
): Promise<void> {
  const body = rawPaymentBody(card, { total: '30.11', transaction: { custom: order.custom } });
  await settle(code, await sendPayment(code, order, { body, key: code.newKey() }));
}

export const billing: Readonly<Record<string, RightClient>> = {
  'a biller that catches up': {
    about: 'was down for three months, and charges each of them at once, named in the description',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      for (const month of ['2026-05', '2026-06', '2026-07']) {
        const order = { cardId, customer: 'ada', custom: 'sub-ada', total: '9.99' };
        await payAndSettle(code, { ...order, description: `Plan, ${month}` }, `sub-ada-${month}`);
      }
    },
  },
  'a daily biller': {
    about: 'charges three customers each day at about the same time, without names for the days',
    meets: meets.filter(({ times }) => times === undefined),
    run: async (code) => {
      const customers = ['ada', 'bob', 'cyd'];
      const cards = await Promise.all(customers.map((customer) => code.card(customer)));
      for (let day = 0; day < 3; day++) {
        for (const [number, customer] of customers.entries()) {
          const cardId = cards[number] ?? '';
          await payAndSettle(code, {
            cardId,
            customer,
            custom: `sub-${customer}`,
            total: `${number + 1}.00`,
          });
        }
        await code.wait(dayMs - 3_600_000);
      }
    },
  },
  'a prorated change of plan': {
    about: 'gives a part of the month back, and charges the part of the dearer plan',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      const order: Order = { cardId, customer: 'ada', custom: 'sub-ada', total: '30.00' };
      const old = await payAndSettle(code, { ...order, description: 'Plan S, May' });
      if (old.state !== 'done') return;
      await code.wait(10 * dayMs);
      if ((await refund(code, { id: old.id, total: '20.00' })).state !== 'done') return;
      await payAndSettle(code, { ...order, total: '40.00', description: 'Plan L, rest of May' });
    },
  },
  'a dunning run': {
    about:
      'tries a card without funds again after one, three and seven days, each with a new request id',
    meets: [
      { op: 'payment.create', outcome: 'decline-insufficient-funds', times: 3 },
      { op: 'payment.create', outcome: 'decline-insufficient-funds', times: 9 },
      { op: 'payment.create', outcome: 'reset-after-commit', nth: 2 },
      ...meets,
    ],
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'sub-ada-2026-05' };
      for (const days of [1, 2, 4, 0]) {
        const known = await payAndSettle(code, order);
        if (known.state !== 'not-done') return;
        await code.wait(days * dayMs);
      }
    },
  },
  'two on purpose, minutes apart': {
    about: 'a buyer buys the same thing again five minutes later, and the shop numbers no orders',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'web' };
      await payAndSettle(code, order);
      await code.wait(300_000);
      await payAndSettle(code, order);
    },
  },
  'two on purpose, days apart': {
    about: 'the same thing again three days later, without any name',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada' };
      await payAndSettle(code, order);
      await code.wait(3 * dayMs);
      await payAndSettle(code, order);
    },
  },
  'the same order again after an old lost answer': {
    about: 'looks for a lost payment in the list first, and sells the same thing again next week',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'web' };
      await payAndSettle(code, order);
      await find(code, order);
      await code.wait(7 * dayMs);
      await payAndSettle(code, order);
    },
  },
  'guests with one test number': {
    about: 'two guests with the same test card buy the same thing in the same moment',
    meets,
    run: async (code) => {
      await Promise.all(
        ['Ada', 'Bob'].map((first_name) => {
          const guest = { first_name, last_name: 'Guest' };
          return payWithCard(code, guest, { cardId: '', custom: 'summer' });
        }),
      );
    },
  },
  'gifts with equal sums': {
    about: 'four friends give the same sum at once, each with a card and an address of their own',
    meets,
    run: async (code) => {
      const friends = ['ada', 'bob', 'cyd', 'dan'];
      const cards = await Promise.all(friends.map((customer) => code.card(customer)));
      await Promise.all(
        friends.map((customer, number) =>
          payAndSettle(code, {
            cardId: cards[number] ?? '',
            customer,
            custom: 'gift-7',
            total: '25.00',
          }),
        ),
      );
    },
  },
  'seats on a map': {
    about:
      'each seat is one order; a second process repeats the open ones with their stored request ids',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      const seats = ['7A', '7B'].map((seat) => ({
        order: {
          cardId,
          customer: 'ada',
          custom: 'flight-9',
          description: `Seat ${seat}`,
          total: '12.00',
        },
        key: code.newKey(),
      }));
      const first = await Promise.all(seats.map(({ order, key }) => code.pay(order, key)));
      await code.wait(30_000 + Math.max(...first.map(({ waitMs }) => waitMs)));
      if (first.some(({ status }) => status >= 400 && status < 409)) return;
      const other = new ShopCode(code.shop);
      await other.renewToken();
      await Promise.all(seats.map(({ order, key }) => payAndSettle(other, order, key)));
    },
  },
  'a card deleted after use': {
    about: 'stores a card for one payment and deletes it when the sale is completed',
    meets,
    run: async (code) => {
      for (const custom of ['order-1', 'order-2']) {
        const cardId = await code.card('ada');
        const known = await payAndSettle(code, { cardId, customer: 'ada', custom });
        if (known.state === 'done') await code.send('DELETE', `${cardPath}/${cardId}`);
        await code.wait(60_000);
      }
    },
  },
  'a card entered again after it was deleted': {
    about: 'a buyer deletes her card and types it again as a guest the next day',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      await remove(code, cardId);
      await code.wait(dayMs);
      await payWithCard(code, {}, { cardId: '', custom: 'order-1' });
    },
  },
  'another card with the same last digits': {
    about: 'a household deletes one card and pays as a guest with another one that ends alike',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      await remove(code, cardId);
      await code.wait(dayMs);
      const number = '4000009990050331';
      const card = { number, cvv2: undefined, external_customer_id: 'ada' };
      await payWithCard(code, card, { cardId: '', custom: 'order-1' });
    },
  },
  'an expiry corrected during a payment': {
    about:
      'changes the expiry of a card while a payment with it is open, and repeats that with its request id',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'order-1' };
      const key = code.newKey();
      const patch = [{ op: 'replace', path: '/expire_year', value: 2034 }];
      const [answer] = await Promise.all([
        code.pay(order, key),
        code.send('PATCH', `${cardPath}/${order.cardId}`, { body: patch }),
      ]);
      await code.wait(Math.max(5_000, answer.waitMs));
      await payAndSettle(code, order, key);
    },
  },
  'three workers with one request id': {
    about:
      'three workers deliver one job at once, each with growing waits, all with the request id of the job',
    meets: [
      ...meets,
      { op: 'payment.create', outcome: 'error-503-before-commit', times: 12 },
      { op: 'payment.create', outcome: 'request-in-progress', times: 12 },
      { op: 'payment.create', outcome: 'rate-limited-seconds', times: 6 },
    ],
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'job-1' };
      const key = code.newKey();
      const known = await Promise.all([1, 2, 3].map(() => pay(code, order, key)));
      for (const one of known) await settle(code, one);
    },
  },
  'a worker that waits for the first one': {
    about: 'asks again with the same request id while the first request is in progress, ten times',
    meets: [{ op: 'payment.create', outcome: 'request-in-progress', times: 9 }],
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'job-1' };
      const key = code.newKey();
      for (let tries = 0; tries < 12; tries++) {
        const answer = await code.send('POST', paymentPath, { body: bodyOf(order), key });
        const known = judge(answer);
        if (known !== undefined) return void (await settle(code, known));
        if (answer.status >= 400 && answer.status < 408) return;
        await code.wait(Math.max(answer.waitMs, 1_000 * (1 + tries)) + code.random() * 1_000);
      }
    },
  },
  'yen given back': {
    about: 'refunds a part of a sale in a currency without decimals',
    meets,
    run: async (code) => {
      const order: Order = {
        cardId: await code.card(),
        custom: 'order-1',
        total: '3000',
        currency: 'JPY',
      };
      const known = await payAndSettle(code, order);
      if (known.state === 'done')
        await refund(code, { id: known.id, total: '500', currency: 'JPY' });
    },
  },
  'a stored card replaced by its owner': {
    about:
      'stores the new card, pays the same order with it after a known decline, and deletes the old one',
    meets: [{ op: 'payment.create', outcome: 'decline-card-expired-at-issuer' }, ...meets],
    run: async (code) => {
      const old = await code.card('ada');
      const order = { cardId: old, customer: 'ada', custom: 'order-1' };
      if ((await payAndSettle(code, order)).state !== 'not-done') return;
      const body = cardBody({ external_customer_id: 'ada', expire_year: 2034 });
      const stored = await code.post(cardPath, body, code.newKey());
      if (stored.status !== 201) return;
      const cardId = (stored.body as { id: string }).id;
      await payAndSettle(code, { ...order, cardId });
      await code.send('DELETE', `${cardPath}/${old}`);
    },
  },
};
