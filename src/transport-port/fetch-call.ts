/**
 * Reads the arguments of `fetch`, whichever implementation made them: that of Node, happy-dom, jsdom with a polyfill,
 * node-fetch, or another version of undici. Their classes are not those of this process, so nothing here tests for a class.
 */
import {
  forbiddenMethods,
  httpToken,
  isRequest,
  readHeaders,
  type RequestLike,
} from '../shared/fetch-arguments.ts';
import { readBody, type FetchBody } from './fetch-body.ts';

/** A request in process. */
export interface FetchCall {
  readonly method: string;
  /** Absolute, without a user name and password. */
  readonly url: string;
  /** By names in lower case. Values of one name are joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: FetchBody | null;
  readonly signal: AbortSignal | undefined;
  readonly redirect: string;
}

type Fetch = typeof globalThis.fetch;

/** Methods that `fetch` writes in upper case. All others are sent as they are. */
const upperCased: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** Reads the arguments. A path without a host gets `origin`. Throws what `fetch` rejects with. */
export function readFetchCall(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  origin: string,
): FetchCall {
  const sent: Partial<RequestLike> = isRequest(input) ? input : {};
  const { signal = sent.signal, redirect = sent.redirect ?? 'follow' } = init ?? {};
  const method = readMethod(init?.method ?? sent.method ?? 'GET');
  const headers = readHeaders(init?.headers ?? sent.headers);
  const body = readBody(init?.body ?? bodyOf(sent));
  const hasNoBody = method === 'GET' || method === 'HEAD';
  if (body !== null && hasNoBody) {
    throw new TypeError('Request with GET/HEAD method cannot have body.');
  }
  if (body?.type !== undefined && !headers.has('content-type')) {
    headers.set('content-type', body.type);
  }
  return {
    method,
    url: readUrl(sent.url ?? String(input), origin),
    headers,
    body,
    signal: signal ?? undefined,
    redirect,
  };
}

function readMethod(given: string): string {
  const upper = given.toUpperCase();
  if (!httpToken.test(given) || forbiddenMethods.has(upper)) {
    throw new TypeError(`'${given}' is no HTTP method that fetch allows.`);
  }
  return upperCased.has(upper) ? upper : given;
}

function readUrl(text: string, origin: string): string {
  const whole = text.startsWith('/') ? origin + text : text;
  if (!URL.canParse(whole)) throw new TypeError('Failed to parse the URL of a request');
  const { href, protocol, username, password } = new URL(whole);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError('The URL of a request must begin with http:// or https://');
  }
  if (username !== '' || password !== '') {
    throw new TypeError('The URL of a request cannot have a user name or a password');
  }
  return href;
}

/** The body of a `Request`. Polyfills have no stream: their bodies are read with a method. */
function bodyOf(sent: Partial<RequestLike>): unknown {
  const { method, body } = sent;
  if (method === undefined || method === 'GET' || method === 'HEAD') return null;
  if (sent.bodyUsed === true) {
    throw new TypeError(
      'Cannot construct a Request with a Request object that has already been used.',
    );
  }
  if (body !== undefined) return body;
  return sent.arrayBuffer === undefined && sent.text === undefined ? null : sent;
}
