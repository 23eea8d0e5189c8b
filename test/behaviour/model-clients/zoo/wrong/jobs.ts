/** Wrong clients whose jobs do again what an earlier run had done. */
import type { Beliefs, WrongClient } from '../client.ts';
import { at } from '../../../forcing/tolerant-client.ts';
import { cardPath, partIn, paymentPath, textAt, type Order, type ShopCode } from '../shop-code.ts';

const minuteMs = 60_000;

async function hold(code: ShopCode, custom: string): Promise<string> {
  const order: Order = {
    cardId: await code.card(custom),
    customer: custom,
    custom,
    total: '100.00',
    intent: 'authorize',
  };
  return partIn(await code.pay(order, code.newKey())).id;
}

export const jobs: Readonly<Record<string, WrongClient>> = {
  'a shipping job that runs twice': {
    about: 'captures the first parcel of three orders, and runs again ten minutes later',
    found: 'double-charge',
    beside: 'parcels without numbers',
    run: async (code) => {
      const ids: string[] = [];
      for (const custom of ['order-1', 'order-2', 'order-3']) ids.push(await hold(code, custom));
      for (let run = 0; run < 2; run++) {
        for (const [number, id] of ids.entries()) {
          const body = { amount: { total: `${30 + number}.00`, currency: 'USD' } };
          await code.post(`/v1/payments/authorization/${id}/capture`, body, code.newKey());
        }
        await code.wait(10 * minuteMs);
      }
    },
  },
  'holds made twice by a job': {
    about: 'authorizes three orders, runs again ten minutes later, and captures all holds',
    found: 'double-charge',
    beside: 'a daily biller',
    run: async (code) => {
      const due: Order[] = [];
      for (const [number, customer] of ['ada', 'bob', 'cyd'].entries())
        due.push({
          cardId: await code.card(customer),
          customer,
          custom: `order-${customer}`,
          total: `${10 + number}.00`,
          intent: 'authorize',
        });
      const held: { id: string; total: string }[] = [];
      for (let run = 0; run < 2; run++) {
        for (const one of due) {
          const { id } = partIn(await code.pay(one, code.newKey()));
          held.push({ id, total: one.total ?? '' });
        }
        await code.wait(10 * minuteMs);
      }
      for (const { id, total } of held) {
        const body = { amount: { total, currency: 'USD' } };
        await code.post(`/v1/payments/authorization/${id}/capture`, body, code.newKey());
      }
    },
  },
  'a biller with one word for all that runs twice': {
    about: 'writes one word into each `custom`, and charges all customers again ten minutes later',
    found: 'double-charge',
    beside: 'wallets topped up',
    run: async (code) => {
      const due: Order[] = [];
      for (const customer of ['ada', 'bob', 'cyd'])
        due.push({
          cardId: await code.card(customer),
          customer,
          custom: 'monthly',
          total: '9.99',
        });
      for (let run = 0; run < 2; run++) {
        for (const one of due) await code.pay(one, code.newKey());
        await code.wait(10 * minuteMs);
      }
    },
  },
  'a reconciler with a clock of its own': {
    about:
      'lists the payments after a lost answer, does not recognize its own by the time, and pays again',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit' }],
    found: 'double-charge',
    beside: 'the same order again after an old lost answer',
    run: async (code) => {
      const one = { cardId: await code.card('ada'), customer: 'ada', custom: 'order-1' };
      await code.pay(one, code.newKey());
      await code.wait(10 * minuteMs);
      await code.get(`${paymentPath}?count=20`);
      await code.pay(one, code.newKey());
    },
  },
  'a refunded order shipped': {
    about: 'refunds an order because of a complaint, and still counts it as paid',
    found: 'belief',
    beside: 'an order cancelled while it is paid',
    run: async (code): Promise<Beliefs> => {
      const one = { cardId: await code.card('ada'), customer: 'ada', custom: 'order-1' };
      const { id } = partIn(await code.pay(one, code.newKey()));
      await code.post(`/v1/payments/sale/${id}/refund`, {}, code.newKey());
      return { 'order-1': 'paid' };
    },
  },
  'a card stored again after each decline': {
    about: 'stores a declined card again, and tries it every ten seconds',
    meets: [{ op: 'payment.create', outcome: 'decline-insufficient-funds', times: 11 }],
    found: 'excessive-reattempts',
    beside: 'a dunning run',
    run: async (code) => {
      for (let tries = 0; tries < 12; tries++) {
        const cardId = await code.card('ada');
        const order = { cardId, customer: 'ada', custom: 'order-1' };
        if ((await code.pay(order, code.newKey())).status === 201) return;
        await code.wait(10_000);
      }
    },
  },
  'a saga that compensates twice': {
    about: 'two handlers of one failed saga give the same part back',
    found: 'double-refund',
    beside: 'two equal items given back, days apart',
    run: async (code) => {
      const cardId = await code.card('ada');
      const order = { cardId, customer: 'ada', custom: 'order-1', total: '100.00' };
      const { id } = partIn(await code.pay(order, code.newKey()));
      const amount = { total: '40.00', currency: 'USD' };
      for (let handler = 0; handler < 2; handler++) {
        const body = { amount, description: 'Compensation of saga-17' };
        await code.post(`/v1/payments/sale/${id}/refund`, body, code.newKey());
        await code.wait(12_000);
      }
    },
  },
  'a batch run again for one failure': {
    about: 'sends two orders together, one is declined, and sends both again with new request ids',
    meets: [{ op: 'payment.create', outcome: 'decline-insufficient-funds', nth: 2 }],
    found: 'double-charge',
    beside: 'a batch that goes on where it stopped',
    run: async (code) => {
      const due: Order[] = [];
      for (const [customer, total] of [
        ['ada', '9.99'],
        ['bob', '19.99'],
      ] as const) {
        due.push({ cardId: await code.card(customer), customer, custom: `box-${customer}`, total });
      }
      for (let run = 0; run < 2; run++) {
        await Promise.all(due.map((one) => code.pay(one, code.newKey())));
        await code.wait(3000);
      }
    },
  },
  'every card in the vault charged': {
    about:
      'stores a card again after a lost answer, and charges each card in the vault once a month',
    meets: [{ op: 'card.create', outcome: 'reset-after-commit' }],
    found: 'double-charge',
    beside: 'a monthly subscription',
    run: async (code) => {
      await code.card('ada');
      await code.card('ada');
      await code.wait(24 * 60 * minuteMs);
      const { body } = await code.get(cardPath);
      const items = at(body, 'items');
      for (const card of Array.isArray(items) ? (items as unknown[]) : []) {
        const order = { cardId: textAt(card, 'id'), customer: 'ada', total: '9.99' };
        await code.pay(
          { ...order, custom: 'sub-ada', description: 'Plan M, May 2026' },
          code.newKey(),
        );
      }
    },
  },
};
