/** A client that accepts broken responses and reports what it received. */
import { expect } from 'vitest';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { operations } from '../../../src/contract/service/operations.ts';
import type { Request, Shop } from '../../support/transports.ts';

/** What a client received of a response. */
export interface Seen {
  /** `undefined` without a response. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** The part of the body that could be read. */
  readonly text: string;
  /** The error code if the response or body broke. */
  readonly broke: string | undefined;
}

export interface Call extends Request {
  readonly signal?: AbortSignal;
}

/** Sends a request and never throws. */
export async function see(shop: Shop, name: OperationName, call: Call): Promise<Seen> {
  let response: Response;
  try {
    response = await begin(shop, name, call);
  } catch (failure) {
    return { status: undefined, headers: new Headers(), text: '', broke: codeOf(failure) };
  }
  return { status: response.status, headers: response.headers, ...(await readAll(response)) };
}

/** Sends a request and returns the result of `fetch`. It does not follow redirects. */
export function begin(shop: Shop, name: OperationName, call: Call): Promise<Response> {
  const { path = operations[name].path, body, headers = {}, authorization, signal } = call;
  const isToken = name === 'token.create';
  return shop.transport.fetch(shop.transport.base + path, {
    method: operations[name].method.toUpperCase(),
    redirect: 'manual',
    headers: {
      Authorization:
        authorization ??
        (isToken ? `Basic ${btoa(`${shop.merchant.id}:secret`)}` : `Bearer ${shop.merchant.token}`),
      ...(body === undefined
        ? {}
        : { 'Content-Type': isToken ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function readAll(response: Response): Promise<Pick<Seen, 'text' | 'broke'>> {
  const pieces: Uint8Array[] = [];
  const text = () => Buffer.concat(pieces).toString();
  if (response.body === null) return { text: '', broke: undefined };
  try {
    for await (const piece of response.body) pieces.push(piece);
    return { text: text(), broke: undefined };
  } catch (failure) {
    return { text: text(), broke: codeOf(failure) };
  }
}

/** Error codes of the HTTP parser by message, because `fetch` of Node 24 and 26 has no codes for them. */
const parserCodes: readonly (readonly [words: string, code: string])[] = [
  ['Expected HTTP/', 'HPE_INVALID_CONSTANT'],
  ['Invalid character in chunk size', 'HPE_INVALID_CHUNK_SIZE'],
];

/** Returns the code of a failed fetch, or its name. */
export function codeOf(failure: unknown): string {
  const cause: unknown = Reflect.get(Object(failure), 'cause');
  const words = String(Reflect.get(Object(cause), 'message'));
  const [, parsed] = parserCodes.find(([part]) => words.includes(part)) ?? [];
  return String(
    Reflect.get(Object(cause), 'code') ?? parsed ?? Reflect.get(Object(failure), 'name'),
  );
}

/** Waits until every armed rule has fired. */
export async function fired(shop: Shop): Promise<void> {
  await expect.poll(() => shop.merchant.unfired(), { interval: 2 }).toEqual([]);
}

/** Returns a field of a body by its path. */
export function at(body: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), body);
}
