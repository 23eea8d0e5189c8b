/** Right clients that compare what they know with what the service shows, and give back what was done twice. */
import {
  cancel,
  capture,
  find,
  findAll,
  isUnknown,
  judge,
  pay,
  persist,
  read,
  refund,
  settle,
} from '../careful.ts';
import type { Forced, RightClient } from '../client.ts';
import { captures, payments, telling } from '../outcomes.ts';
import { idIn, paymentPath, ShopCode, textAt, type Order } from '../shop-code.ts';
import { at } from '../../../forcing/tolerant-client.ts';

const hourMs = 3_600_000;
const meets = telling(payments);

/** Another process of the same shop: it shares nothing but the account, and has a token of its own. */
async function otherProcess(code: ShopCode): Promise<ShopCode> {
  const other = new ShopCode(code.shop);
  await other.renewToken();
  return other;
}

/** Delivers one order twice with one request id, as a queue does that delivers at least once. */
async function deliverTwice(code: ShopCode, order: Order) {
  const key = code.newKey();
  const first = await settle(code, await pay(code, order, key));
  await code.wait(180_000);
  await settle(code, await pay(code, order, key));
  return first;
}

async function paymentsOf(code: ShopCode, order: Order) {
  return (await findAll(code, order)).filter(({ state }) => state === 'done');
}

/** Delivers an order twice, and refunds at night what the list shows beside the first payment. */
async function refundTwins(code: ShopCode, order: Order): Promise<void> {
  await deliverTwice(code, order);
  await code.wait(12 * hourMs);
  const [, ...twins] = await paymentsOf(code, order);
  for (const { id } of twins) await refund(code, { id });
}

/** Lets every look fail until the test ends. */
function takeDown({ shop }: ShopCode): void {
  for (const op of ['payment.list', 'payment.get', 'sale.get'] as const) {
    shop.merchant.force({ op, outcome: 'error-forever' });
  }
}

