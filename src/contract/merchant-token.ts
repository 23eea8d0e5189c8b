/** The token that names a merchant, and a `fetch` that sends it. It loads nothing, so that the client can use it too. */

/** A bearer token that works without a token call, while the option `auth` is `open`. */
export const tokenOf = (merchant: string): string => `sandbox.${merchant}`;

/** Adds a merchant's token to requests that have no `Authorization` header. */
export function fetchWithToken(
  fetch: typeof globalThis.fetch,
  token: string,
): typeof globalThis.fetch {
  return (input, init) => {
    const given = init?.headers ?? (input instanceof Request ? input.headers : undefined);
    const headers = new Headers(given);
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
}
