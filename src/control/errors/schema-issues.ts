/** Converts schema issues to an error that names the place, the allowed values and the nearest one. */
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { memberOf } from '../../shared/unknown-value.ts';
import { nearest } from '../../shared/did-you-mean.ts';
import { ControlRequestError } from './control-error.ts';
import { callOf } from '../routes/declared-call.ts';
import { guess, unknownWord, type Target } from './unknown-word.ts';

/** The result of the framework's validation of a query or a body. */
export interface ShapeResult {
  readonly target: string;
  readonly success: boolean;
  readonly error?: z.ZodError;
}

/** Makes the error for an invalid query or body. */
export async function shapeError(
  target: string,
  { issues }: z.ZodError,
  c: Context,
): Promise<ControlRequestError> {
  const { parameters, keys } = callOf(c);
  return target === 'query'
    ? explain('query', issues, c.req.query(), parameters)
    : explain('body', issues, await c.req.json(), keys);
}

/** Explains the first issue of `sent`. `known` lists the keys that are allowed at its top level. */
function explain(
  target: Target,
  issues: readonly z.core.$ZodIssue[],
  sent: unknown,
  known: readonly string[],
): ControlRequestError {
  const [issue] = issues;
  if (issue === undefined) throw new Error('A schema refused without an issue.');
  if (issue.code === 'unrecognized_keys') return unknownWord(target, issue.keys[0] ?? '', known);
  const name = issue.path.map(String).join('.');
  const place = name === '' ? target : `${target}.${name}`;
  const allowed = issue.code === 'invalid_value' ? issue.values.map(String) : undefined;
  const value = memberOf(sent, name);
  const near = typeof value === 'string' ? nearestTo(value, allowedValues(issue)) : undefined;
  return new ControlRequestError(
    target === 'query' ? 'invalid-parameter' : 'invalid-body',
    name === ''
      ? `The body ${faultOf(issue, allowed)}. /docs/control shows an example for this call.`
      : `'${name}' ${faultOf(issue, allowed)}.${guess(near)}`,
    { place, allowed, nearest: near },
  );
}

/** The likeliest value; `undefined` for the text of a value of another type, such as "true". */
function nearestTo(value: string, allowed: readonly string[]): string | undefined {
  const near = nearest(value, allowed);
  return near === value ? undefined : near;
}

/** The words that an issue lists; a form that takes other values too, such as a list, may have some. */
function allowedValues(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(allowedValues);
  return issue.code === 'invalid_value' ? issue.values.map(String) : [];
}

function faultOf(issue: z.core.$ZodIssue, allowed: readonly string[] | undefined): string {
  if (allowed !== undefined) {
    return allowed.length > 2
      ? `must be one of ${allowed.join(', ')}`
      : `must be ${allowed.join(' or ')}`;
  }
  // A schema that says what must stand there knows more than its type.
  if (issue.code !== 'invalid_type' || issue.message.startsWith('must ')) return issue.message;
  return issue.expected === 'string'
    ? 'must be given once, as text'
    : `must be of type ${issue.expected === 'record' ? 'object' : issue.expected}`;
}
