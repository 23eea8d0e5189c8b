/** Wrong clients that take a payment: they pay twice, or believe what is not so. */
import { rawPaymentBody } from '../../../../support/samples.ts';
import type { Beliefs, WrongClient } from '../client.ts';
import { bodyOf, paymentPath, partIn, textAt, type Order, type ShopCode } from '../shop-code.ts';

const lost = [{ op: 'payment.create', outcome: 'reset-after-commit' }] as const;
const order = async (code: ShopCode): Promise<Order> => ({
  cardId: await code.card(),
  custom: 'order-1',
});

/** Takes each answer in the two hundreds for success. */
async function payAndBelieve(code: ShopCode, invoice = 'INV-1'): Promise<Beliefs> {
  const answer = await code.pay({ cardId: await code.card(), invoice }, code.newKey());
  return { [invoice]: answer.status === 201 ? 'paid' : 'not-paid' };
}

export const checkout: Readonly<Record<string, WrongClient>> = {
  'a double click': {
    about: 'sends an order twice at once, each with a request id of its own',
    found: 'double-charge',
    beside: 'hedged requests',
    run: async (code) => {
      const one = await order(code);
      await Promise.all([code.pay(one, code.newKey()), code.pay(one, code.newKey())]);
    },
  },
  'two workers without a lock': {
    about: 'two workers take the same job from a queue, each on its own connection',
    found: 'double-charge',
    beside: 'a queue with two workers',
    run: async (code) => {
      const body = bodyOf(await order(code));
      const work = () =>
        code.send('POST', paymentPath, { body, key: code.newKey(), newConnection: true });
      await Promise.all([work(), work()]);
    },
  },
  'a new request id on the retry': {
    about: 'creates the request id in the function that it repeats',
    meets: lost,
    found: 'new-key-on-retry',
    beside: 'a custom and one request id for each order',
    run: async (code) => {
      const one = await order(code);
      for (let tries = 0; tries < 2; tries++) {
        if ((await code.pay(one, code.newKey())).status === 201) return;
        await code.wait(2_000);
      }
    },
  },
  'no request id on the retry': {
    about: 'repeats a request without a request id',
    meets: lost,
    found: 'retry-without-key',
    beside: 'the same request id on another connection',
    run: async (code) => {
      const one = await order(code);
      if ((await code.pay(one)).status === 201) return;
      await code.wait(2_000);
      await code.pay(one);
    },
  },
  'an outbox that makes its request ids late': {
    about: 'the worker creates a request id for each delivery instead of storing one in the row',
    meets: lost,
    found: 'double-charge',
    beside: 'an outbox',
    run: async (code) => {
      const rows = [await order(code)];
      for (let run = 0; run < 2; run++) {
        for (const row of rows) {
          if ((await code.pay(row, code.newKey())).status === 201) rows.pop();
        }
        await code.wait(600_000);
      }
    },
  },
  'a lost answer forgotten': {
    about: 'shows an error to the buyer and never looks again',
    meets: lost,
    found: 'orphaned-charge',
    beside: 'gives up after reading',
    run: async (code) => {
      await code.pay(await order(code), code.newKey());
    },
  },
  'a server error taken for a failure': {
    about: 'takes 500 for "not paid"',
    meets: [{ op: 'payment.create', outcome: 'error-500-after-commit' }],
    found: 'belief',
    beside: 'an invoice number and one request id for each order',
    run: (code) => payAndBelieve(code),
  },
  'another card after a lost answer': {
    about: 'asks the buyer for another card although the first one may have been charged',
    meets: lost,
    found: 'double-charge',
    beside: 'a new card after a decline',
    run: async (code) => {
      const one = await order(code);
      if ((await code.pay(one, code.newKey())).status === 201) return;
      await code.wait(20_000);
      await code.pay({ ...one, cardId: await code.card(undefined, { expire_year: 2033 }) });
    },
  },
  'a new invoice number for each attempt': {
    about: 'counts the attempts in the invoice number, so the service cannot refuse the second',
    meets: lost,
    found: 'double-charge',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const one = await order(code);
      for (const invoice of ['INV-1-a', 'INV-1-b']) {
        if ((await code.pay({ ...one, invoice }, code.newKey())).status === 201) return;
        await code.wait(2_000);
      }
    },
  },
  'another sum after a lost answer': {
    about: 'calculates the sum again for the retry, with the exchange rate of the moment',
    meets: lost,
    found: 'double-charge',
    beside: 'two currencies',
    run: async (code) => {
      const one = await order(code);
      for (const total of ['30.11', '30.14']) {
        if ((await code.pay({ ...one, total }, code.newKey())).status === 201) return;
        await code.wait(2_000);
      }
    },
  },
  'another sum for one invoice number': {
    about: 'rounds the sum otherwise on the retry',
    meets: [{ op: 'payment.create', outcome: 'error-500-before-commit' }],
    found: 'amount-drift',
    isRemark: true,
    beside: 'an invoice number and one request id for each order',
    run: async (code) => {
      const cardId = await code.card();
      const key = code.newKey();
      for (const total of ['30.11', '30.12']) {
        if ((await code.pay({ cardId, invoice: 'INV-1', total }, key)).status === 201) return;
        await code.wait(2_000);
      }
    },
  },
  'a list read too early': {
    about: 'pays again because a list that lags does not show the payment yet',
    meets: [...lost, { op: 'payment.list', outcome: 'list-lags-create' }],
    found: 'double-charge',
    beside: 'a reconciler by invoice number',
    run: async (code) => {
      const one = await order(code);
      await code.pay(one, code.newKey());
      const { body } = await code.get(`${paymentPath}?count=20`);
      if (textAt(body, 'payments', 0, 'id') === '') await code.pay(one, code.newKey());
    },
  },
  'the first page of the list': {
    about: 'looks for a payment in the first page only, and pays again',
    meets: [{ op: 'payment.create', outcome: 'reset-after-commit', nth: 1 }],
    found: 'double-charge',
    beside: 'a migration',
    run: async (code) => {
      const one = await order(code);
      await code.pay(one, code.newKey());
      await code.pay({ ...one, custom: 'order-2', total: '8.00' }, code.newKey());
      const { body } = await code.get(`${paymentPath}?count=1`);
      const custom = textAt(body, 'payments', 0, 'transactions', 0, 'custom');
      if (custom !== 'order-1') await code.pay(one, code.newKey());
    },
  },
  'a denied sale taken for paid': {
    about: 'takes 201 for "paid" without looking at the sale',
    meets: [{ op: 'payment.create', outcome: 'declined-inside-201' }],
    found: 'belief',
    beside: 'an invoice number and one request id for each order',
    run: (code) => payAndBelieve(code),
  },
  'a failed payment taken for paid': {
    about: 'takes 201 for "paid" although the payment is failed',
    meets: [{ op: 'payment.create', outcome: 'payment-state-failed' }],
    found: 'belief',
    beside: 'a reconciler by invoice number',
    run: (code) => payAndBelieve(code),
  },
  'a pending sale taken for paid': {
    about: 'delivers the goods while the bank still decides',
    meets: [{ op: 'payment.create', outcome: 'sale-pending-forever' }],
    found: 'belief',
    beside: 'polls a pending sale',
    run: (code) => payAndBelieve(code),
  },
  'a later denial never read': {
    about: 'delivers when the sale is pending and never reads it again',
    meets: [{ op: 'payment.create', outcome: 'sale-pending-then-denied' }],
    found: 'belief',
    beside: 'polls a pending sale',
    run: async (code) => {
      const believed = await payAndBelieve(code);
      await code.wait(5 * 24 * 3_600_000);
      return believed;
    },
  },
  'goods sent after a lost answer': {
    about: 'takes a lost answer for success, so as not to annoy the buyer',
    meets: [{ op: 'payment.create', outcome: 'reset-before-commit' }],
    found: 'belief',
    beside: 'gives up after reading',
    run: async (code) => {
      await code.pay({ cardId: await code.card(), invoice: 'INV-1' }, code.newKey());
      return { 'INV-1': 'paid' };
    },
  },
  '409 taken for a failure': {
    about: 'gives up while the first request is still in progress',
    meets: [
      { op: 'payment.create', outcome: 'reset-after-commit' },
      { op: 'payment.create', outcome: 'request-in-progress' },
    ],
    found: 'orphaned-charge',
    beside: 'a second process with the stored request id',
    run: async (code) => {
      const one = { cardId: await code.card(), invoice: 'INV-1' };
      const key = code.newKey();
      await code.pay(one, key);
      await code.wait(2_000);
      await code.pay(one, key);
      return { 'INV-1': 'not-paid' };
    },
  },
  'a used invoice number taken for a failure': {
    about: 'retries with a new request id, is told that the invoice number is used, and gives up',
    meets: lost,
    found: 'orphaned-charge',
    beside: 'an invoice number and one request id for each order',
    run: async (code) => {
      const one = { cardId: await code.card(), invoice: 'INV-1' };
      await code.pay(one, code.newKey());
      await code.wait(2_000);
      await code.pay(one, code.newKey());
      return { 'INV-1': 'not-paid' };
    },
  },
  'one request id for two orders': {
    about: 'sends the request id of the cart, and takes the answer for the second order too',
    found: 'key-reused-for-other-intent',
    beside: 'two orders of the same sum',
    run: async (code) => {
      const cardId = await code.card();
      const key = code.newKey();
      await code.pay({ cardId, invoice: 'INV-1', total: '10.00' }, key);
      await code.pay({ cardId, invoice: 'INV-2', total: '12.00' }, key);
    },
  },
  'a page taken for an answer': {
    about: 'takes 200 with an HTML page for success, and keeps no id',
    meets: [{ op: 'payment.create', outcome: 'html-instead-of-json-200' }],
    found: 'orphaned-charge',
    beside: 'an outbox',
    run: async (code) => {
      const one = await order(code);
      const answer = await code.pay(one, code.newKey());
      if (answer.status >= 300) await code.pay(one, code.newKey());
    },
  },
  'a sum in floating point': {
    about: 'adds prices as numbers and sends what comes out',
    found: 'float-amount',
    beside: 'a gift of three',
    run: async (code) => {
      const total = String(0.1 + 0.2 + 10);
      await code.pay({ ...(await order(code)), total: total === '10.3' ? '10.299999999' : total });
    },
  },
  'a decline retried in a loop': {
    about: 'sends a declined payment again and again',
    meets: [{ op: 'payment.create', outcome: 'decline-generic', times: 5 }],
    found: 'retry-of-final-4xx',
    beside: 'the same card again after a decline for lack of funds',
    run: async (code) => {
      const one = { cardId: await code.card(), invoice: 'INV-1' };
      const key = code.newKey();
      for (let tries = 0; tries < 5; tries++) {
        if ((await code.pay(one, key)).status === 201) return;
        await code.wait(500 * 2 ** tries);
      }
    },
  },
  'a faulty request in a loop': {
    about: 'retries each 400 like a network error',
    found: 'retry-of-final-4xx',
    beside: 'an outbox',
    run: async (code) => {
      const one = { ...(await order(code)), currency: 'XXX' };
      const key = code.newKey();
      for (let tries = 0; tries < 4; tries++) {
        await code.pay(one, key);
        await code.wait(500 * 2 ** tries);
      }
    },
  },
  'a lost card charged again': {
    about: 'tries a card again the next day although its issuer said never to',
    meets: [{ op: 'payment.create', outcome: 'decline-lost-or-stolen' }],
    found: 'charge-after-hard-decline',
    beside: 'a new card after a decline',
    run: async (code) => {
      const one = await order(code);
      await code.pay(one, code.newKey());
      await code.wait(24 * 3_600_000);
      await code.pay(one, code.newKey());
    },
  },
  'Retry-After ignored': {
    about: 'waits half a second whatever the answer asks for',
    meets: [{ op: 'payment.create', outcome: 'rate-limited-seconds', times: 3 }],
    found: 'ignores-retry-after',
    beside: 'an invoice number and one request id for each order',
    run: async (code) => {
      const one = await order(code);
      const key = code.newKey();
      for (let tries = 0; tries < 4; tries++) {
        if ((await code.pay(one, key)).status === 201) return;
        await code.wait(500 * 2 ** tries);
      }
    },
  },
  'a storm of retries': {
    about: 'retries without waits and without end',
    meets: [{ op: 'payment.create', outcome: 'error-503-before-commit', times: 30 }],
    found: 'retry-storm',
    beside: 'an outbox',
    run: async (code) => {
      const one = await order(code);
      const key = code.newKey();
      for (let tries = 0; tries < 31; tries++) {
        if ((await code.pay(one, key)).status === 201) return;
      }
    },
  },
  'a guest charged twice': {
    about: 'pays with a raw card again after a lost answer, without a request id',
    meets: lost,
    found: 'retry-without-key',
    beside: 'a guest',
    run: async (code) => {
      const body = rawPaymentBody({}, { transaction: { custom: 'order-1' } });
      await code.post(paymentPath, body);
      await code.wait(2_000);
      await code.post(paymentPath, body);
    },
  },
  'a dispute believed to be paid': {
    about: 'reads that a sale is reversed, and still counts it as paid',
    meets: [{ op: 'payment.create', outcome: 'sale-reversed-later' }],
    found: 'belief',
    beside: 'a dispute seen first',
    run: async (code) => {
      const believed = await payAndBelieve(code);
      await code.wait(30 * 24 * 3_600_000);
      await code.get(`${paymentPath}?count=20`);
      return believed;
    },
  },
  'a card deleted while the sale is pending': {
    about: 'closes the order and deletes the card before the sale is decided',
    meets: [{ op: 'payment.create', outcome: 'sale-pending-then-denied' }],
    found: 'sale-not-checked',
    beside: 'a test suite',
    run: async (code) => {
      const one = await order(code);
      await code.pay(one, code.newKey());
      await code.send('DELETE', `/v1/vault/credit-cards/${one.cardId}`);
    },
  },
  'a denied sale refunded': {
    about: 'refunds a sale that was denied, as if it had been paid',
    meets: [{ op: 'payment.create', outcome: 'declined-inside-201' }],
    found: 'sale-not-checked',
    beside: 'an order cancelled after it was paid',
    run: async (code) => {
      const answer = await code.pay(await order(code), code.newKey());
      await code.post(`/v1/payments/sale/${partIn(answer).id}/refund`, {}, code.newKey());
    },
  },
  'a card kept outside of the vault': {
    about: 'deletes a card and charges its number, which it kept, a day later',
    found: 'raw-card-instead-of-token',
    beside: 'a card deleted and stored again',
    run: async (code) => {
      const cardId = await code.card('ada');
      await code.pay({ cardId, customer: 'ada', invoice: 'INV-1' }, code.newKey());
      await code.send('DELETE', `/v1/vault/credit-cards/${cardId}`);
      await code.wait(24 * 3_600_000);
      const body = rawPaymentBody(
        { external_customer_id: 'ada', cvv2: undefined },
        { transaction: { invoice_number: 'INV-2' } },
      );
      await code.post(paymentPath, body, code.newKey());
    },
  },
};
