/** Wrong clients that name their orders elsewhere than in `custom`, and those that leave holds and captures behind. */
import { pans, paymentBody } from '../../../../support/samples.ts';
import type { Forced, WrongClient } from '../client.ts';
import {
  cardPath,
  partIn,
  paymentPath,
  type Answer,
  type Order,
  type ShopCode,
} from '../shop-code.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

const lost: readonly Forced[] = [{ op: 'payment.create', outcome: 'reset-after-commit', nth: 1 }];

const orderOf = async (code: ShopCode, change: Partial<Order> = {}): Promise<Order> => ({
  cardId: await code.card('ada'),
  customer: 'ada',
  ...change,
});

const otherCard = (code: ShopCode): Promise<string> =>
  code.card('ada', { number: pans.mastercard, type: 'mastercard' });

const holdOf = (code: ShopCode, custom: string): Promise<Order> =>
  orderOf(code, { custom, total: '100.00', intent: 'authorize' });

const dollars = (total: string, note: Readonly<Record<string, string>> = {}) => ({
  amount: { total, currency: 'USD' },
  ...note,
});

const pay = (code: ShopCode, order: Order): Promise<Answer> => code.pay(order, code.newKey());

function capture(code: ShopCode, authorized: Answer, total = '100.00', note = {}): Promise<Answer> {
  const path = `/v1/payments/authorization/${partIn(authorized).id}/capture`;
  return code.post(path, dollars(total, note), code.newKey());
}

/** A report at night: it lists the payments, and compares them with nothing. */
async function report(code: ShopCode): Promise<void> {
  await code.wait(6 * hourMs);
  await code.get(`${paymentPath}?count=20`);
}

