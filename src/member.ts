/** Steps into values of unknown shape, through own members only: what came from outside may be anything. */

/** The own member of this name; `undefined` where there is none. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

/** Follows a dotted path with bracketed indexes, like `transactions[0].amount.total`. */
export function memberAt(value: unknown, path: string): unknown {
  let at = value;
  for (const step of path.split(/[.[\]]+/)) if (step !== '') at = memberOf(at, step);
  return at;
}
