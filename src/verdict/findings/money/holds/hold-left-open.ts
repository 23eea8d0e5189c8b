import { authorizationDays } from '../../../../domain/payment/authorization.ts';
import type { ServiceProblemKind } from '../../../../contract/problems.ts';
import type { OperationName } from '../../../../contract/service/operation-name.ts';
import type { Authorization } from '../../../../domain/records.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { memoize } from '../../../../shared/memoize.ts';
import { disclosuresOf, isAnswerReceived } from '../../../client-knowledge/disclosure.ts';
import { ReconciliationReads } from '../../../client-knowledge/reads/reconciliation.ts';
import { capturesOf } from '../../../evidence/captures.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { createdIds, hasUnknownOutcome, isRefused } from '../../../evidence/exchange-results.ts';
import { isStillOpen, leftOnHoldMinor } from '../../../evidence/holds.ts';
import {
  capitalize,
  describePurchase,
  firstExamples,
  formatMoney,
  listWords,
} from '../../../phrases.ts';
import type { Detection, FindingRule } from '../../finding-rule.ts';
import { findChargedAndAuthorized } from '../double-charge/both-ways.ts';
import { findRepeatedHolds } from '../double-charge/repeated-holds.ts';
import { explainGivenUp, isGivenUp, voids } from './left-holds.ts';
import { findPaidOtherwise } from './paid-otherwise.ts';

/**
 * Finds authorizations of which a part was captured, while the rest stayed on hold until they expired, those whose order
 * another payment paid, and those whose void was refused and not sent again. One that was never captured may have been for
 * an order that was never shipped.
 */
export const holdLeftOpen: FindingRule = {
  id: 'hold-left-open',
  severity: 'medium',
  about:
    'An authorization was captured in part, its order was paid otherwise, or its void was refused, and money stayed on hold until it expired.',
  remedy:
    'Send `is_final_capture` with the last capture of an authorization, or void what you do not capture.',
  needsWholeJournal: true,
  find: findHoldsLeftOpen,
};

/** What became of a hold, as a part of a sentence, and how sure it is that the client forgot the rest. */
type Left = Pick<Detection, 'evidence' | 'severity' | 'confidence' | 'remedy'> & {
  readonly what: string;
};

function* findHoldsLeftOpen(evidence: Evidence): Generator<Detection> {
  for (const entry of evidence.authorizing) {
    for (const hold of holdsFrom(evidence, entry)) {
      const left = leftBy(evidence, entry, hold);
      const purchase = evidence.purchaseLookup.byPayment(hold.paymentId);
      if (left === undefined || purchase === undefined) continue;
      if (requestsOfTwo(evidence).has(entry)) continue;
      const until = isStillOpen(evidence, hold)
        ? 'is still on hold'
        : `stayed on hold until the authorization expired, ${authorizationDays} days after it was made`;
      yield {
        ...left,
        what: `${capitalize(describePurchase(purchase))} was authorized for ${formatMoney(hold.amount)}${left.what}, so it ${until}.`,
        evidence: firstExamples([entry, ...left.evidence]),
        purchase,
      };
    }
  }
}

/** The requests that pay an order twice, or hold its money twice, as findings of double charges say. */
const requestsOfTwo = memoize(
  (evidence: Evidence): ReadonlySet<StoredEntry> =>
    new Set(
      [...findRepeatedHolds(evidence), ...findChargedAndAuthorized(evidence)].flatMap(
        (detection) => detection.evidence,
      ),
    ),
);

/** The authorizations of a request that hold money still, or did so when they expired. */
function holdsFrom(evidence: Evidence, entry: StoredEntry): Authorization[] {
  const { payments, authorizations } = evidence.records;
  return createdIds(entry).flatMap((id) => {
    const hold = authorizations.get(payments.get(id)?.related.first?.id ?? '');
    return hold !== undefined && leftOnHoldMinor(evidence, hold) > 0 ? [hold] : [];
  });
}

function leftBy(evidence: Evidence, entry: StoredEntry, hold: Authorization): Left | undefined {
  const refused = refusedVoidOf(evidence, hold);
  if (refused !== undefined) return refused;
  if (isStillOpen(evidence, hold) || isKnownToHaveEnded(evidence, hold)) return undefined;
  if (isInDoubt(evidence, hold)) return undefined;
  return hold.capturedMinor > 0 ? restOf(evidence, hold) : wholeOf(evidence, entry, hold);
}

