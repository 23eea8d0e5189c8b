/** The global `fetch`, with and without a timeout, and node-fetch. */
import nodeFetch from 'node-fetch';
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
  type Checkout,
} from './checkout.ts';
import { deadlineMs, type SetUp } from './set-up.ts';

/** The part of `fetch` that both implement. */
type Post = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal?: AbortSignal;
  },
) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>;

async function buy(post: Post, till: Checkout, signal?: () => AbortSignal): Promise<unknown> {
  const ask = async (
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    const response = await post(till.url + path, {
      method: 'POST',
      headers,
      body,
      ...(signal === undefined ? {} : { signal: signal() }),
    });
    if (!response.ok) throw new UnexpectedStatusError(response.status);
    return response.json();
  };
  const token = await ask(tokenPath, tokenForm, {
    Authorization: basic(till),
    'Content-Type': formType,
  });
  await letEventLoopRun();
  return ask(paymentPath, JSON.stringify(orderBody(till)), {
    ...bearer(token),
    'Content-Type': 'application/json',
  });
}

export const fetchSetUps: readonly SetUp[] = [
  { name: 'fetch', buy: (till) => buy(fetch, till) },
  {
    name: 'fetch, `AbortSignal.timeout`',
    buy: (till) => buy(fetch, till, () => AbortSignal.timeout(deadlineMs)),
  },
  { name: 'node-fetch', buy: (till) => buy(nodeFetch, till) },
];
