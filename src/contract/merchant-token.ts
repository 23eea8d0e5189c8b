/** The token that names a merchant, and a `fetch` that sends it. The client uses it too. */
import { isRequest, readHeaders } from '../shared/fetch-arguments.ts';

/** A bearer token that works without a token call, while the option `auth` is `open`. */
export const tokenOf = (merchant: string): string => `sandbox.${merchant}`;

/** Adds a merchant's token to requests that have no `Authorization` header. */
export function fetchWithToken(
  fetch: typeof globalThis.fetch,
  token: string,
): typeof globalThis.fetch {
  return (input, init) => {
    const headers = readHeaders(init?.headers ?? (isRequest(input) ? input.headers : undefined));
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers: Object.fromEntries(headers) });
  };
}
