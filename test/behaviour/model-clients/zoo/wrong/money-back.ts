/** Wrong clients that give money back, or take it in parts. */
import type { Beliefs, Forced, WrongClient } from '../client.ts';
import { partIn, textAt, type Order, type ShopCode } from '../shop-code.ts';

async function sell(code: ShopCode, invoice = 'INV-1'): Promise<string> {
  const order = { cardId: await code.card(), invoice, total: '100.00' };
  return partIn(await code.pay(order, code.newKey())).id;
}

async function authorize(code: ShopCode): Promise<string> {
  const order: Order = {
    cardId: await code.card(),
    invoice: 'INV-1',
    total: '100.00',
    intent: 'authorize',
  };
  return partIn(await code.pay(order, code.newKey())).id;
}

function refund(code: ShopCode, id: string, total?: string, newConnection = false) {
  const body = total === undefined ? {} : { amount: { total, currency: 'USD' } };
  const path = `/v1/payments/sale/${id}/refund`;
  return code.send('POST', path, { body, key: code.newKey(), newConnection });
}

function capture(code: ShopCode, id: string, total: string, key = code.newKey()) {
  const body = { amount: { total, currency: 'USD' } };
  return code.post(`/v1/payments/authorization/${id}/capture`, body, key);
}

const lostRefund: readonly Forced[] = [{ op: 'sale.refund', outcome: 'reset-after-commit' }];
const lostCapture: readonly Forced[] = [{ op: 'auth.capture', outcome: 'reset-after-commit' }];

export const moneyBack: Readonly<Record<string, WrongClient>> = {
  'two service desks at once': {
    about: 'both desks refund the same item in the same moment',
    found: 'double-refund',
    beside: 'two service desks that read first',
    run: async (code) => {
      const id = await sell(code);
      await Promise.all([refund(code, id, '20.00', true), refund(code, id, '20.00', true)]);
    },
  },
  'a lost refund forgotten': {
    about: 'shows an error to the service desk and never looks again',
    meets: lostRefund,
    found: 'orphaned-refund',
    beside: 'one request id for each refund',
    run: async (code) => {
      await refund(code, await sell(code), '20.00');
    },
  },
  'a lost refund made again with another sum': {
    about: 'refunds the item again, now with its shipping',
    meets: lostRefund,
    found: 'orphaned-refund',
    beside: 'a price match',
    run: async (code) => {
      const id = await sell(code);
      await refund(code, id, '20.00');
      await code.wait(60_000);
      await refund(code, id, '38.50');
    },
  },
  'a lost refund made again with a new request id': {
    about: 'repeats the refund with a new request id, and the item is paid back twice',
    meets: lostRefund,
    found: 'double-refund',
    beside: 'two equal items given back',
    run: async (code) => {
      const id = await sell(code);
      await refund(code, id, '20.00');
      await code.wait(2_000);
      await refund(code, id, '20.00');
    },
  },
  'the wrong sale refunded': {
    about: 'refunds the sale of another order, and believes that its own is given back',
    found: 'belief',
    beside: 'an order cancelled after it was paid',
    run: async (code) => {
      const [mine, other] = [await sell(code, 'INV-1'), await sell(code, 'INV-2')];
      await refund(code, other);
      return { [mine]: 'not-paid', 'INV-2': 'paid' };
    },
  },
  'a pending refund taken for done': {
    about: 'tells the buyer that the money is back; the refund fails later',
    meets: [{ op: 'sale.refund', outcome: 'refund-failed-later' }],
    found: 'belief',
    beside: 'a refund that fails later',
    run: async (code): Promise<Beliefs> => {
      await refund(code, await sell(code));
      await code.wait(5 * 24 * 3_600_000);
      return { 'INV-1': 'not-paid' };
    },
  },
  'a refused refund taken for done': {
    about: 'does not look at the answer to a refund',
    meets: [{ op: 'sale.refund', outcome: 'refund-insufficient-merchant-funds' }],
    found: 'belief',
    beside: 'one request id for each refund',
    run: async (code): Promise<Beliefs> => {
      await refund(code, await sell(code));
      return { 'INV-1': 'not-paid' };
    },
  },
  'a disputed sale refunded': {
    about: 'reads that the bank took the money back, and refunds it all the same',
    meets: [{ op: 'payment.create', outcome: 'chargeback-opened-won-lost' }],
    found: 'refund-and-chargeback',
    beside: 'a dispute seen first',
    run: async (code) => {
      const id = await sell(code);
      for (let day = 0; day < 30; day++) {
        await code.wait(24 * 3_600_000);
        const { body } = await code.get(`/v1/payments/sale/${id}`);
        if (textAt(body, 'state') !== 'reversed') continue;
        await refund(code, id, '20.00');
        return;
      }
    },
  },
  'a capture made again': {
    about: 'repeats a capture with a new request id after a lost answer',
    meets: lostCapture,
    found: 'double-charge',
    beside: 'shipments captured one by one',
    run: async (code) => {
      const id = await authorize(code);
      await capture(code, id, '40.00');
      await code.wait(2_000);
      await capture(code, id, '40.00');
    },
  },
  'a lost capture forgotten': {
    about: 'takes a lost answer for "not captured" and ends',
    meets: lostCapture,
    found: 'orphaned-charge',
    beside: 'a hotel',
    run: async (code) => {
      await capture(code, await authorize(code), '40.00');
    },
  },
  'a void after a lost capture': {
    about: 'voids what it has captured, does not look at the refusal, and counts it as not paid',
    meets: [{ op: 'auth.capture', outcome: 'reset-after-commit' }],
    found: 'belief',
    beside: 'a void where in doubt',
    run: async (code): Promise<Beliefs> => {
      const id = await authorize(code);
      await capture(code, id, '100.00');
      await code.post(`/v1/payments/authorization/${id}/void`, {}, code.newKey());
      return { 'INV-1': 'not-paid' };
    },
  },
  'a void of what is captured': {
    about: 'voids a captured authorization and takes the refusal for success',
    found: 'belief',
    beside: 'a void, then another order',
    run: async (code): Promise<Beliefs> => {
      const id = await authorize(code);
      await capture(code, id, '100.00');
      await code.post(`/v1/payments/authorization/${id}/void`, {}, code.newKey());
      return { 'INV-1': 'not-paid' };
    },
  },
  'an authorization taken for a payment': {
    about: 'never captures, and counts the order as paid',
    found: 'belief',
    beside: 'a hold that is renewed',
    run: async (code): Promise<Beliefs> => {
      await authorize(code);
      return { 'INV-1': 'paid' };
    },
  },
  'one refund request id for two items': {
    about: 'sends the request id of the sale with each of its refunds',
    found: 'key-reused-for-other-intent',
    beside: 'two service desks with the request id of the case',
    run: async (code) => {
      const id = await sell(code);
      for (const total of ['20.00', '35.00']) {
        const body = { amount: { total, currency: 'USD' } };
        await code.post(`/v1/payments/sale/${id}/refund`, body, `refund-${id}`);
      }
    },
  },
  'a hold made twice': {
    about: 'authorizes again with a new request id after a lost answer',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit' }],
    found: 'new-key-on-retry',
    beside: 'a void where in doubt',
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', intent: 'authorize' };
      await code.pay(order, code.newKey());
      await code.wait(2_000);
      await code.pay(order, code.newKey());
    },
  },
};
