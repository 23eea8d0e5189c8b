/** Right clients that are built in some usual way: an outbox, events, locks, a circuit breaker, two regions. */
import {
  capture,
  find,
  isFinalDecline,
  isRefusal,
  judge,
  pay,
  read,
  refund,
  settle,
  type Known,
} from '../careful.ts';
import type { Forced, RightClient } from '../client.ts';
import { captures, payments, refunds, stores, telling } from '../outcomes.ts';
import {
  bodyOf,
  cardPath,
  paymentPath,
  ShopCode,
  textAt,
  type Answer,
  type Order,
} from '../shop-code.ts';
import { at } from '../../../forcing/tolerant-client.ts';
import { paymentBody } from '../../../../support/samples.ts';
import { remove } from './vault.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const meets = telling(payments);
const refundMeets = telling(refunds);

/** Another process of the same shop, with a token of its own. */
async function otherProcess(code: ShopCode): Promise<ShopCode> {
  const other = new ShopCode(code.shop);
  await other.renewToken();
  return other;
}

/** A row that a process stores before it sends the request of the row. */
interface Row {
  readonly order: Order;
  readonly key: string;
  /** Cards whose issuers said never to try them again, shared by all processes. */
  readonly blockedCards: Set<string>;
  known?: Known;
}

async function rows(code: ShopCode, names: readonly string[]): Promise<Row[]> {
  const cardId = await code.card();
  return names.map((custom, number) => ({
    order: { cardId, custom, total: `${number + 10}.00` },
    key: code.newKey(),
    blockedCards: code.blockedCards,
  }));
}

const notDone: Known = { state: 'not-done', id: '', paymentId: '' };

/** What one answer says about the payment of a row, if it says anything. */
function conclude(answer: Answer): Known | undefined {
  if (answer.status < 300) return judge(answer);
  return isRefusal(answer) && answer.status !== 401 ? notDone : undefined;
}

/** Sends the payment of a row once, unless its card must not be tried again. Returns how long the answer asks to wait. */
async function tryOnce(code: ShopCode, row: Row): Promise<number> {
  if (row.blockedCards.has(row.order.cardId)) row.known = notDone;
  if (row.known !== undefined) return 0;
  const answer = await code.pay(row.order, row.key);
  if (answer.status === 401) await code.renewToken();
  if (isFinalDecline(answer)) row.blockedCards.add(row.order.cardId);
  const known = conclude(answer);
  if (known !== undefined) row.known = known;
  return answer.waitMs;
}

/** Finds out about the rows that stayed open, and waits for pending sales. */
async function finish(code: ShopCode, open: readonly Row[]): Promise<void> {
  for (const row of open) {
    const known = row.known ?? (await find(code, row.order));
    if (known !== undefined) await settle(code, known);
  }
}

const shifts: readonly Forced[] = (
  ['page-shift', 'stale-read-after-delete', 'list-lags-create'] as const
).map((outcome) => ({ op: 'card.list', outcome }));

