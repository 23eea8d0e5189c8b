/**
 * The names of all operations, which are their OpenAPI operation ids. They are written out because public types use
 * them. A type derived from the declarations would pull all routes and schemas into the published types.
 */
export type OperationName =
  | 'token.create'
  | 'card.create'
  | 'card.list'
  | 'card.get'
  | 'card.update'
  | 'card.delete'
  | 'payment.create'
  | 'payment.list'
  | 'payment.get'
  | 'payment.update'
  | 'payment.execute'
  | 'sale.get'
  | 'sale.refund'
  | 'sale.refunds'
  | 'refund.get'
  | 'auth.get'
  | 'auth.capture'
  | 'auth.void'
  | 'auth.reauthorize'
  | 'capture.get'
  | 'capture.refund';

type FamilyOf<Name extends string> = Name extends `${infer Resource}.${string}`
  ? `${Resource}.*`
  : never;

/** Every operation of a resource, such as `card.*`. */
export type OperationFamily = FamilyOf<OperationName>;
