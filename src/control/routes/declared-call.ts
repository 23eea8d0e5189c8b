/** Finds the declared call that a request is for. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { controlRoutes } from '../../contract/control/routes.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { formOf } from '../path-form.ts';

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
    (one) => one.method === c.req.method.toLowerCase() && formOf(one.path).test(c.req.path),
  );
  const content: Readonly<Record<string, object | undefined>> = route?.request?.body?.content ?? {};
  return {
    parameters: keysOf(route?.request?.query),
    keys: keysOf(memberOf(content['application/json'], 'schema')),
    types: Object.keys(content),
  };
}

function keysOf(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
