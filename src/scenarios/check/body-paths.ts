/** Checks paths into request bodies against the contract. */
import { z } from '@hono/zod-openapi';
import type { OperationName } from '../../contract/service/operation-name.ts';
import { operations } from '../../contract/service/operations.ts';
import { isSchema, type Schema } from '../../documents/schema-issues.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/** The first step of a path that a body does not have, its depth, and the fields that exist there. */
export interface MissingMember {
  readonly step: string;
  readonly known: readonly string[];
  /** Whether the value there is a list, so that only an index can follow. */
  readonly isList: boolean;
  readonly depth: number;
}

/** Follows a path such as `transactions[0].amount.total` into the body of an operation. */
export function followBodyPath(
  name: OperationName,
  path: string,
): 'found' | 'no body' | MissingMember {
  const body = bodySchema(name);
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
  return body === undefined ? 'no body' : (follow(body, body, steps, 0) ?? 'found');
}

/** How deep to look. A test matches no field that lies deeper. */
const deepest = 5;

/** Finds the shortest path to a field with this name that lies deeper in the body of an operation. */
export function findBodyPath(name: OperationName, field: string): string | undefined {
  const body = bodySchema(name);
  if (body === undefined) return undefined;
  let level: readonly Place[] = [{ path: '', schema: body }];
  for (let depth = 0; depth < deepest; depth++) {
    level = level.flatMap((place) => placesIn(body, place));
    const found = level.find(({ path }) => path.endsWith(`.${field}`));
    if (found !== undefined) return found.path;
  }
  return undefined;
}

interface Place {
  readonly path: string;
  readonly schema: Schema;
}

/** The fields of an object, and those of the objects in a list. */
function placesIn(root: Schema, { path, schema }: Place): Place[] {
  return formsOf(root, schema).flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([key, member]): Place[] =>
      isSchema(member) ? [{ path: path === '' ? key : `${path}.${key}`, schema: member }] : [],
    ),
    ...(isSchema(items) ? placesIn(root, { path: `${path}[0]`, schema: items }) : []),
  ]);
}

/** Follows a path through a schema and returns the first missing step. */
function follow(
  root: Schema,
  schema: Schema,
  steps: readonly string[],
  depth: number,
): MissingMember | undefined {
  const [step, ...rest] = steps;
  const forms = formsOf(root, schema);
  if (step === undefined || forms.some((form) => Object.keys(form).length === 0)) return undefined;
  const members = forms.flatMap((form) => memberSchemas(form, step));
  if (members.length === 0) {
    const known = forms.flatMap((form) => Object.keys(form.properties ?? {}));
    return { step, known, isList: forms.some(({ items }) => items !== undefined), depth };
  }
  const missed = members.map((member) => follow(root, member, rest, depth + 1));
  return missed.includes(undefined) ? undefined : missed[0];
}

function memberSchemas(form: Schema, step: string): Schema[] {
  const member: unknown = /^\d+$/.test(step) ? form.items : memberOf(form.properties, step);
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

const bodySchemas = new Map<OperationName, Schema | undefined>();

/** Returns the body of an operation as JSON Schema. It is converted once, because it never changes. */
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
