/** Reads the text of a document and locates its parts. */
import type { Document, LineCounter, YAMLError, YAMLMap } from 'yaml';
import { fieldPath } from '../contract/shape.ts';
import { maxLines, type DocumentErrorClass } from './document-error.ts';
import {
  findDuplicateKeys,
  keyName,
  mergeKey,
  startOf,
  type DuplicateKey,
} from './duplicate-keys.ts';
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
  const document = parse(name, text, lineCounter, ErrorClass);
  // The parser only warns about an unknown tag. In a document it is a mistake, so it is reported.
  const faults = [
    ...[...document.errors, ...document.warnings].map((fault) => ({
      offset: fault.pos[0],
      text: () => describeYamlError(fault),
    })),
    ...findDuplicateKeys(document).map((duplicate) => ({
      offset: duplicate.offset,
      text: () => describeDuplicate(duplicate, lineCounter),
    })),
  ].toSorted((one, other) => one.offset - other.offset);
  const tooDeep = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (tooDeep !== undefined) {
    throw new ErrorClass([`${place(tooDeep.pos[0])}: ${nestedTooDeeply}`]);
  }
  if (faults.length > 0) {
    throw new ErrorClass(
      faults.map((fault, index) =>
        index < maxLines ? `${place(fault.offset)}: ${fault.text()}` : '',
      ),
    );
  }
  const located = new LocatedParts(document);
  return {
    value: toValue(name, document, ErrorClass),
    at: (path) => place(located.offsetOf(path)),
  };
}

/** What is wrong with a document whose lists and maps nest too deeply. */
export const nestedTooDeeply =
  'lists and objects are nested too deeply here. Write them with fewer levels.';

function describeYamlError({ code, message }: YAMLError): string {
  return code === 'MULTIPLE_DOCS'
    ? 'a second document begins here, but a file must contain one. Put each in its own file.'
    : message;
}

/** A longer key would make the message unreadable. */
const longestKey = 80;

function describeDuplicate({ key, firstOffset }: DuplicateKey, lines: LineCounter): string {
  const shown = key.length > longestKey ? `${key.slice(0, longestKey)}…` : key;
  return `the key "${shown}" is already used in line ${lines.linePos(firstOffset).line}. Each key must be unique.`;
}

/**
 * Throws if a JSON text repeats a key. `JSON.parse` keeps the last one and says nothing.
 *
 * @param name The name of the text in messages.
 */
export function refuseDuplicateKeys(
  name: string,
  text: string,
  ErrorClass: DocumentErrorClass,
): void {
  if (parseJson(text) === undefined) parseWithLocations(name, text, ErrorClass);
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
): Document {
  return readOrRefuse(name, ErrorClass, () =>
    yaml().parseDocument(text, {
      lineCounter,
      merge: true,
      // Pretty errors would quote the line, and with it a possible card number.
      prettyErrors: false,
      // A warning of the parser would be printed by Node, with the text of the document.
      logLevel: 'error',
      // `findDuplicateKeys` does this in linear time.
      uniqueKeys: false,
    }),
  );
}

function toValue(name: string, document: Document, ErrorClass: DocumentErrorClass): unknown {
  return readOrRefuse(name, ErrorClass, (): unknown => document.toJS());
}

function readOrRefuse<T>(name: string, ErrorClass: DocumentErrorClass, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ErrorClass([`${name}: ${describeParserFailure(error)}`]);
  }
}

function describeParserFailure(error: unknown): string {
  // The parser works recursively, and the stack has an end.
  if (error instanceof RangeError) return nestedTooDeeply;
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('Excessive alias count')
    ? 'aliases (*) repeat too much of the document. Write the values out, or use fewer aliases.'
    : `this cannot be read: ${message}`;
}

/** Finds the places of the parts of a document. */
class LocatedParts {
  readonly #document: Document;
  /** The pairs of each map by name, so that finding thousands of keys takes linear time. */
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, YAMLMap['items'][number]>>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Where the last step of a path starts, or its deepest existing part. */
  offsetOf(path: Path): number {
    const { isAlias, isMap, isSeq } = yaml();
    let node: unknown = this.#document.contents;
    let offset = startOf(node) ?? 0;
    for (const step of path) {
      if (isAlias(node)) node = node.resolve(this.#document);
      if (isMap(node)) {
        const pair = this.#pairOf(node, String(step));
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

  /** The pair of a key, which may come from another map by a merge key (`<<`). */
  #pairOf(map: YAMLMap, wanted: string): YAMLMap['items'][number] | undefined {
    const { isAlias, isMap, isSeq } = yaml();
    // A set, because a map that merges itself appears again.
    const sources = new Set([map]);
    for (const source of sources) {
      const pairs = this.#pairsOf(source);
      const pair = pairs.get(wanted);
      if (pair !== undefined) return pair;
      const merged = pairs.get(mergeKey)?.value;
      for (const one of isSeq(merged) ? merged.items : [merged]) {
        const from = isAlias(one) ? one.resolve(this.#document) : one;
        if (isMap(from)) sources.add(from);
      }
    }
    return undefined;
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, YAMLMap['items'][number]> {
    let pairs = this.#pairs.get(map);
    if (pairs === undefined) {
      const named = map.items.flatMap((pair) => {
        const name = keyName(this.#document, pair.key);
        return name === undefined ? [] : [[name, pair] as const];
      });
      pairs = new Map(named);
      this.#pairs.set(map, pairs);
    }
    return pairs;
  }
}
