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
import { moneyArrivedMs } from '../unknown-outcomes.ts';
import { isAlmostEqual, isSameAmount, paidAmountOf } from './amounts.ts';

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

/** The requests to pay among which the first payment for an invoice is looked for. */
interface KnownInvoices {
  /** The payments by invoice number. */
  readonly paid: ReadonlyMap<string | undefined, readonly StoredEntry[]>;
  /** The requests whose number was refused as already used, by that number. */
  readonly refused: ReadonlyMap<string | undefined, readonly StoredEntry[]>;
  /** Of these the ones for an order with a number, by `custom`. */
  readonly refusedByOrder: ReadonlyMap<string | undefined, readonly StoredEntry[]>;
}

/** Finds payments under a changed invoice number that ask for the same as an earlier one. */
export function findRenamed(evidence: Evidence): RenamedInvoice[] {
  const entries = evidence.of('payment.create');
  const refused = entries.filter((entry) => isRefused(entry, 'duplicate-invoice'));
  const paid = findCandidates(evidence, new Set(refused)).filter(({ committed }) => committed);
  if (paid.length === 0) return [];
  const invoiceOf = (entry: StoredEntry) => invoiceNumberIn(evidence, entry);
  const known: KnownInvoices = {
    paid: groupBy(paid, invoiceOf),
    refused: groupBy(refused, invoiceOf),
    refusedByOrder: groupBy(
      refused.filter((entry) => isNamedOrder(evidence, entry)),
      (entry) => orderNamesIn(evidence, entry).custom,
    ),
  };
  return paid.flatMap((again) => findFirstOf(evidence, known, again) ?? []);
}

/** Finds the payment that `again` made once more under another number. */
function findFirstOf(
  evidence: Evidence,
  known: KnownInvoices,
  again: StoredEntry,
): RenamedInvoice | undefined {
  const otherInvoice = invoiceNumberIn(evidence, again);
  const shorter = shorterNumbersOf(otherInvoice);
  for (const invoice of [...shorter, refusedNumberOf(evidence, known, again)]) {
    if (invoice === undefined || invoice === otherInvoice) continue;
    const [first] = known.paid.get(invoice) ?? [];
    if (first === undefined || !isAlike(evidence, first, again)) continue;
    const latest = lastBefore(known.refused.get(invoice) ?? [], again);
    const refusal = latest !== undefined && latest.seq > first.seq ? latest : undefined;
    const isPending = moneyArrivedMs(evidence, first) > again.atMs;
    if (refusal === undefined && !isPending) continue;
    const change = changeOfAmount(evidence, first, again);
    // Without a refusal, two sales in two currencies may both be wanted.
    const mayChange = change === 'cents' || (change === 'currency' && refusal !== undefined);
    if (change !== 'none' && !(mayChange && shorter.includes(invoice))) continue;
    return {
      first,
      refusal,
      again,
      invoice: hideCardNumbers(invoice),
      otherInvoice: otherInvoice && hideCardNumbers(otherInvoice),
      hasSameAmount: change === 'none',
    };
  }
  return undefined;
}

/** The number that the service had refused last for the order of a payment. */
function refusedNumberOf(
  evidence: Evidence,
  { refusedByOrder }: KnownInvoices,
  again: StoredEntry,
): string | undefined {
  const { custom } = orderNamesIn(evidence, again);
  const refused = lastBefore(refusedByOrder.get(custom) ?? [], again);
  return refused && invoiceNumberIn(evidence, refused);
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
  evidence: Evidence,
  first: StoredEntry,
  again: StoredEntry,
): 'none' | 'cents' | 'currency' | 'other' {
  const [one, other] = [first, again].map((entry) => paidAmountOf(evidence, entry));
  if (one === undefined || other === undefined) return 'other';
  if (isSameAmount(one, other)) return 'none';
  if (one.currency !== other.currency) return 'currency';
  return isAlmostEqual(one, other) ? 'cents' : 'other';
}

/** An authorization and a sale may pay the same invoice. */
function detailsWithoutIntent(evidence: Evidence, entry: StoredEntry): string {
  return detailsOf(evidence, entry).replace(/\["intent","(?:sale|authorize)"\]/, '');
}

function mayBePending({ committed, outcomes }: StoredEntry): boolean {
  return committed && outcomes.length > 0;
}
