/** Orders that were paid again after the answer to a capture had been lost. */
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import {
  findLostCaptureBetween,
  findPaidAfterLostCapture,
} from '../../../client-knowledge/changed-repeats/paid-after-lost-capture.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import type { Detection } from '../../finding-rule.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { reportPair } from './report-pair.ts';

/** Advice for a client that did not receive the answer to a capture. */
export const captureAgain =
  'Repeat the capture with the same PayPal-Request-Id, or read the authorization, before you charge the order in another way.';

/** An order that was charged, although a capture for it had succeeded while its answer was lost. */
export function findPaidInPlaceOfCapture(evidence: Evidence): Detection[] {
  const { purchaseLookup } = evidence;
  return findPaidAfterLostCapture(evidence).flatMap(({ first, capture, again }) =>
    // Authorizations of one purchase are reported as such.
    purchaseLookup.byRequest(first) === purchaseLookup.byRequest(again)
      ? []
      : reportPair(evidence, first, again, {
          evidence: [first, capture, again],
          firstCharges: evidence.chargesBy(capture),
          why: () =>
            `${describeAnswer(evidence, capture, again, 'answer to the capture')}, and the client then paid for the order in another way.`,
          remedy: captureAgain,
        }),
  );
}

/** What the client did not know of the first payment when it authorized the order again. */
export function explainLostCapture(evidence: Evidence, requests: readonly StoredEntry[]): string {
  const found = findLostCaptureBetween(evidence, requests);
  return found === undefined
    ? ''
    : ` ${describeAnswer(evidence, found.capture, found.again, 'answer to the capture in between')}.`;
}
