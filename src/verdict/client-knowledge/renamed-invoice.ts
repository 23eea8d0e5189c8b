/**
 * Did the client add something to an invoice number and pay again, although the service had refused the number as already
 * used, or although the sale was still pending?
 *
 * The service refuses an invoice number that was paid, so a client that changes the number gets past that.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { hideCardNumbers } from '../../redaction/hide-card-numbers.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { isRefused } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import { redeliveryMs } from '../evidence/one-order-name.ts';
import { cardAndAmountOf, detailsOf, invoiceNumberIn } from '../evidence/request-fields.ts';

export interface RenamedInvoice {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** The invoice numbers of both. */
  readonly invoice: string;
  readonly otherInvoice: string;
  /** The answer that had refused the first number as already used. Without it, the first sale was pending. */
  readonly refusal: StoredEntry | undefined;
}

/** Finds payments whose invoice number begins with that of an earlier one, and which ask for the same otherwise. */
export function findRenamed(evidence: Evidence): RenamedInvoice[] {
  const entries = evidence.of('payment.create');
  const refused = new Set(entries.filter((entry) => isRefused(entry, 'duplicate-invoice')));
  // Most payments need not be read: the first one was refused a second time or pending, and both are of one card.
  const suspicious = new Set(
    entries
      .filter((entry) => refused.has(entry) || mayBePending(entry))
      .map(({ intent }) => intent),
  );
  if (suspicious.size === 0) return [];
  const cards = new Set(entries.filter(({ intent }) => suspicious.has(intent)).map(cardOf));
  const candidates = entries.filter((entry) => cards.has(cardOf(entry)));
  const byInvoice = groupBy(candidates, (entry) => invoiceNumberIn(evidence, entry));
  return candidates.flatMap((again): RenamedInvoice[] => {
    const otherInvoice = invoiceNumberIn(evidence, again);
    if (otherInvoice === undefined || !again.committed) return [];
    for (let length = otherInvoice.length - 1; length > 0; length--) {
      const invoice = otherInvoice.slice(0, length);
      const alike = isExtended(otherInvoice, length) ? byInvoice.get(invoice) : undefined;
      const found = alike && findFirst(evidence, alike, again, refused);
      if (found !== undefined) {
        const [shown = '', otherShown = ''] = [invoice, otherInvoice].map(hideCardNumbers);
        return [{ ...found, again, invoice: shown, otherInvoice: otherShown }];
      }
    }
    return [];
  });
}

function cardOf({ cardId, cardMark }: StoredEntry): string | undefined {
  return cardId === undefined ? cardMark : restoreId(cardId);
}

/** `INV-1` is another number than `INV-12`, but `INV-1-b` is the same one with something added. */
function isExtended(invoice: string, length: number): boolean {
  return !/^\d\d$/.test(invoice.slice(length - 1, length + 1));
}

function findFirst(
  evidence: Evidence,
  attempts: readonly StoredEntry[],
  again: StoredEntry,
  refused: ReadonlySet<StoredEntry>,
): Pick<RenamedInvoice, 'first' | 'refusal'> | undefined {
  const first = attempts.find(({ committed, seq }) => committed && seq < again.seq);
  if (first === undefined || gapMs(first, again) > redeliveryMs) return undefined;
  const isAlike =
    cardAndAmountOf(evidence, first) === cardAndAmountOf(evidence, again) &&
    detailsOf(evidence, first) === detailsOf(evidence, again);
  if (!isAlike) return undefined;
  const refusal = attempts.findLast(
    (entry) => entry.seq > first.seq && entry.seq < again.seq && refused.has(entry),
  );
  return refusal !== undefined || isPendingAt(evidence, first, again)
    ? { first, refusal }
    : undefined;
}

function mayBePending({ committed, outcomes }: StoredEntry): boolean {
  return committed && outcomes.length > 0;
}

/** Whether the money of the first sale arrived after the client had paid again. */
function isPendingAt(
  evidence: Evidence,
  { subject = '' }: StoredEntry,
  later: StoredEntry,
): boolean {
  const arrival = evidence.transfersOf(subject).find(({ cause }) => cause === 'sale');
  return arrival !== undefined && arrival.atMs > later.atMs;
}
