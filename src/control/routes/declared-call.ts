/** Finds the declared call that a request is for. */
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { controlRoutes } from '../../contract/control/routes.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { formOf } from '../path-form.ts';

/** What a call takes, for error messages. */
export interface DeclaredCall {
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  /** Keys of its JSON body. */
  readonly keys: readonly string[];
  /** Content types that its body may have. */
  readonly types: readonly string[];
}

/** The declared call; one that takes nothing for the path of a page. */
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