/**
 * A hold whose void was refused, so that the client knew that it held money still, and did nothing more about it. While it is
 * open, the client may yet ask again.
 */
function refusedVoidOf(evidence: Evidence, hold: Authorization): Left | undefined {
  const last = evidence.about(hold.id, voids).at(-1);
  if (last?.concludes !== 'FAIL' || last.atMs >= hold.validUntilMs) return undefined;
  const later = [...capturesOf(evidence, hold.id), ...readsOf(evidence, hold)];
  if (later.some(({ seq }) => seq > last.seq)) return undefined;
  const isOpen = isStillOpen(evidence, hold);
  const left = formatMoney({ ...hold.amount, minor: leftOnHoldMinor(evidence, hold) });
  return {
    what: `. The last request to void the authorization was refused with ${last.status}, and the client did not send it again for the ${left}`,
    evidence: [last],
    severity: isOpen ? 'low' : 'medium',
    confidence: isOpen ? 'possible' : 'likely',
    remedy:
      'Send a void that was refused again until it is answered with 200, at once or in a nightly job.',
  };
}

/** Refusals which say that an authorization holds nothing any more. */
const ended = [
  'authorization-expired',
  'authorization-cannot-be-voided',
] as const satisfies readonly ServiceProblemKind[];

/** Whether the client learned that an authorization had ended, so that it did not forget it. */
function isKnownToHaveEnded(evidence: Evidence, hold: Authorization): boolean {
  return (
    readsOf(evidence, hold).some((read) => read.atMs >= hold.validUntilMs) ||
    evidence.about(hold.id, changes).some((entry) => ended.some((kind) => isRefused(entry, kind)))
  );
}

const changes: ReadonlySet<OperationName> = new Set(['auth.capture', 'auth.void']);

const receivedReads = memoize(
  (evidence: Evidence) => new ReconciliationReads(evidence, isAnswerReceived),
);

/**
 * Whether the client could not know what became of its last capture or void, and received no answer since. If so, other
 * findings report that it did not look.
 */
function isInDoubt(evidence: Evidence, hold: Authorization): boolean {
  const last = evidence.about(hold.id, changes).at(-1);
  return (
    last !== undefined &&
    hasUnknownOutcome(last) &&
    !receivedReads(evidence).hasReadAfter('auth.void', last)
  );
}

const reads: ReadonlySet<OperationName> = new Set(['auth.get', 'payment.get']);

/** The last answered reads of a hold and its payment. */
function readsOf(evidence: Evidence, hold: Authorization): StoredEntry[] {
  return [hold.id, hold.paymentId].flatMap(
    (id) => evidence.about(id, reads).findLast(isAnswerReceived) ?? [],
  );
}

/** A hold of which a part was captured. */
function restOf(evidence: Evidence, { id, amount, capturedMinor }: Authorization): Left {
  const { currency } = amount;
  const captured = formatMoney({ minor: capturedMinor, currency });
  const rest = formatMoney({ minor: amount.minor - capturedMinor, currency });
  return {
    what: `, and ${captured} was captured. The client did not release the other ${rest}`,
    evidence: capturesOf(evidence, id),
    confidence: 'likely',
  };
}

/**
 * A hold that the client knew of, and of which nothing was captured. It may have been a guarantee or a check of the card,
 * unless another payment paid the order. A capture or void that failed releases nothing.
 */
function wholeOf(evidence: Evidence, entry: StoredEntry, hold: Authorization): Left | undefined {
  const isKnown = entry.concludes === 'OK' || disclosuresOf(evidence, entry).length > 0;
  if (!isKnown || hold.paymentId === entry.twin) return undefined;
  const paid = findPaidOtherwise(evidence, entry, hold);
  if (paid.length === 0) return undefined;
  const givenUp = isGivenUp(evidence, hold)
    ? explainGivenUp(evidence, [hold], 'the authorization')
    : undefined;
  return {
    what: `, and another payment then paid the order: ${listWords(paid, ({ amount }) => formatMoney(amount))}. ${givenUp ? `${givenUp.what} ` : ''}The client did not release the ${formatMoney(hold.amount)}`,
    evidence: [...evidence.about(hold.id, changes), ...paid.map((charge) => charge.entry)],
    confidence: 'possible',
    remedy:
      givenUp?.remedy ??
      'Capture an authorization, or void it before you pay its order in another way. If it is a deposit, say so in its description.',
  };
}
