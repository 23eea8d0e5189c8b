/** Steps into a value of unknown shape, through own members only, and shows it. */

/** The own member of this name, read without running code of the value's; `undefined` where there is none. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/**
 * What is given as an object of keys and values; `null` where it is none, as a list, a `Date` or a promise that was not
 * waited for: it has no keys, and would be taken for an object that says nothing.
 */
export function keyed<T>(given: T): T | null {
  return Object.prototype.toString.call(given) === '[object Object]' ? given : null;
}

/** Follows a dotted path with bracketed indexes, like `transactions[0].amount.total`. */
export function memberAt(value: unknown, path: string): unknown {
  return memberAlong(value, stepsOf(path));
}

/** The members that such a path names: for one that is followed often. */
export function stepsOf(path: string): readonly string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}

/** Follows steps, one member after the other. */
export function memberAlong(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) at = memberOf(at, step);
  return at;
}

/** A value as messages show it: short, and never by code of its own. */
export function shown(given: unknown): string {
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 64));
  return typeof given === 'object' && given !== null ? 'an object' : String(given);
}

/** Whether it is an AbortSignal, by its form: where tests have a window, that has one of its own. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'aborted') === 'boolean' &&
    typeof Reflect.get(value, 'addEventListener') === 'function' &&
    typeof Reflect.get(value, 'removeEventListener') === 'function'
  );
}
