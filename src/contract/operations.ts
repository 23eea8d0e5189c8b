/** Every operation of the service by its name. The name is the OpenAPI operation id. */
import { authorizationRoutes } from './authorizations.ts';
import { captureRoutes } from './captures.ts';
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
export type OperationName = keyof Operations;
export const operationNames = Object.keys(operations) as readonly OperationName[];

/** Every operation but the token's, which speaks OAuth. */
export type JsonOperation = Exclude<OperationName, 'token.create'>;
