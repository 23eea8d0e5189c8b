/** Right clients whose orders are paid, captured or given back in parts, or by several workers at once. */
import { cancel, capture, isUnknown, pay, read, refund, settle, type Known } from '../careful.ts';
import type { Beliefs, RightClient } from '../client.ts';
import { captures, payments, refunds, telling } from '../outcomes.ts';
import { ShopCode, textAt, type Order } from '../shop-code.ts';
import { pans } from '../../../../support/samples.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const authPath = '/v1/payments/authorization';

async function payAndSettle(code: ShopCode, order: Order, key?: string): Promise<Known> {
  return settle(code, await pay(code, order, key));
}

async function hold(code: ShopCode, custom: string): Promise<{ order: Order; known: Known }> {
  const order: Order = {
    cardId: await code.card('ada'),
    customer: 'ada',
    custom,
    total: '100.00',
    intent: 'authorize',
  };
  return { order, known: await pay(code, order) };
}

async function twoCards(code: ShopCode): Promise<readonly string[]> {
  const change = { number: pans.mastercard, type: 'mastercard' };
  return [await code.card('ada'), await code.card('ada', change)];
}

export const parts: Readonly<Record<string, RightClient>> = {
  'a bill shared by two cards': {
    about: 'charges two cards with half of a bill each, at once',
    meets: payments,
    run: async (code) => {
      const bill = { customer: 'ada', custom: 'table-4', total: '15.00' };
      const cards = await twoCards(code);
      await Promise.all(cards.map((cardId) => payAndSettle(code, { ...bill, cardId })));
    },
  },
  'a bill shared by two cards in turn': {
    about: 'finds out what became of the first half before it charges the other card',
    meets: payments,
    run: async (code): Promise<Beliefs | void> => {
      const bill = { customer: 'ada', custom: 'table-4', total: '15.00' };
      for (const cardId of await twoCards(code)) {
        if ((await payAndSettle(code, { ...bill, cardId })).state !== 'done') return;
      }
      return { 'table-4': 'paid' };
    },
  },
  'wallets topped up': {
    about: 'charges three customers whenever their wallets are empty, each several times a day',
    meets: telling(payments),
    run: async (code) => {
      const cards = new Map<string, string>();
      for (const customer of ['ada', 'bob', 'cyd']) cards.set(customer, await code.card(customer));
      for (const customer of ['ada', 'bob', 'ada', 'cyd', 'ada', 'bob', 'cyd', 'ada']) {
        const total = customer === 'bob' ? '10.00' : '20.00';
        const cardId = cards.get(customer) ?? '';
        await payAndSettle(code, { cardId, customer, custom: `wallet-${customer}`, total });
        await code.wait(47 * minuteMs);
      }
    },
  },
  'parcels without numbers': {
    about: 'reads what is captured of each order before it captures the next parcel of equal sum',
    meets: telling(captures),
    run: async (code) => {
      const ids: string[] = [];
      for (const custom of ['order-1', 'order-2', 'order-3'])
        ids.push((await hold(code, custom)).known.id);
      for (let parcel = 0; parcel < 2; parcel++) {
        for (const [number, id] of ids.entries()) {
          const state = textAt((await read(code, `${authPath}/${id}`)).body, 'state');
          if (state !== 'authorized' && state !== 'partially_captured') continue;
          await capture(code, { id, total: `${40 + number}.00` });
        }
        await code.wait(3 * hourMs);
      }
    },
  },
  'halves for two sellers of several orders': {
    about: 'captures the half of one seller for each order, and then the half of the other',
    meets: telling(captures),
    run: async (code) => {
      const ids: string[] = [];
      for (const custom of ['order-1', 'order-2', 'order-3'])
        ids.push((await hold(code, custom)).known.id);
      for (let seller = 0; seller < 2; seller++) {
        for (const id of ids) if (id !== '') await capture(code, { id, total: '50.00' });
        await code.wait(10 * minuteMs);
      }
    },
  },
  'a last capture with new request ids': {
    about: 'repeats a final capture with a new request id each time, and reads the hold at the end',
    meets: captures,
    run: async (code) => {
      const { known } = await hold(code, 'order-1');
      if (known.state !== 'done') return;
      const path = `${authPath}/${known.id}`;
      const body = { amount: { total: '40.00', currency: 'USD' }, is_final_capture: true };
      let hasNewToken = false;
      for (let tries = 0; tries < 4; tries++) {
        const answer = await code.post(`${path}/capture`, body, code.newKey());
        if (answer.status === 401 && !hasNewToken) {
          hasNewToken = true;
          await code.renewToken();
        } else if (!isUnknown(answer) && answer.status !== 429) break;
        await code.wait(Math.max(answer.waitMs, 1_000 * 2 ** tries) + code.random() * 1_000);
      }
      await read(code, path);
    },
  },
  'a bill with two invoice numbers': {
    about: 'charges one card with two halves of a bill at once, each with an invoice number',
    meets: payments,
    run: async (code) => {
      const bill = { cardId: await code.card('ada'), customer: 'ada', custom: 'bill-1' };
      await Promise.all(
        ['INV-1-a', 'INV-1-b'].map((invoice) =>
          payAndSettle(code, { ...bill, invoice, total: '15.00' }),
        ),
      );
    },
  },
  'a late fee after a failed payment': {
    about: 'charges an invoice again with a fee a week after its payment had failed',
    meets: [{ op: 'payment.create', outcome: 'decline-insufficient-funds' }, ...payments],
    run: async (code) => {
      const invoice = { cardId: await code.card('ada'), customer: 'ada', invoice: 'INV-1' };
      const known = await payAndSettle(code, { ...invoice, total: '9.99' });
      if (known.state !== 'not-done') return;
      await code.wait(7 * 24 * hourMs);
      await payAndSettle(code, { ...invoice, total: '12.99' });
    },
  },
  'a void raced by a capture': {
    about:
      'the buyer cancels while the parcel leaves: the office reads the hold, and refunds what was captured',
    meets: captures,
    run: async (code): Promise<Beliefs | void> => {
      const { order, known } = await hold(code, 'order-1');
      if (known.state !== 'done') return;
      const office = new ShopCode(code.shop);
      await office.renewToken();
      const [taken] = await Promise.all([
        capture(code, { id: known.id, total: '100.00', isFinal: true }),
        cancel(office, order, known),
      ]);
      const state = textAt((await read(office, `${authPath}/${known.id}`)).body, 'state');
      if (state === 'voided') return { 'order-1': 'not-paid' };
      if (taken.state !== 'done') return;
      const back = await refund(office, { of: 'capture', id: taken.id });
      if (back.state === 'done') return { 'order-1': 'not-paid' };
    },
  },
  'an order cancelled while it is paid': {
    about: 'finds out what became of the payment, gives it back, and counts the order as not paid',
    meets: [...payments, ...telling(refunds)],
    run: async (code): Promise<Beliefs | void> => {
      const order = { cardId: await code.card('ada'), customer: 'ada', custom: 'order-1' };
      const known = await payAndSettle(code, order);
      if (known.state === 'not-done') return { 'order-1': 'not-paid' };
      if (known.state !== 'done') return;
      if ((await refund(code, { id: known.id })).state === 'done') return { 'order-1': 'not-paid' };
    },
  },
};
