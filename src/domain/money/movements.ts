/** The movements of money that a record implies. */
import { charge, giveBack, takeBack, type Transfer } from './ledger.ts';
import type { Capture, Refund, Sale } from '../records.ts';

/** A transfer without its time, which the record does not keep. */
export type Movement = Omit<Transfer, 'atMs'>;

/** A sale moves money when it completes, and again when it is disputed or reversed. */
export function saleMovements(sale: Omit<Sale, 'refundIds'>): readonly Movement[] {
  const { settlement, dispute, createdAtMs } = sale;
  if (settlement === 'pending' || settlement === 'denied') return [];
  const paid = charge('sale', sale);
  const isDisputed = dispute !== undefined;
  // While a dispute holds the money, a reversal has nothing to move.
  const isReversed = settlement === 'reversed' && (!isDisputed || dispute === 'won');
  return [
    paid,
    ...(isDisputed ? [takeBack('chargeback', sale, createdAtMs)] : []),
    ...(dispute === 'won' ? [{ ...paid, cause: 'chargeback-won' as const }] : []),
    ...(isReversed ? [takeBack('reversal', sale, createdAtMs)] : []),
  ];
}

export function captureMovements(capture: Omit<Capture, 'refundIds'>): readonly Movement[] {
  return [charge('capture', capture)];
}

/** A refund moves its money when it completes. */
export function refundMovements(refund: Refund): readonly Movement[] {
  return refund.settlement === 'completed' ? [giveBack(refund)] : [];
}
