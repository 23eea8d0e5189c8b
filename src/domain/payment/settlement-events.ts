/**
 * Events that happen to a record later: settlement, reversals, disputes, card updates by the
 * issuer.
 */
import type { RecordEvent } from './overrides.ts';
import { closeCard, replaceCard, updateCard } from '../card/card.ts';
import { charge, giveBack, takeBack, type Transfer } from '../money/ledger.ts';
import { makeLateSale } from './payment.ts';
import { isChargedBack } from './sale.ts';
import type { Books, Change, Write } from '../ports.ts';
import type { Refund, Sale } from '../records.ts';

/**
 * The change that an event makes at the current time of the books; `undefined` if the record has
 * moved on, for example if the card was deleted.
 */
export function planEvent(books: Books, event: RecordEvent): Change | undefined {
  switch (event.kind) {
    case 'sale-completes':
      return settleSale(books, event.subject, 'completed');
    case 'sale-is-denied':
      return settleSale(books, event.subject, 'denied');
    case 'sale-is-reversed':
      return changeCompletedSale(books, event.subject, (sale) => reverseSale(sale, books.nowMs()));
    case 'sale-is-made':
      return makeLateSale(books, event.subject);
    case 'hold-is-released':
      return changeCompletedSale(books, event.subject, (sale) =>
        sale.hold === 'held' ? { sale: { ...sale, hold: 'released' }, transfers: [] } : undefined,
      );
    case 'chargeback-opens':
      // `Seed silent:` a sale is disputed at most once, whether the dispute was lost or won.
      return changeCompletedSale(books, event.subject, (sale) =>
        sale.dispute === undefined
          ? {
              sale: { ...sale, dispute: 'open' },
              transfers: [takeBack('chargeback', sale, books.nowMs())],
            }
          : undefined,
      );
    case 'chargeback-is-won':
      return changeCompletedSale(books, event.subject, (sale) =>
        sale.dispute === 'open'
          ? {
              sale: { ...sale, dispute: 'won' },
              transfers: [
                { ...charge('sale', sale), cause: 'chargeback-won', atMs: books.nowMs() },
              ],
            }
          : undefined,
      );
    case 'chargeback-is-lost':
      return changeCompletedSale(books, event.subject, (sale) =>
        sale.dispute === 'open' ? { sale: { ...sale, dispute: 'lost' }, transfers: [] } : undefined,
      );
    case 'refund-completes':
      return settleRefund(books, event.subject, 'completed');
    case 'refund-fails':
      return settleRefund(books, event.subject, 'failed');
    case 'card-is-updated':
      return updateCard(books, event.subject);
    case 'card-is-replaced':
      return replaceCard(books, event.subject);
    case 'card-is-closed':
      return closeCard(books, event.subject, event.triggeredOutcome);
  }
}

function settleSale(
  books: Books,
  id: string,
  settlement: 'completed' | 'denied',
): Change | undefined {
  const sale = books.sales.get(id);
  if (sale?.settlement !== 'pending') return undefined;
  const record: Sale = {
    ...sale,
    settlement,
    reasonCode: undefined,
    updatedAtMs: books.nowMs(),
  };
  return {
    subject: id,
    writes: [{ table: 'sales', record }],
    transfers:
      settlement === 'completed' ? [{ ...charge('sale', record), atMs: books.nowMs() }] : [],
  };
}

/**
 * Reverses a sale.
 *
 * `Seed silent:` the bank takes the money of a sale back once. After a dispute the cardholder
 * already has it, so a reversal then moves no money. It ends an open dispute as lost.
 */
function reverseSale(sale: Sale, nowMs: number): { sale: Sale; transfers: readonly Transfer[] } {
  const settled: Sale = { ...sale, settlement: 'reversed' };
  return isChargedBack(sale)
    ? { sale: { ...settled, dispute: 'lost' }, transfers: [] }
    : { sale: settled, transfers: [takeBack('reversal', sale, nowMs)] };
}

function changeCompletedSale(
  books: Books,
  id: string,
  change: (sale: Sale) => { sale: Sale; transfers: readonly Transfer[] } | undefined,
): Change | undefined {
  const sale = books.sales.get(id);
  const changed = sale?.settlement === 'completed' ? change(sale) : undefined;
  if (changed === undefined) return undefined;
  const record: Sale = { ...changed.sale, updatedAtMs: books.nowMs() };
  return {
    subject: id,
    writes: [{ table: 'sales', record }],
    transfers: changed.transfers,
  };
}

/** Completes or fails a pending refund. A failed refund becomes refundable again. */
function settleRefund(
  books: Books,
  id: string,
  settlement: 'completed' | 'failed',
): Change | undefined {
  const refund = books.refunds.get(id);
  if (refund?.settlement !== 'pending') return undefined;
  const nowMs = books.nowMs();
  const record: Refund = { ...refund, settlement, updatedAtMs: nowMs };
  return {
    subject: id,
    writes: [
      { table: 'refunds', record },
      ...(settlement === 'failed' ? restoreRefundable(books, refund) : []),
    ],
    transfers: settlement === 'completed' ? [{ ...giveBack(record), atMs: nowMs }] : [],
  };
}

function restoreRefundable(books: Books, refund: Refund): Write[] {
  const { kind, id } = refund.of;
  const from = kind === 'sale' ? books.sales.get(id) : books.captures.get(id);
  if (from === undefined) return [];
  const back = {
    refundedMinor: from.refundedMinor - refund.amount.minor,
    updatedAtMs: books.nowMs(),
  };
  return [
    from.kind === 'sale'
      ? { table: 'sales', record: { ...from, ...back } }
      : { table: 'captures', record: { ...from, ...back } },
  ];
}
