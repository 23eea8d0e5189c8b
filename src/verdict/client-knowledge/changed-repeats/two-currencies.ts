/**
 * Did the client charge one order in two currencies?
 *
 * A shop that shows prices in the currency of the visitor may offer an order again in another one. Parts of an order have one
 * currency, or descriptions of their own.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, everyPair, gapMs } from '../../evidence/exchange-order.ts';
import { groupDiffering } from '../../evidence/group-by.ts';
import { invoiceNumberIn, isNamedOrder } from '../../evidence/orders/order-names.ts';
import { orderNameOf } from '../../evidence/orders/order-words.ts';
import { detailsOf, payerOf } from '../../evidence/request-fields.ts';
import { paymentCardOf } from '../../evidence/records.ts';
import { committedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs, minRedeliveryMs } from '../../evidence/time-windows.ts';
import { isReversedBefore } from '../reversal.ts';

/** Two payments for one order in different currencies. */
export interface PaidInTwoCurrencies {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
}

/** Finds the orders that were paid by one card, in the same words, in two currencies. */
export function findPaidInTwoCurrencies(evidence: Evidence): PaidInTwoCurrencies[] {
  const paid = committedPayments(evidence);
  // Most shops charge in one currency, and then no name need be read.
  if (everyPair(paid, hasSameCurrency)) return [];
  const byName = groupDiffering(
    paid,
    ({ payment }) => orderNameOf(payment.transaction),
    hasSameCurrency,
  );
  return [...byName]
    .filter(([name]) => name !== undefined)
    .flatMap(([, payments]) => [
      ...groupDiffering(payments, (one) => wordsOf(evidence, one), hasSameCurrency).values(),
    ])
    .flatMap((payments) => consecutivePairs(payments))
    .filter((pair) => isForOneOrder(evidence, ...pair))
    .map(([{ entry: first }, { entry: again }]) => ({ first, again }));
}

function hasSameCurrency(one: PaymentRequest, other: PaymentRequest): boolean {
  return one.payment.transaction.amount.currency === other.payment.transaction.amount.currency;
}

/** All that a payment says beside its amount. */
function wordsOf(evidence: Evidence, { entry, payment }: PaymentRequest): string {
  return JSON.stringify([
    paymentCardOf(payment),
    entry.cardMark,
    payerOf(evidence, entry),
    detailsOf(evidence, entry),
    invoiceNumberIn(evidence, entry),
  ]);
}

function isForOneOrder(evidence: Evidence, one: PaymentRequest, other: PaymentRequest): boolean {
  const [first, again] = [one.entry, other.entry];
  const gap = gapMs(first, again);
  return (
    !hasSameCurrency(one, other) &&
    gap >= minRedeliveryMs &&
    gap <= maxRedeliveryMs &&
    isNamedOrder(evidence, first) &&
    !isReversedBefore(evidence, first, again)
  );
}
