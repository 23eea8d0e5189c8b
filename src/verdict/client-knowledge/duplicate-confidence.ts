/**
 * How sure is it that a client which did the same thing several times wanted it once?
 *
 * Two equal payments may be one purchase charged twice or two purchases. What the client knew when it sent the later
 * request decides.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { isCaptureBeyondAmount } from '../evidence/captures.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { everyPair, gapMs, somePair } from '../evidence/exchange-order.ts';
import { createdIds, isAnsweredOddly } from '../evidence/exchange-results.ts';
import { keepWhere } from '../evidence/group-by.ts';
import { nameOtherParts } from '../evidence/key-parts.ts';
import {
  hasOrderName,
  isMonthOfPlan,
  isNamedOrder,
  isNamedPart,
  isPointOfSale,
  isRefundWithReason,
  isUnnumberedPart,
} from '../evidence/orders/order-names.ts';
import {
  maxRedeliveryMs,
  minRedeliveryMs,
  partsApartMs,
  sameIntentWindowMs,
} from '../evidence/time-windows.ts';
import type { AttemptGroup } from '../purchases/attempts.ts';
import { isDisclosedBefore } from './disclosed-before-retry.ts';
import {
  areSoldWhilePending,
  areUsedInTurn,
  isNamelessSeries,
  nameOneOrder,
} from './equal-sales.ts';
import {
  firstWithKey,
  isKeyResentAfter,
  isRepeatedInProgress,
  lastWithKey,
} from './idempotency-keys.ts';
import { findMissedLook } from './reads/missed-looks.ts';
import { isPendingRefundRepeated } from './reads/pending-refunds.ts';
import { isLookedAtBefore, isRecordReadBefore } from './reads/reads-by-id.ts';
import { isSentAtOnce } from './parallel/connections.ts';
import { isOneThingInParallel } from './parallel/one-thing.ts';
import { findLostCaptureBetween } from './changed-repeats/paid-after-lost-capture.ts';
import { areNumberedParts } from './parts/counted-parts.ts';
import { arePartsInTurn } from './parts/parts-in-turn.ts';
import { leastKnowledge } from './known-success.ts';
import { areMostlyRefundedBefore, hasReversals, isReversedBefore } from './reversal.ts';
import { wasPending } from './unknown-outcomes.ts';

/** How sure it is that a thing was wanted once. `near-certain` is as severe as `certain`, and only likely. */
export type DuplicateConfidence = 'certain' | 'near-certain' | 'likely' | 'possible' | 'unlikely';

/** Ids of records: a set, or a map by id. */
type RecordIds = Pick<ReadonlySet<string>, 'has'>;

/**
 * Says how sure it is that the requests of a group were meant to be carried out once. The first reason that applies decides.
 *
 * @param createdRecordIds The records that count, for example payments whose money was not refunded.
 */
export function duplicateConfidence(
  evidence: Evidence,
  group: AttemptGroup,
  createdRecordIds: RecordIds,
): DuplicateConfidence {
  if (group.hasInvoiceNumber) return 'certain';
  const successes = keepWhere(group.attempts, (entry) =>
    createdIds(entry).some((id) => createdRecordIds.has(id)),
  );
  if (isEachMostlyRefunded(evidence, group, successes, createdRecordIds)) return 'unlikely';
  if (isOneRequestExecutedTwice(successes, createdRecordIds)) return 'certain';
  const isSeries = isNamelessSeries(evidence, group, successes);
  const knowledge = leastKnowledge(evidence, group, successes);
  const areForSeveral = areSoldWhilePending(evidence, group, successes);
  // The client could not know that an earlier request had succeeded, and never sent that one again.
  if (knowledge === 'none' && !isSeries && !areForSeveral) return 'certain';
  const isUnsure =
    knowledge !== 'clear' && !areForSeveral && !areSoldInTurn(evidence, group, successes);
  if (isUnsure && knowledge === 'in-passing') return 'near-certain';
  // Few clients are in doubt, so the name is read last.
  if ((isUnsure || isInDoubt(evidence, group, successes)) && isNamedPayment(evidence, group)) {
    return 'likely';
  }
  if (isOneThingDoneAgain(evidence, group, successes)) return 'likely';
  if (isNamedOrderPaidAgain(evidence, group, successes)) {
    if (areAllPartsInTurn(evidence, group, successes)) {
      return areNumberedFarApart(successes) ? 'unlikely' : 'possible';
    }
    return arePartsOfMonth(evidence, successes) ? 'possible' : 'likely';
  }
  const areForOneThing = successes.every(
    (entry) => isNamedPart(evidence, entry) || isRefundWithReason(evidence, entry),
  );
  const mayAllBeWanted =
    areFarApart(successes, areForOneThing ? Infinity : sameIntentWindowMs) ||
    isSeries ||
    areUsedInTurn(evidence, group, successes);
  return mayAllBeWanted ? 'unlikely' : 'possible';
}

