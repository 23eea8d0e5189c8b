/** The first test of a JavaScript project: a payment whose first answer is lost. */

type JavaScriptRunner = 'vitest' | 'jest' | 'playwright' | 'node';

const fixtureTest = (
  entry: string,
  expectFrom: string,
): string => `import { expect } from '${expectFrom}';
import { sandboxTest } from 'card-vault-sandbox/${entry}';

// Each test gets its own merchant. At its end the sandbox judges what happened to the money.
const test = sandboxTest({ sandbox: { fixtures: new URL('./fixtures', import.meta.url) } });

test('pays once though the answer is lost', async ({ merchant }) => {
  // The card is charged, but the client never receives the answer.
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  expect(await pay(merchant.fetch, 'order-1')).toBe('completed');
});
`;

const importLines: Readonly<Record<'jest' | 'node', string>> = {
  jest: `const { join } = require('node:path');
const { assertPassed, createSandbox } = require('card-vault-sandbox');

const sandbox = createSandbox({ fixtures: join(__dirname, 'fixtures') });
afterAll(() => sandbox.close());
`,
  node: `import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertPassed, createSandbox } from 'card-vault-sandbox';

const sandbox = createSandbox({ fixtures: new URL('./fixtures', import.meta.url) });
after(() => sandbox.close());
`,
};

const plainTest = (runner: 'jest' | 'node', assertion: string): string => `${importLines[runner]}
test('pays once though the answer is lost', async () => {
  const merchant = sandbox.merchant('pays-once'); // a world of this test
  // The card is charged, but the client never receives the answer.
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  ${assertion}
  // Judges what happened to the money, and fails the test if a customer paid twice.
  assertPassed(await merchant.verdict());
});
`;

const payFunction = `
// Replace this function with your own code. Give it the fetch of the merchant, or the URL of the sandbox.
async function pay(fetch, order) {
  const send = () =>
    fetch('https://api.sandbox.paypal.com/v1/payments/payment', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'PayPal-Request-Id': order, // One id for each order. A retry with a new id charges twice.
      },
      body: JSON.stringify({
        intent: 'sale',
        payer: {
          payment_method: 'credit_card',
          funding_instruments: [
            { credit_card_token: { credit_card_id: 'CARD-VISA0000000000001EXAMPLE' } },
          ],
        },
        transactions: [{ amount: { total: '30.11', currency: 'USD' }, custom: order }],
      }),
    });
  const response = await send().catch(send);
  const payment = await response.json();
  return payment.transactions[0].related_resources[0].sale.state;
}
`;

const heads: Readonly<Record<JavaScriptRunner, string>> = {
  vitest: fixtureTest('vitest', 'vitest'),
  playwright: fixtureTest('playwright', '@playwright/test'),
  jest: plainTest('jest', `expect(await pay(merchant.fetch, 'order-1')).toBe('completed');`),
  node: plainTest('node', `assert.equal(await pay(merchant.fetch, 'order-1'), 'completed');`),
};

/** The text of the test for a runner. */
export const javaScriptTest = (runner: JavaScriptRunner): string => heads[runner] + payFunction;
