/** superagent with retries, with and without a timeout. */
import superagent from 'superagent';
import {
  basic,
  bearer,
  letEventLoopRun,
  orderBody,
  paymentPath,
  tokenPath,
  type Checkout,
} from './checkout.ts';
import { deadlineMs, type SetUp } from './set-up.ts';

async function buy(till: Checkout, timeoutMs?: number): Promise<unknown> {
  const post = (path: string) => {
    const asked = superagent.post(till.url + path).retry(2);
    return timeoutMs === undefined ? asked : asked.timeout(timeoutMs);
  };
  const token = await post(tokenPath)
    .set('Authorization', basic(till))
    .type('form')
    .send({ grant_type: 'client_credentials' });
  await letEventLoopRun();
  const paid = await post(paymentPath)
    .set('Authorization', bearer(token.body).Authorization)
    .send(orderBody(till));
  return paid.body;
}

export const superagentSetUps: readonly SetUp[] = [
  { name: 'superagent, `retry(2)`', buy: (till) => buy(till) },
  { name: 'superagent, `retry(2)`, `timeout`', buy: (till) => buy(till, deadlineMs) },
];
