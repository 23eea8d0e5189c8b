/** Reads and prints values of unknown shape. Only own members are read. */

/** Reads an own member of a value; `undefined` if there is none. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/**
 * Returns a plain object unchanged and `null` for any other value. A `Date`, or a promise without `await`, has no keys,
 * so it would otherwise pass as an empty object.
 */
export function asPlainObject<T>(value: T): T | null {
  return Object.prototype.toString.call(value) === '[object Object]' ? value : null;
}

/** Follows a dotted path with bracketed indexes, like `transactions[0].amount.total`. */
export function memberAt(value: unknown, path: string): unknown {
  return memberAlong(value, stepsOf(path));
}

/** Splits such a path into its steps, for a path that is followed often. */
export function stepsOf(path: string): readonly string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}

/** Follows the steps of a path. */
export function memberAlong(value: unknown, steps: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of steps) at = memberOf(at, step);
  return at;
}

/**
 * The text of a value that may be anything. An object can have a `toString` that is no function, so it is written as
 * JSON.
 */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Formats a value for a message. The text is short, and no code of the value runs. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 64));
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Whether a value is an AbortSignal. It checks the form, because a test with a `window` has a class of its own. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'aborted') === 'boolean' &&
    typeof Reflect.get(value, 'addEventListener') === 'function' &&
    typeof Reflect.get(value, 'removeEventListener') === 'function'
  );
}

/** Whether a value is a URL, of any realm. */
export function isUrl(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === '[object URL]';
}
