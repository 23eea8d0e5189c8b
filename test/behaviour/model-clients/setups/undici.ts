/** undici's own `request`. */
import { request } from 'undici';
import { UnexpectedStatusError } from '../matrix/client-result.ts';
import {
  basic,
  bearer,
  letEventLoopRun,
  formType,
  orderBody,
  paymentPath,
  tokenForm,
  tokenPath,
} from './checkout.ts';
import type { SetUp } from './set-up.ts';

async function post(url: string, headers: Record<string, string>, body: string): Promise<unknown> {
  const answer = await request(url, { method: 'POST', headers, body });
  if (answer.statusCode >= 400) throw new UnexpectedStatusError(answer.statusCode);
  return answer.body.json();
}

export const undiciSetUps: readonly SetUp[] = [
  {
    name: 'undici.request',
    buy: async (till) => {
      const token = await post(
        till.url + tokenPath,
        { authorization: basic(till), 'content-type': formType },
        tokenForm,
      );
      await letEventLoopRun();
      return post(
        till.url + paymentPath,
        { authorization: bearer(token).Authorization, 'content-type': 'application/json' },
        JSON.stringify(orderBody(till)),
      );
    },
  },
];
