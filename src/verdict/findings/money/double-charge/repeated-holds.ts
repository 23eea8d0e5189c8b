/** Money that was put on hold several times for one order. */
import { duplicateConfidence } from '../../../client-knowledge/duplicate-confidence.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { everyPair } from '../../../evidence/exchange-order.ts';
import { groupBy } from '../../../evidence/group-by.ts';
import { capitalize, firstExamples, formatTimes } from '../../../phrases.ts';
import type { Detection } from '../../finding-rule.ts';
import { adviseOnDuplicate } from '../duplicate-advice.ts';
import { findDuplicates, weights, type Duplicates } from '../duplicates.ts';
import { describeHolds, leftHoldsFrom } from './held-money.ts';
import { isPaidInParts, keptCharges } from './kept-money.ts';
import {
  explainGivenUp,
  isGivenUp,
  mayBeNextPart,
  mayReplace,
  nextPart,
  replaced,
  type LeftHold,
} from '../holds/left-holds.ts';
import { explainRepeat, findPaymentGroups } from './payment-groups.ts';

/**
 * An order for which money was put on hold more than once, and not all of it was captured or released.
 *
 * Money on hold comes back by itself, so this is less severe than a second charge.
 */
export function* findRepeatedHolds(evidence: Evidence): Generator<Detection> {
  if (evidence.authorizing.size === 0) return;
  for (const group of findPaymentGroups(evidence)) {
    const { attempts } = group;
    const holds = attempts.flatMap((entry) => leftHoldsFrom(evidence, entry, attempts));
    if (holds.length === 0) continue;
    const charges = attempts.flatMap((entry) => keptCharges(evidence.chargesFrom(entry)));
    const charged = groupBy(charges, ({ paymentId }) => paymentId);
    // Two payments that took money are reported as such. Parts of an order that is not paid yet may need another hold.
    if (charged.size > 1 && !isPaidInParts([...charged.values()])) continue;
    if (charged.size + holds.length < 2) continue;
    const ids = new Set([...charged.keys(), ...holds.map(({ paymentId }) => paymentId)]);
    const duplicates = findDuplicates(attempts, (id) => ids.has(id));
    const repeated = duplicateConfidence(evidence, group, ids);
    if (repeated === 'unlikely') continue;
    const reason = repeated === 'likely' ? findReason(evidence, duplicates) : undefined;
    const sureness = reason ? 'possible' : repeated;
    const givenUp = holds.filter((hold) => isGivenUp(evidence, hold));
    const wantsOne = ids.size - givenUp.length < 2;
    const left = wantsOne ? explainGivenUp(evidence, givenUp, 'the others') : reason;
    yield {
      what: () =>
        [
          `${capitalize(group.description)} was authorized ${formatTimes(ids.size)}, and ${describeHolds(evidence, holds)}.`,
          explainRepeat(evidence, group, duplicates),
          ...(left ? [left.what] : []),
        ].join(' '),
      evidence: firstExamples(duplicates.requests),
      purchase: group.purchase,
      ...weights[sureness],
      severity: wantsOne || sureness === 'possible' ? 'medium' : 'high',
      remedy:
        left?.remedy ??
        adviseOnDuplicate(evidence, duplicates, sureness) ??
        'Send one PayPal-Request-Id per order with every retry, and void each authorization that you do not capture.',
    };
  }
}

/** Why the client may have wanted each hold, if it may: each replaces the one before, or the last one is for the next part. */
function findReason(
  evidence: Evidence,
  { requests, areDoubled }: Duplicates,
): LeftHold | undefined {
  if (areDoubled) return undefined;
  if (everyPair(requests, (before, next) => mayReplace(evidence, before, next))) return replaced;
  const [before, last, third] = requests;
  const isPart = before && last && third === undefined && mayBeNextPart(evidence, before, last);
  return isPart ? nextPart : undefined;
}
