/** Orders that were charged by a sale and authorized as well. */
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { isDisclosedBefore } from '../../../client-knowledge/disclosed-before-retry.ts';
import { findPaidAfterLostCapture } from '../../../client-knowledge/changed-repeats/paid-after-lost-capture.ts';
import { findPaidBothWays } from '../../../client-knowledge/changed-repeats/paid-both-ways.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { capitalize, describePurchase, listAmounts } from '../../../phrases.ts';
import type { Detection, PaidTwice } from '../../finding-rule.ts';
import { weights } from '../duplicates.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { amountsOf } from './describe-charges.ts';
import { describeHolds, leftHoldsFrom } from './held-money.ts';
import { isKeptTwice, keptCharges } from './kept-money.ts';
import {
  explainGivenUp,
  isGivenUp,
  mayReplace,
  replaced,
  type LeftHold,
} from '../holds/left-holds.ts';

/** An order for which a sale took money, while an authorization for it was captured, is still on hold, or stayed so until it expired. */
export function* findChargedAndAuthorized(evidence: Evidence): Generator<Detection> {
  const reported = new Set(findPaidAfterLostCapture(evidence).map(({ again }) => again));
  for (const { first, again, mayBeParts } of findPaidBothWays(evidence)) {
    const both = [first, again];
    const purchase = evidence.purchaseLookup.byRequest(first);
    if (purchase === undefined || both.some((entry) => reported.has(entry))) continue;
    const charges = both.map((entry) => keptCharges(evidence.chargesFrom(entry)));
    const holds = both.flatMap((entry) => leftHoldsFrom(evidence, entry, both));
    const isHeldBeside = holds.length > 0 && charges.flat().length > 0;
    if (!isHeldBeside && !isKeptTwice(charges)) continue;
    const left = isHeldBeside ? explainLeft(evidence, first, again, holds) : undefined;
    reported.add(first).add(again);
    yield {
      what: () =>
        [
          `${capitalize(describePurchase(purchase))} was ${describeTaken(evidence, charges, holds)}.`,
          'One payment is a sale, and the other one an authorization for the same order.',
          explainSecond(evidence, first, again),
          ...(left ? [left.what] : []),
        ].join(' '),
      evidence: both,
      purchase,
      ...weights[mayBeParts || left === replaced ? 'possible' : 'likely'],
      ...(left && { severity: 'medium' }),
      remedy: mayBeParts
        ? 'If the order has two parts, name the part in each description. If not, pay each order in one way.'
        : left !== undefined && left !== replaced
          ? left.remedy
          : adviseOnSecond(evidence, first, again),
      paidTwice: isHeldBeside ? [] : [charges],
    };
  }
}

function describeTaken(
  evidence: Evidence,
  charges: PaidTwice,
  holds: readonly Authorization[],
): string {
  const amounts = listAmounts(amountsOf(charges));
  if (holds.length === 0) return `charged twice: ${amounts}`;
  return `charged: ${amounts}, and ${describeHolds(evidence, holds)}`;
}

/** Why the client may have left money on hold when it charged the order by a sale. */
function explainLeft(
  evidence: Evidence,
  first: StoredEntry,
  again: StoredEntry,
  holds: readonly Authorization[],
): LeftHold | undefined {
  if (holds.every((hold) => isGivenUp(evidence, hold))) {
    return explainGivenUp(evidence, holds, 'what is on hold');
  }
  const isHoldFirst = evidence.authorizing.has(first);
  return isHoldFirst && mayReplace(evidence, first, again) ? replaced : undefined;
}

function explainSecond(evidence: Evidence, first: StoredEntry, again: StoredEntry): string {
  const answer = describeAnswer(evidence, first, again, 'answer to the first payment');
  return isDisclosedBefore(evidence, first, again)
    ? `${answer}, and both payments name the same order.`
    : `${answer}, and the client then paid in the other way, with the same name, card and amount.`;
}

function adviseOnSecond(evidence: Evidence, first: StoredEntry, again: StoredEntry): string {
  return isDisclosedBefore(evidence, first, again)
    ? 'Pay each order in one way: capture its authorization, or void that before you charge the order by a sale.'
    : 'Find out what became of the first payment before you charge the order in another way.';
}
