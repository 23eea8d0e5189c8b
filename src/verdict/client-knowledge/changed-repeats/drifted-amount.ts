/**
 * Did the client refund or capture again with a slightly different amount, or in other words, while it could not know that
 * the first request had succeeded? An amount that is calculated again, as after a rate change, looks like another part of
 * the order. So does a note that only one of both requests has, and a number that counts the attempts.
 *
 * Two systems may also handle one case, each with a note of its own.
 */
import type { OperationName } from '../../../contract/service/operation-name.ts';
import type { Money } from '../../../domain/money/money.ts';
import { canonicalAmount } from '../../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { steadyName, withoutAttempt } from '../../evidence/orders/attempt-marks.ts';
import { gapMs, indexAfter } from '../../evidence/exchange-order.ts';
import { isRefund } from '../../evidence/exchange-results.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { omittedFields } from '../../evidence/omitted-fields.ts';
import { haveOnePart, noteFields } from '../../evidence/orders/order-names.ts';
import { isExtension } from '../../evidence/orders/order-number.ts';
import { recordContentOf } from '../../evidence/request-content.ts';
import {
  maxRedeliveryMs,
  minRedeliveryMs,
  sameIntentWindowMs,
} from '../../evidence/time-windows.ts';
import { isRefundedWhilePending } from '../reads/pending-refunds.ts';
import { isRecordReadBefore } from '../reads/reads-by-id.ts';
import { areSentInParallel } from '../parallel/parallel-attempts.ts';
import { isReplacement } from '../reaction.ts';
import { isAlmostEqual } from './amounts.ts';
import { meaningOf } from './order-texts.ts';

export interface DriftedAmount {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly amounts: readonly { readonly amount: Money; readonly atMs: number }[];
}

/** With how many later requests one is compared. Of a thousand small refunds of one sale, a repeat is among the next ones. */
export const mostLater = 32;

/** Finds the refunds or captures that were made again with almost the same amount, or in other words. */
export function findDriftedAmounts(
  journal: JournalIndex,
  operation: 'sale.refund' | 'capture.refund' | 'auth.capture',
): DriftedAmount[] {
  const operations: ReadonlySet<OperationName> = new Set([operation]);
  return journal.of(operation).flatMap((first): DriftedAmount[] => {
    const one = madeBy(journal, first);
    const requests = journal.about(recordIdIn(first) ?? '', operations);
    // Most sales are refunded once.
    if (one === undefined || requests.length < 2) return [];
    const from = indexAfter(requests, first.seq);
    for (const again of requests.slice(from, from + mostLater)) {
      const gap = gapMs(first, again);
      if (gap > maxRedeliveryMs) break;
      const other = madeBy(journal, again);
      if (other === undefined) continue;
      const isFound =
        (gap <= sameIntentWindowMs &&
          isRepeat(journal, first, again, [one.amount, other.amount])) ||
        (one.amount.minor === other.amount.minor && isCaseDoneAgain(journal, first, again));
      if (isFound) return [{ first, again, amounts: [one, other] }];
    }
    return [];
  });
}

/** The refund or capture that a request made. A failed refund is none. */
export function madeBy(
  { records }: JournalIndex,
  { committed, subject = '' }: StoredEntry,
): { readonly amount: Money; readonly atMs: number } | undefined {
  const refund = records.refunds.get(subject);
  const made = refund ?? records.captures.get(subject);
  if (!committed || made === undefined || refund?.settlement === 'failed') return undefined;
  return { amount: made.amount, atMs: made.createdAtMs };
}

function isRepeat(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
  [amount, otherAmount]: readonly [Money, Money],
): boolean {
  if (isPendingRepeat(journal, first, again)) {
    return isAlmostEqual(amount, otherAmount) || isReworded(journal, first, again, areOneName);
  }
  return isLostRepeat(journal, first, again)
    ? isAlmostEqual(amount, otherAmount) || isReworded(journal, first, again, areOneName)
    : isRefund(first.operation) &&
        isBeside(journal, first, again) &&
        isReworded(journal, first, again);
}

/** Whether a case or part of an order was done again in more or fewer words, some time later or at once. */
function isCaseDoneAgain(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  return (
    haveOnePart(journal, first, again) &&
    (gapMs(first, again) >= minRedeliveryMs || isBeside(journal, first, again)) &&
    !isRecordReadBefore(journal, first, again) &&
    isReworded(journal, first, again, areOneName, notesAndAmount)
  );
}

/** Whether a pending refund was requested again with the same notes. One that only one of both has may name another item. */
function isPendingRepeat(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  if (!isRefundedWhilePending(journal, first, again)) return false;
  return omittedIn(journal, first, again, areOneName)?.length === 0;
}

function isLostRepeat(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  return (
    first.concludes !== 'OK' &&
    isReplacement(journal, first, again) &&
    !isRecordReadBefore(journal, first, again)
  );
}

/** Whether two desks of a client sent both at once. */
function isBeside(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  return gapMs(first, again) <= journal.serviceTimeMs && areSentInParallel(journal, first, again);
}

const compared: ReadonlySet<string> = new Set(['amount']);
const notesAndAmount: ReadonlySet<string> = new Set(['amount', ...noteFields]);

/**
 * Whether two requests for one amount differ, and only in fields that one left out or that say the same.
 *
 * @param ignored Fields that are compared elsewhere.
 */
function isReworded(
  journal: JournalIndex,
  first: StoredEntry,
  again: StoredEntry,
  areAlike?: typeof areOneName,
  ignored = compared,
): boolean {
  const [amount, otherAmount] = [first, again].map((entry) =>
    canonicalAmount(memberOf(journal.requestFieldsOf(entry), 'amount')).join(' '),
  );
  if (amount !== otherAmount) return false;
  return (
    omittedIn(journal, first, again, areAlike, ignored) !== undefined &&
    recordContentOf(journal, first) !== recordContentOf(journal, again)
  );
}

/** Whether two requests say the same, as far as both say something. The amount is compared elsewhere. */
export function saySame(
  journal: JournalIndex,
  one: StoredEntry,
  other: StoredEntry,
  { exceptNotes = false } = {},
): boolean {
  const ignored = exceptNotes ? notesAndAmount : compared;
  return omittedIn(journal, one, other, areOneName, ignored) !== undefined;
}

function omittedIn(
  journal: JournalIndex,
  one: StoredEntry,
  other: StoredEntry,
  areAlike?: typeof areOneName,
  ignored = compared,
): readonly string[] | undefined {
  const [body, otherBody] = [one, other].map((entry) => journal.requestFieldsOf(entry));
  return omittedFields(body, otherBody, ignored, areAlike);
}

/** Whether two texts name one refund or capture, apart from what counts the attempts. */
function areOneName(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const areNew = [one, other].every((name) => steadyName(name) === undefined);
  if (areNew || withoutAttempt(one) === withoutAttempt(other)) return true;
  if (meaningOf(one) === meaningOf(other)) return true;
  // In a sentence, a number of the case may stand before another item.
  return !/\s/.test(one + other) && isExtension(one, other);
}
