// A shop's payment tests. Run them with `node --test`; nothing needs to be installed.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

const base = process.env.VAULT_URL ?? 'http://localhost:3000';

const payment = {
  intent: 'sale',
  payer: {
    payment_method: 'credit_card',
    funding_instruments: [
      {
        credit_card: {
          number: '4417119669820331',
          type: 'visa',
          expire_month: '11',
          expire_year: '2031',
        },
      },
    ],
  },
  transactions: [{ amount: { total: '30.11', currency: 'USD' }, invoice_number: 'INV-7' }],
};

const json = { 'Content-Type': 'application/json' };

/** One merchant's shop. The client id is the merchant, and each has a world of its own: no test sees another. */
async function openShop() {
  const merchant = `node-${randomUUID()}`;
  const answer = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${merchant}:any-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = await answer.json();
  const headers = { ...json, Authorization: `Bearer ${token}` };
  return {
    pay: (more = {}) =>
      fetch(`${base}/v1/payments/payment`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify(payment),
      }),
    show: (id) => fetch(`${base}/v1/payments/payment/${id}`, { headers }),
    /** What only the tests call, never the shop. */
    sandbox: async (verb, body) => {
      const url = `${base}/_sandbox/${verb}?merchant=${merchant}`;
      const called = await fetch(url, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(body),
      });
      return called.json();
    },
  };
}

test('pays', async () => {
  const shop = await openShop();
  const answer = await shop.pay();
  assert.equal(answer.status, 201);
  const { transactions } = await answer.json();
  assert.equal(transactions[0].related_resources[0].sale.state, 'completed');
});

test('is declined', async () => {
  const shop = await openShop();
  await shop.sandbox('rules', { op: 'payment.create', outcome: 'decline-insufficient-funds' });
  const answer = await shop.pay();
  assert.equal(answer.status, 400);
  assert.equal((await answer.json()).name, 'INSTRUMENT_DECLINED');
});

test('charges once when the answer is lost', async () => {
  const shop = await openShop();
  await shop.sandbox('rules', { op: 'payment.create', outcome: 'reset-after-commit' });
  const key = { 'PayPal-Request-Id': randomUUID() };
  await assert.rejects(shop.pay(key));
  const answer = await shop.pay(key);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('sandbox-replayed'), 'true');
  assert.equal((await shop.sandbox('verdict', {})).passed, true);
});

test('is alone', async () => {
  const [shop, other] = await Promise.all([openShop(), openShop()]);
  const { id } = await (await shop.pay()).json();
  assert.equal((await shop.show(id)).status, 200);
  assert.equal((await other.show(id)).status, 404);
});
