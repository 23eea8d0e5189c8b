/** Walks through a body of unknown shape, leaf by leaf. */

/** A text, number or truth value of a body, and where it stands. */
export interface JsonLeaf {
  /** As the service writes places: `transactions[0].amount.total`. */
  readonly path: string;
  /** The last name on the way: that of an array for what stands in it. */
  readonly key: string;
  readonly value: unknown;
}

/** As deep as the service reads. What a client sent deeper was refused, and must not exhaust the stack here. */
const maxDepth = 32;

/** Every leaf of a parsed body, in the order of its text. */
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
