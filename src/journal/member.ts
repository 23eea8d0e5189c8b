/** One step into a value of unknown shape. */

/** The own member of this name; `undefined` where there is none. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
