/** The invoice number that a refund or capture has for itself. The payment's own number names the whole order instead. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { showNone } from '../../../redaction/hide-card-numbers.ts';
import { redactText } from '../../../redaction/redact.ts';
import { recordIdIn, type JournalIndex } from '../journal-index.ts';
import { findPaymentPart } from '../records.ts';
import { partNumberIn } from './order-names.ts';

/** The invoice number of a refund or capture; `undefined` if it has none, or only the number or `custom` of its payment. */
export function ownPartNumberIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const name = partNumberIn(journal, entry);
  if (name === undefined) return undefined;
  const { records } = journal;
  const part = findPaymentPart(records, recordIdIn(entry) ?? '');
  const order = part && records.payments.get(part.paymentId)?.transaction;
  const isOfOrder = [order?.invoiceNumber, order?.custom].some((text) => isJournaledAs(name, text));
  return isOfOrder ? undefined : name;
}

/** Whether a journal value may equal a text of a record. The journal redacts texts that look like a card number. */
function isJournaledAs(value: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  return [text, redactText(text), redactText(text, showNone)].includes(value);
}
