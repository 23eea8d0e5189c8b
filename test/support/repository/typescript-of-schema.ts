/** Writes zod schemas as TypeScript interfaces with doc comments, for the public types. */
import { getOpenApiMetadata, getRefId } from '@asteasolutions/zod-to-openapi';
import type { z } from 'zod';

/** Whether a type describes what a caller writes, with defaults left out, or what the schema gives. */
export type Direction = 'input' | 'output';

/** One exported type. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly about: string;
  readonly direction: Direction;
  /** Whether objects that have all of its members name it instead of repeating them. */
  readonly isPart?: boolean;
}

/** Types that the file imports, each for the schemas that it stands for. */
export interface KnownType {
  readonly name: string;
  /** Words of an enumeration. One with more words names the type instead of repeating them. */
  readonly words?: readonly string[];
  readonly matches: (schema: z.ZodType) => boolean;
}

/** What the writer needs to know of a definition. Each kind of schema has some of these. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly parts?: readonly unknown[];
  readonly catchall?: z.ZodType;
}

type Shape = Readonly<Record<string, z.ZodType>>;

const definitionOf = (schema: z.ZodType): Definition => schema.def as Definition; // Each kind of schema has some of its members.

const wrappers = new Set([
  'optional',
  'default',
  'readonly',
  'nullable',
  'prefault',
  'nonoptional',
]);

/** Removes what only says whether a value may be missing. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { type, innerType } = definitionOf(schema);
  return innerType !== undefined && wrappers.has(type) && type !== 'nullable'
    ? unwrap(innerType)
    : schema;
}

/** The description of a schema, also where only what it wraps has one. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const own = schema.description ?? getOpenApiMetadata(schema).description;
  const { type, innerType } = definitionOf(schema);
  if (own !== undefined || innerType === undefined || !wrappers.has(type)) return own;
  return descriptionOf(innerType);
}

const defaultOf = (schema: z.ZodType): unknown => {
  const { type, innerType } = definitionOf(schema);
  if (type === 'default') return Reflect.get(schema.def, 'defaultValue');
  return innerType !== undefined && wrappers.has(type) ? defaultOf(innerType) : undefined;
};

const isIdentifier = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key);

/** Writes the types of one file. */
export class TypeWriter {
  readonly #named: readonly NamedSchema[];
  readonly #known: readonly KnownType[];

  constructor(named: readonly NamedSchema[], known: readonly KnownType[]) {
    this.#named = named;
    this.#known = known;
  }

  /** Every type of the file. */
  write(): string {
    return this.#named.map((named) => this.#declaration(named)).join('\n\n');
  }