export const architectures: Readonly<Record<string, RightClient>> = {
  'two relays of an outbox': {
    about:
      'two processes lease rows, and a row whose lease ended is sent again with its request id',
    meets: [...meets, { op: 'payment.create', outcome: 'decline-lost-or-stolen', nth: 2 }],
    run: async (code) => {
      const outbox = await rows(code, ['order-1', 'order-2', 'order-3', 'order-4']);
      const relays = [code, await otherProcess(code)];
      for (let round = 0; round < 4; round++) {
        const open = outbox.filter(({ known }) => known === undefined);
        const waitsMs = await Promise.all(
          relays.map(async (relay, number) => {
            let waitMs = 0;
            for (const row of open.filter((_, place) => place % 2 === number)) {
              waitMs = Math.max(waitMs, await tryOnce(relay, row));
            }
            return waitMs;
          }),
        );
        await code.wait(Math.max(...waitsMs, minuteMs * 2 ** round * (1 + code.random())));
      }
      await finish(code, outbox);
    },
  },
  'orders rebuilt from events': {
    about:
      'writes an event with the request id before each payment, and replays open ones after a crash',
    meets,
    run: async (code) => {
      const events = await rows(code, ['order-1', 'order-2', 'order-3']);
      for (const row of events.slice(0, 2)) await tryOnce(code, row);
      await code.wait(3 * minuteMs);
      const restarted = await otherProcess(code);
      for (const row of events) {
        if (row.blockedCards.has(row.order.cardId)) row.known ??= notDone;
        row.known ??= await pay(restarted, row.order, row.key);
      }
      await finish(restarted, events);
    },
  },
  'a circuit breaker': {
    about: 'stops all payments for longer and longer after failures, and keeps the request ids',
    meets,
    run: async (code) => {
      const queue = await rows(code, ['order-1', 'order-2', 'order-3']);
      let failures = 0;
      for (let tries = 0; tries < 12; tries++) {
        const row = queue.find(({ known }) => known === undefined);
        if (row === undefined) break;
        const waitMs = await tryOnce(code, row);
        failures = row.known === undefined ? failures + 1 : 0;
        if (failures > 0) await code.wait(Math.max(waitMs, 15_000 * 2 ** failures));
      }
      await finish(code, queue);
    },
  },
  'a second region': {
    about: 'sends each payment to a second region too, which repeats it with the same request id',
    meets,
    run: async (code) => {
      const region = await otherProcess(code);
      for (const row of await rows(code, ['order-1', 'order-2'])) {
        const known = await pay(code, row.order, row.key);
        await code.wait(1_000);
        if (known.state === 'done' || known.state === 'pending') {
          const sent = { body: bodyOf(row.order), key: row.key, newConnection: true };
          const answer = await region.send('POST', paymentPath, sent);
          if (answer.status === 401) await region.renewToken();
        }
        await settle(code, known);
      }
    },
  },
  'three desks with a lock': {
    about:
      'each desk waits for the lock, reads the sale and its refunds, and leaves closed cases alone',
    meets: refundMeets,
    run: async (code) => {
      const { id } = await pay(code, {
        cardId: await code.card(),
        custom: 'order-1',
        total: '90.00',
      });
      if (id === '') return;
      const path = `/v1/payments/sale/${id}`;
      const closed = new Set<string>();
      let lock = Promise.resolve();
      const desk = (worker: ShopCode, caseId: string): Promise<void> =>
        (lock = lock.then(async () => {
          const state = textAt((await read(worker, path)).body, 'state');
          await read(worker, `${path}/refund`);
          if (closed.has(caseId) || !['completed', 'partially_refunded'].includes(state)) return;
          closed.add(caseId);
          await refund(worker, { id, total: '20.00', key: caseId, maxTries: 3 });
          await worker.wait(3 * minuteMs);
        }));
      const [second, third] = [await otherProcess(code), await otherProcess(code)];
      await Promise.all([desk(code, 'case-1'), desk(second, 'case-2'), desk(third, 'case-1')]);
    },
  },
  'a cancelled event': {
    about:
      'refunds every ticket, stops in the middle, and goes on in another process with the same request ids',
    meets: refundMeets,
    run: async (code) => {
      const cardId = await code.card();
      const sales: string[] = [];
      for (const custom of ['seat-1', 'seat-2', 'seat-3', 'seat-4']) {
        const known = await settle(code, await pay(code, { cardId, custom, total: '35.00' }));
        if (known.state === 'done') sales.push(known.id);
      }
      const back = (worker: ShopCode, id: string) => refund(worker, { id, key: `cancel-${id}` });
      for (const id of sales.slice(0, 2)) await back(code, id);
      await code.wait(10 * minuteMs);
      const other = await otherProcess(code);
      for (const id of sales.slice(1)) await back(other, id);
    },
  },
  'a deposit held beside the rent': {
    about: 'charges the rent and holds a deposit of the same sum at once, under one `custom`',
    meets,
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'flat-5', total: '300.00' };
      const [rent, deposit] = await Promise.all([
        pay(code, order, 'flat-5-rent'),
        pay(code, { ...order, intent: 'authorize', description: 'Deposit' }, 'flat-5-deposit'),
      ]);
      await settle(code, rent);
      if (deposit.state === 'done')
        await capture(code, { id: deposit.id, total: '300.00', isFinal: true });
    },
  },
  'an exchange paid before it is refunded': {
    about: 'charges another size of the same price, then gives the first one back',
    meets: [...meets, ...refundMeets],
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-9', total: '29.00' };
      const first = await settle(code, await pay(code, order));
      if (first.state !== 'done') return;
      await code.wait(3 * dayMs);
      const second = await settle(code, await pay(code, { ...order, description: 'Size L' }));
      if (second.state === 'done') await refund(code, { id: first.id });
    },
  },
  'baskets told apart by their items': {
    about: 'pays two baskets of one sum at once, which differ in nothing but the item list',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      await Promise.all(
        ['Book', 'Lamp'].map(async (name) => {
          const items = [{ name, quantity: '1', price: '20.00', currency: 'USD' }];
          const transaction = { custom: 'shop', item_list: { items } };
          const body = paymentBody({
            cardId,
            externalCustomerId: 'ada',
            total: '20.00',
            transaction,
          });
          const key = code.newKey();
          for (let tries = 0; tries < 4; tries++) {
            const answer = await code.post(paymentPath, body, key);
            if (answer.status === 401) await code.renewToken();
            const known = conclude(answer);
            if (known !== undefined) return void (await settle(code, known));
            await code.wait(Math.max(answer.waitMs, 800 * 2 ** tries * (1 + code.random())));
          }
          await code.wait(minuteMs);
          await read(code, `${paymentPath}?count=20`);
        }),
      );
    },
  },
  'a supermarket': {
    about:
      'writes the EAN codes of its goods, which look like card numbers, into `custom` and description',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const codes = ['4001234100005', '4001234101378', '4001234102740', '4005500012345'];
      for (const ean of codes) {
        const item = { custom: `row-${ean}`, description: `Item ${ean}`, total: '3.00' };
        await settle(code, await pay(code, { cardId, ...item }));
        await code.wait(5_000);
      }
    },
  },
  'a receipt with the masked number': {
    about: 'writes the masked number that the vault answers into the description',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const number = textAt((await read(code, `${cardPath}/${cardId}`)).body, 'number');
      const words = { 'INV-1': `Paid with ${number}`, 'INV-2': 'Visa 4417 11** **** 0331' };
      for (const [invoice, description] of Object.entries(words)) {
        await settle(code, await pay(code, { cardId, invoice, description }));
      }
    },
  },
  'an order paid again after the bank took it back': {
    about: 'reads the sale each week, and charges the order once more when the sale is reversed',
    meets: [
      { op: 'payment.create', outcome: 'sale-reversed-later' },
      { op: 'payment.create', outcome: 'chargeback-opened-won-lost' },
    ],
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1', total: '70.00' };
      const { id } = await settle(code, await pay(code, order));
      for (let week = 0; week < 16; week++) {
        await code.wait(7 * dayMs);
        const { body } = await read(code, `/v1/payments/sale/${id}`);
        const isLost = textAt(body, 'state') === 'reversed' && week > 13;
        if (isLost) return void (await settle(code, await pay(code, order)));
      }
    },
  },
  'an invoice number and new request ids': {
    about:
      'sends a new request id with each attempt, is told that the number is used, and finds the payment',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      let hasNewToken = false;
      for (let tries = 0; tries < 4; tries++) {
        const answer = await code.pay(order, code.newKey());
        if (answer.status === 401 && hasNewToken) return;
        if (answer.status === 401) await code.renewToken();
        hasNewToken ||= answer.status === 401;
        if (textAt(answer.body, 'name') === 'DUPLICATE_TRANSACTION') break;
        const known = conclude(answer);
        if (known !== undefined) return void (await settle(code, known));
        await code.wait(Math.max(answer.waitMs, 700 * 2 ** tries * (1 + code.random())));
      }
      const found = await find(code, order);
      if (found !== undefined) await settle(code, found);
    },
  },
  'an account erased page by page': {
    about: 'deletes every card that the pages of a list show, and looks again',
    meets: [...shifts, ...stores.filter(({ op }) => op === 'card.delete')],
    run: async (code) => {
      for (const expire_year of [2030, 2031, 2032]) await code.card('ada', { expire_year });
      await code.wait(2 * minuteMs);
      for (let times = 0; times < 2; times++) {
        const ids: string[] = [];
        for (let page = 1; page <= 3; page++) {
          const query = `external_customer_id=ada&page_size=1&page=${page}`;
          const items = at((await read(code, `${cardPath}?${query}`)).body, 'items');
          if (Array.isArray(items)) ids.push(...items.map((item: unknown) => textAt(item, 'id')));
        }
        for (const id of ids) await remove(code, id);
        await code.wait(2 * minuteMs);
      }
    },
  },
  'a tip within the hold': {
    about: 'captures a little more than the hold for a tip, once and for all',
    meets: telling(captures),
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'table-4', total: '50.00' };
      const { id, state } = await pay(code, { ...order, intent: 'authorize' });
      await code.wait(2 * hourMs);
      if (state === 'done') await capture(code, { id, total: '57.50', isFinal: true });
    },
  },
};
