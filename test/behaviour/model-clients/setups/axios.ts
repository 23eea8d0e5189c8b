/** axios alone and with axios-retry. */
import { randomUUID } from 'node:crypto';
import axios, { type AxiosInstance } from 'axios';
import axiosRetry from 'axios-retry';
import {
  basic,
  bearer,
  letEventLoopRun,
  formType,
  invoicedBody,
  orderBody,
  paymentPath,
  tokenForm,
  tokenPath,
  type Checkout,
} from './checkout.ts';
import { deadlineMs, type SetUp } from './set-up.ts';

async function buy(
  client: AxiosInstance,
  till: Checkout,
  body = orderBody(till),
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const token = await client.post<unknown>(till.url + tokenPath, tokenForm, {
    headers: { Authorization: basic(till), 'Content-Type': formType },
  });
  await letEventLoopRun();
  const paid = await client.post<unknown>(till.url + paymentPath, body, {
    headers: { ...bearer(token.data), ...headers },
  });
  return paid.data;
}

function retrying(): AxiosInstance {
  const client = axios.create();
  axiosRetry(client);
  return client;
}

export const axiosSetUps: readonly SetUp[] = [
  { name: 'axios', buy: (till) => buy(axios.create(), till) },
  { name: 'axios, `timeout`', buy: (till) => buy(axios.create({ timeout: deadlineMs }), till) },
  { name: 'axios-retry', buy: (till) => buy(retrying(), till) },
  {
    name: 'axios-retry, request id',
    buy: (till) => buy(retrying(), till, orderBody(till), { 'PayPal-Request-Id': randomUUID() }),
  },
  {
    name: 'axios-retry, invoice number',
    buy: (till) => buy(retrying(), till, invoicedBody(till)),
  },
];
