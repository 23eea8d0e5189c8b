/** Which declared call a request has met. */
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { controlRoutes } from '../../contract/control/routes.ts';
import { formOf } from '../path-form.ts';

/** What of a declaration explains a mistake. */
export interface DeclaredCall {
  /** Parameters of its query. */
  readonly parameters: readonly string[];
  /** Keys of its JSON body. */
  readonly keys: readonly string[];
  /** Types that its body may have. */
  readonly types: readonly string[];
}

interface Declared {
  readonly request: {
    readonly query: z.ZodObject;
    readonly body?: {
      readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>;
    };
  };
}

/** The call as declared; one without anything where the path is that of a page. */
export function callOf(c: Context): DeclaredCall {
  const route: Declared | undefined = Object.values(controlRoutes).find(
    (one) => one.method === c.req.method.toLowerCase() && formOf(one.path).test(c.req.path),
  );
  const content = route?.request.body?.content ?? {};
  const schema = content['application/json']?.schema;
  return {
    parameters: Object.keys(route?.request.query.shape ?? {}),
    keys: schema === undefined ? [] : keysOf(schema),
    types: Object.keys(content),
  };
}

function keysOf(schema: z.ZodType): string[] {
  return 'shape' in schema && typeof schema.shape === 'object'
    ? Object.keys(schema.shape ?? {})
    : [];
}
