/** Which requests can a client send twice at once, so that each is carried out? */
import type { OperationName } from '../../contract/service/operations.ts';
import { memberOf, memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import type { RequestContext } from '../context.ts';

const toTransaction = stepsOf('transactions[0]');

/** They move money, and name the order or the record that they are for. */
const moving: ReadonlySet<OperationName | undefined> = new Set([
  'payment.create',
  'sale.refund',
  'capture.refund',
  'auth.capture',
]);

/**
 * Whether an equal request that was sent at the same time, with another request id, may be carried out as well.
 *
 * The service refuses a repeated invoice number. A payment without any name is never reported as one order.
 */
export function canHappenTwice(
  { exchange: { committed, operation } }: RequestContext,
  { body }: { readonly body: unknown },
): boolean {
  if (!committed || !moving.has(operation)) return false;
  if (operation !== 'payment.create') return memberOf(body, 'invoice_number') === undefined;
  const transaction = memberAlong(body, toTransaction);
  return (
    memberOf(transaction, 'custom') !== undefined &&
    memberOf(transaction, 'invoice_number') === undefined
  );
}
