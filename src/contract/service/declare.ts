/** Helpers that declare an operation once, with every status it can answer. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import { ErrorBody, UnauthenticatedBody } from './common.ts';
import { exampleDebugId, exampleDetail } from './examples.ts';
import {
  informationLink,
  serviceProblems,
  type Problem,
  type ServiceProblemKind,
} from '../problems.ts';

type StatusOf<K extends ServiceProblemKind> = (typeof serviceProblems)[K]['status'];

/** Problems of every operation. */
const always = [
  'outcome-unknown',
  'unauthenticated',
  'merchants-full',
  'internal-error',
] as const satisfies readonly ServiceProblemKind[];

/** Problems of operations that read a JSON body. */
export const ofBody = [
  'invalid-fields',
  'malformed-request',
  'body-too-large',
  'unsupported-media-type',
  'body-encoded',
] as const satisfies readonly ServiceProblemKind[];

/** Problems of operations that PayPal-Request-Id makes safe to repeat. */
export const ofRequestId = [
  'request-id-invalid',
  'request-id-reused',
  'request-in-progress',
] as const satisfies readonly ServiceProblemKind[];

const errorHeaders = z.object({
  'Paypal-Debug-Id': z.string().openapi({ description: 'Equal to debug_id in the body' }),
});

/** An example of an error body. */
function exampleOf({ status, name, message }: Problem): object {
  return {
    name,
    ...(name === serviceProblems['invalid-fields'].name ? { details: [exampleDetail] } : {}),
    message: message.replace('{}', '').trim(),
    ...(status === 401 ? { error: 'invalid_token', error_description: 'Token expired' } : {}),
    information_link: informationLink(name),
    debug_id: exampleDebugId,
  };
}

/**
 * One error status of an operation, with its possible error names. Its texts are made on demand, because only the
 * document needs them.
 */
function errorResponse(status: number, found: readonly Problem[]) {
  const schema = status === 401 ? UnauthenticatedBody : ErrorBody;
  return {
    get description() {
      return [...new Set(found.map(({ name }) => name))].join(', ');
    },
    headers: errorHeaders,
    content: {
      'application/json': {
        schema,
        get example() {
          const [first] = found;
          return first && exampleOf(first);
        },
      },
    },
  };
}

type ErrorResponses<K extends ServiceProblemKind> = {
  [S in StatusOf<K>]: ReturnType<typeof errorResponse>;
};

/**
 * Builds the error answers of an operation from its own problems and those of every operation, grouped by status. A
 * forced outcome can have any other name.
 */
export function errors<const K extends ServiceProblemKind = never>(
  ...kinds: readonly K[]
): ErrorResponses<K | (typeof always)[number]> {
  const problems = [...kinds, ...always].map((kind): Problem => serviceProblems[kind]);
  const byStatus = new Map<number, Problem[]>();
  for (const problem of problems) {
    const { status } = problem;
    byStatus.set(status, [...(byStatus.get(status) ?? []), problem]);
  }
  const responses = [...byStatus].map(([status, sameStatus]) => [
    status,
    errorResponse(status, sameStatus),
  ]);
  // Every status of these problems has its response now.
  return Object.fromEntries(responses) as ErrorResponses<K | (typeof always)[number]>;
}

/** Declares a JSON answer. */
export function answer<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } };
}

/**
 * Declares a JSON request body. It is always required, because the framework would not validate an absent optional
 * body.
 */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** `PayPal-Request-Id`: a repeat with the same id and body returns the resource of the first request. */
export const requestIdHeader = z.object({
  'PayPal-Request-Id': z
    .string()
    .min(1)
    .max(78)
    .optional()
    // No example: the docs page would send it with every call, so every call after the first would be a repeat.
    .openapi({ description: 'Idempotency key, kept for 30 days' }),
});

/** Declares an operation that requires a bearer token. */
export function declare<const R extends RouteConfig>(route: R) {
  return createRoute({ security: [{ bearer: [] }], ...route });
}
