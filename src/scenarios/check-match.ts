/** Holds the conditions of a rule against what can be known of its operations' requests. */
import { z } from '@hono/zod-openapi';
import { operations, type OperationName } from '../contract/operations.ts';
import { memberOf, type Path } from '../fixtures/source.ts';
import { didYouMean } from '../nearest.ts';
import { outcomeById } from '../outcomes/catalogue.ts';
import { derivedValues } from '../outcomes/match.ts';
import { readSpanMs } from '../outcomes/span.ts';
import { operationsOf } from './operation-words.ts';
import { entriesOf, outcomesNamed, textsOf, type Report } from './written.ts';

const spanValues: readonly string[] = ['$cardAge', '$deletedAge'];
const bounds: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

/** Reports whatever is wrong with the conditions of a rule. */
export function checkMatch(rule: unknown, path: Path, report: Report): void {
  const words = textsOf(rule, 'op', path).map(({ text }) => text);
  const names = words.flatMap(operationsOf);
  for (const [key, condition] of entriesOf(memberOf(rule, 'match'))) {
    const at = [...path, 'match', key];
    const fault = keyFault(key, names, words.join(', ')) ?? unreadFault(key, rule, path);
    if (fault !== undefined) report(at, fault);
    checkCondition(key, condition, at, report);
  }
}

function keyFault(key: string, names: readonly OperationName[], words: string): string | undefined {
  if (names.length === 0) return undefined;
  if (key.startsWith('$')) {
    return derivedValues.some((value) => value === key)
      ? undefined
      : `no value is called "${key}". Known: ${derivedValues.join(', ')}.${didYouMean(key, derivedValues)}`;
  }
  if (key.startsWith('header:')) {
    return key.length > 'header:'.length
      ? undefined
      : 'names no header. Write it as header:<name>, like header:paypal-request-id.';
  }
  if (key.startsWith('path:')) return pathFault(key.slice('path:'.length), names, words);
  return bodyFault(key, names, words);
}

function pathFault(
  name: string,
  names: readonly OperationName[],
  words: string,
): string | undefined {
  const known = [...new Set(names.flatMap(pathParameters))];
  if (known.includes(name)) return undefined;
  const has = known.length === 0 ? 'has none' : `has: ${known.join(', ')}`;
  return `the path of ${words} holds no "${name}"; it ${has}.${didYouMean(name, known)}`;
}

function pathParameters(name: OperationName): string[] {
  return [...operations[name].path.matchAll(/\{(\w+)\}/g)].flatMap(([, word]) => word ?? []);
}

function bodyFault(
  key: string,
  names: readonly OperationName[],
  words: string,
): string | undefined {
  const bodies = names.flatMap((name) => bodySchema(name) ?? []);
  if (bodies.length === 0) {
    return `${words} has no body. Match by header:<name>, path:<name>, or ${derivedValues.join(', ')}.`;
  }
  const found = bodies.map((body) => follow(body, body, stepsOf(key)));
  if (found.includes(undefined)) return undefined;
  const missed = found.toSorted((one, other) => (other?.depth ?? 0) - (one?.depth ?? 0))[0];
  if (missed === undefined) return undefined;
  const known = missed.known.length === 0 ? 'nothing more' : missed.known.join(', ');
  return `the body of ${words} has no "${missed.step}" there; it has: ${known}.${didYouMean(missed.step, missed.known)}`;
}

/** What happens before a request is read cannot depend on what stands in it. */
function unreadFault(key: string, rule: unknown, path: Path): string | undefined {
  if (/^(?:\$|header:|path:)/.test(key)) return undefined;
  const early = outcomesNamed(rule, path)
    .map(({ id }) => outcomeById(id))
    .find((outcome) => outcome?.phase === 'before-read');
  return early === undefined
    ? undefined
    : `"${early.id}" happens before the body is read, so the body cannot choose it. Match by a header, or leave it out.`;
}

function checkCondition(key: string, condition: unknown, at: Path, report: Report): void {
  const pattern = memberOf(condition, 'matches');
  if (typeof pattern === 'string' && !isPattern(pattern)) {
    report([...at, 'matches'], 'This is no regular expression.');
  }
  for (const bound of bounds) {
    const value = memberOf(condition, bound);
    const isSpan = spanValues.includes(key);
    if (typeof value === 'string' && !(isSpan ? isSpanOfTime(value) : isNumberOrSpan(value))) {
      const form = isSpan ? 'a span of time, like 1500ms or P1D' : 'a number, or a span of time';
      report([...at, bound], `must be ${form}.`);
    }
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function isSpanOfTime(text: string): boolean {
  return readSpanMs(text) !== undefined;
}

function isNumberOrSpan(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) || isSpanOfTime(text);
}

type Schema = z.core.JSONSchema.BaseSchema;

interface Missed {
  readonly step: string;
  readonly known: readonly string[];
  readonly depth: number;
}

/** Follows a path through a schema; `undefined` when all of it is there. */
function follow(
  root: Schema,
  schema: Schema,
  steps: readonly string[],
  depth = 0,
): Missed | undefined {
  const [step, ...rest] = steps;
  const forms = formsOf(root, schema);
  if (step === undefined || forms.some((form) => Object.keys(form).length === 0)) return undefined;
  const members = forms.flatMap((form) => memberSchemas(form, step));
  if (members.length === 0) {
    return { step, known: forms.flatMap((form) => Object.keys(form.properties ?? {})), depth };
  }
  const missed = members.map((member) => follow(root, member, rest, depth + 1));
  return missed.includes(undefined) ? undefined : missed[0];
}

function memberSchemas(form: Schema, step: string): Schema[] {
  const member: unknown = /^\d+$/.test(step) ? form.items : form.properties?.[step];
  return isSchema(member) ? [member] : [];
}

function formsOf(root: Schema, schema: Schema): Schema[] {
  const name = schema.$ref?.replace('#/definitions/', '');
  const named = name === undefined ? undefined : memberOf(root['definitions'], name);
  if (isSchema(named)) return formsOf(root, named);
  const forms = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []);
  return forms.length === 0
    ? [schema]
    : forms.filter(isSchema).flatMap((form) => formsOf(root, form));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stepsOf(key: string): string[] {
  return key.split(/[.[\]]+/).filter((step) => step !== '');
}

const bodySchemas = new Map<OperationName, Schema | undefined>();

/** The body of an operation as JSON Schema; made once, since it never changes. */
function bodySchema(name: OperationName): Schema | undefined {
  if (!bodySchemas.has(name)) bodySchemas.set(name, readBodySchema(name));
  return bodySchemas.get(name);
}

function readBodySchema(name: OperationName): Schema | undefined {
  const { request } = operations[name];
  if (!('body' in request)) return undefined;
  const [content] = Object.values(request.body.content);
  return content === undefined
    ? undefined
    : z.toJSONSchema(content.schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
}
