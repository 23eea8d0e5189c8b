/** The answer to another process waits, so that workers which share a pool have time to send their requests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { TestTransport } from '../../support/transports.ts';

const transport = new TestTransport('socket', {});
beforeAll(() => transport.open());
afterAll(() => transport.close());

/** Sends a request ten times on one connection, and writes how long the fastest answer took. */
const client = `
const [url, init] = process.argv.slice(1);
let leastMs = Infinity;
for (let times = 0; times < 10; times++) {
  const startedMs = performance.now();
  const response = await fetch(url, JSON.parse(init));
  if (response.status !== 201) throw new Error(await response.text());
  await response.arrayBuffer();
  leastMs = Math.min(leastMs, performance.now() - startedMs);
}
console.log(leastMs);
`;

it('answers a payment no sooner than other threads of its client have started', async () => {
  const shop = transport.shop();
  const body = paymentBody({ cardId: await storeCard(shop), transaction: { custom: 'Coffee' } });
  const init = {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${shop.merchant.token}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    client,
    `${shop.transport.base}/v1/payments/payment`,
    JSON.stringify(init),
  ]);
  // A timer may be a fraction of a millisecond early.
  expect(Number(stdout)).toBeGreaterThan(19);
});
