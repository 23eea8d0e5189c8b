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
  collectLeaves(leaves, value, [], () => true);
  return leaves;
}

/** Returns the leaves that hold a text in their value or in a name of their path. */
export function leavesWith(text: string, value: unknown): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  const holds = (part: unknown) => typeof part === 'string' && part.includes(text);
  collectLeaves(leaves, value, [], (leaf, steps) => holds(leaf) || steps.some(holds));
  return leaves;
}

/** Returns the places at which two bodies have different leaves. */
export function differingPaths(one: unknown, other: unknown): string[] {
  const values = valuesByPath(one);
  const others = valuesByPath(other);
  const paths = new Set([...values.keys(), ...others.keys()]);
  return [...paths].filter((path) => values.get(path) !== others.get(path));
}

function valuesByPath(body: unknown): ReadonlyMap<string, unknown> {
  return new Map(leavesOf(body).map(({ path, value }) => [path, value]));
}

/** The names and indexes that lead to a value. */
type Steps = readonly (string | number)[];

function collectLeaves(
  leaves: JsonLeaf[],
  value: unknown,
  steps: (string | number)[],
  isWanted: (value: unknown, steps: Steps) => boolean,
): void {
  if (typeof value !== 'object' || value === null) {
    if (isWanted(value, steps)) leaves.push({ path: pathOf(steps), key: keyOf(steps), value });
  } else if (steps.length < maxDepth) {
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      steps.push(isList ? Number(name) : name);
      collectLeaves(leaves, member, steps, isWanted);
      steps.pop();
    }
  }
}

function pathOf(steps: Steps): string {
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else path = path === '' ? step : `${path}.${step}`;
  }
  return path;
}

function keyOf(steps: Steps): string {
  const name = steps.findLast((step) => typeof step === 'string');
  return typeof name === 'string' ? name : '';
}
