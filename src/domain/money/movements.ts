/** The money that has moved for a record, told by the record alone. */
import { charge, giveBack, takeBack, type Transfer } from './ledger.ts';
import type { Capture, Refund, Sale } from '../records.ts';

/** A movement without its instant, which a record does not keep. */
export type Movement = Omit<Transfer, 'atMs'>;

/** A sale moves its money once it is completed, and again with a dispute or a reversal. */
export function saleMovements(sale: Omit<Sale, 'refundIds'>): readonly Movement[] {
  const { settlement, dispute, createdAtMs } = sale;
  if (settlement === 'pending' || settlement === 'denied') return [];
  const paid = charge('sale', sale);
  const isDisputed = dispute !== undefined;
  // A reversal finds nothing to move where a dispute holds the money.
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

/** A refund moves its money once it is completed. */
export function refundMovements(refund: Refund): readonly Movement[] {
  return refund.settlement === 'completed' ? [giveBack(refund)] : [];
}
