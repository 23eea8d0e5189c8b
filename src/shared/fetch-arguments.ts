/**
 * Reads what is passed to a `fetch`, whichever implementation made it. Test environments such as happy-dom and jsdom, and
 * libraries such as node-fetch, have classes of their own, so nothing here tests for a class.
 */

/** A `Request` of any implementation. A polyfill may lack every member but the first two. */
export interface RequestLike {
  readonly url: string;
  readonly method: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  readonly signal?: AbortSignal | null;
  readonly redirect?: RequestRedirect;
  arrayBuffer?(): Promise<ArrayBuffer>;
  text?(): Promise<string>;
}

/** Whether a value is a `Request` of any implementation. */
export function isRequest(value: unknown): value is RequestLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'url' in value &&
    typeof value.url === 'string'
  );
}

/** A name of a method or a header. */
export const httpToken = /^[\w!#$%&'*+.^`|~-]+$/;

/** Methods that no `Request` may have. */
export const forbiddenMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * Reads headers: an object of any `Headers` class, pairs, a map, or a plain object. Names are returned in lower case, and
 * values of one name joined.
 */
export function readHeaders(given: unknown): Map<string, string> {
  const headers = new Map<string, string>();
  const add = (name: unknown, value: unknown): void => {
    const key = String(name).toLowerCase();
    const text = (Array.isArray(value) ? value.join(', ') : String(value)).trim();
    if (!httpToken.test(key)) throw new TypeError(`Invalid header name: ${JSON.stringify(key)}`);
    if (!headerValue.test(text)) throw new TypeError(`Invalid value of the header ${key}`);
    const earlier = headers.get(key);
    headers.set(key, earlier === undefined ? text : `${earlier}, ${text}`);
  };
  if (given === undefined || given === null) return headers;
  if (isIterable(given)) {
    for (const pair of given) {
      const [name, value, ...more] = isIterable(pair) ? [...pair] : [];
      if (value === undefined || more.length > 0) {
        throw new TypeError('Each header must be a pair of name and value.');
      }
      add(name, value);
    }
  } else if (hasForEach(given)) {
    given.forEach((value, name) => {
      add(name, value);
    });
  } else for (const [name, value] of Object.entries(given)) add(name, value);
  return headers;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function hasForEach(
  value: unknown,
): value is { forEach(show: (value: unknown, name: unknown) => void): void } {
  return typeof value === 'object' && value !== null && 'forEach' in value;
}
