/** Why a client left money on hold for an order that it paid otherwise. */
import { dayMs } from '../../../../domain/calendar.ts';
import type { OperationName } from '../../../../contract/service/operation-name.ts';
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { capturesOf, capturesOfRequest, isCapturedAfter } from '../../../evidence/captures.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { gapMs } from '../../../evidence/exchange-order.ts';
import { maxRedeliveryMs } from '../../../evidence/time-windows.ts';

/** Why money was left on hold, and what to do instead. */
export interface LeftHold {
  readonly what: string;
  readonly remedy: string;
}

/** The operation that releases money. */
export const voids: ReadonlySet<OperationName> = new Set(['auth.void']);

/** Whether the client asked to void a hold, or learned that it cannot be captured. */
export function isGivenUp(evidence: Evidence, { id }: Authorization): boolean {
  return (
    isVoidAsked(evidence, id) ||
    capturesOf(evidence, id).some(({ concludes }) => concludes === 'FAIL')
  );
}

/** @param which What to call the holds that the client gave up. */
export function explainGivenUp(
  evidence: Evidence,
  holds: readonly Authorization[],
  which: string,
): LeftHold {
  return holds.every(({ id }) => isVoidAsked(evidence, id))
    ? {
        what: `The client asked to void ${which}, but that failed.`,
        remedy:
          'Read an authorization after its void has failed, and void it again until it is voided.',
      }
    : {
        what: `The client could not capture ${which}: that was refused.`,
        remedy:
          'Void an authorization whose capture was refused before you authorize or charge the order again.',
      };
}

function isVoidAsked(evidence: Evidence, id: string): boolean {
  return evidence.about(id, voids).length > 0;
}

/** An authorization is honoured for three days, so a client may replace it in the last one of them. */
const replacedAfterMs = 2 * dayMs;

/** Whether a payment may replace a hold, which was not captured since then. */
export function mayReplace(evidence: Evidence, hold: StoredEntry, next: StoredEntry): boolean {
  return gapMs(hold, next) >= replacedAfterMs && !isCapturedAfter(evidence, hold, next);
}

/** Says that a client may have replaced a hold. */
export const replaced: LeftHold = {
  what: 'The client may have replaced the first authorization, and let it expire.',
  remedy:
    'If you replace an authorization, void it: until it expires, its money stays on hold. If not, make the PayPal-Request-Id from the number of the order, so that a second request repeats the first.',
};

/**
 * Whether a hold may be for a part of its own, such as the next week of a stay. The hold before came days earlier and was
 * captured after this one had been made, and this one has not been kept for longer than that.
 */
export function mayBeNextPart(evidence: Evidence, before: StoredEntry, hold: StoredEntry): boolean {
  const capture = capturesOfRequest(evidence, before).find(({ committed }) => committed);
  return (
    capture !== undefined &&
    gapMs(before, hold) > maxRedeliveryMs &&
    evidence.atMs - hold.atMs <= gapMs(before, capture) + dayMs
  );
}

/** Says that a hold may be for the next part. */
export const nextPart: LeftHold = {
  what: 'The last authorization may be for the next part of the order, such as a week: it has not been on hold for longer than the one before was.',
  remedy:
    'If it is for the next part, name the part in the payment or its PayPal-Request-Id, as in `week-2`. If not, void it: until it expires, its money stays on hold.',
};
