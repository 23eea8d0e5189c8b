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

/** Returns every leaf of a parsed body, in the order of its text. */
export function leavesOf(value: unknown): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  collectLeaves(leaves, value, '', '', 0);
  return leaves;
}

function collectLeaves(
  leaves: JsonLeaf[],
  value: unknown,
  path: string,
  key: string,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null) {
    leaves.push({ path, key, value });
  } else if (depth < maxDepth) {
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      if (isList) collectLeaves(leaves, member, `${path}[${name}]`, key, depth + 1);
      else collectLeaves(leaves, member, path === '' ? name : `${path}.${name}`, name, depth + 1);
    }
  }
}
