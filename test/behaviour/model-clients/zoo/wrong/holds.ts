/** Wrong clients that hold money, give it back or reconcile. */
import { at } from '../../../forcing/tolerant-client.ts';
import type { Beliefs, Forced, WrongClient } from '../client.ts';
import { idIn, partIn, paymentPath, textAt, type Order, type ShopCode } from '../shop-code.ts';

const dayMs = 24 * 3_600_000;

async function sell(code: ShopCode, invoice = 'INV-1'): Promise<string> {
  const order = { cardId: await code.card(), invoice, total: '100.00' };
  return partIn(await code.pay(order, code.newKey())).id;
}

async function hold(code: ShopCode, change: Partial<Order> = {}): Promise<string> {
  const order: Order = {
    cardId: await code.card('ada'),
    customer: 'ada',
    custom: 'stay-1',
    total: '100.00',
    intent: 'authorize',
    ...change,
  };
  return partIn(await code.pay(order, code.newKey())).id;
}

function refund(code: ShopCode, id: string, total?: string, newConnection = false) {
  const body = total === undefined ? {} : { amount: { total, currency: 'USD' } };
  return code.send('POST', `/v1/payments/sale/${id}/refund`, {
    body,
    key: code.newKey(),
    newConnection,
  });
}

function capture(code: ShopCode, id: string, total: string, key = code.newKey()) {
  const body = { amount: { total, currency: 'USD' } };
  return code.post(`/v1/payments/authorization/${id}/capture`, body, key);
}

const lostCapture: readonly Forced[] = [{ op: 'auth.capture', outcome: 'reset-after-commit' }];

async function listed(code: ShopCode): Promise<string[]> {
  await code.wait(60_000);
  const { body } = await code.get(`${paymentPath}?count=20`);
  const payments = at(body, 'payments');
  return (Array.isArray(payments) ? (payments as unknown[]) : []).map(
    (one) => partIn({ body: one }).id,
  );
}

