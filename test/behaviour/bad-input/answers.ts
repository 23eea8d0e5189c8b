/** Sends what no good client would, and holds every answer to what all answers have in common. */
import { expect } from 'vitest';
import { ErrorBody, UnauthenticatedBody } from '../../../src/contract/service/common.ts';
import { TokenError } from '../../../src/contract/service/token.ts';
import type { Shop } from '../../support/transports.ts';
import { cardBody } from '../../support/samples.ts';

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `undefined` where there is none. */
  readonly body: unknown;
  /** The error's name, where it is one. */
  readonly name: unknown;
}

const tokenCall = /^POST \/v1\/oauth2\/token\/?(\?|$)/;

/** Sends one request as this shop's client. */
export async function send(
  shop: Shop,
  { method = 'POST', path, headers, body }: Sent,
): Promise<Answer> {
  const sent = new Headers(headers);
  if (!sent.has('authorization')) sent.set('Authorization', `Bearer ${shop.merchant.token}`);
  if (!sent.has('content-type')) sent.set('Content-Type', 'application/json');
  const response = await shop.transport.fetch(shop.transport.base + path, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body }),
  });
  return expectSound(`${method} ${path.slice(0, 200)}`, response, await response.text());
}

/** `what` is method and path. Never a 5xx; JSON in the contract's shape, or no body at all; a debug id that is the body's too. */
export function expectSound(
  what: string,
  response: { readonly status: number; readonly headers: Headers },
  text: string,
): Answer {
  const fromToken = tokenCall.test(what);
  const { status, headers } = response;
  const message = `${what}: ${status} ${text.slice(0, 500)}`;
  expect(status, message).toBeLessThan(500);
  expect(headers.get('paypal-debug-id'), message).toMatch(/^[0-9a-f]{13}$/);
  if (text === '') return { status, headers, text, body: undefined, name: undefined };
  expect(headers.get('content-type'), message).toBe('application/json');
  const body: unknown = JSON.parse(text);
  if (status < 400) return { status, headers, text, body, name: undefined };
  const schema = fromToken ? TokenError : status === 401 ? UnauthenticatedBody : ErrorBody;
  expect(schema.strict().parse(body), message).toEqual(body);
  const member = (name: string): unknown => Reflect.get(Object(body), name);
  if (!fromToken) expect(member('debug_id'), message).toBe(headers.get('paypal-debug-id'));
  return { status, headers, text, body, name: member(fromToken ? 'error' : 'name') };
}

/** All that a merchant has. */
export async function stateOf(shop: Shop): Promise<unknown> {
  const [cards, payments] = await Promise.all([
    send(shop, { method: 'GET', path: '/v1/vault/credit-cards?page_size=20' }),
    send(shop, { method: 'GET', path: '/v1/payments/payment?count=20' }),
  ]);
  return [cards.body, payments.body, structuredClone(shop.merchant.ledger())];
}

/** The sandbox is as well as before: a good request is answered as it should be. */
export async function expectWell(shop: Shop): Promise<void> {
  const { status, text } = await send(shop, {
    path: '/v1/vault/credit-cards',
    body: JSON.stringify(cardBody()),
  });
  expect(status, text).toBe(201);
}
