/** Turns what the schema found into sentences: what is wrong, what is allowed, what was probably expandUnion. */
import type { z } from '@hono/zod-openapi';
import { didYouMean, unknownKey } from '../shared/did-you-mean.ts';
import { memberOf } from '../shared/unknown-value.ts';
import type { Path, Source } from './source.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const typeWords: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of keys and values',
  record: 'an object of keys and values',
};

/** One line for each thing that is wrong; `schema` is what descriptions and known keys are taken from. */
export function explainIssues(
  source: Source,
  issues: readonly z.core.$ZodIssue[],
  schema: Schema,
): string[] {
  return issues
    .flatMap((issue) => expandUnion(issue, source.value))
    .flatMap((issue) => {
      const about = schemaAt(schema, source.value, issue.path);
      if (issue.code === 'unrecognized_keys') {
        const known = keysOf(about);
        return issue.keys.map(
          (key) => `${source.at([...issue.path, key])}: ${unknownKey(key, known)}`,
        );
      }
      const value = valueAt(source.value, issue.path);
      const allowed = allowedValues(issue);
      if (allowed.length > 0) {
        return [`${source.at(issue.path)}: ${notAllowed(value, allowed)}`];
      }
      const hint = about?.description === undefined ? '' : ` ${about.description}`;
      return [`${source.at(issue.path)}: ${describeIssue(issue, value)}${hint}`];
    });
}

function notAllowed(value: unknown, values: readonly unknown[]): string {
  const words = values.map(String);
  const allowed = words.length === 1 ? JSON.stringify(values[0]) : `one of ${words.join(', ')}`;
  if (value === undefined) return `this key is missing. It must be ${allowed}.`;
  if (typeof value !== 'string') return `must be ${allowed}.`;
  // What is no text may have been written as one: "1" for 1.
  if (words.includes(value)) return `must be ${allowed}, without quotes.`;
  return `must be ${allowed}.${didYouMean(value, words)}`;
}

type UnionOption = readonly z.core.$ZodIssue[];

/** Where one of several forms was nearly met, what that form lacks says more than that none was met. */
function expandUnion(issue: z.core.$ZodIssue, document: unknown): z.core.$ZodIssue[] {
  const form = nearestOption(issue, typeof valueAt(document, issue.path) === 'string');
  if (form === undefined) return [issue];
  return form.flatMap((one) =>
    expandUnion({ ...one, path: [...issue.path, ...one.path] }, document),
  );
}

/** The form that a value was meant to have; `undefined` where there are not several, or none is near. */
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

/** Whether the value is of this form's kind, so that only something about it is wrong. */
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

/** How many stray keys look like one that the form lacks. */
function countMisspelledKeys(form: UnionOption): number {
  const lacking = form.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []));
  return unknownKeysOf(form).filter((key) => didYouMean(key, lacking) !== '').length;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'this key is missing.';
  if (issue.code === 'invalid_type') {
    return `must be ${typeWords[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === 'invalid_union') return 'this is none of the forms that can be read here.';
  return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
}

function allowedValues(issue: z.core.$ZodIssue): readonly unknown[] {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code === 'invalid_union' && 'options' in issue) return issue.options ?? [];
  return [];
}

/** The part of the schema that speaks of a path. */
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

/** Follows a reference, and of several forms picks the one that the value was meant to have. */
function resolveSchema(root: Schema, schema: Schema, value: unknown, isLast = true): Schema {
  const name = schema.$ref?.replace('#/definitions/', '');
  const named = name === undefined ? schema.allOf?.[0] : memberOf(root['definitions'], name);
  if (isSchema(named)) return resolveSchema(root, named, value, isLast);
  const forms = (schema.oneOf ?? schema.anyOf ?? []).filter(isSchema);
  const fitting = forms
    .map((form) => resolveSchema(root, form, value))
    .filter((form) => isOfType(form, value) && matchesConstants(form, value))
    .toSorted((one, other) => countSimilarKeys(other, value) - countSimilarKeys(one, value));
  // What is said about a value of any form is said beside the forms; what lies within it, by one of them.
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

/** The keys that an object may have: those it names, or those that any of its keys must be one of. */
function keysOf(schema: Schema | undefined): string[] {
  const { properties = {}, propertyNames } = schema ?? {};
  const names = isSchema(propertyNames) ? (propertyNames.enum ?? []) : [];
  return [...Object.keys(properties), ...names.map(String)];
}

/** How much the keys of a value are those of a form; a misspelt one counts less than a right one. */
function countSimilarKeys(schema: Schema, value: unknown): number {
  const known = Object.keys(schema.properties ?? {});
  const keys = isSchema(value) ? Object.keys(value) : [];
  const near = keys.filter((key) => didYouMean(key, known) !== '').length;
  return near + keys.filter((key) => known.includes(key)).length;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce(memberOf, value);
}
