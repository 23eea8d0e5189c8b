/** Right clients that hold money first, or give it back in pieces. */
import { cancel, capture, pay, read, refund, settle } from '../careful.ts';
import type { RightClient } from '../client.ts';
import { captures, payments, refunds, telling } from '../outcomes.ts';
import { textAt, type Order, type ShopCode } from '../shop-code.ts';

const dayMs = 24 * 3_600_000;
const authPath = '/v1/payments/authorization';
const salePath = '/v1/payments/sale';

async function hold(code: ShopCode, change: Partial<Order> = {}) {
  const order: Order = {
    cardId: change.cardId ?? (await code.card('ada')),
    customer: 'ada',
    custom: 'stay-1',
    total: '100.00',
    intent: 'authorize',
    ...change,
  };
  return { order, known: await pay(code, order) };
}

async function stateOf(code: ShopCode, path: string): Promise<string> {
  return textAt((await read(code, path)).body, 'state');
}

export const holds: Readonly<Record<string, RightClient>> = {
  'a hotel with extras': {
    about:
      'captures the nights one by one, two of them equal, then the minibar, and voids the rest',
    meets: telling(captures),
    run: async (code) => {
      const { order, known } = await hold(code);
      if (known.state !== 'done') return;
      for (const [night, total] of ['30.00', '30.00', '12.50'].entries()) {
        const taken = await capture(code, { id: known.id, total, invoice: `stay-1-${night}` });
        if (taken.state !== 'done') return;
        await code.wait(dayMs);
      }
      await cancel(code, order, known);
    },
  },
  'a hotel with extras and no numbers': {
    about: 'captures equal nights a day apart without invoice numbers, with one request id each',
    meets: telling(captures),
    run: async (code) => {
      const { known } = await hold(code);
      if (known.state !== 'done') return;
      for (let night = 0; night < 3; night++) {
        const taken = await capture(code, { id: known.id, total: '30.00', isFinal: night === 2 });
        if (taken.state !== 'done') return;
        await code.wait(dayMs);
      }
    },
  },
  'an expired hold': {
    about: 'sees that a hold has expired, and authorizes the same order again',
    meets: telling(captures),
    run: async (code) => {
      const { order, known } = await hold(code);
      if (known.state !== 'done') return;
      await code.wait(30 * dayMs);
      if ((await stateOf(code, `${authPath}/${known.id}`)) !== 'expired') return;
      const again = await pay(code, order);
      if (again.state === 'done')
        await capture(code, { id: again.id, total: '100.00', isFinal: true });
    },
  },
  'a hold that lapsed at its capture': {
    about: 'authorizes again after a capture was refused, and captures the new hold',
    meets: telling(captures),
    run: async (code) => {
      const { order, known } = await hold(code);
      if (known.state !== 'done') return;
      const taken = await capture(code, { id: known.id, total: '100.00', isFinal: true });
      if (taken.state !== 'not-done') return;
      if ((await stateOf(code, `${authPath}/${known.id}`)) === 'authorized') {
        if ((await cancel(code, order, known)).state !== 'not-done') return;
      }
      const again = await pay(code, order);
      if (again.state === 'done')
        await capture(code, { id: again.id, total: '100.00', isFinal: true });
    },
  },
  'two parcels from two holds': {
    about: 'captures 60 of 100 for the first parcel, and 40 from a new hold for the second',
    meets: telling(captures),
    run: async (code) => {
      const cardId = await code.card('ada');
      for (const total of ['60.00', '40.00']) {
        const { order, known } = await hold(code, { cardId, custom: 'order-1' });
        if (known.state !== 'done') return;
        const taken = await capture(code, { id: known.id, total, isFinal: true });
        if (taken.state === 'not-done') await cancel(code, order, known);
        if (taken.state !== 'done') return;
        await code.wait(2 * dayMs);
      }
    },
  },
  'a capture given back and taken again': {
    about: 'captures, refunds the capture because of a wrong item, and captures the right one',
    meets: [...telling(captures), { op: 'capture.refund', outcome: 'reset-after-commit' }],
    run: async (code) => {
      const { known } = await hold(code);
      if (known.state !== 'done') return;
      const wrong = await capture(code, { id: known.id, total: '40.00' });
      if (wrong.state !== 'done') return;
      if ((await refund(code, { of: 'capture', id: wrong.id })).state !== 'done') return;
      await capture(code, { id: known.id, total: '40.00', isFinal: true });
    },
  },
  'sellers that capture their parts': {
    about: 'three sellers capture their parts of one hold at once, two of them equal, with notes',
    meets: telling(captures),
    run: async (code) => {
      const { known } = await hold(code);
      if (known.state !== 'done') return;
      await Promise.all(
        [
          ['bob', '30.00'],
          ['cyd', '30.00'],
          ['dan', '40.00'],
        ].map(([seller, total = '']) =>
          capture(code, { id: known.id, total, invoice: `stay-1-${seller}` }),
        ),
      );
    },
  },
  'a sale given back in pieces': {
    about: 'refunds 20, 30 and 50 of 100 over a week, and reads the sale before each',
    meets: telling(refunds),
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1', total: '100.00' };
      const { id } = await pay(code, order);
      if (id === '') return;
      for (const total of ['20.00', '30.00', '50.00']) {
        const state = await stateOf(code, `${salePath}/${id}`);
        if (!['completed', 'partially_refunded'].includes(state)) return;
        const made = await refund(code, { id, total });
        if (made.state !== 'done' && made.state !== 'pending') return;
        await code.wait(2 * dayMs);
      }
    },
  },
  'equal pieces with reasons': {
    about: 'refunds three equal vouchers at once, told apart by their descriptions',
    meets: telling(refunds),
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1', total: '100.00' };
      const { id, state } = await settle(code, await pay(code, order));
      if (state !== 'done') return;
      await Promise.all(
        ['A', 'B', 'C'].map((voucher) =>
          refund(code, { id, total: '10.00', description: `Voucher ${voucher}` }),
        ),
      );
    },
  },
  'vouchers for several orders': {
    about:
      'gives two equal vouchers back for each of three orders, and reads each sale before the second',
    meets: [
      ...telling(refunds),
      { op: 'sale.refund', outcome: 'executed-twice-by-proxy', times: 9 },
    ],
    run: async (code) => {
      const ids: string[] = [];
      for (const invoice of ['INV-1', 'INV-2', 'INV-3']) {
        const order = { cardId: await code.card(), invoice, total: '100.00' };
        ids.push((await settle(code, await pay(code, order))).id);
      }
      for (let round = 0; round < 2; round++) {
        for (const [number, id] of ids.entries()) {
          const state = await stateOf(code, `${salePath}/${id}`);
          if (!['completed', 'partially_refunded'].includes(state)) return;
          await refund(code, { id, total: `${5 + number}.00` });
        }
        await code.wait(600_000);
      }
    },
  },
  'parcels of several orders': {
    about:
      'captures two equal parcels of each of three orders on one day, with numbers of the parcels',
    meets: [],
    run: async (code) => {
      const ids: string[] = [];
      for (const number of [1, 2, 3]) {
        ids.push((await hold(code, { custom: `order-${number}` })).known.id);
      }
      for (let parcel = 0; parcel < 2; parcel++) {
        for (const [number, id] of ids.entries())
          await capture(code, {
            id,
            total: `${40 + number}.00`,
            invoice: `order-${number}-${parcel}`,
          });
        await code.wait(3 * 3_600_000);
      }
    },
  },
  'an order changed after it was paid': {
    about:
      'refunds the difference of a cheaper item, and charges another item of the same sum later',
    meets: [...telling(payments), ...telling(refunds)],
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', total: '50.00' };
      const known = await settle(code, await pay(code, { ...order, description: 'Shoes' }));
      if (known.state !== 'done') return;
      if ((await stateOf(code, `${salePath}/${known.id}`)) !== 'completed') return;
      await refund(code, { id: known.id, total: '10.00' });
      await code.wait(600_000);
      await settle(code, await pay(code, { ...order, description: 'Laces', total: '10.00' }));
    },
  },
  'a dispute seen in the list': {
    about: 'pages through the list each week and leaves reversed sales alone',
    meets: [
      { op: 'payment.create', outcome: 'chargeback-opened-won-lost' },
      { op: 'payment.create', outcome: 'sale-reversed-later' },
    ],
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      const { id } = await pay(code, order);
      for (let week = 0; week < 8; week++) {
        await code.wait(7 * dayMs);
        await read(code, '/v1/payments/payment?count=20');
      }
      const state = await stateOf(code, `${salePath}/${id}`);
      if (state === 'completed') await refund(code, { id });
    },
  },
};
