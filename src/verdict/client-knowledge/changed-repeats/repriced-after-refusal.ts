/**
 * Did the client pay an order again for almost the same amount, or in another currency, after the service had refused the
 * same amount as a duplicate or as paid?
 *
 * A service that takes the same card and amount for one purchase does not see a cent more. The price of an order may change,
 * but not because a payment was refused as a duplicate.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { isRefused } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { invoiceNumberIn, isNamedOrder, orderNamesIn } from '../../evidence/orders/order-names.ts';
import { orderDetailsOf } from '../../evidence/request-content.ts';
import { amountOf, cardOf, payerOf } from '../../evidence/request-fields.ts';
import { maxRedeliveryMs } from '../../evidence/time-windows.ts';
import { isAlmostEqual, paidAmountOf } from './amounts.ts';

/** An order that was paid, refused as a duplicate, and paid again for another amount. */
export interface RepricedAfterRefusal {
  readonly first: StoredEntry;
  readonly refusal: StoredEntry;
  readonly again: StoredEntry;
}

/** Finds the orders that were paid again for almost the same amount, or in another currency, after a refusal as a duplicate. */
export function findRepricedAfterRefusal(evidence: Evidence): RepricedAfterRefusal[] {
  const entries = evidence.of('payment.create');
  const refused = new Set(
    entries.filter((entry) => isRefusedAsPaid(entry) && isNamedOrder(evidence, entry)),
  );
  if (refused.size === 0) return [];
  const cards = new Set([...refused].map((entry) => cardOf(evidence, entry)));
  const ofCards = entries.filter((entry) => cards.has(cardOf(evidence, entry)));
  const byOrder = groupBy(ofCards, (entry) => orderOf(evidence, entry));
  return [...byOrder.values()].flatMap((ofOrder) => findIn(evidence, ofOrder, refused));
}

/** Whether the answer said that an earlier request had paid. */
function isRefusedAsPaid(entry: StoredEntry): boolean {
  return isRefused(entry, 'duplicate-invoice') || isRefused(entry, 'payment-already-done');
}

/** All that a request to pay says beside its amount and invoice number. */
function orderOf(evidence: Evidence, entry: StoredEntry): string {
  return JSON.stringify([
    orderNamesIn(evidence, entry).custom,
    cardOf(evidence, entry),
    orderDetailsOf(evidence, entry),
    payerOf(evidence, entry),
  ]);
}

function findIn(
  evidence: Evidence,
  entries: readonly StoredEntry[],
  refusals: ReadonlySet<StoredEntry>,
): RepricedAfterRefusal[] {
  const paid = new Map<string, StoredEntry>();
  const found: RepricedAfterRefusal[] = [];
  let refused: Pick<RepricedAfterRefusal, 'first' | 'refusal'> | undefined;
  for (const entry of entries) {
    const amount = amountOf(evidence, entry);
    const first = paid.get(amount);
    if (first !== undefined && refusals.has(entry)) {
      refused = { first, refusal: entry };
    }
    if (!entry.committed) continue;
    if (refused !== undefined && isRepriced(evidence, refused.first, entry)) {
      found.push({ ...refused, again: entry });
      refused = undefined;
    }
    paid.set(amount, entry);
  }
  return found;
}

function isRepriced(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  const [amount, other] = [first, again].map((entry) => paidAmountOf(evidence, entry));
  return (
    amount !== undefined &&
    other !== undefined &&
    (amount.currency !== other.currency || isAlmostEqual(amount, other)) &&
    gapMs(first, again) <= maxRedeliveryMs &&
    // Another invoice number names another part of the order.
    [undefined, invoiceNumberIn(evidence, first)].includes(invoiceNumberIn(evidence, again))
  );
}
