/** got, as it comes and with POST among the methods it retries. */
import { got, type ExtendOptions, type Got } from 'got';
import {
  basic,
  bearer,
  breathe,
  orderBody,
  paymentPath,
  tokenPath,
  type Till,
} from './checkout.ts';
import type { SetUp } from './set-up.ts';

/** Its own waits are seconds; how long it waits decides nothing here but the time of the test. */
const retryingPost: ExtendOptions = { retry: { methods: ['POST'], backoffLimit: 20 } };

async function buy(client: Got, till: Till): Promise<unknown> {
  const token = await client
    .post(till.url + tokenPath, {
      form: { grant_type: 'client_credentials' },
      headers: { Authorization: basic(till) },
    })
    .json();
  await breathe();
  return client
    .post(till.url + paymentPath, { json: orderBody(till), headers: { ...bearer(token) } })
    .json();
}

export const gotSetUps: readonly SetUp[] = [
  { name: 'got', buy: (till) => buy(got, till) },
  { name: 'got, POST retried', buy: (till) => buy(got.extend(retryingPost), till) },
];
