/** Visits every value of a JSON body of unknown shape. */

/** A text, number, boolean or null of a body, with its place. */
export interface JsonLeaf {
  /** The place as the service writes it, such as `transactions[0].amount.total`. */
  readonly path: string;
  /** The last name in the path. An item of an array has the name of the array. */
  readonly key: string;
  readonly value: unknown;
}

/** The service refuses deeper bodies. Here they must not exhaust the stack. */
const maxDepth = 32;

/** Yields every leaf of a parsed body, in the order of its text. */
export function* leavesOf(value: unknown, path = '', key = '', depth = 0): Generator<JsonLeaf> {
  if (typeof value !== 'object' || value === null) {
    yield { path, key, value };
  } else if (depth < maxDepth) {
    for (const [name, member] of Object.entries(value)) {
      yield* Array.isArray(value)
        ? leavesOf(member, `${path}[${name}]`, key, depth + 1)
        : leavesOf(member, path === '' ? name : `${path}.${name}`, name, depth + 1);
    }
  }
}
