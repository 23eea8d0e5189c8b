/** Is money on hold still, and how much of it? */
import { heldMinor } from '../../domain/payment/authorization.ts';
import type { Authorization } from '../../domain/records.ts';
import type { JournalIndex } from './journal-index.ts';

/** Whether an authorization has not expired. */
export function isStillOpen({ atMs }: JournalIndex, { validUntilMs }: Authorization): boolean {
  return atMs < validUntilMs;
}

/**
 * What an authorization holds now, or held when it expired, in minor units of its amount: what was neither captured nor
 * released.
 */
export function leftOnHoldMinor({ atMs }: JournalIndex, authorization: Authorization): number {
  return heldMinor(authorization, Math.min(atMs, authorization.validUntilMs - 1));
}
