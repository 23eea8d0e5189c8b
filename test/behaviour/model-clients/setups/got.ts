/** got with its defaults, and with retries of POST. */
import { got, type ExtendOptions, type Got } from 'got';
import {
  basic,
  bearer,
  letEventLoopRun,
  orderBody,
  paymentPath,
  tokenPath,
  type Checkout,
} from './checkout.ts';
import type { SetUp } from './set-up.ts';

/** got waits for seconds by default. Shorter waits only make the test faster. */
const retryingPost: ExtendOptions = { retry: { methods: ['POST'], backoffLimit: 20 } };

async function buy(client: Got, till: Checkout): Promise<unknown> {
  const token = await client
    .post(till.url + tokenPath, {
      form: { grant_type: 'client_credentials' },
      headers: { Authorization: basic(till) },
    })
    .json();
  await letEventLoopRun();
  return client
    .post(till.url + paymentPath, { json: orderBody(till), headers: { ...bearer(token) } })
    .json();
}

export const gotSetUps: readonly SetUp[] = [
  { name: 'got', buy: (till) => buy(got, till) },
  { name: 'got, POST retried', buy: (till) => buy(got.extend(retryingPost), till) },
];
