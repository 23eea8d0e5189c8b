/** Right clients of trades whose buyers come again: machines, chargers of cars, plans and wallets. */
import { cancel, capture, pay, settle, type Known } from '../careful.ts';
import type { RightClient } from '../client.ts';
import { captures, payments, telling } from '../outcomes.ts';
import { cardPath, textAt, type Order } from '../shop-code.ts';
import { at } from '../../../forcing/tolerant-client.ts';
import { pans } from '../../../../support/samples.ts';
import { remove, store } from './vault.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
const dayMs = 24 * hourMs;

export const trades: Readonly<Record<string, RightClient>> = {
  'buyers in turn, twice': {
    about: 'a machine sells one drink to four customers in turn, and to all of them again',
    meets: telling(payments),
    run: async (code) => {
      const buyers: Order[] = [];
      for (const type of ['visa', 'mastercard', 'amex', 'discover'] as const) {
        const customer = `owner-of-${type}`;
        const cvv2 = type === 'amex' ? '8744' : '874';
        const cardId = await code.card(customer, { number: pans[type], type, cvv2 });
        buyers.push({ cardId, customer, description: 'Drink', total: '1.50' });
      }
      for (let round = 0; round < 2; round++) {
        for (const [place, order] of buyers.entries()) {
          await settle(code, await pay(code, order));
          await code.wait((25 + 7 * place) * secondMs);
        }
      }
    },
  },
  'a car charged twice a day': {
    about: 'holds one amount for each stop of a car, and captures what it took',
    meets: captures,
    run: async (code) => {
      const cardId = await code.card('ada');
      const order: Order = { cardId, customer: 'ada', custom: 'car-77', total: '40.00' };
      for (const total of ['11.20', '23.75']) {
        const hold = await pay(code, { ...order, intent: 'authorize' });
        await code.wait(hourMs);
        if (hold.state === 'done') await capture(code, { id: hold.id, total, isFinal: true });
        await code.wait(5 * hourMs);
      }
    },
  },
  'holds renewed at night': {
    about: 'a job authorizes three orders again, voids the old holds, and captures in the morning',
    meets: [...telling(payments), ...telling(captures)],
    run: async (code) => {
      const cardId = await code.card('ada');
      const held: { order: Order; hold: Known }[] = [];
      for (const number of [1, 2, 3]) {
        const total = `${40 + number}.00`;
        const order: Order = { cardId, customer: 'ada', custom: `order-${number}`, total };
        const authorize: Order = { ...order, intent: 'authorize' };
        const hold = await pay(code, authorize);
        if (hold.state === 'done') held.push({ order: authorize, hold });
      }
      await code.wait(15 * hourMs);
      let left: { order: Order; hold: Known }[] = [];
      for (const one of held) {
        const { order, hold: old } = one;
        const hold = await pay(code, order);
        if (hold.state !== 'done' || hold.id === old.id) continue;
        if ((await cancel(code, order, old)).state === 'not-done') one.hold = hold;
        else left.push({ order, hold });
      }
      // A void that failed is tried again later.
      for (let tries = 0; tries < 3; tries++) {
        const still: typeof left = [];
        for (const one of left) {
          if ((await cancel(code, one.order, one.hold)).state !== 'not-done') still.push(one);
        }
        left = still;
        await code.wait(3 * hourMs);
      }
      for (const { order, hold } of held) {
        await capture(code, { id: hold.id, total: order.total ?? '', isFinal: true });
      }
    },
  },
  'request ids with the begin of a week': {
    about:
      'a job runs at midnight, and makes each request id from the plan and the begin of its week',
    meets: telling(payments),
    run: async (code) => {
      const order = {
        cardId: await code.card('ada'),
        customer: 'ada',
        custom: 'ada',
        total: '5.00',
      };
      for (let week = 0; week < 3; week++) {
        const nowMs = Date.parse((await code.shop.merchant.clock.read()).now);
        const midnightMs = Math.ceil(nowMs / dayMs) * dayMs;
        await code.wait(midnightMs - nowMs + 2 * secondMs);
        const begin = new Date(midnightMs).toISOString();
        const description = `Week of ${begin.slice(0, 10)}`;
        await settle(code, await pay(code, { ...order, description }, `plan-m/4711/${begin}`));
        await code.wait(6 * dayMs);
      }
    },
  },
  'a card saved in two tabs': {
    about: 'two tabs store one card at once; a job keeps the older copy and removes the other',
    meets: [{ op: 'card.create', outcome: 'reset-after-commit' }],
    run: async (code) => {
      await Promise.all([store(code, 'ada'), store(code, 'ada')]);
      await code.wait(600 * secondMs);
      const { body } = await code.get(`${cardPath}?external_customer_id=ada`);
      const items = at(body, 'items');
      const ids = Array.isArray(items) ? items.map((item: unknown) => textAt(item, 'id')) : [];
      for (const id of ids.slice(1)) await remove(code, id);
      const [cardId] = ids;
      if (cardId === undefined) return;
      await settle(code, await pay(code, { cardId, customer: 'ada', custom: 'order-1' }));
    },
  },
  'seats added to a plan': {
    about: 'charges three equal seats within one month of a plan, some hours apart',
    meets: telling(payments),
    run: async (code) => {
      const order = { cardId: await code.card('team'), customer: 'team', custom: 'sub-77' };
      for (const seat of [4, 5, 6]) {
        const description = 'Extra seat, May 2026';
        const known = await pay(code, { ...order, description }, `sub-77-seat-${seat}`);
        await settle(code, known);
        await code.wait(3 * hourMs);
      }
    },
  },
  'use counted every quarter of an hour': {
    about: 'charges what a customer used, with a request id that names the begin of the quarter',
    meets: telling(payments),
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', description: 'Use' };
      for (const quarter of ['15', '30', '45']) {
        await settle(code, await pay(code, order, `use-ada-2026-05-06T07:${quarter}:00Z`));
        await code.wait(quarterMs);
      }
    },
  },
};