  #declaration({ name, schema, about, direction }: NamedSchema): string {
    const { type, shape } = definitionOf(schema);
    const text =
      type === 'object' && shape !== undefined
        ? `export interface ${name} ${this.#interfaceBody(name, shape, direction)}`
        : `export type ${name} = ${this.#body(schema, direction)};`;
    return `${comment(about)}${text}`;
  }

  #interfaceBody(name: string, shape: Shape, direction: Direction): string {
    const { part, rest } = this.#split(shape, direction, name);
    return part === undefined ? block(rest) : `extends ${part} ${block(rest)}`;
  }

  #object(shape: Shape, direction: Direction): string {
    const { part, rest } = this.#split(shape, direction);
    if (part === undefined) return block(rest);
    return rest.length === 0 ? part : `(${part} & ${block(rest)})`;
  }

  /** Splits the members of an object into those of a named part and the others. */
  #split(
    shape: Shape,
    direction: Direction,
    self?: string,
  ): { readonly part: string | undefined; readonly rest: readonly string[] } {
    const members = this.#members(shape, direction);
    for (const one of this.#named) {
      const { shape: common } = definitionOf(one.schema);
      if (one.isPart !== true || one.name === self || one.direction !== direction) continue;
      if (common === undefined || !Object.keys(common).every((key) => key in shape)) continue;
      const own = this.#members(common, direction);
      if (!own.every((member) => members.includes(member))) continue;
      return { part: one.name, rest: members.filter((member) => !own.includes(member)) };
    }
    return { part: undefined, rest: members };
  }

  #members(shape: Shape, direction: Direction): readonly string[] {
    return Object.entries(shape).map(([key, schema]) => {
      const word = isIdentifier(key) ? key : `'${key}'`;
      const isOptional = this.#isOptional(schema, direction);
      const text = this.type(schema, direction);
      const suffix = isOptional ? ' | undefined' : '';
      return `${comment(aboutMember(schema))}readonly ${word}${isOptional ? '?' : ''}: ${text}${suffix};`;
    });
  }

  #isOptional(schema: z.ZodType, direction: Direction): boolean {
    const { type, in: from, out } = definitionOf(schema);
    if (type === 'optional') return true;
    if (type === 'default') return direction === 'input';
    const next = direction === 'input' ? from : out;
    return type === 'pipe' && next !== undefined && this.#isOptional(next, direction);
  }

  /** The type of a value that is there. */
  type(given: z.ZodType, direction: Direction): string {
    const schema = unwrap(given);
    const known = this.#known.find(({ matches }) => matches(schema));
    if (known !== undefined) return known.name;
    const named = this.#named.find(
      (one) =>
        one.direction === direction &&
        (definitionOf(one.schema) === definitionOf(schema) || isSameReference(one.schema, schema)),
    );
    return named?.name ?? this.#body(schema, direction);
  }

  #body(schema: z.ZodType, direction: Direction): string {
    const of = (inner: z.ZodType | undefined): string =>
      inner === undefined ? 'unknown' : this.type(inner, direction);
    const definition = definitionOf(schema);
    const { type, shape, options = [], values = [], entries = {} } = definition;
    switch (type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return type;
      case 'literal':
        return values.map(literal).join(' | ');
      case 'enum':
        return this.#words(Object.values(entries));
      case 'template_literal':
        return `\`${(definition.parts ?? []).map((part) => (typeof part === 'string' ? part : '${string}')).join('')}\``;
      case 'array':
        return `readonly (${of(definition.element)})[]`;
      case 'record':
        return this.#record(definition, direction);
      case 'object':
        return shape === undefined ? 'object' : this.#object(shape, direction);
      case 'union':
        return [...new Set(options.map((one) => this.type(one, direction)))].join(' | ');
      case 'nullable':
        return `${of(definition.innerType)} | null`;
      case 'pipe':
        return of(direction === 'input' ? definition.in : definition.out);
      default:
        return 'unknown';
    }
  }

  #words(words: readonly string[]): string {
    const known = this.#known.find((one) => one.words?.every((word) => words.includes(word)));
    const rest = words.filter((word) => known?.words?.includes(word) !== true);
    return [...(known === undefined ? [] : [known.name]), ...rest.map(literal)].join(' | ');
  }

  #record({ keyType, valueType }: Definition, direction: Direction): string {
    const isEnum = keyType !== undefined && definitionOf(keyType).type === 'enum';
    const key = keyType === undefined ? 'string' : this.type(keyType, direction);
    const value = valueType === undefined ? 'unknown' : this.type(valueType, direction);
    return isEnum
      ? `{ readonly [key in ${key}]?: ${value} }`
      : `{ readonly [key: string]: ${value} }`;
  }
}

/** A copy with another description keeps its reference. */
function isSameReference(one: z.ZodType, other: z.ZodType): boolean {
  const [first, second] = [one, other].map((schema) => getRefId(schema) ?? schema.meta()?.id);
  return first !== undefined && first === second;
}

const block = (members: readonly string[]): string => `{\n${members.join('\n')}\n}`;

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

function aboutMember(schema: z.ZodType): string | undefined {
  const description = descriptionOf(schema)?.replace(/[.\s]+$/, '');
  const preset: unknown = defaultOf(schema);
  const isPlain = /^(?:string|number|boolean)$/.test(typeof preset);
  if (!isPlain) return description === undefined ? undefined : `${description}.`;
  const note = `Default ${typeof preset === 'string' ? `\`${preset}\`` : String(preset)}.`;
  return description === undefined ? note : `${description}. ${note}`;
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

/** Matches an enumeration of exactly these words. */
export const enumOf =
  (words: readonly string[]) =>
  (schema: z.ZodType): boolean => {
    const { type, entries = {} } = definitionOf(schema);
    const own = Object.values(entries);
    return (
      type === 'enum' && own.length === words.length && words.every((word) => own.includes(word))
    );
  };

/** Matches a schema by the id of its metadata. */
export const schemaWithId =
  (id: string) =>
  (schema: z.ZodType): boolean =>
    schema.meta()?.id === id;
