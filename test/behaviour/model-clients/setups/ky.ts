/** ky with a shorter timeout than its default of ten seconds. */
import ky from 'ky';
import { basic, bearer, letEventLoopRun, orderBody, paymentPath, tokenPath } from './checkout.ts';
import { deadlineMs, type SetUp } from './set-up.ts';

export const kySetUps: readonly SetUp[] = [
  {
    name: 'ky',
    buy: async (till) => {
      const client = ky.create({ timeout: deadlineMs });
      const token = await client
        .post(till.url + tokenPath, {
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
          headers: { Authorization: basic(till) },
        })
        .json();
      await letEventLoopRun();
      return client
        .post(till.url + paymentPath, { json: orderBody(till), headers: { ...bearer(token) } })
        .json();
    },
  },
];
