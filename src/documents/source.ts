/** Reads the text of a document and locates its parts. */
import type { Document, LineCounter, YAMLError, YAMLMap } from 'yaml';
import { fieldPath } from '../contract/shape.ts';
import type { DocumentErrorClass } from './document-error.ts';
import { yaml } from './yaml-parser.ts';

/** Keys and indexes from the top of a document downwards. */
export type Path = readonly PropertyKey[];

/** The value of a document, and where its parts are. */
export interface Source {
  readonly value: unknown;
  /** Where a path is: file, line, column and path, as far as they exist. */
  at(path: Path): string;
}

/** A document given in code; messages call it `name`. */
export function inMemorySource(name: string, document: unknown): Source {
  return { value: document, at: (path) => [name, fieldPath(path)].join(' ').trimEnd() };
}

/** A document whose value is already known. Its text is read only to locate a part. */
export function lazySource(value: unknown, read: () => Source): Source {
  let text: Source | undefined;
  return { value, at: (path) => (text ??= read()).at(path) };
}

/**
 * A longer JSON text is read by the faster parser. The slower one, which knows places, then runs
 * only to locate a part.
 */
const longJson = 262_144;

/** Reads YAML or JSON and throws all syntax errors at once. `name` is the file name in messages. */
export function readSource(name: string, text: string, ErrorClass: DocumentErrorClass): Source {
  const quick = name.endsWith('.json') && text.length > longJson ? parseJson(text) : undefined;
  let located: LocatedValue | undefined;
  const place = (): LocatedValue => (located ??= parseWithLocations(name, text, ErrorClass));
  return {
    // A file with only comments is an empty document.
    value: quick ?? place().value ?? {},
    at: (path) => [place().at(path), fieldPath(path)].join(' ').trimEnd(),
  };
}

/** A value with the places of its parts, as `file:line:column`. */
interface LocatedValue {
  readonly value: unknown;
  at(path: Path): string;
}

function parseWithLocations(
  name: string,
  text: string,
  ErrorClass: DocumentErrorClass,
): LocatedValue {
  const lineCounter = new (yaml().LineCounter)();
  const place = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const { document, value } = parse(name, text, lineCounter, ErrorClass);
  // The parser only warns about an unknown tag. In a document it is a mistake, so it is reported.
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    throw new ErrorClass(
      faults.map((fault) => `${place(fault.pos[0])}: ${describeYamlError(fault)}`),
    );
  }
  return { value, at: (path) => place(offsetOf(document, path)) };
}

function describeYamlError({ code, message }: YAMLError): string {
  return code === 'MULTIPLE_DOCS'
    ? 'a second document begins here, but a file must contain one. Put each in its own file.'
    : message;
}

/**
 * `undefined` if the text is invalid JSON or repeats a key. The slower parser then reports what is
 * wrong and where.
 */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return countKeys(value) === countWrittenKeys(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the keys of all objects in a value. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((sum, member) => sum + countKeys(member), own);
}

const jsonText = /"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g;

/** Counts the keys written in a JSON text: strings followed by a colon. */
function countWrittenKeys(text: string): number {
  let keys = 0;
  for (const [, colon] of text.matchAll(jsonText)) if (colon === ':') keys++;
  return keys;
}

function parse(
  name: string,
  text: string,
  lineCounter: LineCounter,
  ErrorClass: DocumentErrorClass,
) {
  try {
    // Pretty errors would quote the line, and with it a possible card number.
    const document = yaml().parseDocument(text, { lineCounter, merge: true, prettyErrors: false });
    const value: unknown = document.errors.length > 0 ? undefined : document.toJS();
    return { document, value };
  } catch (error) {
    // For example, aliases that would expand beyond the memory.
    throw new ErrorClass([
      `${name}: this cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

/** Where the last step of a path starts, or its deepest existing part. */
function offsetOf(document: Document, path: Path): number {
  const { isAlias, isMap, isSeq } = yaml();
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = pairOf(document, node, String(step));
      if (pair === undefined) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    }
  }
  return offset;
}

/** The parser represents a merge key by a symbol. */
function keyName(value: unknown): string {
  return typeof value === 'symbol' ? (value.description ?? '') : String(value);
}

type Pair = YAMLMap['items'][number];

/** The pair of a key, which may come from another map by a merge key (`<<`). */
function pairOf(document: Document, map: YAMLMap, wanted: string): Pair | undefined {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  const find = ({ items }: YAMLMap, name: string) =>
    items.find(({ key }) => isScalar(key) && keyName(key.value) === name);
  // A set, because a map that merges itself appears again.
  const sources = new Set([map]);
  for (const source of sources) {
    const pair = find(source, wanted);
    if (pair !== undefined) return pair;
    const merged = find(source, '<<')?.value;
    for (const one of isSeq(merged) ? merged.items : [merged]) {
      const from = isAlias(one) ? one.resolve(document) : one;
      if (isMap(from)) sources.add(from);
    }
  }
  return undefined;
}

function startOf(node: unknown): number | undefined {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)
    ? node.range?.[0]
    : undefined;
}
