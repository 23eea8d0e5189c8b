/** Right clients whose orders, cards or processes change on the way: they look first, and then start over. */
import {
  cancel,
  capture,
  concludePayment,
  find,
  isUnknown,
  judge,
  pay,
  persist,
  read,
  refund,
  sendPayment,
  settle,
} from '../careful.ts';
import type { Forced, RightClient } from '../client.ts';
import { captures, payments, refunds, telling } from '../outcomes.ts';
import { bodyOf, cardPath, idIn, paymentPath, ShopCode, textAt, type Order } from '../shop-code.ts';
import { pans, rawPaymentBody } from '../../../../support/samples.ts';
import { remove, store } from './vault.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const meets = telling(payments);

const refusals: readonly Forced[] = (
  ['rate-limited-seconds', 'error-503-before-commit', 'maintenance-window'] as const
).map((outcome) => ({ op: 'payment.create', outcome }));

const gone: readonly Forced[] = (['card-unknown', 'card-deleted-during-payment'] as const).flatMap(
  (outcome) => [1, 2].map((times) => ({ op: 'payment.create', outcome, times })),
);

/** A void that is refused, and one whose answers are all lost. */
const voids: readonly Forced[] = [
  { op: 'auth.void', outcome: 'permission-denied' },
  { op: 'auth.void', outcome: 'truncated-json', times: 9 },
];

/** A process with a token of its own. It ends if it receives none. */
async function startProcess(code: ShopCode): Promise<ShopCode | undefined> {
  const other = new ShopCode(code.shop);
  for (let tries = 0; tries < 5; tries++) {
    const result = await other.requestToken();
    if (result === 'received') return other;
    if (result === 'refused') return undefined;
    await code.wait(1_000 * 2 ** tries * (1 + code.random()));
  }
  return undefined;
}

