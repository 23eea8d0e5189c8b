/** Text of a file that people write, read, with a way to say where in it something stands. */
import type { Document, LineCounter, YAMLError, YAMLMap } from 'yaml';
import { fieldPath } from '../contract/shape.ts';
import type { DocumentErrorClass } from './document-error.ts';
import { yaml } from './yaml-parser.ts';

/** Keys and indexes from the top of a document down. */
export type Path = readonly PropertyKey[];

/** A value that should be a document of some kind, and where it came from. */
export interface Source {
  readonly value: unknown;
  /** Where the thing at a path stands: file, line, column, path, as far as there are such. */
  at(path: Path): string;
}

/** A document given in code; `name` is what messages call it. */
export function inMemorySource(name: string, document: unknown): Source {
  return { value: document, at: (path) => [name, fieldPath(path)].join(' ').trimEnd() };
}

/** A document that is known already; its text is read only where something in it stands is asked for. */
export function lazySource(value: unknown, read: () => Source): Source {
  let text: Source | undefined;
  return { value, at: (path) => (text ??= read()).at(path) };
}

/** A JSON text longer than this is read by the faster parser, and by the one that knows places only when one is asked for. */
const longJson = 262_144;

/** Reads YAML or JSON; all of its syntax mistakes are thrown at once. `name` is the file as messages call it. */
export function readSource(name: string, text: string, ErrorClass: DocumentErrorClass): Source {
  const quick = name.endsWith('.json') && text.length > longJson ? parseJson(text) : undefined;
  let located: LocatedValue | undefined;
  const place = (): LocatedValue => (located ??= parseWithLocations(name, text, ErrorClass));
  return {
    // A file of comments alone says nothing, which is a document too.
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
  // A tag that nobody knows is only a warning to the parser; here it is a typo.
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
    ? 'another document begins here, and a file holds one. Write each into a file of its own.'
    : message;
}

/**
 * `undefined` for a text that is no JSON, or in which a key stands twice, of which this parser keeps the last: the
 * other one says what is wrong with it, and where.
 */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return countKeys(value) === countWrittenKeys(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many keys the objects of a value have. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>((sum, member) => sum + countKeys(member), own);
}

const jsonText = /"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g;

/** How many keys are written in a JSON text: the texts that a colon follows. */
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
    // Pretty errors would quote the line, and a card number with it.
    const document = yaml().parseDocument(text, { lineCounter, merge: true, prettyErrors: false });
    const value: unknown = document.errors.length > 0 ? undefined : document.toJS();
    return { document, value };
  } catch (error) {
    // Among others, aliases that would unfold into more than fits in memory.
    throw new ErrorClass([
      `${name}: this cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

/** Where the last step of a path begins, or the deepest part of it that is there. */
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

/** The parser knows a merge key by a symbol. */
function keyName(value: unknown): string {
  return typeof value === 'symbol' ? (value.description ?? '') : String(value);
}

type Pair = YAMLMap['items'][number];

/** The pair of a key, which may have come from elsewhere by a merge key (`<<`). */
function pairOf(document: Document, map: YAMLMap, wanted: string): Pair | undefined {
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  const find = ({ items }: YAMLMap, name: string) =>
    items.find(({ key }) => isScalar(key) && keyName(key.value) === name);
  // A map that merges itself comes up again.
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