export const reconcilers: Readonly<Record<string, RightClient>> = {
  'a reconciler that keeps what it knows': {
    about:
      'lists the payments of an order at night and refunds each one that its books do not have',
    meets,
    undoesTwins: true,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const booked = await deliverTwice(code, order);
      await code.wait(12 * hourMs);
      for (const { id } of await paymentsOf(code, order)) {
        if (id !== booked.id && booked.state === 'done') await refund(code, { id });
      }
    },
  },
  'a reconciler that keeps the last payment': {
    about: 'refunds the payment that it had booked, and books its twin instead',
    meets,
    undoesTwins: true,
    run: async (code) => refundTwins(code, { cardId: await code.card(), custom: 'order-1' }),
  },
  'a reconciler in another process': {
    about:
      'a job with its own token and connection finds the twin by its custom, reads it and refunds it',
    meets,
    undoesTwins: true,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      await deliverTwice(code, order);
      await code.wait(12 * hourMs);
      const job = await otherProcess(code);
      const [, ...twins] = await paymentsOf(job, order);
      for (const { id, paymentId } of twins) {
        await read(job, `${paymentPath}/${paymentId}`);
        const { body } = await read(job, `/v1/payments/sale/${id}`);
        if (textAt(body, 'state') === 'completed') await refund(job, { id });
      }
    },
  },
  'a reconciler by invoice number of a queue': {
    about: 'compares the list by invoice number and refunds what is there twice',
    meets,
    undoesTwins: true,
    run: async (code) => refundTwins(code, { cardId: await code.card(), invoice: 'INV-1' }),
  },
  'a twin hold that is voided': {
    about: 'finds two authorizations of one order, voids one and captures the other',
    meets: [...telling(captures), ...telling(payments)],
    undoesTwins: true,
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', intent: 'authorize' };
      await deliverTwice(code, order);
      await code.wait(hourMs);
      const [kept, ...twins] = await paymentsOf(code, order);
      for (const twin of twins) await cancel(code, order, twin);
      if (kept !== undefined) await capture(code, { id: kept.id, total: '30.11', isFinal: true });
    },
  },
  'a new request id once the list shows nothing': {
    about:
      'looks for the order by invoice number after each lost answer, and starts over if it is not there',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      for (let tries = 0; tries < 3; tries++) {
        const answer = await code.pay(order, code.newKey());
        const known = answer.status < 300 ? judge(answer) : undefined;
        if (known !== undefined) return void (await settle(code, known));
        if (!isUnknown(answer) && answer.status >= 300) await code.wait(answer.waitMs + 2_000);
        else if ((await find(code, order)) !== undefined) return;
        if (answer.status >= 400 && answer.status < 409) return;
      }
    },
  },
  'a recovery job for open orders': {
    about:
      'a second process resolves orders without a result: it looks by custom, then repeats the stored request id',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const orders = ['order-1', 'order-2', 'order-3'].map((custom, number) => ({
        order: { cardId, custom, total: `${number + 10}.00` },
        key: code.newKey(),
      }));
      const open: typeof orders = [];
      for (const row of orders) {
        const answer = await code.pay(row.order, row.key);
        if (answer.status >= 400 && answer.status < 409) return;
        if (judge(answer)?.state !== 'done') open.push(row);
        await code.wait(Math.max(1_000, answer.waitMs));
      }
      await code.wait(hourMs);
      const job = await otherProcess(code);
      for (const { order, key } of open) {
        const known = (await find(job, order)) ?? (await pay(job, order, key));
        await settle(job, known);
      }
    },
  },
  'a refund found in the list of refunds': {
    about: 'reads the refunds of the sale after a lost answer, and refunds only if there is none',
    meets: [
      { op: 'sale.refund', outcome: 'reset-after-commit' },
      { op: 'sale.refund', outcome: 'reset-before-commit' },
      { op: 'sale.refund', outcome: 'error-500-after-commit' },
      { op: 'sale.refund', outcome: 'hang-after-commit' },
      { op: 'sale.refund', outcome: 'truncated-json' },
      { op: 'payment.create', outcome: 'sale-pending-then-denied' },
    ],
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1', total: '100.00' };
      const { id, state } = await settle(code, await pay(code, order));
      if (state !== 'done') return;
      const path = `/v1/payments/sale/${id}/refund`;
      const body = { amount: { total: '20.00', currency: 'USD' } };
      const answer = await code.post(path, body, code.newKey());
      if (!isUnknown(answer)) return;
      await code.wait(60_000);
      const seen = await read(code, path);
      const list = at(seen.body, 'refunds') ?? seen.body;
      if (JSON.stringify(list ?? '').includes('20.00')) return;
      const again = { path, body, key: code.newKey() };
      const { wasUnknown } = await persist(code, again, (one) => idIn(one) !== '');
      if (wasUnknown) await read(code, path);
    },
  },
  'a declined card removed': {
    about:
      'looks at the sale in the answer, and removes the card of a buyer whose payment was denied',
    meets: [
      { op: 'payment.create', outcome: 'declined-inside-201' },
      { op: 'payment.create', outcome: 'payment-state-failed' },
      { op: 'payment.create', outcome: 'decline-generic' },
      { op: 'payment.create', outcome: 'decline-lost-or-stolen' },
    ] satisfies readonly Forced[],
    run: async (code) => {
      const cardId = await code.card();
      const known = await settle(code, await pay(code, { cardId, custom: 'order-1' }));
      if (known.state === 'not-done') await code.send('DELETE', `/v1/vault/credit-cards/${cardId}`);
    },
  },
  'an outage that does not end': {
    about:
      'looks a lost payment up with growing waits while every look fails, and reports it as unknown',
    meets,
    run: async (code) => {
      takeDown(code);
      const order = { cardId: await code.card(), custom: 'order-1' };
      const answer = await code.pay(order, code.newKey());
      if (isUnknown(answer) || judge(answer)?.state === 'pending') await find(code, order);
      return { 'order-1': 'unknown' };
    },
  },
  'an outage of refunds that does not end': {
    about: 'repeats a lost refund with its request id, then reads the sale, while nothing answers',
    meets: [
      { op: 'sale.refund', outcome: 'reset-after-commit' },
      { op: 'sale.refund', outcome: 'reset-before-commit', times: 9 },
      { op: 'sale.refund', outcome: 'reset-after-commit', times: 9 },
    ],
    run: async (code) => {
      const sold = await pay(code, { cardId: await code.card(), custom: 'order-1' });
      takeDown(code);
      await refund(code, { id: sold.id, total: '20.00' });
      return { 'order-1': 'unknown' };
    },
  },
};
