/** Right clients that take one payment for one order, however often they must ask. */
import { rawPaymentBody } from '../../../../support/samples.ts';
import {
  find,
  findAll,
  isUnknown,
  judge,
  pay,
  read,
  refund,
  sendPayment,
  settle,
} from '../careful.ts';
import type { Beliefs, RightClient } from '../client.ts';
import { payments } from '../outcomes.ts';
import { bodyOf, paymentPath, type Answer, type Order } from '../shop-code.ts';
import type { Known } from '../careful.ts';

const meets = payments;

function isConclusive(answer: Answer): boolean {
  return (
    judge(answer) !== undefined ||
    (answer.status >= 400 && answer.status < 409) ||
    answer.status === 422
  );
}

/** What the code believes of an order by what it knows. */
export function believe(name: string, { state }: Known): Beliefs {
  return { [name]: state === 'done' ? 'paid' : state === 'not-done' ? 'not-paid' : 'unknown' };
}

export const checkout: Readonly<Record<string, RightClient>> = {
  'an invoice number and one request id for each order': {
    about: 'retries with the stored request id, then looks in the list by invoice number',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card('ada'), customer: 'ada', invoice: 'INV-1' };
      return believe('INV-1', await settle(code, await pay(code, order)));
    },
  },
  'a custom and one request id for each order': {
    about: 'the same without invoice numbers',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      await settle(code, await pay(code, { cardId, custom: 'order-1' }));
      await settle(code, await pay(code, { cardId, custom: 'order-2' }));
    },
  },
  'an outbox': {
    about: 'a worker delivers each row at least once, with the request id of the row',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const rows = ['order-1', 'order-2'].map((custom) => ({ custom, key: code.newKey() }));
      const work = () => Promise.all(rows.map((row) => pay(code, { cardId, ...row }, row.key)));
      const first = await work();
      await code.wait(600_000);
      // The worker crashed before it marked the rows as done.
      for (const known of [...first, ...(await work())]) await settle(code, known);
    },
  },
  'a reconciler by invoice number': {
    about: 'never retries at once: it reads the list, and pays again only what is not there',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      const key = code.newKey();
      const answer = await code.pay(order, key);
      let known = answer.status < 300 ? judge(answer) : undefined;
      if (known === undefined && isUnknown(answer)) known = await find(code, order);
      if (known === undefined) await code.wait(answer.waitMs);
      known ??= await pay(code, order, key);
      return believe('INV-1', await settle(code, known));
    },
  },
  'a refund where in doubt': {
    about: 'looks for the payment after a lost answer, and gives it back if it exists',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const answer = await code.pay(order, code.newKey());
      const answered = judge(answer);
      if (answered !== undefined) await settle(code, answered);
      if (!isUnknown(answer)) return;
      const known = await find(code, order);
      if (known?.state === 'done') await refund(code, { id: known.id });
    },
  },
  'the same request id on another connection': {
    about: 'retries on a new connection, because the old one may be broken',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const key = code.newKey();
      let answer = await code.pay(order, key);
      for (let tries = 1; tries < 4 && !isConclusive(answer); tries++) {
        await code.wait(Math.max(answer.waitMs, 1_000 * 2 ** tries));
        answer = await code.send('POST', paymentPath, {
          body: bodyOf(order),
          key,
          newConnection: true,
        });
      }
      const known = judge(answer);
      if (known !== undefined) await settle(code, known);
      else if (!isConclusive(answer)) await find(code, order);
    },
  },
  'hedged requests': {
    about: 'sends the request twice at once with one request id and takes the first answer',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const key = code.newKey();
      const answers = await Promise.all([code.pay(order, key), code.pay(order, key)]);
      const known = answers.map((answer) => (answer.status < 300 ? judge(answer) : undefined));
      const first = known.find((one) => one !== undefined);
      await code.wait(Math.max(2_000, ...answers.map(({ waitMs }) => waitMs)));
      await settle(code, first ?? (await pay(code, order, key, 2)));
    },
  },
  'a second process with the stored request id': {
    about: 'starts again ten minutes after a crash, with what the first process had stored',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const key = code.newKey();
      await code.pay(order, key);
      await code.wait(600_000);
      await settle(code, await pay(code, order, key));
    },
  },
  'gives up after reading': {
    about: 'logs a failure, reads the list and tells a person what it shows',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const answer = await code.pay(order, code.newKey());
      if (isUnknown(answer)) await find(code, order);
      else if (judge(answer)?.state === 'pending') await settle(code, judge(answer) as Known);
    },
  },
  'polls a pending sale': {
    about: 'reads the sale with growing waits until it is decided',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), invoice: 'INV-1' };
      let known = await pay(code, order);
      for (let hours = 1; known.state === 'pending' && hours < 200; hours *= 2) {
        await code.wait(hours * 3_600_000);
        const { body } = await read(code, `${paymentPath}/${known.paymentId}`);
        known = judge({ body }) ?? known;
      }
      return believe('INV-1', known);
    },
  },
  'a new card after a decline': {
    about: 'pays the same order with the next card once the first one was declined',
    meets: [...meets, { op: 'payment.create', outcome: 'decline-do-not-honor', times: 2 }],
    run: async (code) => {
      const cards = [await code.card('ada'), await code.card('ada', { expire_year: 2033 })];
      for (const cardId of cards) {
        const order = { cardId, customer: 'ada', custom: 'order-1', invoice: 'INV-1' };
        const known = await settle(code, await pay(code, order));
        if (known.state !== 'not-done') break;
      }
    },
  },
  'the same card again after a decline for lack of funds': {
    about: 'the buyer fills the account and presses "pay" again a minute later',
    meets: [{ op: 'payment.create', outcome: 'decline-insufficient-funds' }],
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const known = await settle(code, await pay(code, order));
      await code.wait(60_000);
      if (known.state === 'not-done') await settle(code, await pay(code, order));
    },
  },
  'a change of mind': {
    about: 'refunds an order in full, then sells it again with a new request id',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const known = await settle(code, await pay(code, order));
      if (known.state !== 'done') return;
      if ((await refund(code, { id: known.id })).state !== 'done') return;
      await settle(code, await pay(code, order));
    },
  },
  'a nightly job that refunds twins': {
    about: 'compares the list with its orders and refunds every second payment of an order',
    meets,
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      await settle(code, await pay(code, order));
      await code.wait(12 * 3_600_000);
      const twins = (await findAll(code, order)).filter(({ state }) => state === 'done').slice(1);
      for (const { id } of twins) await refund(code, { id });
    },
  },
  'two currencies': {
    about: 'takes dollars for goods and yen, which have no decimals, for shipping',
    meets,
    run: async (code) => {
      const cardId = await code.card();
      const goods: Order = { cardId, custom: 'order-1', description: 'Goods', total: '20.00' };
      await settle(code, await pay(code, goods));
      await settle(
        code,
        await pay(code, { ...goods, description: 'Shipping', total: '2000', currency: 'JPY' }),
      );
    },
  },
  'a guest': {
    about: 'pays with a card that is not in the vault, with one request id',
    meets,
    run: async (code) => {
      const body = rawPaymentBody({}, { total: '30.11', transaction: { invoice_number: 'INV-1' } });
      const order = { cardId: '', invoice: 'INV-1' };
      await settle(code, await sendPayment(code, order, { body, key: code.newKey() }));
    },
  },
};
