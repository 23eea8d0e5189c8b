/** Money that was taken or put on hold for a request, and is not given back. */
import { authorizationState } from '../../../../domain/payment/authorization.ts';
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { createdIds } from '../../../evidence/exchange-results.ts';
import { keepWhere } from '../../../evidence/group-by.ts';
import { listAmounts } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import { keptCharges, type Taken } from './kept-money.ts';

/** Money of a request that the merchant keeps, and money that is still on hold. */
export interface HeldMoney {
  readonly charges: readonly Charge[];
  readonly holds: readonly Authorization[];
}

/** What the client itself took by a request. What something on the way did twice is not its doing. */
export function moneyFrom(evidence: Evidence, entry: StoredEntry): HeldMoney {
  const isOwn = ({ paymentId }: { readonly paymentId: string }) => paymentId !== entry.twin;
  return {
    charges: keepWhere(keptCharges(evidence.chargesFrom(entry)), isOwn),
    holds: keepWhere(openHoldsFrom(evidence, entry), isOwn),
  };
}

/** What is kept or on hold, as if all had been charged. */
export function takenOf({ charges, holds }: HeldMoney): readonly Taken[] {
  if (holds.length === 0) return charges;
  const onHold = holds.map(({ amount }) => ({ amount, retainedMinor: amount.minor }));
  return [...charges, ...onHold];
}

/** `30.11 USD at 10:32:07 is`. */
export function describeOpenHolds(holds: readonly Authorization[]): string {
  const amounts = listAmounts(
    holds.map(({ amount, createdAtMs }) => ({ amount, atMs: createdAtMs })),
  );
  return holds.length === 1 ? `${amounts} is` : `${amounts} are`;
}

/** The authorizations of a request that still hold all of their money. */
export function openHoldsFrom(evidence: Evidence, entry: StoredEntry): Authorization[] {
  if (!evidence.authorizing.has(entry)) return [];
  const { records, atMs } = evidence;
  const { payments, authorizations } = records;
  return createdIds(entry).flatMap((id) => {
    const authorization = authorizations.get(payments.get(id)?.related.first?.id ?? '');
    return authorization !== undefined && authorizationState(authorization, atMs) === 'authorized'
      ? [authorization]
      : [];
  });
}
