/** What speaks `fetch`: the global one, with and without a deadline, and node-fetch. */
import nodeFetch from 'node-fetch';
import { AnsweredWith } from '../matrix/client-result.ts';
import {
  basic,
  bearer,
  breathe,
  formType,
  orderBody,
  paymentPath,
  tokenForm,
  tokenPath,
  type Till,
} from './checkout.ts';
import { deadlineMs, type SetUp } from './set-up.ts';

/** The part of `fetch` that both of them have. */
type Post = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal?: AbortSignal;
  },
) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>;

async function buy(post: Post, till: Till, signal?: () => AbortSignal): Promise<unknown> {
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
    if (!response.ok) throw new AnsweredWith(response.status);
    return response.json();
  };
  const token = await ask(tokenPath, tokenForm, {
    Authorization: basic(till),
    'Content-Type': formType,
  });
  await breathe();
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
