/** How an operation is declared: once, with every status it can answer. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import { ErrorBody, UnauthenticatedBody } from './common.ts';
import { sameForSame } from './fields.ts';
import { problems, type Problem } from './problems.ts';

type ErrorStatus = Exclude<Problem['status'], 404 | 405> | 404;

const errorHeaders = z.object({
  'Paypal-Debug-Id': z.string().openapi({ description: 'Equal to debug_id in the body' }),
});

function namesWith(status: number): string {
  const names = Object.values(problems).filter((problem) => problem.status === status);
  return [...new Set(names.map((problem) => problem.name))].join(', ');
}

/** Nearly every operation has nearly every one of them. */
const errorResponse = sameForSame((status: ErrorStatus) => ({
  description: namesWith(status),
  headers: errorHeaders,
  content: {
    'application/json': { schema: status === 401 ? UnauthenticatedBody : ErrorBody },
  },
}));

type ErrorResponses<S extends ErrorStatus> = { [K in S]: ReturnType<typeof errorResponse> };

/** The error answers of an operation, described by the table of problems. */
export function errors<const S extends ErrorStatus>(...statuses: readonly S[]): ErrorResponses<S> {
  const responses: Partial<ErrorResponses<S>> = {};
  for (const status of statuses) responses[status] = errorResponse(status);
  // Every status was just given its response.
  return responses as ErrorResponses<S>;
}

/** A JSON answer. */
export function answer<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } };
}

/** A JSON request body. Always required: a framework that skips an absent body would skip its validation too. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** `PayPal-Request-Id`: a repeat with the same id and body answers with the first request's resource. */
export const requestIdHeader = z.object({
  'PayPal-Request-Id': z
    .string()
    .min(1)
    .max(78)
    .optional()
    // No example: the docs page would send it with every call, and repeats would do nothing.
    .openapi({ description: 'Idempotency key, kept for 30 days' }),
});

/** Declares an operation that a bearer token protects. */
export function declare<const R extends RouteConfig>(route: R) {
  return createRoute({ security: [{ bearer: [] }], ...route });
}
