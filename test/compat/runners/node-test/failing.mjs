import { after, test } from 'node:test';
import { assertPassed, createSandbox } from 'card-vault-sandbox';

const sandbox = createSandbox({ fixtures: 'empty' });
after(() => sandbox.close());

/** Tries again with a new request id: green, and the buyer pays twice. */
async function payCarelessly({ token }) {
  const pay = (key) =>
    sandbox.request('/v1/payments/payment', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'PayPal-Request-Id': key,
      },
      body: JSON.stringify({
        intent: 'sale',
        payer: {
          payment_method: 'credit_card',
          funding_instruments: [
            {
              credit_card: {
                number: '5555555555554444',
                type: 'mastercard',
                expire_month: '11',
                expire_year: '2031',
              },
            },
          ],
        },
        transactions: [{ amount: { total: '30.11', currency: 'USD' }, description: 'order-1' }],
      }),
    });
  await pay('the-first-try').catch(() => pay('the-second-try'));
}

test('pays twice', async () => {
  const merchant = sandbox.merchant('careless');
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await payCarelessly(merchant);
  assertPassed(await merchant.verdict());
});

test('forgets to wait', () => {
  assertPassed(sandbox.merchant('hasty').verdict());
});
