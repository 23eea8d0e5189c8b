/** The same capture, executed several times. */
import type { Money } from '../../../../domain/money/money.ts';
import { duplicateConfidence } from '../../../client-knowledge/duplicate-confidence.ts';
import { isCaptureReadBefore } from '../../../client-knowledge/reads/reads-by-id.ts';
import { findDriftedAmounts } from '../../../client-knowledge/changed-repeats/drifted-amount.ts';
import {
  noneParallel,
  parallelAttempts,
} from '../../../client-knowledge/parallel/parallel-attempts.ts';
import { haveOnePart } from '../../../evidence/orders/order-names.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { recordIdIn } from '../../../evidence/journal-index.ts';
import { capitalize, formatMoney, formatTimes, listAmounts } from '../../../phrases.ts';
import { duplicateSeverity } from '../../../purchases/attempts.ts';
import type { Charge } from '../../../purchases/charge.ts';
import { chargeRecordsOf, retainedMinorOf } from '../../../purchases/net-amount.ts';
import type { Detection } from '../../finding-rule.ts';
import { adviseOnSameId, adviseOnDrift, describeDrift } from '../duplicate-advice.ts';
import { findDuplicates, weights, type Duplicates } from '../duplicates.ts';
import { explainDuplicate, explainPartName } from '../explain-duplicate.ts';
import { amountsOf } from './describe-charges.ts';
import { entriesOf, isKeptTwice, keptCharges, keptTwice } from './kept-money.ts';

/**
 * One capture that was executed several times while the authorization had room for it.
 *
 * The service accepts an invoice number in several captures, but it names one part of the order. Without an invoice number,
 * two parts may cost the same: the rule then reports only a capture that the client could not know of,
 * one beyond the authorized amount, or one whose note names the same part.
 */
export function* findRepeatedCaptures(evidence: Evidence): Generator<Detection> {
  const retriedGroups = evidence.retriedGroups.filter(
    ({ operation }) => operation === 'auth.capture',
  );
  for (const group of retriedGroups) {
    const captures = keptCharges(group.attempts.flatMap((entry) => evidence.chargesBy(entry)));
    const paid = captures.map((capture) => [capture]);
    if (!isKeptTwice(paid)) continue;
    const ids = new Set(captures.map(({ id }) => id));
    const sureness = duplicateConfidence(evidence, group, ids);
    const excess = amountBeyondAuthorization(evidence, captures);
    const isOpen = weights[sureness].confidence === 'possible';
    const duplicates = findDuplicates(group.attempts, (id) => ids.has(id));
    const partName = explainPartName(evidence, duplicates.requests);
    if (isOpen && excess === undefined && partName === '') continue;
    yield {
      what: () =>
        [
          `${capitalize(group.description)} was executed ${formatTimes(captures.length)}${group.hasInvoiceNumber ? ' for one invoice number' : ''}: ${listAmounts(amountsOf(paid))}.`,
          ...(excess === undefined
            ? []
            : [`${formatMoney(excess)} more than authorized was captured.`]),
          `${explainDuplicate(evidence, duplicates, parallelAttempts(evidence, group))}${partName}`,
        ].join(' '),
      evidence: entriesOf(captures),
      purchase: group.purchase,
      ...weights[sureness],
      ...(!isOpen && { severity: duplicateSeverity[group.operation] }),
      remedy: adviseOnSameId(duplicates) ?? adviseOnCaptures(evidence, duplicates),
      paidTwice: [paid],
    };
  }
}

/** Advice for a client that captured again, perhaps after a look at the authorization. */
function adviseOnCaptures(evidence: Evidence, { requests: [first, second] }: Duplicates): string {
  const hasRead =
    first !== undefined && second !== undefined && isCaptureReadBefore(evidence, first, second);
  return hasRead ? oneIdPerCapture : `${oneIdPerCapture} ${readFirst}`;
}

const oneIdPerCapture =
  'Create one PayPal-Request-Id per capture, store it before the first attempt, and send it with every retry.';
const readFirst = 'Read the authorization before you capture again.';

/** Captures that were made again with another note or almost the same amount: after a lost answer, or for one part. */
export function* findDriftedCaptures(evidence: Evidence): Generator<Detection> {
  for (const { first, again, amounts } of findDriftedAmounts(evidence, 'auth.capture')) {
    const charges = keptTwice(evidence.chargesBy(first), evidence.chargesBy(again));
    if (charges === undefined) continue;
    const id = recordIdIn(first) ?? '';
    yield {
      what: () =>
        `Authorization ${id} was captured twice${describeDrift(amounts)}: ${listAmounts(amounts)}. ${explainDuplicate(
          evidence,
          findDuplicates([first, again], () => true),
          noneParallel,
        )}${explainPartName(evidence, [first, again])}`,
      evidence: [first, again],
      purchase: evidence.purchaseLookup.byRecord(id),
      ...weights.likely,
      remedy: haveOnePart(evidence, first, again)
        ? `${oneIdPerCapture} ${readFirst}`
        : adviseOnDrift(amounts),
      paidTwice: [charges],
    };
  }
}

/** What all captures of an authorization took beyond its amount. The service allows a little more than the amount. */
function amountBeyondAuthorization(
  { records }: Evidence,
  [one]: readonly Charge[],
): Money | undefined {
  const capture = records.captures.get(one?.id ?? '');
  const authorized = records.authorizations.get(capture?.authorizationId ?? '')?.amount;
  if (capture === undefined || authorized === undefined) return undefined;
  const minor = chargeRecordsOf(capture.paymentId, records)
    .map(retainedMinorOf)
    .reduce((sum, kept) => sum + kept, -authorized.minor);
  return minor > 0 ? { ...authorized, minor } : undefined;
}