export const holds: Readonly<Record<string, WrongClient>> = {
  'a goodwill job that runs twice': {
    about: 'refunds a part of three sales, and runs again ten minutes later',
    found: 'double-refund',
    beside: 'vouchers for several orders',
    run: async (code) => {
      const ids = [await sell(code, 'INV-1'), await sell(code, 'INV-2'), await sell(code, 'INV-3')];
      for (let run = 0; run < 2; run++) {
        for (const [number, id] of ids.entries()) await refund(code, id, `${5 + number}.00`);
        await code.wait(600_000);
      }
    },
  },
  'a capture beyond the hold': {
    about: 'captures 60 and then 50 of a hold of 100, and keeps both',
    found: 'belief',
    beside: 'a hotel with extras',
    run: async (code): Promise<Beliefs> => {
      const id = await hold(code);
      await capture(code, id, '60.00');
      await capture(code, id, '60.00');
      return { 'stay-1': 'not-paid' };
    },
  },
  'a capture after a void': {
    about: 'captures a voided hold, and does not look at the refusal',
    found: 'belief',
    beside: 'a void, then another order',
    run: async (code): Promise<Beliefs> => {
      const id = await hold(code);
      await code.post(`/v1/payments/authorization/${id}/void`, {}, code.newKey());
      await capture(code, id, '100.00');
      return { 'stay-1': 'paid' };
    },
  },
  'an expired hold taken for money': {
    about: 'captures after the hold has expired, and counts the stay as paid',
    found: 'belief',
    beside: 'an expired hold',
    run: async (code): Promise<Beliefs> => {
      const id = await hold(code);
      await code.wait(30 * dayMs);
      await capture(code, id, '100.00');
      return { 'stay-1': 'paid' };
    },
  },
  'a second hold captured too': {
    about: 'takes a lost answer of a capture for a refusal, authorizes again and captures that',
    meets: lostCapture,
    found: 'orphaned-charge',
    beside: 'a hold that lapsed at its capture',
    run: async (code) => {
      const cardId = await code.card('ada');
      const first = await hold(code, { cardId });
      await capture(code, first, '100.00');
      const again = await hold(code, { cardId });
      await capture(code, again, '100.00');
    },
  },
  'a parcel paid from two holds': {
    about:
      'runs the job of a parcel again two days later: it holds 100 again, and captures 60 again',
    found: 'double-charge',
    beside: 'two parcels from two holds',
    run: async (code) => {
      const cardId = await code.card('ada');
      for (let run = 0; run < 2; run++) {
        await capture(code, await hold(code, { cardId, custom: 'order-1' }), '60.00');
        await code.wait(2 * dayMs);
      }
    },
  },
  'a part captured again': {
    about: 'repeats the capture of a part with a new request id after a timeout',
    meets: [{ op: 'auth.capture', outcome: 'hang-after-commit' }],
    found: 'double-charge',
    beside: 'a hotel with extras and no numbers',
    run: async (code) => {
      const id = await hold(code);
      await capture(code, id, '30.00');
      await code.wait(30_000);
      await capture(code, id, '30.00');
    },
  },
  'a refund beyond the sale': {
    about: 'refunds 80 after 40 of 100, is refused, and counts the whole as given back',
    found: 'belief',
    beside: 'a sale given back in pieces',
    run: async (code): Promise<Beliefs> => {
      const id = await sell(code);
      await refund(code, id, '40.00');
      await refund(code, id, '80.00');
      return { 'INV-1': 'not-paid' };
    },
  },
  'a refund after a dispute in the list': {
    about: 'reads in the list that the bank took the money back, and refunds the sale',
    meets: [{ op: 'payment.create', outcome: 'chargeback-opened-won-lost' }],
    found: 'refund-and-chargeback',
    beside: 'a dispute seen in the list',
    run: async (code) => {
      const id = await sell(code);
      for (let day = 0; day < 30; day++) {
        await code.wait(dayMs);
        const { body } = await code.get(`${paymentPath}?count=20`);
        const [payment] = at(body, 'payments') as unknown[];
        if (partIn({ body: payment }).state !== 'reversed') continue;
        await refund(code, id, '20.00');
        return;
      }
    },
  },
  'three desks at once': {
    about: 'three desks give back the same item in the same moment',
    found: 'double-refund',
    beside: 'equal pieces with reasons',
    run: async (code) => {
      const id = await sell(code);
      await Promise.all([1, 2, 3].map(() => refund(code, id, '20.00', true)));
    },
  },
  'two captures refunded at once': {
    about: 'both desks give back the same part of a capture in the same moment',
    found: 'double-refund',
    beside: 'a hotel',
    run: async (code) => {
      const taken = await capture(code, await hold(code), '80.00');
      const body = { amount: { total: '10.00', currency: 'USD' } };
      const path = `/v1/payments/capture/${idIn(taken)}/refund`;
      await Promise.all(
        [1, 2].map(() =>
          code.send('POST', path, { body, key: code.newKey(), newConnection: true }),
        ),
      );
    },
  },
  'both twins refunded': {
    about: 'finds a twin, refunds both payments, and counts the order as paid',
    meets: [{ op: 'payment.create', outcome: 'executed-twice-by-proxy' }],
    found: 'belief',
    beside: 'a reconciler that keeps what it knows',
    run: async (code): Promise<Beliefs> => {
      await code.pay({ cardId: await code.card(), custom: 'order-1' }, code.newKey());
      for (const id of await listed(code)) await refund(code, id);
      return { 'order-1': 'paid' };
    },
  },
  'a twin seen and left': {
    about: 'sees in the list that an order was paid twice, and does nothing',
    meets: [{ op: 'payment.create', outcome: 'executed-twice-by-proxy' }],
    found: 'double-charge',
    beside: 'a reconciler that keeps what it knows',
    run: async (code) => {
      await code.pay({ cardId: await code.card(), custom: 'order-1' }, code.newKey());
      await listed(code);
    },
  },
  'a reconciler that refunds good orders': {
    about: 'takes two orders of one sum for twins and refunds the second',
    found: 'belief',
    beside: 'a reconciler by invoice number of a queue',
    run: async (code): Promise<Beliefs> => {
      const cardId = await code.card();
      for (const custom of ['order-1', 'order-2'])
        await code.pay({ cardId, custom }, code.newKey());
      const [latest = ''] = await listed(code);
      await refund(code, latest);
      return { 'order-1': 'paid', 'order-2': 'paid' };
    },
  },
  'a lost void taken for done': {
    about:
      'voids a hold, the answer is lost before anything happened, and the hold is captured later by another job',
    meets: [{ op: 'auth.void', outcome: 'reset-before-commit' }],
    found: 'belief',
    beside: 'a void where in doubt',
    run: async (code): Promise<Beliefs> => {
      const id = await hold(code);
      await code.post(`/v1/payments/authorization/${id}/void`, {}, code.newKey());
      await code.wait(dayMs);
      await capture(code, id, '100.00');
      return { 'stay-1': 'not-paid' };
    },
  },
  'a compensation that is lost': {
    about: 'gives the flight back, loses the answer and never looks',
    meets: [
      { op: 'payment.create', outcome: 'decline-generic', nth: 2 },
      { op: 'sale.refund', outcome: 'error-502-after-commit' },
    ],
    found: 'orphaned-refund',
    beside: 'a saga that undoes',
    run: async (code) => {
      const trip: Order = { cardId: await code.card(), custom: 'trip-1', total: '200.00' };
      const flight = await code.pay({ ...trip, description: 'Flight' }, code.newKey());
      const hotel = await code.pay({ ...trip, description: 'Hotel' }, code.newKey());
      if (hotel.status !== 201) await refund(code, partIn(flight).id);
    },
  },
  'a whole refund after a lost part': {
    about:
      'loses the answer to a refund of a part, refunds the rest as a whole, and takes the refusal for "nothing given back"',
    meets: [{ op: 'sale.refund', outcome: 'reset-after-commit' }],
    found: 'orphaned-refund',
    beside: 'a refund found in the list of refunds',
    run: async (code) => {
      const id = await sell(code);
      await refund(code, id, '20.00');
      await code.wait(60_000);
      await refund(code, id);
      return { [textAt({ id }, 'id')]: 'paid' };
    },
  },
};
