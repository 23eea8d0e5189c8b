/** What requests to pay, and payments, are called by whoever made them. */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import type { Evidence } from './evidence.ts';
import { textOf } from '../purchases/purchase.ts';

/** What is called by a name as its invoice number, or as its `custom`. */
class Namesakes {
  /** Whether any request or payment is. */
  areThere = false;
  /** Ids of the payments that money moved of. */
  readonly paid: string[] = [];
}

export interface Called {
  readonly invoice: Namesakes;
  readonly custom: Namesakes;
}

/** What is called by each of these names. All is looked through once, however many names there are. */
export function calledBy(evidence: Evidence, names: Iterable<string>): ReadonlyMap<string, Called> {
  const called = new Map<string, Called>();
  for (const name of names) {
    called.set(name, { invoice: new Namesakes(), custom: new Namesakes() });
  }
  const by = (name: string | undefined) => (name === undefined ? undefined : called.get(name));
  const note = ({ invoiceNumber, custom }: Names, paid?: string): void => {
    // What has one name for both is found once.
    const other = custom === invoiceNumber ? undefined : by(custom)?.custom;
    for (const found of [by(invoiceNumber)?.invoice, other]) {
      if (found === undefined) continue;
      found.areThere = true;
      if (paid !== undefined) found.paid.push(paid);
    }
  };
  for (const id of evidence.movedPayments) {
    note(evidence.records.payments.get(id)?.transaction ?? {}, id);
  }
  for (const entry of evidence.of('payment.create')) note(namesIn(evidence, entry));
  return called;
}

/** What a request or payment is called. */
export interface Names {
  readonly invoiceNumber?: string | undefined;
  readonly custom?: string | undefined;
}

const toInvoice = stepsOf('transactions[0].invoice_number');
const toCustom = stepsOf('transactions[0].custom');

/** What a request to pay calls its purchase. */
export function namesIn(evidence: Evidence, entry: StoredEntry): Names {
  const body = evidence.askedIn(entry);
  return {
    invoiceNumber: textOf(memberAlong(body, toInvoice)),
    custom: textOf(memberAlong(body, toCustom)),
  };
}