export const changes: Readonly<Record<string, RightClient>> = {
  'a plan cancelled and taken up again': {
    about: 'gives the unused part of a month back, and charges the same month again two days later',
    meets: [...meets, ...telling(refunds)],
    run: async (code) => {
      const order = {
        cardId: await code.card(),
        custom: 'sub-12',
        description: 'Plan M, May 2026',
        total: '30.00',
      };
      const first = await settle(code, await pay(code, order));
      if (first.state !== 'done') return;
      await code.wait(dayMs);
      const back = await refund(code, { id: first.id, total: '28.00' });
      if (back.state !== 'done') return;
      await code.wait(2 * dayMs);
      await settle(code, await pay(code, order));
    },
  },
  'a cart changed once the list shows nothing': {
    about:
      'looks for the invoice number after a lost answer, and pays it with another sum if it is free',
    meets: payments,
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      const answer = await code.pay({ ...order, total: '50.00' }, code.newKey());
      if (answer.status === 401) return;
      if (!isUnknown(answer)) {
        const known = await find(code, order);
        if (known !== undefined) await settle(code, known);
        return;
      }
      await code.wait(answer.waitMs);
      const { status } = await code.get(`${paymentPath}?count=1`);
      const known = await find(code, order);
      if (known !== undefined) await settle(code, known);
      else if (status === 200) await settle(code, await pay(code, { ...order, total: '62.00' }));
    },
  },
  'a hold replaced by a smaller one': {
    about: 'voids a hold, is told that its invoice number is used, and takes another number',
    meets: [...captures, ...voids],
    run: async (code) => {
      const order: Order = {
        cardId: await code.card(),
        invoice: 'INV-1',
        total: '90.00',
        intent: 'authorize',
      };
      const first = await pay(code, order);
      if (first.state !== 'done' || (await cancel(code, order, first)).state !== 'not-done') return;
      const smaller = { ...order, total: '75.00' };
      let known = await pay(code, smaller);
      if (known.paymentId === first.paymentId) {
        known = await pay(code, { ...smaller, invoice: 'INV-1-R1' });
      }
      if (known.state === 'done') {
        await capture(code, { id: known.id, total: '75.00', isFinal: true });
      }
    },
  },
  'processes that keep their tokens': {
    about: 'four processes start together, and each stores a card, pays and looks with one token',
    meets: [
      { op: 'token.create', outcome: 'token-endpoint-slow' },
      { op: 'token.create', outcome: 'truncated-json', times: 9 },
      { op: 'token.create', outcome: 'client-credentials-bad', times: 9 },
      ...meets,
    ],
    run: async (code) => {
      await Promise.all(
        ['a', 'b', 'c', 'd'].map(async (customer) => {
          const worker = await startProcess(code);
          if (worker === undefined) return;
          const cardId = idIn((await store(worker, customer)).answer);
          if (cardId === '') return;
          const order = { cardId, customer, custom: `job-${customer}` };
          const known = await settle(worker, await pay(worker, order));
          if (known.paymentId !== '') await read(worker, `${paymentPath}/${known.paymentId}`);
        }),
      );
    },
  },
  'a process stopped before the wait is over': {
    about:
      'is stopped after a refusal, and its successor sends the stored request id two seconds later',
    meets: refusals,
    run: async (code) => {
      const first = await startProcess(code);
      if (first === undefined) return;
      const order = { cardId: await first.card(), custom: 'job-7' };
      const key = first.newKey();
      await first.pay(order, key);
      await code.wait(2_000);
      const successor = await startProcess(code);
      if (successor !== undefined) await settle(successor, await pay(successor, order, key));
    },
  },
  'deletions delivered twice': {
    about: 'a queue delivers some deletions again, after other ones',
    meets: [],
    run: async (code) => {
      const ids = [
        await code.card('ada'),
        await code.card('bob', { number: pans.mastercard, type: 'mastercard' }),
      ];
      for (const id of [...ids, ...ids.slice(0, 1)]) {
        await remove(code, id);
        await code.wait(600);
      }
    },
  },
  'a card typed again by its owner': {
    about: 'a buyer with a stored card types it again a week later, with its code',
    meets,
    run: async (code) => {
      const cardId = await code.card('ada');
      await settle(code, await pay(code, { cardId, customer: 'ada', invoice: 'INV-1' }));
      await code.wait(7 * dayMs);
      const transaction = { invoice_number: 'INV-2' };
      const body = rawPaymentBody({ external_customer_id: 'ada' }, { transaction });
      const order = { cardId: '', invoice: 'INV-2' };
      await settle(code, await sendPayment(code, order, { body, key: code.newKey() }));
    },
  },
  'a card that is gone': {
    about: 'is told twice that the card does not exist, and lets the buyer type it again',
    meets: [...gone, ...telling(payments)],
    run: async (code) => {
      let cardId = await code.card('ada');
      for (let tries = 1; tries <= 3; tries++) {
        const order = { customer: 'ada', custom: 'order-1', cardId };
        const sent = { path: paymentPath, body: bodyOf(order), key: code.newKey() };
        const made = await persist(code, sent, (seen) => judge(seen) !== undefined);
        if (made.answer.status !== 404 || made.wasUnknown)
          return void (await settle(code, await concludePayment(code, order, made)));
        // A new card may be missing for a minute.
        await code.wait(tries * minuteMs);
        const { status } = await read(code, `${cardPath}/${cardId}`);
        if (tries === 1 && status === 200) continue;
        cardId = idIn((await store(code, 'ada')).answer);
        if (cardId === '') return;
      }
    },
  },
  'the next parcel after the first was read': {
    about:
      'reads the payment after a lost capture, sees it there, and captures an equal parcel at once',
    meets: captures,
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', total: '60.00' };
      const { id, paymentId, state } = await pay(code, { ...order, intent: 'authorize' });
      if (state !== 'done') return;
      await capture(code, { id, total: '20.00' });
      const { body } = await code.get(`${paymentPath}/${paymentId}`);
      if (textAt(body, 'id') === '') return;
      await capture(code, { id, total: '20.00' });
    },
  },
};
