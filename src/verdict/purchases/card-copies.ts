/** Cards that a client stored again for the same purchase. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { findParallelAttempts } from '../client-knowledge/parallel/parallel-attempts.ts';
import { bySeq } from '../evidence/exchange-order.ts';
import { groupBy } from '../evidence/group-by.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { isNamedOrder } from '../evidence/orders/order-names.ts';
import { cardAndAmountOf, copyAndAmountOf, customerIn } from '../evidence/request-fields.ts';

type Payments = readonly StoredEntry[];

/**
 * Groups requests to pay by card and amount. Copies of one card count as one if payments with them were sent at once: each
 * click of a double click may store the card before it pays. They also count as one if one customer stored both, and pays
 * one order with them, as a job does that charges every card in the vault. Guests who pay in turn may all have the same
 * test card.
 */
export function groupByCardAndAmount(journal: JournalIndex, payments: Payments): Payments[] {
  const groups = groupBy(payments, (entry) => cardAndAmountOf(journal, entry)).values();
  const byCopy = groupBy(groups, ([one]) => one && copyAndAmountOf(journal, one));
  return [...byCopy.values()].flatMap((alike) =>
    isForOneCustomer(journal, alike)
      ? [alike.flat().toSorted(bySeq)]
      : joinParallel(journal, alike),
  );
}

/** Whether all these payments name a customer and one order. Copies of a card belong to the same customer. */
function isForOneCustomer(journal: JournalIndex, groups: readonly Payments[]): boolean {
  return groups.every((payments) =>
    payments.every(
      (entry) => customerIn(journal, entry) !== undefined && isNamedOrder(journal, entry),
    ),
  );
}

function joinParallel(journal: JournalIndex, groups: readonly Payments[]): readonly Payments[] {
  if (groups.length < 2) return groups;
  const attempts = groups.flat().toSorted(bySeq);
  const { entries } = findParallelAttempts(journal, { operation: 'payment.create', attempts });
  const parallel = new Set(entries);
  const isParallel = (group: Payments): boolean => group.some((entry) => parallel.has(entry));
  const joined = groups.filter(isParallel);
  if (joined.length === 0) return groups;
  return [joined.flat().toSorted(bySeq), ...groups.filter((group) => !isParallel(group))];
}
