/** Wrong clients as reviews of incidents describe them: jobs delivered again, holds left behind, refusals got round. */
import { pans } from '../../../../support/samples.ts';
import type { Forced, WrongClient } from '../client.ts';
import { idIn, partIn, paymentPath, type Order, type ShopCode } from '../shop-code.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 24 * 3_600_000];

const lost: readonly Forced[] = [{ op: 'payment.create', outcome: 'reset-after-commit' }];
const pending: readonly Forced[] = [
  { op: 'payment.create', outcome: 'sale-pending-then-completed' },
];

const orderOne = async (code: ShopCode): Promise<Order> => ({
  cardId: await code.card('ada'),
  customer: 'ada',
  custom: 'order-1',
});

const otherCard = (code: ShopCode): Promise<string> =>
  code.card('ada', { number: pans.mastercard, type: 'mastercard' });

/** Puts 100 dollars on hold, and returns the path of the authorization. */
async function hold(code: ShopCode, order: Order): Promise<string> {
  const answer = await code.pay({ ...order, intent: 'authorize', total: '100.00' }, code.newKey());
  return `/v1/payments/authorization/${partIn(answer).id}`;
}

const dollars = (total: string) => ({ amount: { total, currency: 'USD' } });

export const incidents: Readonly<Record<string, WrongClient>> = {
  'a job delivered again after a crash': {
    about:
      'crashes between the answer and the database, and the next worker pays with a request id of its own',
    found: 'double-charge',
    beside: 'two on purpose, minutes apart',
    run: async (code) => {
      const order = await orderOne(code);
      await code.pay(order, code.newKey());
      await code.wait(10 * minuteMs);
      await code.pay(order, code.newKey());
    },
  },
  'dead letters sent again after a weekend': {
    about: 'sends all jobs of a dead letter queue again, although some had been done',
    found: 'double-charge',
    beside: 'a daily biller',
    run: async (code) => {
      const cardId = await code.card('ada');
      const send = async () => {
        for (const order of [1, 2, 3, 4]) {
          const custom = `order-100${order}`;
          await code.pay({ cardId, customer: 'ada', custom, total: `${order}0.00` }, code.newKey());
          await code.wait(2_000);
        }
      };
      await send();
      await code.wait(2.5 * dayMs);
      await send();
    },
  },
  'an hour that comes twice': {
    about:
      'makes the request id from the local time, and runs again when the clock is set back an hour',
    found: 'double-charge',
    beside: 'a monthly subscription',
    run: async (code) => {
      const cardId = await code.card('ada');
      const month = { cardId, custom: 'sub-ada', description: 'Plan M, November 2026' };
      await code.pay({ ...month, customer: 'ada' }, 'sub-ada-0130-summer');
      await code.wait(hourMs);
      await code.pay({ ...month, customer: 'ada' }, 'sub-ada-0130-winter');
    },
  },
  'a used invoice number with a suffix': {
    about: 'is told that the invoice number is used, adds a suffix and pays',
    found: 'double-charge',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const order: Order = { cardId: await code.card(), invoice: 'INV-5' };
      await code.pay(order, code.newKey());
      await code.wait(10 * minuteMs);
      const { status } = await code.pay(order, code.newKey());
      if (status === 400) await code.pay({ ...order, invoice: 'INV-5-2' }, code.newKey());
    },
  },
  'a pending payment under another number': {
    about: 'takes a pending sale for a failure, and pays under the invoice number with a suffix',
    meets: pending,
    found: 'double-charge',
    beside: 'polls a pending sale',
    run: async (code) => {
      const order: Order = { cardId: await code.card(), invoice: 'INV-9' };
      await code.pay(order, code.newKey());
      await code.wait(5 * minuteMs);
      await code.pay({ ...order, invoice: 'INV-9-retry' }, code.newKey());
      await code.wait(9 * dayMs);
    },
  },
  'another card while a payment is pending': {
    about:
      'asks for another card on the next day, while the bank still decides on the first payment',
    meets: pending,
    found: 'double-charge',
    beside: 'polls a pending sale',
    run: async (code) => {
      const order = await orderOne(code);
      await code.pay(order, code.newKey());
      await code.wait(dayMs);
      await code.pay({ ...order, cardId: await otherCard(code) }, code.newKey());
      await code.wait(9 * dayMs);
    },
  },
  'an unknown hold': {
    about: 'loses the answer to an authorization, tells the buyer to come back, and never looks',
    meets: lost,
    found: 'orphaned-charge',
    beside: 'a void where in doubt',
    run: async (code) => {
      await hold(code, await orderOne(code));
    },
  },
  'a second hold on another card': {
    about: 'loses the answer to an authorization, authorizes another card and captures only that',
    meets: lost,
    found: 'orphaned-charge',
    beside: 'a hold that lapsed at its capture',
    run: async (code) => {
      const order = await orderOne(code);
      await hold(code, order);
      await code.wait(minuteMs);
      const path = await hold(code, { ...order, cardId: await otherCard(code) });
      await code.post(`${path}/capture`, dollars('100.00'), code.newKey());
    },
  },
  'a void that was never made': {
    about: 'cancels an order, loses the answer to the void, and never looks at the hold',
    meets: [{ op: 'auth.void', outcome: 'error-503-before-commit' }],
    found: 'no-read-after-unknown',
    beside: 'a void where in doubt',
    run: async (code) => {
      await code.post(`${await hold(code, await orderOne(code))}/void`, {}, code.newKey());
    },
  },
  'a refund that was never made': {
    about: 'cancels an order, loses the answer to the refund, and never looks at the sale',
    meets: [{ op: 'sale.refund', outcome: 'reset-before-commit' }],
    found: 'no-read-after-unknown',
    beside: 'one request id for each refund',
    run: async (code) => {
      const { id } = partIn(await code.pay(await orderOne(code), code.newKey()));
      await code.post(`/v1/payments/sale/${id}/refund`, {}, code.newKey());
    },
  },
  'one parcel captured by two warehouses': {
    about: 'two warehouses capture the same parcel an hour apart, more than was authorized',
    found: 'double-charge',
    beside: 'a hotel with extras',
    run: async (code) => {
      const path = await hold(code, await orderOne(code));
      for (const warehouse of ['north', 'south']) {
        await code.post(`${path}/capture`, dollars('55.00'), warehouse);
        await code.wait(hourMs);
      }
    },
  },
  'a payment that cannot be read yet': {
    about: 'reads the payment that it has just made, gets a 404 from a replica, and pays again',
    meets: [{ op: 'payment.get', outcome: 'created-not-visible-yet' }],
    found: 'double-charge',
    beside: 'a reconciler by invoice number',
    run: async (code) => {
      const order = await orderOne(code);
      const made = await code.pay(order, code.newKey());
      const { status } = await code.get(`${paymentPath}/${idIn(made)}`);
      if (status === 404) await code.pay(order, code.newKey());
    },
  },
  'a refund in a loop': {
    about: 'refunds a part again with a new request id after each server error',
    meets: [{ op: 'sale.refund', outcome: 'error-500-after-commit', times: 2 }],
    found: 'double-refund',
    beside: 'one request id for each refund',
    run: async (code) => {
      const { id } = partIn(await code.pay(await orderOne(code), code.newKey()));
      for (let tries = 0; tries < 3; tries++) {
        await code.post(`/v1/payments/sale/${id}/refund`, dollars('10.00'), code.newKey());
        await code.wait(1_000 * 2 ** tries);
      }
    },
  },
  'a cent more for a suspected duplicate': {
    about: 'loses an answer, is refused as a duplicate, and adds a cent to get past that',
    meets: [
      { op: 'payment.create', outcome: 'reset-after-commit', nth: 1 },
      { op: 'payment.create', outcome: 'suspected-duplicate', nth: 2 },
    ],
    found: 'double-charge',
    beside: 'a custom and one request id for each order',
    run: async (code) => {
      const order = await orderOne(code);
      await code.pay(order, code.newKey());
      await code.wait(2_000);
      const { status } = await code.pay(order, code.newKey());
      if (status === 400) await code.pay({ ...order, total: '30.12' }, code.newKey());
    },
  },
};
