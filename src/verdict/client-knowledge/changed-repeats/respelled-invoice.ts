/**
 * Did the client pay one invoice twice, because two parts of it write its number in different ways?
 *
 * The service compares invoice numbers letter by letter, so it refuses `INV-7` after `INV-7`, and accepts `inv-7`.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { invoiceNumberIn, workOf } from '../../evidence/request-fields.ts';
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
  const paid = evidence.of('payment.create').filter(({ committed }) => committed);
  const bySpelling = groupBy(paid, ({ subject = '' }) =>
    spellingOf(evidence.records.payments.get(subject)?.transaction.invoiceNumber),
  );
  return [...bySpelling].flatMap(([spelling, payments]) =>
    spelling === undefined
      ? []
      : consecutivePairs(payments).flatMap((pair) => toRespelled(evidence, pair)),
  );
}

function toRespelled(
  evidence: Evidence,
  [first, again]: readonly [StoredEntry, StoredEntry],
): RespelledInvoice[] {
  const [invoice, otherInvoice] = [first, again].map((entry) => invoiceNumberIn(evidence, entry));
  if (invoice === undefined || otherInvoice === undefined || invoice === otherInvoice) return [];
  const isAlike =
    gapMs(first, again) <= maxRedeliveryMs && workOf(evidence, first) === workOf(evidence, again);
  return isAlike ? [{ first, again, invoice, otherInvoice }] : [];
}

/** An invoice number without what two programs may write in different ways. */
function spellingOf(invoice: string | undefined): string | undefined {
  return invoice?.toLowerCase().replaceAll(/\s|(?<!\d)0+(?=\d)/g, '');
}
