/** What requests to pay, and payments, are called by whoever made them. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import type { Evidence } from './evidence.ts';
import { textOf } from '../purchases/purchase.ts';

/** What is called by a name as its invoice number, or as its `custom`. */
class NameMatches {
  /** Whether any request or payment is. */
  exist = false;
  /** Ids of the payments that money moved of. */
  readonly paidPaymentIds: string[] = [];
}

export interface NamedOrders {
  readonly invoice: NameMatches;
  readonly custom: NameMatches;
}

/** What is called by each of these names. All is looked through once, however many names there are. */
export function findOrdersByName(
  evidence: Evidence,
  names: Iterable<string>,
): ReadonlyMap<string, NamedOrders> {
  const called = new Map<string, NamedOrders>();
  for (const name of names) {
    called.set(name, { invoice: new NameMatches(), custom: new NameMatches() });
  }
  const by = (name: string | undefined) => (name === undefined ? undefined : called.get(name));
  const note = ({ invoiceNumber, custom }: OrderNames, paid?: string): void => {
    // What has one name for both is found once.
    const other = custom === invoiceNumber ? undefined : by(custom)?.custom;
    for (const found of [by(invoiceNumber)?.invoice, other]) {
      if (found === undefined) continue;
      found.exist = true;
      if (paid !== undefined) found.paidPaymentIds.push(paid);
    }
  };
  for (const id of evidence.paymentsWithTransfers) {
    note(evidence.records.payments.get(id)?.transaction ?? {}, id);
  }
  for (const entry of evidence.of('payment.create')) note(orderNamesIn(evidence, entry));
  return called;
}

/** What a request or payment is called. */
export interface OrderNames {
  readonly invoiceNumber?: string | undefined;
  readonly custom?: string | undefined;
}

const toInvoice = stepsOf('transactions[0].invoice_number');
const toCustom = stepsOf('transactions[0].custom');

/** What a request to pay calls its purchase. */
export function orderNamesIn(evidence: Evidence, entry: StoredEntry): OrderNames {
  const body = evidence.requestFieldsOf(entry);
  return {
    invoiceNumber: textOf(memberAlong(body, toInvoice)),
    custom: textOf(memberAlong(body, toCustom)),
  };
}
