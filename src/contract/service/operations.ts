/** Every operation of the service by its name. The name is the OpenAPI operation id. */
import type { z } from '@hono/zod-openapi';
import { authorizationRoutes } from './authorizations.ts';
import { captureRoutes } from './captures.ts';
import type { OperationName } from './operation-name.ts';
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
export type { OperationName };

// Here the compiler holds the names that are written out against those that are declared, each way; that keys are
// such names the library type of Object.keys forgets.
const declared = Object.keys(operations satisfies Record<OperationName, unknown>);
export const operationNames: readonly OperationName[] = declared as readonly (keyof Operations)[];

/** The part of a declaration that requests are read with. */
interface ReadsRequest {
  readonly request?: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly body?: { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };
  };
}

/** The schemas that requests of an operation are read with; absent where nothing is read. */
export function requestSchemas(name: OperationName): {
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
} {
  const { request }: ReadsRequest = operations[name];
  return { query: request?.query, body: request?.body?.content['application/json']?.schema };
}

/** Every operation but the token's, which speaks OAuth. */
export type JsonOperation = Exclude<OperationName, 'token.create'>;
