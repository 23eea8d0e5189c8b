/** Right clients that give money back, or take it in parts. */
import {
  cancel,
  capture,
  find,
  isUnknown,
  pay,
  persist,
  read,
  refund,
  settle,
} from '../careful.ts';
import type { Beliefs, RightClient } from '../client.ts';
import { captures, payments, refunds } from '../outcomes.ts';
import { idIn, textAt, type Order, type ShopCode } from '../shop-code.ts';

async function sell(code: ShopCode, change: Partial<Order> = {}): Promise<string> {
  const order = { cardId: await code.card(), invoice: 'INV-1', total: '100.00', ...change };
  return (await pay(code, order)).id;
}

async function authorize(code: ShopCode, change: Partial<Order> = {}): Promise<string> {
  const order: Order = { cardId: await code.card(), invoice: 'INV-1', total: '100.00', ...change };
  return (await pay(code, { ...order, intent: 'authorize' })).id;
}

const salePath = (id: string) => `/v1/payments/sale/${id}`;

/** Whether the sale has money to give back, and is not disputed. */
async function isRefundable(code: ShopCode, id: string): Promise<boolean> {
  const { body } = await read(code, salePath(id));
  return ['completed', 'partially_refunded'].includes(textAt(body, 'state'));
}

export const moneyBack: Readonly<Record<string, RightClient>> = {
  'one request id for each refund': {
    about: 'refunds in full, retries with the same request id, and reads the sale if in doubt',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      if (id !== '') await refund(code, { id });
    },
  },
  'two equal items given back': {
    about: 'refunds an item, reads the sale, and refunds another item of the same price',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      for (let item = 0; item < 2; item++) {
        if (!(await isRefundable(code, id))) return;
        const { state } = await refund(code, { id, total: '20.00' });
        if (state !== 'done' && state !== 'pending') return;
        await read(code, `${salePath(id)}/refund`);
      }
    },
  },
  'two equal items given back, days apart': {
    about:
      'refunds an item, another one of the same price three days later, and looks at both in the end',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      for (let item = 0; item < 2; item++) {
        if (id !== '' && (await isRefundable(code, id))) await refund(code, { id, total: '20.00' });
        await code.wait(3 * 24 * 3_600_000);
      }
      // A refund may have been pending, and may have failed since.
      await read(code, salePath(id));
    },
  },
  'two service desks that read first': {
    about: 'the second desk sees in the sale that the first one has refunded, and stops',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      for (let desk = 0; desk < 2; desk++) {
        const { body } = await read(code, salePath(id));
        if (textAt(body, 'state') === 'completed') await refund(code, { id, total: '20.00' });
        await code.wait(30_000);
      }
    },
  },
  'two service desks with the request id of the case': {
    about: 'both desks press "refund" at once, and send the number of the case as request id',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      const give = () => refund(code, { id, total: '20.00', key: 'case-4711-refund', maxTries: 2 });
      await Promise.all([give(), give()]);
    },
  },
  'a price match': {
    about: 'refunds two different differences, each with its own request id',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      if (!(await isRefundable(code, id))) return;
      await refund(code, { id, total: '12.50' });
      await code.wait(3_600_000);
      if (await isRefundable(code, id)) await refund(code, { id, total: '7.25' });
    },
  },
  'a dispute seen first': {
    about: 'reads the sale before it refunds, and leaves a reversed sale alone',
    meets: [...refunds, { op: 'payment.create', outcome: 'sale-reversed-later' }],
    run: async (code): Promise<Beliefs | void> => {
      const id = await sell(code);
      await code.wait(30 * 24 * 3_600_000);
      if (id !== '' && (await isRefundable(code, id))) await refund(code, { id });
    },
  },
  'a refund that fails later': {
    about: 'reads a pending refund after two days, and asks again if it failed',
    meets: refunds,
    run: async (code) => {
      const id = await sell(code);
      const made = await refund(code, { id, total: '20.00' });
      await code.wait(2 * 24 * 3_600_000);
      if (made.state !== 'pending') return;
      const { body } = await read(code, `/v1/payments/refund/${made.id}`);
      if (textAt(body, 'state') === 'failed') await refund(code, { id, total: '20.00' });
    },
  },
  'shipments captured one by one': {
    about: 'captures three parts of an authorization, two of them equal, each with a request id',
    meets: captures,
    run: async (code) => {
      const id = await authorize(code);
      if (id === '') return;
      for (const [at, total] of ['20.00', '20.00', '60.00'].entries()) {
        const { state } = await capture(code, {
          id,
          total,
          invoice: `INV-1-${at}`,
          isFinal: at === 2,
        });
        if (state !== 'done') return;
        await code.wait(24 * 3_600_000);
      }
    },
  },
  'two sellers that capture at once': {
    about: 'captures two equal parts of an authorization at once, with numbers of their own',
    meets: captures,
    run: async (code) => {
      const id = await authorize(code, { total: '40.00' });
      if (id === '') return;
      await Promise.all(
        ['bob', 'cyd'].map((seller) =>
          capture(code, { id, total: '20.00', invoice: `INV-1-${seller}` }),
        ),
      );
    },
  },
  'a void where in doubt': {
    about: 'looks for the authorization after a lost answer, and voids it if it exists',
    meets: [...captures, ...payments],
    run: async (code) => {
      const order: Order = {
        cardId: await code.card(),
        custom: 'order-1',
        intent: 'authorize',
      };
      const answer = await code.pay(order, code.newKey());
      if (!isUnknown(answer)) return;
      const known = await find(code, order);
      if (known?.state === 'done') await cancel(code, order, known);
    },
  },
  'a void, then another order': {
    about: 'the buyer changes the basket: the hold is voided, and a new one takes its place',
    meets: captures,
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', intent: 'authorize' };
      const known = await pay(code, order);
      if (known.state !== 'done') return;
      if ((await cancel(code, order, known)).state !== 'not-done') return;
      const { id } = await pay(code, order);
      if (id !== '') await capture(code, { id, total: '30.11', isFinal: true });
    },
  },
  'a hotel': {
    about: 'authorizes, captures less than the hold, and gives a part of that back',
    meets: [...captures, { op: 'capture.refund', outcome: 'reset-after-commit' }],
    run: async (code) => {
      const id = await authorize(code);
      if (id === '') return;
      const taken = await capture(code, { id, total: '80.00', isFinal: true });
      if (taken.state !== 'done') return;
      await refund(code, { of: 'capture', id: taken.id, total: '10.00' });
    },
  },
  'a hold that is renewed': {
    about: 'reauthorizes after four days and captures the new hold',
    meets: [...captures, { op: 'auth.reauthorize', outcome: 'reset-after-commit' }],
    run: async (code) => {
      const id = await authorize(code);
      if (id === '') return;
      await code.wait(4 * 24 * 3_600_000);
      const path = `/v1/payments/authorization/${id}/reauthorize`;
      const body = { amount: { total: '100.00', currency: 'USD' } };
      const { answer } = await persist(
        code,
        { path, body, key: code.newKey() },
        (seen) => idIn(seen) !== '',
      );
      const renewed = answer.status < 300 ? idIn(answer) : id;
      await capture(code, { id: renewed, total: '100.00', isFinal: true });
    },
  },
  'an order cancelled after it was paid': {
    about: 'a buyer cancels a minute after paying: the sale is refunded once',
    meets: [...payments, ...refunds],
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      const answer = await settle(code, await pay(code, order));
      await code.wait(60_000);
      if (answer.state === 'done' && (await isRefundable(code, answer.id))) {
        await refund(code, { id: answer.id });
      }
    },
  },
};
