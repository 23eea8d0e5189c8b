/** A call that says what to ask, and nothing of how: there is no need for all that a `Request` can do. */

/** What is looked at of a request. Who may leave, and what was sent, the transport is asked for. */
export type RequestHead = Pick<Request, 'method' | 'url' | 'headers' | 'body' | 'redirect'>;

/** What `fetch` was asked for. */
export interface Sent {
  readonly request: RequestHead;
  /** A body that was a text: to wrap it in a stream, and to read that, takes a fifth of a call. It is not read elsewhere. */
  readonly text?: string;
  /** What the caller can leave by; `null` where nobody can. */
  readonly signal: AbortSignal | null;
}

/** With these it is asked as it was written: others are told apart by letters, or may not be asked at all. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const plainMembers: ReadonlySet<string> = new Set(['method', 'headers', 'body', 'signal']);

/**
 * What `new Request(address, init)` would ask, for four fifths of what a call costs with one: it makes a signal for
 * whoever might leave, though none was given. `undefined` where only a `Request` knows what is meant, or what is wrong.
 */
export function plainRequest(address: string | URL, init: RequestInit): Sent | undefined {
  if (!isPlain(init)) return undefined;
  const { method = 'GET', headers: given, body = null, signal = null } = init;
  if (!methods.has(method) || !(signal === null || signal instanceof AbortSignal)) return undefined;
  if (body !== null && !(typeof body === 'string' && bodyMethods.has(method))) return undefined;
  try {
    const { href: url, username, password } = new URL(address);
    if (username !== '' || password !== '') return undefined;
    const headers = new Headers(given);
    const request = { method, url, headers, body: null, redirect: 'follow' } as const;
    if (body === null) return { request, signal };
    // Without a type a Request gives it one.
    return headers.has('content-type') ? { request, text: body, signal } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether it says no more than plain requests have, and nothing where it would not be seen. */
function isPlain(init: RequestInit): boolean {
  // A test runner may have an `Object` of its own, of which objects are as plain as of ours.
  const origin: unknown = Object.getPrototypeOf(init);
  if (origin !== null && Object.getPrototypeOf(origin) !== null) return false;
  for (const name in init) {
    // It has each of the names that it gives.
    if (!plainMembers.has(name) && init[name as keyof RequestInit] !== undefined) return false;
  }
  return true;
}
