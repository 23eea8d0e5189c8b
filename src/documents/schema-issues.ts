/** Turns schema issues into sentences: what is wrong, what is allowed, what was probably meant. */
import type { z } from '@hono/zod-openapi';
import { didYouMean, unknownKey } from '../shared/did-you-mean.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { maxLines } from './document-error.ts';
import type { Path, Source } from './source.ts';

export type Schema = z.core.JSONSchema.BaseSchema;

const typeWords: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of keys and values',
  record: 'an object of keys and values',
};

/**
 * One line for each issue; lines that no message shows are empty. Descriptions and known keys come from `schema`.
 */
export function explainIssues(
  source: Source,
  issues: readonly z.core.$ZodIssue[],
  schema: Schema,
): string[] {
  const lines: string[] = [];
  const add = (path: Path, text: () => string): void => {
    lines.push(lines.length < maxLines ? `${source.at(path)}: ${text()}` : '');
  };
  for (const issue of issues.flatMap((one) => expandUnion(one, source.value))) {
    const about = () => schemaAt(schema, source.value, issue.path);
    if (issue.code === 'unrecognized_keys') {
      const known = lines.length < maxLines ? keysOf(about()) : [];
      for (const key of issue.keys) add([...issue.path, key], () => unknownKey(key, known));
    } else {
      add(issue.path, () => describe(issue, valueAt(source.value, issue.path), about()));
    }
  }
  return lines;
}

function describe(issue: z.core.$ZodIssue, value: unknown, about: Schema | undefined): string {
  const allowed = allowedValues(issue);
  if (allowed.length > 0) return notAllowed(value, allowed);
  const hint = about?.description === undefined ? '' : ` ${about.description}`;
  return `${describeIssue(issue, value)}${hint}`;
}

function notAllowed(value: unknown, values: readonly unknown[]): string {
  const words = values.map(String);
  const allowed = words.length === 1 ? JSON.stringify(values[0]) : `one of ${words.join(', ')}`;
  if (value === undefined) return `this key is missing. It must be ${allowed}.`;
  if (typeof value !== 'string') return `must be ${allowed}.`;
  // A number or boolean may have been written as text: "1" for 1.
  if (words.includes(value)) return `must be ${allowed}, without quotes.`;
  return `must be ${allowed}.${didYouMean(value, words)}`;
}

type UnionOption = readonly z.core.$ZodIssue[];

/**
 * Replaces a union issue by the issues of the option that the value nearly matched, which say more.
 */
function expandUnion(issue: z.core.$ZodIssue, document: unknown): z.core.$ZodIssue[] {
  const form = nearestOption(issue, typeof valueAt(document, issue.path) === 'string');
  if (form === undefined) return [issue];
  return form.flatMap((one) =>
    expandUnion({ ...one, path: [...issue.path, ...one.path] }, document),
  );
}

/** The union option that the value was probably meant to match; `undefined` if there is none. */
function nearestOption(issue: z.core.$ZodIssue, isText: boolean): UnionOption | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const [nearest] = issue.errors
    .filter((form) => form.every((one) => isWithin(one, isText)))
    .toSorted(
      (one, other) =>
        unknownKeysOf(one).length - unknownKeysOf(other).length ||
        countMisspelledKeys(other) - countMisspelledKeys(one) ||
        one.length - other.length,
    );
  return nearest;
}

/** Whether the value has this option's type, so that only a part of it is wrong. */
function isWithin(issue: z.core.$ZodIssue, isText: boolean): boolean {
  return (
    issue.path.length > 0 ||
    issue.code === 'unrecognized_keys' ||
    (isText && issue.code === 'invalid_value') ||
    nearestOption(issue, isText) !== undefined
  );
}

function unknownKeysOf(form: UnionOption): string[] {
  return form.flatMap((one) =>
    one.code === 'unrecognized_keys' && one.path.length === 0 ? one.keys : [],
  );
}

/** How many unknown keys look like a missing key of this option. */
function countMisspelledKeys(form: UnionOption): number {
  const lacking = form.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []));
  return unknownKeysOf(form).filter((key) => didYouMean(key, lacking) !== '').length;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'this key is missing.';
  // A schema that says what must stand there knows more than its type.
  if (issue.message.startsWith('must ')) return `${issue.message}.`;
  if (issue.code === 'invalid_type') {
    return `must be ${typeWords[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === 'invalid_union') return 'this value matches none of the allowed forms.';
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}

function allowedValues(issue: z.core.$ZodIssue): readonly unknown[] {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code === 'invalid_union' && 'options' in issue) return issue.options ?? [];
  return [];
}

/** The part of the schema that describes a path. */
function schemaAt(root: Schema, value: unknown, path: Path): Schema | undefined {
  let schema: Schema | undefined = resolveSchema(root, root, value);
  for (const [depth, step] of path.entries()) {
    const next: unknown =
      typeof step === 'number'
        ? schema.items
        : (schema.properties?.[String(step)] ?? schema.additionalProperties);
    if (!isSchema(next)) return undefined;
    const isLast = depth === path.length - 1;
    schema = resolveSchema(root, next, valueAt(value, path.slice(0, depth + 1)), isLast);
  }
  return schema;
}

/** Follows references, and picks the union option that the value was probably meant to match. */
function resolveSchema(root: Schema, schema: Schema, value: unknown, isLast = true): Schema {
  const name = schema.$ref?.replace('#/definitions/', '');
  const named = name === undefined ? schema.allOf?.[0] : memberOf(root['definitions'], name);
  if (isSchema(named)) return resolveSchema(root, named, value, isLast);
  const forms = (schema.oneOf ?? schema.anyOf ?? []).filter(isSchema);
  const fitting = forms
    .map((form) => resolveSchema(root, form, value))
    .filter((form) => isOfType(form, value) && matchesConstants(form, value))
    .toSorted((one, other) => countSimilarKeys(other, value) - countSimilarKeys(one, value));
  // A union's own description covers the value as a whole; its options describe what is inside.
  return isLast && schema.description !== undefined && fitting[0]?.properties === undefined
    ? schema
    : (fitting[0] ?? schema);
}

function isOfType({ type }: Schema, value: unknown): boolean {
  if (Array.isArray(value)) return type === 'array';
  return isSchema(value) ? type === 'object' : type !== 'array' && type !== 'object';
}

function matchesConstants(schema: Schema, value: unknown): boolean {
  return Object.entries(schema.properties ?? {}).every(
    ([key, member]) =>
      !isSchema(member) || member.const === undefined || member.const === memberOf(value, key),
  );
}

/** The keys that an object may have, from its properties or from an enum of property names. */
function keysOf(schema: Schema | undefined): string[] {
  const { properties = {}, propertyNames } = schema ?? {};
  const names = isSchema(propertyNames) ? (propertyNames.enum ?? []) : [];
  return [...Object.keys(properties), ...names.map(String)];
}

/** How many keys of a value belong to a schema. A misspelled key counts less than a correct one. */
function countSimilarKeys(schema: Schema, value: unknown): number {
  const known = Object.keys(schema.properties ?? {});
  const keys = isSchema(value) ? Object.keys(value) : [];
  const near = keys.filter((key) => didYouMean(key, known) !== '').length;
  return near + keys.filter((key) => known.includes(key)).length;
}

/** Whether a part of a JSON Schema describes a value. Some parts are `true` or a list. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce(memberOf, value);
}
