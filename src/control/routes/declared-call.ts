/** Finds the declared call that a request is for, by method and path. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { controlRoutes } from '../../contract/control/routes.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/** The input of a call, for error messages. */
export interface DeclaredCall {
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  /** Keys of its JSON body. */
  readonly keys: readonly string[];
  /** Allowed content types of its body. */
  readonly types: readonly string[];
}

/** Finds the declared call. For the path of a page it returns a call without input. */
export function callOf(c: Context): DeclaredCall {
  const route = controlRoutes.find(
    (one) => one.method === c.req.method.toLowerCase() && pathPattern(one.path).test(c.req.path),
  );
  const content: Readonly<Record<string, object | undefined>> = route?.request?.body?.content ?? {};
  return {
    parameters: keysOf(route?.request?.query),
    keys: keysOf(memberOf(content['application/json'], 'schema')),
    types: Object.keys(content),
  };
}

/** Matches a documented path such as `/_sandbox/merchants/{id}`, with or without a trailing slash. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}

function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
