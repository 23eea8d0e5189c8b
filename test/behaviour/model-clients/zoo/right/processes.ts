/** Right clients whose processes start, pay and end at the same time, and others that share one card. */
import { rawPaymentBody } from '../../../../support/samples.ts';
import { concludePayment, isUnknown, pay, settle } from '../careful.ts';
import type { Forced, RightClient } from '../client.ts';
import { payments, telling } from '../outcomes.ts';
import { bodyOf, paymentPath, ShopCode, type Order } from '../shop-code.ts';
import { remove } from './vault.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** What ends the use of a card, on the first payment, on the second one and on all. */
const finalDeclines: readonly Forced[] = (
  ['decline-lost-or-stolen', 'decline-recurring-cancelled'] as const
).flatMap((outcome): Forced[] => [
  { op: 'payment.create', outcome },
  { op: 'payment.create', outcome, nth: 2 },
  { op: 'payment.create', outcome, times: 9 },
]);

/** Another process of the same shop, with a token of its own. */
async function startProcess(code: ShopCode): Promise<ShopCode> {
  const other = new ShopCode(code.shop);
  await other.requestToken();
  return other;
}

export const processes: Readonly<Record<string, RightClient>> = {
  'jobs that start in one minute': {
    about: 'three processes start together; each gets a token, pays one order and ends',
    meets: [
      ...finalDeclines,
      ...telling(payments),
      { op: 'payment.create', outcome: 'error-503-before-commit', times: 3 },
      { op: 'payment.create', outcome: 'token-revoked', times: 3 },
    ],
    run: async (code) => {
      const cardId = await code.card('ada');
      await Promise.all(
        [1, 2, 3].map(async (job) => {
          const order = { cardId, customer: 'ada', custom: `job-${job}`, total: `${job}.00` };
          const ownProcess = await startProcess(code);
          await settle(ownProcess, await pay(ownProcess, order));
        }),
      );
    },
  },
  'a deployment': {
    about:
      'the old process finishes three payments while the new one starts and takes three others',
    meets: [...finalDeclines, ...telling(payments)],
    run: async (code) => {
      const cardId = await code.card('ada');
      const payThree = async (first: number, runsOn: Promise<ShopCode> | ShopCode) => {
        const ownProcess = await runsOn;
        const numbers = [first, first + 1, first + 2];
        await Promise.all(
          numbers.map(async (number) => {
            const order = { cardId, customer: 'ada', custom: `order-${number}`, total: '11.00' };
            await settle(ownProcess, await pay(ownProcess, order));
          }),
        );
      };
      await Promise.all([payThree(1, code), payThree(4, startProcess(code))]);
    },
  },
  'sellers of a cart on connections of their own': {
    about: 'pays two sellers of one cart at once, each on a new connection, with one card',
    meets: [...finalDeclines, ...telling(payments)],
    run: async (code) => {
      const cardId = await code.card('ada');
      await Promise.all(
        ['Seller A', 'Seller B'].map(async (description) => {
          const order: Order = { cardId, customer: 'ada', custom: 'cart-1', description };
          const key = code.newKey();
          const sent = { body: bodyOf(order), key, newConnection: true };
          const answer = await code.send('POST', paymentPath, sent);
          const wasUnknown = isUnknown(answer);
          await settle(code, await concludePayment(code, order, { answer, wasUnknown }));
        }),
      );
    },
  },
  'one price for all': {
    about: 'sells twelve articles of one price to a company, and is refused each time',
    meets: [
      { op: 'payment.create', outcome: 'currency-not-allowed', times: 12 },
      { op: 'payment.create', outcome: 'duplicate-invoice', times: 12 },
      { op: 'payment.create', outcome: 'external-id-mismatch', times: 12 },
    ],
    run: async (code) => {
      const cardId = await code.card('acme');
      for (let number = 1; number <= 12; number++) {
        const order = { cardId, customer: 'acme', custom: `order-${number}`, total: '9.99' };
        await settle(code, await pay(code, order));
        await code.wait(5 * minuteMs);
      }
    },
  },
  'a stay paid night by night': {
    about: 'charges the same sum each day under the number of the booking, and names the night',
    meets: telling(payments),
    run: async (code) => {
      const booking = { cardId: await code.card('ada'), customer: 'ada', custom: 'booking-204' };
      for (const night of [1, 2, 3]) {
        await settle(code, await pay(code, { ...booking, description: `Night ${night}` }));
        await code.wait(dayMs);
      }
    },
  },
  'lessons of one order': {
    about:
      'charges two lessons of one price under the number of their order, and names their hours',
    meets: telling(payments),
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'order-31' };
      for (const hour of ['10:30', '11:30']) {
        await settle(code, await pay(code, { ...order, description: `Lesson at ${hour}` }));
        await code.wait(minuteMs);
      }
    },
  },
  'a test of bad amounts': {
    about: 'sends amounts that the service refuses, each once, and then a good one',
    meets: [],
    run: async (code) => {
      const cardId = await code.card('ada');
      for (const total of ['-1.00', '0.00', 'ten', '10.001']) {
        await code.pay({ cardId, customer: 'ada', total }, code.newKey());
      }
      await settle(code, await pay(code, { cardId, customer: 'ada', total: '10.00' }));
    },
  },
  'a guest with the number of a deleted card': {
    about: 'a buyer deletes her card; later another holder pays at the till with an equal number',
    meets: [{ op: 'card.delete', outcome: 'reset-after-commit' }],
    run: async (code) => {
      await remove(code, await code.card('ada'));
      await code.wait(dayMs);
      const guest = { first_name: 'Bob', last_name: 'Guest', cvv2: undefined };
      const body = rawPaymentBody(guest, { transaction: { custom: 'till-1' } });
      await code.post(paymentPath, body, code.newKey());
    },
  },
  'workers that share one card': {
    about:
      'three workers of one process charge the orders of a company, and stop after a final decline',
    meets: [
      ...finalDeclines,
      ...finalDeclines.map((forced): Forced => ({ ...forced, nth: 4 })),
      ...telling(payments),
    ],
    run: async (code) => {
      const cardId = await code.card('acme');
      const numbers = Array.from({ length: 8 }, (_, at) => 7001 + at);
      const work = async (): Promise<void> => {
        for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
          await settle(code, await pay(code, { cardId, customer: 'acme', custom: `po-${number}` }));
        }
      };
      await Promise.all([work(), work(), work()]);
    },
  },
};
