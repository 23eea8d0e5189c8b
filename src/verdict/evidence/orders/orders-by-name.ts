/** Finds orders by the names that a merchant gives them: the invoice number or `custom`. */
import { createdIds } from '../exchange-results.ts';
import type { JournalIndex } from '../journal-index.ts';
import { orderNamesIn, type OrderNames } from './order-names.ts';

/** The requests and payments that carry a name in one of both fields. */
class NameMatches {
  /** Whether any request or payment carries the name. */
  exist = false;
  readonly paymentIds = new Set<string>();
}

export interface NamedOrders {
  readonly invoice: NameMatches;
  readonly custom: NameMatches;
}

/** Finds the requests and payments with each of these names. It reads the journal once for all names. */
export function findOrdersByName(
  journal: JournalIndex,
  names: Iterable<string>,
): ReadonlyMap<string, NamedOrders> {
  const ordersByName = new Map<string, NamedOrders>();
  for (const name of names) {
    ordersByName.set(name, { invoice: new NameMatches(), custom: new NameMatches() });
  }
  const find = (name: string | undefined) =>
    name === undefined ? undefined : ordersByName.get(name);
  const note = ({ invoiceNumber, custom }: OrderNames, paymentId?: string): void => {
    // An order with the same text in both fields counts once.
    const byCustom = custom === invoiceNumber ? undefined : find(custom)?.custom;
    for (const matches of [find(invoiceNumber)?.invoice, byCustom]) {
      if (matches === undefined) continue;
      matches.exist = true;
      if (paymentId !== undefined) matches.paymentIds.add(paymentId);
    }
  };
  const { payments } = journal.records;
  const noteRecord = (id: string): void => {
    note(payments.get(id)?.transaction ?? {}, id);
  };
  for (const id of journal.paymentsWithTransfers) noteRecord(id);
  for (const entry of journal.of('payment.create')) {
    const requested = orderNamesIn(journal, entry);
    note(requested);
    for (const id of createdIds(entry)) {
      // A PATCH may have given the payment another name since. The client may use both.
      note(requested, id);
      noteRecord(id);
    }
  }
  return ordersByName;
}