export const names: Readonly<Record<string, WrongClient>> = {
  'a job with the order in its description': {
    about: 'names the order in the description alone, and a queue delivers the job again',
    found: 'double-charge',
    beside: 'two on purpose, minutes apart',
    run: async (code) => {
      const order = await orderOf(code, { description: 'Order 1001' });
      await pay(code, order);
      await code.wait(10 * minuteMs);
      await pay(code, order);
    },
  },
  'a double click on an order in its description': {
    about: 'names the order in the description alone, and sends it twice at once',
    found: 'double-charge',
    beside: 'parts of a sum at once',
    run: async (code) => {
      const order = await orderOf(code, { description: 'Order 1001' });
      await Promise.all([pay(code, order), pay(code, order)]);
    },
  },
  'another card for an order in its description': {
    about: 'loses an answer, charges another card, and reads a report of all payments at night',
    meets: lost,
    found: 'double-charge',
    beside: 'a bill shared by two cards in turn',
    run: async (code) => {
      const order = await orderOf(code, { description: 'Order 1001' });
      await pay(code, order);
      await code.wait(20 * secondMs);
      await pay(code, { ...order, cardId: await otherCard(code) });
      await report(code);
    },
  },
  'a job with the order in its reference id': {
    about: 'names the order in `reference_id` alone, and a queue delivers the job again',
    found: 'double-charge',
    beside: 'two on purpose, days apart',
    run: async (code) => {
      const transaction = { reference_id: 'order-1001' };
      const body = paymentBody({ cardId: await code.card(), transaction });
      await code.post(paymentPath, body, code.newKey());
      await code.wait(10 * minuteMs);
      await code.post(paymentPath, body, code.newKey());
    },
  },
  'attempts counted in the description': {
    about: 'writes the number of the attempt into the description, with a new request id for each',
    meets: lost,
    found: 'double-charge',
    beside: 'numbered coffees',
    run: async (code) => {
      const order = await orderOf(code, { custom: 'order-7' });
      for (const attempt of [1, 2]) {
        await pay(code, { ...order, description: `Shoes (attempt ${attempt})` });
        await code.wait(2 * secondMs);
      }
      await report(code);
    },
  },
  'a retry in the invoice number': {
    about: 'adds "-retry" to the invoice number after a lost answer, and reads a report at night',
    meets: lost,
    found: 'double-charge',
    beside: 'a bill with two invoice numbers',
    run: async (code) => {
      const order = await orderOf(code);
      for (const invoice of ['INV-7', 'INV-7-retry']) {
        await pay(code, { ...order, invoice });
        await code.wait(2 * secondMs);
      }
      await report(code);
    },
  },
  'a return paid back twice': {
    about: 'a queue delivers the refund of a return again, with a request id of its own',
    found: 'double-refund',
    beside: 'two equal items given back, days apart',
    run: async (code) => {
      const sold = await pay(code, await orderOf(code, { invoice: 'INV-1', total: '100.00' }));
      const path = `/v1/payments/sale/${partIn(sold).id}/refund`;
      for (let times = 0; times < 2; times++) {
        const body = dollars('20.00', { description: 'Return RMA-77' });
        await code.post(path, body, code.newKey());
        await code.wait(10 * minuteMs);
      }
    },
  },
  'a parcel captured twice': {
    about: 'captures a numbered parcel again, because the first worker was slow to say so',
    found: 'double-charge',
    beside: 'a hotel with extras and no numbers',
    run: async (code) => {
      const hold = await pay(code, await holdOf(code, 'stay-1'));
      for (let times = 0; times < 2; times++) {
        await capture(code, hold, '30.00', { note_to_payer: 'Parcel 1 of 3' });
        await code.wait(10 * minuteMs);
      }
    },
  },
  'a hold left behind': {
    about: 'a queue delivers an authorization again; the worker captures its own, and no other',
    found: 'double-charge',
    beside: 'a void, then another order',
    run: async (code) => {
      const order = await holdOf(code, 'order-1');
      await pay(code, order);
      await code.wait(10 * minuteMs);
      await capture(code, await pay(code, order));
    },
  },
  'holds of a job left behind': {
    about: 'authorizes three orders, runs again ten minutes later, and captures the second holds',
    found: 'double-charge',
    beside: 'parcels of several orders',
    run: async (code) => {
      const due: Order[] = [];
      for (const [number, customer] of ['ada', 'bob', 'cyd'].entries()) {
        const total = `${10 + number}.00`;
        const custom = `trip-${customer}`;
        const cardId = await code.card(customer);
        due.push({ cardId, customer, custom, total, intent: 'authorize' });
      }
      for (const order of due) await pay(code, order);
      await code.wait(10 * minuteMs);
      for (const order of due) await capture(code, await pay(code, order), order.total);
    },
  },
  'a capture that was never made': {
    about: 'loses the answer to a capture that did nothing, ships and never looks',
    meets: [{ op: 'auth.capture', outcome: 'reset-before-commit' }],
    found: 'no-read-after-unknown',
    beside: 'a last capture with new request ids',
    run: async (code) => {
      await capture(code, await pay(code, await holdOf(code, 'stay-1')));
    },
  },
  'a void given up': {
    about: 'repeats a void four times while the service is down, and never looks at the hold',
    meets: [{ op: 'auth.void', outcome: 'error-502-before-commit', times: 4 }],
    found: 'no-read-after-unknown',
    beside: 'a void where in doubt',
    run: async (code) => {
      const hold = await pay(code, await holdOf(code, 'stay-1'));
      const path = `/v1/payments/authorization/${partIn(hold).id}/void`;
      for (let tries = 0; tries < 4; tries++) {
        await code.post(path, {}, 'void-stay-1');
        await code.wait(2 ** tries * secondMs * (1 + code.random()));
      }
    },
  },
  'a sale in place of a capture': {
    about: 'takes a lost answer to a capture for a failure, charges the card and reads at night',
    meets: [{ op: 'auth.capture', outcome: 'error-500-after-commit' }],
    found: 'double-charge',
    beside: 'a deposit held beside the rent',
    run: async (code) => {
      const order = await holdOf(code, 'stay-1');
      const hold = await pay(code, order);
      await capture(code, hold);
      await code.wait(5 * secondMs);
      await pay(code, { ...order, intent: 'sale' });
      await code.wait(6 * hourMs);
      await code.get(`/v1/payments/authorization/${partIn(hold).id}`);
    },
  },
  'a hold in place of a capture': {
    about: 'authorizes and captures again after a lost answer to a capture, and reads at night',
    meets: [{ op: 'auth.capture', outcome: 'reset-after-commit', nth: 1 }],
    found: 'double-charge',
    beside: 'a hold that lapsed at its capture',
    run: async (code) => {
      const order = await holdOf(code, 'stay-1');
      const hold = await pay(code, order);
      await capture(code, hold);
      await code.wait(5 * secondMs);
      await capture(code, await pay(code, order));
      await code.wait(6 * hourMs);
      await code.get(`/v1/payments/authorization/${partIn(hold).id}`);
    },
  },
  'a biller without customers that runs twice': {
    about: 'writes one word into each `custom`, names no customers, and runs again',
    found: 'double-charge',
    beside: 'a coffee bar',
    run: async (code) => {
      const due: Order[] = [];
      for (const type of ['visa', 'mastercard', 'discover'] as const) {
        const cardId = await code.card(undefined, { type, number: pans[type] });
        due.push({ cardId, custom: 'monthly', total: '9.99' });
      }
      for (let run = 0; run < 2; run++) {
        for (const order of due) await pay(code, order);
        await code.wait(10 * minuteMs);
      }
    },
  },
  'one look during an outage': {
    about: 'looks a lost payment up once, gets an error, and goes on with the next customer',
    meets: [...lost, { op: 'payment.list', outcome: 'error-forever', times: 1 }],
    found: 'orphaned-charge',
    beside: 'an outage that does not end',
    run: async (code) => {
      await pay(code, await orderOf(code, { custom: 'order-1' }));
      await report(code);
      await pay(code, { cardId: await code.card('bob'), customer: 'bob', custom: 'order-2' });
    },
  },
  'a card deleted during an outage': {
    about: 'looks a lost payment up without success, takes it for a failure and deletes the card',
    meets: [
      ...lost,
      { op: 'payment.list', outcome: 'error-forever', times: 1 },
      { op: 'card.delete', outcome: 'error-503-before-commit' },
    ],
    found: 'orphaned-charge',
    beside: 'an outage that does not end',
    run: async (code) => {
      const order = await orderOf(code, { custom: 'order-1' });
      await pay(code, order);
      await report(code);
      await code.send('DELETE', `${cardPath}/${order.cardId}`);
    },
  },
  'a refund looked up once': {
    about: 'reads the sale once after a lost refund, gets an error, and sells the next order',
    meets: [
      { op: 'sale.refund', outcome: 'reset-before-commit' },
      { op: 'sale.get', outcome: 'error-forever', times: 1 },
    ],
    found: 'no-read-after-unknown',
    beside: 'an outage of refunds that does not end',
    run: async (code) => {
      const order = await orderOf(code, { custom: 'order-1' });
      const sale = `/v1/payments/sale/${partIn(await pay(code, order)).id}`;
      await code.post(`${sale}/refund`, {}, code.newKey());
      await code.wait(minuteMs);
      await code.get(sale);
      await pay(code, { ...order, custom: 'order-2', total: '7.00' });
    },
  },
};
