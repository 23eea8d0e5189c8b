/** A client that takes whatever comes, broken or not, and says what reached it. */
import { expect } from 'vitest';
import { operations, type OperationName } from '../../../src/contract/service/operations.ts';
import type { Request, Shop } from '../../support/transports.ts';

/** What of an answer reached a client. */
export interface Seen {
  /** Absent where no answer began. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** What could be read of the body before it ended or broke. */
  readonly text: string;
  /** The code of the fault that broke answer or body. */
  readonly broke: string | undefined;
}

export interface Call extends Request {
  readonly signal?: AbortSignal;
}

/** Sends a request as `fetch` does; never throws. */
export async function see(shop: Shop, name: OperationName, call: Call): Promise<Seen> {
  let response: Response;
  try {
    response = await begin(shop, name, call);
  } catch (failure) {
    return { status: undefined, headers: new Headers(), text: '', broke: codeOf(failure) };
  }
  return { status: response.status, headers: response.headers, ...(await readAll(response)) };
}

/** Sends a request and gives what `fetch` gives. Redirects are not followed: what is asked for is the answer itself. */
export function begin(shop: Shop, name: OperationName, call: Call): Promise<Response> {
  const { path = operations[name].path, body, headers = {}, authorization, signal } = call;
  const isToken = name === 'token.create';
  return shop.door.fetch(shop.door.base + path, {
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

/** Codes of a parser that gave up, by the words of it: the `fetch` of Node 24 and 26 has no code for them. */
const parserCodes: readonly (readonly [words: string, code: string])[] = [
  ['Expected HTTP/', 'HPE_INVALID_CONSTANT'],
  ['Invalid character in chunk size', 'HPE_INVALID_CHUNK_SIZE'],
];

/** The code of a failed fetch, as clients look for it; else its name. */
export function codeOf(failure: unknown): string {
  const cause: unknown = Reflect.get(Object(failure), 'cause');
  const words = String(Reflect.get(Object(cause), 'message'));
  const [, parsed] = parserCodes.find(([part]) => words.includes(part)) ?? [];
  return String(
    Reflect.get(Object(cause), 'code') ?? parsed ?? Reflect.get(Object(failure), 'name'),
  );
}

/** Waits until every armed rule has fired: whatever it was to do is under way. */
export async function fired(shop: Shop): Promise<void> {
  await expect.poll(() => shop.merchant.unfired(), { interval: 2 }).toEqual([]);
}

/** A member of a body, by its path. */
export function at(body: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => Reflect.get(Object(value), step), body);
}
