/**
 * Did the client pay one invoice twice, because two parts of it write its number in different ways?
 *
 * The service compares invoice numbers letter by letter, so it refuses `INV-7` after `INV-7`, and accepts `inv-7`.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { invoiceNumberIn } from '../../evidence/order-names.ts';
import { paymentContentOf } from '../../evidence/request-content.ts';
import { requestedPayments } from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs } from '../../evidence/time-windows.ts';

/** Two payments whose invoice numbers differ only in how they are written. */
export interface RespelledInvoice {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly invoice: string;
  readonly otherInvoice: string;
}

/** Finds the payments whose invoice number differs from an earlier one only in capitals, spaces or leading zeros. */
export function findRespelledInvoices(evidence: Evidence): RespelledInvoice[] {
  const invoices = requestedPayments(evidence).flatMap(({ entry, payment }) => {
    const { invoiceNumber } = payment.transaction;
    return entry.committed && invoiceNumber !== undefined ? [{ entry, invoiceNumber }] : [];
  });
  const bySpelling = groupBy(invoices, ({ invoiceNumber }) => spellingOf(invoiceNumber));
  return [...bySpelling.values()].flatMap((alike) =>
    consecutivePairs(alike.map(({ entry }) => entry)).flatMap((pair) =>
      toRespelled(evidence, pair),
    ),
  );
}

function toRespelled(
  evidence: Evidence,
  [first, again]: readonly [StoredEntry, StoredEntry],
): RespelledInvoice[] {
  const [invoice, otherInvoice] = [first, again].map((entry) => invoiceNumberIn(evidence, entry));
  if (invoice === undefined || otherInvoice === undefined || invoice === otherInvoice) return [];
  const isAlike =
    gapMs(first, again) <= maxRedeliveryMs &&
    paymentContentOf(evidence, first) === paymentContentOf(evidence, again);
  return isAlike ? [{ first, again, invoice, otherInvoice }] : [];
}

/** An invoice number without what two programs may write in different ways. */
function spellingOf(invoice: string): string {
  return invoice.toLowerCase().replaceAll(/\s|(?<!\d)0+(?=\d)/g, '');
}
