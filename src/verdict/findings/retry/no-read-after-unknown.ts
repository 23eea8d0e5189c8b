import type { Authorization } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { isCaptureReadBefore } from '../../client-knowledge/reads/reads-by-id.ts';
import {
  describeFailedLookups,
  failedLookupsAfter,
  lookAgainLater,
  type FailedLookups,
} from '../../client-knowledge/reads/failed-lookups.ts';
import { isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import {
  ReconciliationReads,
  type LookedUpOperation,
} from '../../client-knowledge/reads/reconciliation.ts';
import { findRepeatPurchases } from '../../client-knowledge/changed-repeats/repeat-purchase.ts';
import { capturesOf } from '../../evidence/captures.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { overlaps } from '../../evidence/exchange-order.ts';
import { lastUnknown } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { isStillOpen, leftOnHoldMinor } from '../../evidence/holds.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { findCharge } from '../../evidence/records.ts';
import { firstExamples, formatMoney, formatTimes, listAmounts } from '../../phrases.ts';
import type { AttemptGroup, OnceOnlyOperation } from '../../purchases/attempts.ts';
import type { Charge } from '../../purchases/charge.ts';
import { retainedMinorOf } from '../../purchases/net-amount.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { findLostDeletions } from './no-read-after-unknown/lost-deletions.ts';

/** Finds requests with an unknown outcome that the client neither retried nor looked up. */
export const noReadAfterUnknown: FindingRule = {
  id: 'no-read-after-unknown',
  severity: 'medium',
  about: 'After lost or unreadable answers, the client gave up and did not look up the result.',
  remedy:
    'Retry with the same PayPal-Request-Id or look the payment up, at once or in a nightly job.',
  needsWholeJournal: true,
  find: findAbandonedRequests,
};

function* findAbandonedRequests(evidence: Evidence): Generator<Detection> {
  const tried = new ReconciliationReads(evidence, () => true);
  const received = new ReconciliationReads(evidence, isAnswerReceived);
  // A client that left a customer's money where it was must look until it is answered.
  const isLookedUp: IsLookedUp = (operation, entry, harm) =>
    (isHarmDone(harm) ? received : tried).hasReadAfter(operation, entry);
  yield* findAbandonedAttempts(evidence, isLookedUp);
  yield* findAbandonedVoids(evidence, isLookedUp);
  yield* findLostDeletions(evidence);
}

/** Whether the client looked up what became of a request. If harm was done, the lookup must have been answered. */
type IsLookedUp = (operation: LookedUpOperation, entry: StoredEntry, harm: Harm) => boolean;

function* findAbandonedAttempts(evidence: Evidence, isLookedUp: IsLookedUp): Generator<Detection> {
  // An order paid again in another way is reported by `double-charge`.
  const paidAgain = new Set(
    findRepeatPurchases(evidence).flatMap(({ isOneOrder, attempts }) =>
      isOneOrder ? attempts : [],
    ),
  );
  for (const group of evidence.attemptGroups) {
    const { operation, attempts } = group;
    const entry = lastUnknown(attempts);
    if (entry === undefined || paidAgain.has(entry)) continue;
    const harm = harmOf[operation]?.(evidence, entry, attempts) ?? 'possible';
    if (isLookedUp(operation, entry, harm)) continue;
    // The same request id with another body is a retry, too.
    if (isKeyResentAfter(evidence, entry, entry)) continue;
    if (!isReported(attempts, harm)) continue;
    yield describe(group, harm, failedLookupsAfter(evidence, operation, entry));
  }
}

function* findAbandonedVoids(evidence: Evidence, isLookedUp: IsLookedUp): Generator<Detection> {
  for (const [id = '', attempts] of groupBy(evidence.of('auth.void'), recordIdIn)) {
    const entry = lastUnknown(attempts);
    if (entry === undefined) continue;
    const description = `the void of authorization ${id}`;
    const purchase = evidence.purchaseLookup.byRecord(id);
    const captured = entry.committed ? [] : capturesAfterVoid(evidence, entry, id);
    if (captured.length > 0) {
      yield {
        what: `The client could not know whether the request for ${description} had succeeded. It had not. The client did not read the authorization, and captured it later: ${listAmounts(captured)}.`,
        evidence: [entry, ...captured.map((charge) => charge.entry)],
        purchase,
        severity: 'high',
        confidence: 'likely',
        remedy: 'Read the authorization after a void without an answer, and before each capture.',
      };
      continue;
    }
    const harm = harmOfMissingVoid(evidence, entry, id);
    if (isLookedUp('auth.void', entry, harm) || !isReported(attempts, harm)) continue;
    const lookups = failedLookupsAfter(evidence, 'auth.void', entry);
    yield describe({ description, purchase, attempts }, harm, lookups);
  }
}

/** Other rules check retries. A client that gave up after some, and left a customer's money where it was, did harm. */
function isReported(attempts: readonly StoredEntry[], harm: Harm): boolean {
  return attempts.length === 1 || isHarmDone(harm);
}

/** What became of a customer's money: `none` if nothing can be lost, `possible`, or what happened. */
type Harm = 'none' | 'possible' | HarmDone;

interface HarmDone {
  readonly text: string;
}

function isHarmDone(harm: Harm): harm is HarmDone {
  return harm !== 'none' && harm !== 'possible';
}

function describe(
  { description, purchase, attempts }: Pick<AttemptGroup, 'description' | 'purchase' | 'attempts'>,
  harm: Harm,
  lookups: FailedLookups,
): Detection {
  if (isHarmDone(harm) && lookups.wentOnToTheEnd) {
    return {
      what: `No answer said whether the request for ${description} had succeeded. ${describeFailedLookups(lookups)} ${harm.text}`,
      evidence: firstExamples(attempts),
      purchase,
      severity: 'low',
      confidence: 'possible',
      remedy: lookAgainLater,
    };
  }
  const words = describeEnd(description, attempts, lookups);
  return {
    what: isHarmDone(harm) ? `${words} ${harm.text}` : words,
    evidence: firstExamples(attempts),
    purchase,
    confidence: 'likely',
    ...(harm === 'none' && { severity: 'low' }),
    ...(isHarmDone(harm) && { severity: 'high' }),
    ...(attempts.length > 1 && {
      remedy: 'Look the result up after the last attempt, at once or in a nightly job.',
    }),
  };
}

function describeEnd(
  description: string,
  attempts: readonly StoredEntry[],
  lookups: FailedLookups,
): string {
  if (lookups.count > 0) {
    return `The client could not know whether the request for ${description} had succeeded. ${describeFailedLookups(lookups)} Then it gave up.`;
  }
  if (attempts.length > 1) {
    return `The request for ${description} was sent ${formatTimes(attempts.length)}, and no answer said whether it had succeeded. The client gave up and did not look it up.`;
  }
  // Without a request id, a later request may be a retry or another purchase.
  const missing =
    attempts[0]?.requestId === undefined
      ? 'did not look it up'
      : 'neither retried with the same PayPal-Request-Id nor looked it up';
  return `The client could not know whether the request for ${description} had succeeded, and it ${missing}.`;
}

type HarmOf = (evidence: Evidence, entry: StoredEntry, attempts: readonly StoredEntry[]) => Harm;

const harmOf: Partial<Record<OnceOnlyOperation, HarmOf>> = {
  'card.create': () => 'none',
  'sale.refund': harmOfMissingRefund,
  'capture.refund': harmOfMissingRefund,
  'auth.capture': harmOfMissingCapture,
};

/** A refund that was not made leaves the merchant with money of the customer, unless another refund returned it. */
function harmOfMissingRefund({ records }: Evidence, entry: StoredEntry): Harm {
  const charge = findCharge(records, recordIdIn(entry) ?? '');
  if (entry.committed || charge === undefined) return 'possible';
  return charge.refundedMinor === 0 && retainedMinorOf(charge) > 0
    ? { text: 'The refund was not made, so the customer has not been given the money back.' }
    : 'possible';
}

/**
 * A capture that was not made leaves the merchant without money for what it may have shipped. A later capture may have taken
 * that money.
 */
function harmOfMissingCapture(
  evidence: Evidence,
  entry: StoredEntry,
  attempts: readonly StoredEntry[],
): Harm {
  const authorization = evidence.records.authorizations.get(recordIdIn(entry) ?? '');
  if (authorization === undefined || attempts.some(({ committed }) => committed)) return 'possible';
  const purchase = evidence.purchaseLookup.byRecord(authorization.id);
  const isTakenLater = purchase?.charges.some((charge) => charge.entry.seq > entry.seq) ?? false;
  if (isTakenLater || leftMinor(evidence, authorization, entry) === 0) return 'possible';
  const onHold = isStillOpen(evidence, authorization)
    ? 'it is still on hold'
    : 'the authorization has expired';
  return {
    text: `The capture was not made: the merchant does not have the money, and ${onHold}.`,
  };
}

/** A void that was not made leaves money of the customer on hold. */
function harmOfMissingVoid(evidence: Evidence, entry: StoredEntry, id: string): Harm {
  const authorization = evidence.records.authorizations.get(id);
  if (entry.committed || authorization === undefined) return 'none';
  const minor = leftMinor(evidence, authorization, entry);
  if (minor === 0) return 'none';
  const left =
    authorization.capturedMinor === 0
      ? "the customer's money"
      : `the rest of ${formatMoney({ ...authorization.amount, minor })}`;
  const onHold = isStillOpen(evidence, authorization)
    ? 'is still on hold'
    : 'stayed on hold until the authorization expired';
  return { text: `The authorization was not voided, so ${left} ${onHold}.` };
}

/** What a request left on hold that was not carried out. One that came after the authorization had expired left nothing. */
function leftMinor(evidence: Evidence, authorization: Authorization, entry: StoredEntry): number {
  return entry.atMs < authorization.validUntilMs ? leftOnHoldMinor(evidence, authorization) : 0;
}

/** What the client captured after a void whose outcome it did not know, without a look at the authorization. */
function capturesAfterVoid(evidence: Evidence, voided: StoredEntry, id: string): Charge[] {
  return capturesOf(evidence, id)
    .filter(
      (entry) =>
        entry.seq > voided.seq &&
        !overlaps(voided, entry) &&
        !isCaptureReadBefore(evidence, voided, entry),
    )
    .flatMap((entry) => evidence.chargesBy(entry))
    .filter(({ retainedMinor }) => retainedMinor > 0);
}