/** Whether a request to pay has a name. It may stand for the purchase, or for everything that one buyer pays. */
function isNamedPayment(evidence: Evidence, { operation, attempts: [first] }: AttemptGroup) {
  return operation === 'payment.create' && first !== undefined && hasOrderName(evidence, first);
}

/** Whether the client had reason to doubt an earlier success: its last look missed it, or it was answered as in progress. */
function isInDoubt(
  evidence: Evidence,
  group: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    findMissedLook(evidence, group, successes) !== undefined ||
    isReplacedInProgress(evidence, successes)
  );
}

/** Whether the requests themselves show that one thing was done again. */
function isOneThingDoneAgain(
  evidence: Evidence,
  group: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    isOneThingInParallel(evidence, group) ||
    isNamedPartDoneAgain(evidence, group, successes) ||
    somePair(successes, (before, next) => isPendingRefundRepeated(evidence, before, next)) ||
    findLostCaptureBetween(evidence, successes) !== undefined ||
    isCapturedAgainInExcess(evidence, group, successes)
  );
}

/**
 * Whether these payments may be sales of the same thing, because nothing names one order. No sale was pending, and the
 * client had repeated what was lost with its request id. So a new request id stands for the next sale.
 */
function areSoldInTurn(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    operation === 'payment.create' &&
    successes.every((entry) =>
      entry.concludes === 'UNKNOWN'
        ? isKeyResentAfter(evidence, entry, entry)
        : !wasPending(evidence, entry),
    ) &&
    (successes.every((entry) => namesNoOrder(evidence, entry)) ||
      isNameSharedByPurchases(evidence, successes))
  );
}

/** Whether a payment has no name, or that of a till or machine. */
function namesNoOrder(evidence: Evidence, entry: StoredEntry): boolean {
  return !hasOrderName(evidence, entry) || isPointOfSale(evidence, entry);
}

/**
 * Whether the client also paid again under the same name once it had an answer. Then the name, if it is no number of an
 * order, is that of a shop or buyer.
 */
function isNameSharedByPurchases(evidence: Evidence, successes: readonly StoredEntry[]): boolean {
  return (
    !nameOneOrder(evidence, successes) &&
    somePair(successes, (before, next) => {
      const last = lastWithKey(evidence, before);
      return last.concludes === 'OK' && isSentAtOnce(evidence, last, next) === false;
    })
  );
}

/** Whether one request created several of the records: it was sent again on its way, or its request id was forgotten. */
function isOneRequestExecutedTwice(successes: readonly StoredEntry[], counted: RecordIds): boolean {
  const requestIds = successes.flatMap(({ requestId }) => requestId ?? []);
  return (
    new Set(requestIds).size < requestIds.length ||
    successes.some(
      (entry) => entry.twin !== undefined && createdIds(entry).every((id) => counted.has(id)),
    )
  );
}

/**
 * Whether the client had refunded most of each payment before it paid again, or had voided it: then it had ended that order.
 * If the service forgot a request id and executed it again, the client may know of the last payment only.
 */
function isEachMostlyRefunded(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
  counted: RecordIds,
): boolean {
  return (
    operation === 'payment.create' &&
    successes.length > 1 &&
    hasReversals(evidence) &&
    everyPair(successes, (before, next) =>
      [before, lastKnownOf(evidence, before, next)].some(
        (known) =>
          areMostlyRefundedBefore(evidence, withoutUncountedTwin(known, counted), next) ||
          isReversedBefore(evidence, known, next),
      ),
    )
  );
}

/** What a request created, without a payment that was doubled on the way and is told by itself. */
function withoutUncountedTwin(entry: StoredEntry, counted: RecordIds): readonly string[] {
  return createdIds(entry).filter((id) => id !== entry.twin || counted.has(id));
}

/** The last request with the request id of a payment, if the client knows only what that one did. */
function lastKnownOf(evidence: Evidence, payment: StoredEntry, next: StoredEntry): StoredEntry {
  const last = lastWithKey(evidence, payment);
  return last.seq < next.seq && !isDisclosedBefore(evidence, payment, next) ? last : payment;
}

