/** Every operation of the service by its name. The name is the OpenAPI operation id. */
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

/** Every operation but the token's, which speaks OAuth. */
export type JsonOperation = Exclude<OperationName, 'token.create'>;
