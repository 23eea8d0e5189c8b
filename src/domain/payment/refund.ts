/** Full and partial refunds of a sale or a capture. */
import { scheduleEvents, type RefundOverrides } from './overrides.ts';
import { amountFormatIssue, zeroAmountIssue } from './amount.ts';
import { dayMs } from '../calendar.ts';
import { giveBack } from '../money/ledger.ts';
import { formatMinor, parseMinor, type Money } from '../money/money.ts';
import { addRelated } from './related-resources.ts';
import type { Books, Change, Write } from '../ports.ts';
import { accept, refuse, refuseFields, refuseUnknown, type Result } from '../refusals.ts';
import type { Capture, Refund, Refundable, Sale } from '../records.ts';

export interface RefundDraft {
  /** Absent for a full refund. */
  readonly amount: { readonly total: string; readonly currency: string } | undefined;
  readonly description: string | undefined;
  readonly reason: string | undefined;
  readonly invoiceNumber: string | undefined;
}

/** How many days after a sale or capture a refund is possible (contract.md §4.2). */
export const refundWindowDays = 180;

export function findRefund(books: Books, id: string): Result<Refund> {
  const refund = books.refunds.get(id);
  return refund === undefined ? refuseUnknown('refund') : accept(refund);
}

/** Refunds a sale: in full if the draft names no amount, otherwise in part. */
export function refundSale(
  books: Books,
  saleId: string,
  draft: RefundDraft,
  overrides: RefundOverrides = {},
): Result<Change> {
  const sale = books.sales.get(saleId);
  if (sale === undefined) return refuseUnknown('sale');
  if (sale.settlement !== 'completed') {
    return refuse(
      'transaction-not-refundable',
      `The sale is ${sale.settlement}: only a completed sale can be refunded.`,
    );
  }
  return refundFrom(books, sale, draft, overrides);
}

/** Refunds a capture by the same rules as a sale. */
export function refundCapture(
  books: Books,
  captureId: string,
  draft: RefundDraft,
  overrides: RefundOverrides = {},
): Result<Change> {
  const capture = books.captures.get(captureId);
  return capture === undefined
    ? refuseUnknown('capture')
    : refundFrom(books, capture, draft, overrides);
}

function refundFrom(
  books: Books,
  from: Sale | Capture,
  draft: RefundDraft,
  overrides: RefundOverrides,
): Result<Change> {
  const amount = refundAmount(books, from, draft);
  if (!amount.ok) return amount;
  const nowMs = books.nowMs();
  const refund: Refund = {
    id: books.ids.transaction(),
    paymentId: from.paymentId,
    of: { kind: from.kind, id: from.id },
    amount: amount.value,
    settlement: overrides.refund ?? 'completed',
    description: draft.description,
    reason: draft.reason,
    invoiceNumber: draft.invoiceNumber,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  const refunded = {
    refundedMinor: from.refundedMinor + refund.amount.minor,
    refundIds: from.refundIds.append(refund.id),
    updatedAtMs: nowMs,
  };
  const writes: Write[] = [
    { table: 'refunds', record: refund },
    from.kind === 'sale'
      ? { table: 'sales', record: { ...from, ...refunded } }
      : { table: 'captures', record: { ...from, ...refunded } },
    ...addRelated(books, from.paymentId, { kind: 'refund', id: refund.id }),
  ];
  return accept({
    subject: refund.id,
    writes,
    transfers: refund.settlement === 'completed' ? [giveBack(refund)] : [],
    scheduled: scheduleEvents(refund.id, nowMs, overrides.events),
  });
}

/** The amount to refund, or why no refund is possible. Refunds never exceed the transaction. */
function refundAmount(books: Books, from: Refundable, draft: RefundDraft): Result<Money> {
  const { currency, minor } = from.amount;
  const leftMinor = minor - from.refundedMinor;
  if (draft.amount !== undefined && draft.amount.currency !== currency) {
    return refuse(
      'currency-mismatch',
      `The transaction is in ${currency}; refund it in ${currency}.`,
    );
  }
  const wantedMinor =
    draft.amount === undefined ? leftMinor : parseMinor(draft.amount.total, currency);
  if (wantedMinor === undefined) {
    return refuseFields({ field: 'amount.total', issue: amountFormatIssue });
  }
  if (leftMinor === 0) {
    return refuse('already-refunded', 'This transaction is already refunded in full.');
  }
  if (wantedMinor === 0) return refuseFields({ field: 'amount.total', issue: zeroAmountIssue });
  if (books.nowMs() - from.createdAtMs > refundWindowDays * dayMs) {
    return refuse(
      'refund-too-late',
      `The transaction is more than ${refundWindowDays} days old on this merchant's clock.`,
    );
  }
  if (draft.amount === undefined && from.refundedMinor > 0) {
    return refuse(
      'full-refund-after-partial',
      `A part is already refunded. Give an amount of at most ${formatMinor(leftMinor, currency)} ${currency}.`,
    );
  }
  if (wantedMinor > leftMinor) {
    return refuse(
      'refund-exceeds-transaction',
      `At most ${formatMinor(leftMinor, currency)} ${currency} can still be refunded.`,
    );
  }
  return accept({ minor: wantedMinor, currency });
}
