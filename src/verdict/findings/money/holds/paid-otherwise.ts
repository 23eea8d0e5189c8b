/** Was the order of a hold paid by another payment, so that the client did not need the hold any more? */
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { memoize } from '../../../../shared/memoize.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { gapMs } from '../../../evidence/exchange-order.ts';
import { groupBy } from '../../../evidence/group-by.ts';
import { invoiceNumberIn, isNamedOrder } from '../../../evidence/orders/order-names.ts';
import {
  committedPayments,
  orderAndPayerOf,
  paymentAsRequested,
  type PaymentRequest,
} from '../../../evidence/requested-payments.ts';
import { minRedeliveryMs } from '../../../evidence/time-windows.ts';
import type { Charge } from '../../../purchases/charge.ts';
import { keptCharges, minorTakenBy } from '../double-charge/kept-money.ts';

/**
 * What later payments took for the order of a hold, in the same words and by the same card, while the hold was open. A hold
 * of less than half of that may have been a deposit or a check of the card.
 */
export function findPaidOtherwise(
  evidence: Evidence,
  entry: StoredEntry,
  { amount, validUntilMs }: Authorization,
): readonly Charge[] {
  const payment = paymentAsRequested(evidence, entry);
  const order = payment && orderOf(evidence, { entry, payment });
  if (order === undefined) return [];
  const later = (paymentsByOrder(evidence).get(order) ?? []).filter(
    // Tests share one name, and pay within seconds.
    (other) => gapMs(entry, other.entry) >= minRedeliveryMs && other.entry.atMs < validUntilMs,
  );
  const paid = keptCharges(later.flatMap((other) => evidence.chargesFrom(other.entry)));
  const isOneCurrency = paid.every((charge) => charge.amount.currency === amount.currency);
  return isOneCurrency && minorTakenBy(paid) <= amount.minor * 2 ? paid : [];
}

const paymentsByOrder = memoize((evidence: Evidence) =>
  groupBy(committedPayments(evidence), (request) => orderOf(evidence, request)),
);

/** The numbered order of a payment and who pays it, in all words that name it, as a key. */
function orderOf(evidence: Evidence, request: PaymentRequest): string | undefined {
  const { entry, payment } = request;
  const order = orderAndPayerOf(evidence, request);
  if (order === undefined || !isNamedOrder(evidence, entry)) return undefined;
  const { description } = payment.transaction;
  return JSON.stringify([order, description, invoiceNumberIn(evidence, entry)]);
}
