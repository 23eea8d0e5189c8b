/** Finds keys that a map of a document repeats. */
import type { Document, Pair, YAMLMap } from 'yaml';
import { yaml } from './yaml-parser.ts';

/** A key that stands twice in one map, by the offsets of both in the text. */
export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
  readonly firstOffset: number;
}

/**
 * Finds every repeated key with a set for each map. The parser's own check compares each key with all keys before it, so
 * 32,000 keys would stop the process for a minute.
 *
 * @param onVisit Called once for each pair and item, so that a test can count the work.
 */
export function findDuplicateKeys(
  document: Document,
  onVisit: () => void = () => undefined,
): DuplicateKey[] {
  const { isMap, isPair, isSeq } = yaml();
  const found: DuplicateKey[] = [];
  const open: unknown[] = [document.contents];
  // A list of open nodes instead of recursion: a text may nest deeply.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isMap(node)) addDuplicates(document, node, found);
    if (isMap(node) || isSeq(node)) {
      for (const item of node.items) {
        onVisit();
        if (isPair(item)) open.push(item.key ?? undefined, item.value ?? undefined);
        else open.push(item);
      }
    }
    while (open.length > 0 && open.at(-1) === undefined) open.pop();
  }
  return found;
}

function addDuplicates(document: Document, map: YAMLMap, found: DuplicateKey[]): void {
  const firstOffsets = new Map<string, number>();
  for (const { key } of map.items) {
    const name = keyName(document, key);
    // A merge key may stand several times: each merges another map.
    if (name === undefined || name === mergeKey) continue;
    const offset = startOf(key) ?? 0;
    const firstOffset = firstOffsets.get(name);
    if (firstOffset === undefined) firstOffsets.set(name, offset);
    else found.push({ key: name, offset, firstOffset });
  }
}

/** The key that merges another map. */
export const mergeKey = '<<';

/** The name of a key in the value; `undefined` for a list or map as key. */
export function keyName(document: Document, key: Pair['key']): string | undefined {
  const { isAlias, isScalar } = yaml();
  const node = isAlias(key) ? key.resolve(document) : key;
  if (!isScalar(node)) return undefined;
  const { value } = node;
  // The parser represents a merge key by a symbol.
  if (typeof value === 'symbol') return value.description ?? '';
  return value === null ? '' : String(value);
}

/** The offset at which a node starts. */
export function startOf(node: unknown): number | undefined {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)
    ? node.range?.[0]
    : undefined;
}
