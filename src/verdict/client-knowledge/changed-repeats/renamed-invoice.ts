/**
 * Did the client change an invoice number and pay again, although the service had refused the number as already used, or
 * although the sale was still pending?
 *
 * The service refuses an invoice number that was paid, so a client that changes the number gets past that. It adds
 * something to the number, or sends another number or none for an order that `custom` names.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { restoreId } from '../../../outcomes/effects/long-id-dialect.ts';
import { hideCardNumbers } from '../../../redaction/hide-card-numbers.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, lastBefore } from '../../evidence/exchange-order.ts';
import { isRefused } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { invoiceNumberIn, isNamedOrder, orderNamesIn } from '../../evidence/orders/order-names.ts';
import { cardOf, detailsOf } from '../../evidence/request-fields.ts';
import { namesWithin } from '../../evidence/orders/order-number.ts';
import { maxRedeliveryMs } from '../../evidence/time-windows.ts';
import { isAlmostEqual } from './drifted-amount.ts';

export interface RenamedInvoice {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** The invoice numbers of both. */
  readonly invoice: string;
  /** Missing if the second payment had no invoice number. */
  readonly otherInvoice: string | undefined;
  /** The answer that had refused the first number as already used. Without it, the first sale was pending. */
  readonly refusal: StoredEntry | undefined;
  /** Whether both have the same amount. Else they differ by a few cents, or in currency. */
  readonly hasSameAmount: boolean;
}

/** Finds payments under a changed invoice number that ask for the same as an earlier one. */
export function findRenamed(evidence: Evidence): RenamedInvoice[] {
  const entries = evidence.of('payment.create');
  const refused = new Set(entries.filter((entry) => isRefused(entry, 'duplicate-invoice')));
  const candidates = findCandidates(evidence, refused);
  if (candidates.length === 0) return [];
  const invoiceOf = (entry: StoredEntry) => invoiceNumberIn(evidence, entry);
  const paidByInvoice = groupBy(
    candidates.filter(({ committed }) => committed),
    invoiceOf,
  );
  const refusedByInvoice = groupBy(refused, invoiceOf);
  const refusedOrders = groupBy(
    [...refused].filter((entry) => isNamedOrder(evidence, entry)),
    (entry) => orderNamesIn(evidence, entry).custom,
  );
  return candidates.flatMap((again): RenamedInvoice[] => {
    if (!again.committed) return [];
    const otherInvoice = invoiceNumberIn(evidence, again);
    const { custom } = orderNamesIn(evidence, again);
    const ofOrder = lastBefore(refusedOrders.get(custom) ?? [], again);
    const refusedInvoice = ofOrder && invoiceNumberIn(evidence, ofOrder);
    const shorter = shorterNumbersOf(otherInvoice);
    for (const invoice of [...shorter, refusedInvoice]) {
      if (invoice === undefined || invoice === otherInvoice) continue;
      const [first] = paidByInvoice.get(invoice) ?? [];
      if (first === undefined || !isAlike(evidence, first, again)) continue;
      const latest = lastBefore(refusedByInvoice.get(invoice) ?? [], again);
      const refusal = latest !== undefined && latest.seq > first.seq ? latest : undefined;
      if (refusal === undefined && !isPendingAt(evidence, first, again)) continue;
      const change = changeOfAmount(evidence, first, again);
      if (change !== 'none' && !shorter.includes(invoice)) continue;
      // Without a refusal, two sales in two currencies may both be wanted.
      if (change === 'other' || (change === 'currency' && refusal === undefined)) continue;
      return [
        {
          first,
          refusal,
          again,
          invoice: hideCardNumbers(invoice),
          otherInvoice: otherInvoice && hideCardNumbers(otherInvoice),
          hasSameAmount: change === 'none',
        },
      ];
    }
    return [];
  });
}

/**
 * The payments that may be one of a pair: those with a card that also paid for a purchase whose number was refused, or
 * whose sale may have been pending. Most other payments need not be read.
 */
function findCandidates(
  evidence: Evidence,
  refused: ReadonlySet<StoredEntry>,
): readonly StoredEntry[] {
  const entries = evidence.of('payment.create');
  const suspicious = new Set(
    entries
      .filter(
        (entry) =>
          (refused.has(entry) || mayBePending(entry)) &&
          invoiceNumberIn(evidence, entry) !== undefined,
      )
      .map(({ intent }) => intent),
  );
  if (suspicious.size === 0) return [];
  const cards = new Set(entries.filter(({ intent }) => suspicious.has(intent)).map(cardMarkOf));
  return entries.filter((entry) => cards.has(cardMarkOf(entry)));
}

/** The numbers to which something may have been added, the longest first. */
function shorterNumbersOf(invoice = ''): string[] {
  const beginnings: string[] = [];
  for (let length = invoice.length - 1; length > 0; length--) {
    if (isExtended(invoice, length)) beginnings.push(invoice.slice(0, length));
  }
  return [...beginnings, ...namesWithin(invoice)];
}

function cardMarkOf({ cardId, cardMark }: StoredEntry): string | undefined {
  return cardId === undefined ? cardMark : restoreId(cardId);
}

/** `INV-1` is another number than `INV-12`, but `INV-1-b` is the same one with something added. */
function isExtended(invoice: string, length: number): boolean {
  return !/^\d\d$/.test(invoice.slice(length - 1, length + 1));
}

function isAlike(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  return (
    first.seq < again.seq &&
    gapMs(first, again) <= maxRedeliveryMs &&
    cardOf(evidence, first) === cardOf(evidence, again) &&
    detailsWithoutIntent(evidence, first) === detailsWithoutIntent(evidence, again)
  );
}

/** How the amount of the second payment differs: not at all, by a few cents, in its currency, or otherwise. */
function changeOfAmount(
  { records }: Evidence,
  first: StoredEntry,
  again: StoredEntry,
): 'none' | 'cents' | 'currency' | 'other' {
  const [one, other] = [first, again].map(
    ({ subject = '' }) => records.payments.get(subject)?.transaction.amount,
  );
  if (one === undefined || other === undefined) return 'other';
  if (one.currency !== other.currency) return 'currency';
  if (one.minor === other.minor) return 'none';
  return isAlmostEqual(one, other) ? 'cents' : 'other';
}

/** An authorization and a sale may pay the same invoice. */
function detailsWithoutIntent(evidence: Evidence, entry: StoredEntry): string {
  return detailsOf(evidence, entry).replace(/\["intent","(?:sale|authorize)"\]/, '');
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
