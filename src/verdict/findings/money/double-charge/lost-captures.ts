/** Orders that were paid again after the answer to a capture had been lost. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import {
  findLostCaptureBetween,
  findPaidAfterLostCapture,
} from '../../../client-knowledge/changed-repeats/paid-after-lost-capture.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { capitalize, describePurchase, listAmounts } from '../../../phrases.ts';
import type { Detection } from '../../finding-rule.ts';
import { weights } from '../duplicates.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { amountsOf } from './describe-charges.ts';
import { keptTwice } from './kept-money.ts';

/** Advice for a client that did not receive the answer to a capture. */
export const captureAgain =
  'Repeat the capture with the same PayPal-Request-Id, or read the authorization, before you charge the order in another way.';

/** An order that was charged, although a capture for it had succeeded while its answer was lost. */
export function* findPaidInPlaceOfCapture(evidence: Evidence): Generator<Detection> {
  const { purchaseLookup } = evidence;
  for (const { first, capture, again } of findPaidAfterLostCapture(evidence)) {
    const purchase = purchaseLookup.byPayment(first.subject ?? '');
    // Authorizations of one purchase are reported as such.
    if (purchase === undefined || purchase === purchaseLookup.byPayment(again.subject ?? ''))
      continue;
    const charges = keptTwice(evidence.chargesBy(capture), evidence.chargesFrom(again));
    if (charges === undefined) continue;
    yield {
      what: () =>
        `${capitalize(describePurchase(purchase))} was charged twice: ${listAmounts(amountsOf(charges))}. ${describeAnswer(evidence, capture, again, 'answer to the capture')}, and the client then charged the card in another way.`,
      evidence: [first, capture, again],
      purchase,
      ...weights.likely,
      remedy: captureAgain,
      paidTwice: [charges],
    };
  }
}

/** What the client did not know of the first payment when it authorized the order again. */
export function explainLostCapture(evidence: Evidence, requests: readonly StoredEntry[]): string {
  const found = findLostCaptureBetween(evidence, requests);
  return found === undefined
    ? ''
    : ` ${describeAnswer(evidence, found.capture, found.again, 'answer to the capture in between')}.`;
}
