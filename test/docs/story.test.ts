/** The message of a failed verdict in the documentation is the one that a test sees. UPDATE_DOCS=1 writes it. */
import { expect, it } from 'vitest';
import { assertPassed, createSandbox, VerdictError } from '../../src/index.ts';
import { expectGenerated } from '../support/repository/documentation.ts';
import { rawPaymentBody } from '../support/samples.ts';

it('shows the message of a failed verdict', async () => {
  const sandbox = createSandbox({
    seed: 'story',
    fixtures: 'empty',
    clock: { start: '2030-01-02T07:08:09Z', frozen: true },
  });
  const merchant = sandbox.merchant('pays-once');
  merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  const body = rawPaymentBody({}, { total: '30.11', transaction: { custom: 'INV-7' } });
  const pay = (key: string) =>
    sandbox.request('/v1/payments/payment', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${merchant.token}`,
        'Content-Type': 'application/json',
        'PayPal-Request-Id': key,
      },
      body: JSON.stringify(body),
    });
  await expect(pay('3f0e6c1a-first')).rejects.toThrow('fetch failed');
  expect((await pay('b8d2047e-second')).status).toBe(201);
  const verdict = await merchant.verdict();
  let message = '';
  try {
    assertPassed(verdict);
  } catch (error) {
    expect(error).toBeInstanceOf(VerdictError);
    message = String(error);
  }
  expectGenerated('story', ['```text', message, '```'].join('\n'));
});
