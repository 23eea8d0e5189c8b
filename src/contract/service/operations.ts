/** Every operation of the service by its name. The name is the OpenAPI operation id. */
import type { z } from '@hono/zod-openapi';
import { authorizationRoutes } from './authorizations.ts';
import { captureRoutes } from './captures.ts';
import type { OperationFamily, OperationName } from './operation-name.ts';
import { paymentRoutes } from './payments.ts';
import { saleRoutes } from './sales.ts';
import { tokenRoutes } from './token.ts';
import { vaultRoutes } from './vault.ts';

export const operations = {
  ...tokenRoutes,
  ...vaultRoutes,
  ...paymentRoutes,
  ...saleRoutes,
  ...authorizationRoutes,
  ...captureRoutes,
};

export type Operations = typeof operations;

// The compiler compares the written-out names with the declared ones in both directions. The cast is needed because
// Object.keys returns plain strings.
const declared = Object.keys(operations satisfies Record<OperationName, unknown>);
export const operationNames: readonly OperationName[] = declared as readonly (keyof Operations)[];

/** A family for each resource. */
// Every name has its resource before the point, and the set of them loses the type.
export const operationFamilies = [
  ...new Set(operationNames.map((name) => name.replace(/\..*/, '.*'))),
] as readonly OperationFamily[];

/** The request schemas of a declaration. */
interface ReadsRequest {
  readonly request?: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly body?: { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };
  };
}

/** Returns the schemas for the query and body of an operation; `undefined` if it has none. */
export function requestSchemas(name: OperationName): {
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
} {
  const { request }: ReadsRequest = operations[name];
  return { query: request?.query, body: request?.body?.content['application/json']?.schema };
}

/** Every operation except the token endpoint, which uses OAuth. */
export type JsonOperation = Exclude<OperationName, 'token.create'>;
