/** Wrong clients with several workers, clicks or processes, and those that lose their request ids or tokens. */
import { pans, rawPaymentBody } from '../../../../support/samples.ts';
import type { Forced, WrongClient } from '../client.ts';
import { bodyOf, cardPath, partIn, paymentPath, textAt, type Order } from '../shop-code.ts';

const dayMs = 24 * 3_600_000;

const lost: readonly Forced[] = [{ op: 'payment.create', outcome: 'reset-after-commit' }];

export const workers: Readonly<Record<string, WrongClient>> = {
  'three clicks': {
    about: 'sends an order three times at once, and refunds one of the charges',
    found: 'double-charge',
    beside: 'hedged requests',
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      const click = () => code.pay(order, code.newKey());
      const [first] = await Promise.all([click(), click(), click()]);
      await code.post(`/v1/payments/sale/${partIn(first).id}/refund`, {}, code.newKey());
    },
  },
  'a double click of a guest': {
    about: 'sends the card itself twice at once, without request ids',
    found: 'double-charge',
    beside: 'a guest',
    run: async (code) => {
      const body = rawPaymentBody({}, { transaction: { custom: 'order-1' } });
      await Promise.all([code.post(paymentPath, body), code.post(paymentPath, body)]);
    },
  },
  'a double click on a hold': {
    about: 'authorizes an order twice at once, and captures both holds',
    found: 'double-charge',
    beside: 'a hotel',
    run: async (code) => {
      const order: Order = { cardId: await code.card(), custom: 'order-1', intent: 'authorize' };
      const holds = await Promise.all([
        code.pay(order, code.newKey()),
        code.pay(order, code.newKey()),
      ]);
      for (const hold of holds) {
        const body = { amount: { total: '30.11', currency: 'USD' }, is_final_capture: true };
        const path = `/v1/payments/authorization/${partIn(hold).id}/capture`;
        await code.post(path, body, code.newKey());
      }
    },
  },
  'two ticks at once': {
    about:
      'a slow run of a billing job overlaps with the next one, which has request ids of its own',
    found: 'double-charge',
    beside: 'a batch that runs twice with the same request ids',
    run: async (code) => {
      const cardId = await code.card();
      const tick = (run: number) =>
        Promise.all(
          ['a', 'b', 'c'].map((name) => code.pay({ cardId, custom: name }, `${run}-${name}`)),
        );
      await Promise.all([tick(1), tick(2)]);
    },
  },
  'attempts counted after a lost answer': {
    about: 'makes the request id from the order and an attempt, and counts each attempt',
    meets: lost,
    found: 'double-charge',
    beside: 'attempts counted after declines',
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-7' };
      for (let attempt = 1; attempt <= 3; attempt++) {
        if ((await code.pay(order, `order-7-${attempt}`)).status === 201) return;
        await code.wait(1_000 * 2 ** attempt);
      }
    },
  },
  'a request id for each replica': {
    about:
      'sends a request whose answer was lost to the other replica, which makes its own request id',
    meets: lost,
    found: 'double-charge',
    beside: 'the same request id on another connection',
    run: async (code) => {
      const body = bodyOf({ cardId: await code.card(), custom: 'order-1' });
      await code.post(paymentPath, body, 'replica-1-order-1');
      await code.wait(2_000);
      const key = 'replica-2-order-1';
      await code.send('POST', paymentPath, { body, key, newConnection: true });
    },
  },
  'a card typed again after a lost answer': {
    about: 'lets the buyer pay as a guest with the same card because the stored one "failed"',
    meets: lost,
    found: 'double-charge',
    beside: 'a guest who opens an account',
    run: async (code) => {
      const order = { custom: 'order-1', description: 'A test order' };
      await code.pay({ cardId: await code.card(), ...order }, code.newKey());
      await code.wait(30_000);
      const body = rawPaymentBody({}, { total: '30.11', transaction: order });
      await code.post(paymentPath, body, code.newKey());
    },
  },
  'a pending payment moved to another card': {
    about: 'takes a pending sale for a failure and charges the other card of the wallet',
    meets: [{ op: 'payment.create', outcome: 'sale-pending-then-completed' }],
    found: 'double-charge',
    beside: 'a wallet with a default card',
    run: async (code) => {
      const order = { customer: 'ada', custom: 'order-1' };
      await code.pay({ ...order, cardId: await code.card('ada') }, code.newKey());
      await code.wait(600_000);
      const other = await code.card('ada', { number: pans.mastercard, type: 'mastercard' });
      await code.pay({ ...order, cardId: other }, code.newKey());
      await code.wait(10 * dayMs);
    },
  },
  'a counter of request ids shared by threads': {
    about: 'two threads read the same number before one of them adds to it',
    found: 'key-reused-for-other-intent',
    beside: 'several tills at once',
    run: async (code) => {
      const cardId = await code.card();
      await Promise.all(['a', 'b'].map((custom) => code.pay({ cardId, custom }, 'request-1041')));
    },
  },
  'a counter of request ids that starts again': {
    about: 'counts request ids from one in each process',
    found: 'key-reused-for-other-intent',
    beside: 'a second process with the stored request id',
    run: async (code) => {
      const cardId = await code.card();
      for (const day of ['monday', 'tuesday']) {
        for (let count = 1; count <= 3; count++) {
          await code.pay({ cardId, custom: `${day}-${count}` }, `${count}`);
        }
        await code.wait(dayMs);
        await code.renewToken();
      }
    },
  },
  'one request id for everything': {
    about: 'sends the same constant with every payment',
    found: 'key-reused-for-other-intent',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const cardId = await code.card();
      for (const custom of ['a', 'b', 'c']) await code.pay({ cardId, custom }, 'request');
    },
  },
  'a missing permission asked for in a loop': {
    about: 'repeats a 403 as if it were an outage',
    meets: [{ op: 'payment.create', outcome: 'permission-denied', times: 4 }],
    found: 'retry-of-final-4xx',
    beside: 'seven attempts with growing waits',
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      for (let tries = 0; tries < 4; tries++) {
        await code.pay(order, 'order-1');
        await code.wait(500 * 2 ** tries);
      }
    },
  },
  'a deleted card charged in a loop': {
    about: 'pays with a card that was deleted, and repeats the 404',
    found: 'retry-of-final-4xx',
    beside: 'an account closed with a charge in flight',
    run: async (code) => {
      const cardId = await code.card();
      await code.send('DELETE', `${cardPath}/${cardId}`);
      for (let tries = 0; tries < 4; tries++) {
        await code.pay({ cardId, custom: 'order-1' }, 'order-1');
        await code.wait(300);
      }
    },
  },
  'the Retry-After of an outage ignored': {
    about: 'waits a second after a page that asks for two minutes',
    meets: [{ op: 'payment.create', outcome: 'maintenance-window' }],
    found: 'ignores-retry-after',
    beside: 'workers that have not seen the 429',
    run: async (code) => {
      const order = { cardId: await code.card(), custom: 'order-1' };
      for (let tries = 0; tries < 3; tries++) {
        if ((await code.pay(order, 'order-1')).status === 201) return;
        await code.wait(1_000 * 2 ** tries);
      }
    },
  },
  'a part given back after a dispute': {
    about: 'reads the payment of a disputed sale, and refunds a part of it as a gesture',
    meets: [{ op: 'payment.create', outcome: 'chargeback-opened-won-lost' }],
    found: 'refund-and-chargeback',
    beside: 'a dispute seen first',
    run: async (code) => {
      const answer = await code.pay({ cardId: await code.card(), custom: 'order-1' }, 'order-1');
      await code.wait(20 * dayMs);
      await code.renewToken();
      await code.get(`${paymentPath}/${textAt(answer.body, 'id')}`);
      const path = `/v1/payments/sale/${partIn(answer).id}/refund`;
      await code.post(path, { amount: { total: '10.00', currency: 'USD' } }, code.newKey());
    },
  },
  'a token that is never renewed': {
    about: 'sends an expired token again and again, and counts the order as paid',
    found: 'retry-of-final-4xx',
    beside: 'one token for all',
    run: async (code) => {
      const cardId = await code.card();
      await code.requestToken();
      await code.wait(10 * 3_600_000);
      for (let tries = 0; tries < 4; tries++) {
        await code.pay({ cardId, custom: 'order-1' }, 'order-1');
        await code.wait(1_000 * 2 ** tries);
      }
      return { 'order-1': 'paid' };
    },
  },
  'one customer id for everybody': {
    about: 'stores the cards of strangers under one customer id',
    found: 'shared-external-customer-id',
    isRemark: true,
    beside: 'a company with one account',
    run: async (code) => {
      for (const last_name of ['Ash', 'Birch', 'Cedar']) {
        const place = { city: 'Sampleton', state: 'OH', postal_code: '43001', country_code: 'US' };
        const billing_address = { line1: `1 ${last_name} Way`, ...place };
        await code.card('shop', { first_name: 'Ada', last_name, billing_address });
      }
    },
  },
  'a token for each call': {
    about: 'asks for a token before each call, and goes on with the card that it has just stored',
    found: 'token-per-call',
    isRemark: true,
    beside: 'a job that is a process',
    run: async (code) => {
      for (let times = 0; times < 4; times++) {
        await code.requestToken();
        const cardId = await code.card(`buyer-${times}`);
        await code.requestToken();
        await code.get(`${cardPath}/${cardId}`);
      }
    },
  },
};
