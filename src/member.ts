/** Steps into a value of unknown shape, through own members only. */

/** The own member of this name, read without running code of the value's; `undefined` where there is none. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

/** The steps of a dotted path with bracketed indexes: `transactions[0].amount.total`. */
export function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== '');
}

/** What stands at a path. */
export function memberAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>(memberOf, value);
}
