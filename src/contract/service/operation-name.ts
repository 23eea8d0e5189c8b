/**
 * Every operation by its name, which is its OpenAPI operation id. Written out, as public types name them: worked out of
 * the declarations, it took those of all routes and their schemas along.
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
