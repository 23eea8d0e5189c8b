/** Money that was taken or put on hold for a request, and is not given back. */
import { authorizationState } from '../../../../domain/payment/authorization.ts';
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { createdIds } from '../../../evidence/exchange-results.ts';
import { keepWhere } from '../../../evidence/group-by.ts';
import { isStillOpen } from '../../../evidence/holds.ts';
import { listAmounts } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import { keptCharges, type Taken } from './kept-money.ts';

/** Money of a request that the merchant keeps, and money that the client left on hold. */
export interface HeldMoney {
  readonly charges: readonly Charge[];
  readonly holds: readonly Authorization[];
}

/** What the client itself took by each of two requests. What something on the way did twice is not its doing. */
export function moneyOfBoth(
  evidence: Evidence,
  ...both: readonly [first: StoredEntry, again: StoredEntry]
): readonly HeldMoney[] {
  return both.map((entry) => {
    const isOwn = ({ paymentId }: { readonly paymentId: string }) => paymentId !== entry.twin;
    return {
      charges: keepWhere(keptCharges(evidence.chargesFrom(entry)), isOwn),
      holds: keepWhere(leftHoldsFrom(evidence, entry, both), isOwn),
    };
  });
}

/** What is kept or on hold, as if all had been charged. */
export function takenOf({ charges, holds }: HeldMoney): readonly Taken[] {
  if (holds.length === 0) return charges;
  const onHold = holds.map(({ amount }) => ({ amount, retainedMinor: amount.minor }));
  return [...charges, ...onHold];
}

/** `30.11 USD at 10:32:07 is still on hold`, or what was on hold until it expired. */
export function describeHolds(evidence: Evidence, holds: readonly Authorization[]): string {
  const open = holds.filter((hold) => isStillOpen(evidence, hold));
  const expired = holds.filter((hold) => !isStillOpen(evidence, hold));
  return [
    ...(open.length === 0
      ? []
      : [`${listHolds(open)} ${open.length === 1 ? 'is' : 'are'} still on hold`]),
    ...(expired.length === 0
      ? []
      : [
          `${listHolds(expired)} stayed on hold until the ${expired.length === 1 ? 'authorization' : 'authorizations'} expired`,
        ]),
  ].join(', and ');
}

function listHolds(holds: readonly Authorization[]): string {
  return listAmounts(holds.map(({ amount, createdAtMs }) => ({ amount, atMs: createdAtMs })));
}

/**
 * The authorizations of a request of which the client neither took nor released anything: they are still open, or expired so.
 * One that expired before the next of the payments was made is not left beside it.
 */
export function leftHoldsFrom(
  evidence: Evidence,
  entry: StoredEntry,
  payments: readonly StoredEntry[],
): Authorization[] {
  if (!evidence.authorizing.has(entry)) return [];
  const { records, atMs } = evidence;
  const next = payments.find(({ seq }) => seq > entry.seq);
  return createdIds(entry).flatMap((id) => {
    const hold = records.authorizations.get(records.payments.get(id)?.related.first?.id ?? '');
    if (hold === undefined || hold.capturedMinor > 0) return [];
    const state = authorizationState(hold, atMs);
    const isLeft =
      state === 'authorized' ||
      (state === 'expired' && (next === undefined || next.atMs < hold.validUntilMs));
    return isLeft ? [hold] : [];
  });
}
