/** Converts a request over a socket to the `Request` that the control API's framework reads. */
import type { IncomingMessage } from 'node:http';
import { forbiddenMethods } from '../shared/fetch-arguments.ts';
import type { RequestAddress } from './request-address.ts';

/** Its body stays empty: the transport reads the body. */
export function requestOf(
  { method = 'GET', rawHeaders }: IncomingMessage,
  { origin, target }: RequestAddress,
): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  headers.set('Host', origin.slice(origin.indexOf('//') + 2));
  return new Request(urlOf(origin, target), {
    // Nothing is served with either.
    method: forbiddenMethods.has(method) ? 'OPTIONS' : method,
    headers,
  });
}

/** A host such as `vault.1` or one with a zone is valid but makes no URL. Pages take the origin from the transport. */
function urlOf(origin: string, target: string): string {
  const url = origin + target;
  return URL.canParse(url) ? url : `http://localhost${target}`;
}