/**
 * Whether these payments of one card and amount pay an order that has a number of its own, or one month of a plan. Orders
 * with a number are paid again some time later, at once after an answer that the client may have failed to read, or by a
 * second worker while the first one still tries.
 */
function isNamedOrderPaidAgain(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    operation === 'payment.create' &&
    successes.every((entry) => isNamedOrder(evidence, entry)) &&
    nameOneOrder(evidence, successes) &&
    (successes.every((entry) => isMonthOfPlan(evidence, entry)) ||
      somePair(
        successes,
        (before, next) =>
          gapMs(before, next) >= minRedeliveryMs ||
          isAnsweredOddly(before) ||
          areOfTwoWorkers(evidence, before, next),
      ))
  );
}

/**
 * Whether each payment may be another part of the order than the one before, or than one that failed between both. A
 * month of a plan has parts only if the request ids number them, as for a family.
 */
function areAllPartsInTurn(
  evidence: Evidence,
  { attempts }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  const made = new Set(successes);
  const isMonth = successes.some((entry) => isMonthOfPlan(evidence, entry));
  /** The last payment, and a part after it that failed. */
  let before: StoredEntry[] = [];
  for (const entry of attempts) {
    const isPart = before.some((earlier) =>
      isMonth
        ? areNumberedParts(evidence, earlier, entry)
        : isUnnumberedPart(evidence, entry) || arePartsInTurn(evidence, earlier, entry),
    );
    if (made.has(entry)) {
      if (!isPart && before.length > 0) return false;
      before = [entry];
    } else if (isPart) before = [...before.slice(0, 1), entry];
  }
  return true;
}

/** Whether the request ids number parts that come in turn, such as nights or instalments. The client can do no more. */
function areNumberedFarApart(successes: readonly StoredEntry[]): boolean {
  return everyPair(
    successes,
    (before, next) => gapMs(before, next) >= partsApartMs && nameOtherParts(before, next),
  );
}

/** Whether one request id was sent before another one and, because it had no answer that counts, again after it. */
function areOfTwoWorkers(evidence: Evidence, before: StoredEntry, next: StoredEntry): boolean {
  return (
    firstWithKey(evidence, next).seq < before.seq ||
    (before.concludes !== 'OK' && isKeyResentAfter(evidence, before, next))
  );
}

/** Whether a month is paid several times, each time later than a queue delivers a job again: it may be paid week by week. */
function arePartsOfMonth(evidence: Evidence, successes: readonly StoredEntry[]): boolean {
  return (
    successes.every((entry) => isMonthOfPlan(evidence, entry)) &&
    everyPair(successes, (before, next) => gapMs(before, next) > maxRedeliveryMs)
  );
}

/**
 * Whether a case or part of an order that has a number was done again without a look: some time later, or after a read had
 * shown that the first one was not lost. Request ids that number parts stand for two parts of one case.
 */
function isNamedPartDoneAgain(
  evidence: Evidence,
  { attempts }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    successes.every((entry) => isNamedPart(evidence, entry)) &&
    somePair(
      successes,
      (before, next) =>
        (gapMs(before, next) >= minRedeliveryMs || isRecordReadBefore(evidence, before, next)) &&
        !nameOtherParts(before, next) &&
        !isLookedAtBefore(evidence, attempts, before, next),
    )
  );
}

/** Whether one part of an order was captured again, so that more was taken than authorized. */
function isCapturedAgainInExcess(
  evidence: Evidence,
  { operation }: AttemptGroup,
  successes: readonly StoredEntry[],
): boolean {
  return (
    operation === 'auth.capture' &&
    successes.length > 1 &&
    successes.slice(1).some((entry) => isCaptureBeyondAmount(evidence, entry))
  );
}

/** Whether each comes so much later than the one before, or its request id names another period or part. */
function areFarApart(successes: readonly StoredEntry[], longerThanMs: number): boolean {
  return everyPair(
    successes,
    (before, next) => gapMs(before, next) > longerThanMs || nameOtherParts(before, next),
  );
}

/** Whether the client gave up a request id because the request was still in progress, and soon sent another one. */
function isReplacedInProgress(evidence: Evidence, successes: readonly StoredEntry[]): boolean {
  return somePair(
    successes,
    (before, next) =>
      gapMs(before, next) <= sameIntentWindowMs &&
      isRepeatedInProgress(evidence, before, next) &&
      !isKeyResentAfter(evidence, before, next) &&
      !isPointOfSale(evidence, next),
  );
}
