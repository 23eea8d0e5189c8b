/**
 * Did the client refund or capture again with a slightly different amount, or with more or fewer words, while it could not
 * know that the first request had succeeded? An amount that is calculated again, as after a rate change, looks like
 * another part of the order, and so does a note that only one of both requests has.
 */
import type { OperationName } from '../../../contract/service/operations.ts';
import type { Money } from '../../../domain/money/money.ts';
import { canonicalAmount } from '../../../journal/query/canonical-amount.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { omittedFields } from '../../evidence/omitted-fields.ts';
import { sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { isRecordReadBefore } from '../reads.ts';
import { isReplacement } from '../reaction.ts';

export interface DriftedAmount {
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  readonly amounts: readonly { readonly amount: Money; readonly atMs: number }[];
}

/** The largest share by which two amounts may differ and still stand for one thing. */
const mostDrift = 0.02;

/** Finds the refunds or captures that were made again with almost the same amount, or with more or fewer words. */
export function findDriftedAmounts(
  journal: JournalIndex,
  operation: 'sale.refund' | 'capture.refund' | 'auth.capture',
): DriftedAmount[] {
  const operations: ReadonlySet<OperationName> = new Set([operation]);
  return journal.of(operation).flatMap((first): DriftedAmount[] => {
    if (first.concludes === 'OK') return [];
    const one = madeBy(journal, first);
    if (one === undefined) return [];
    for (const again of journal.about(recordIdIn(first) ?? '', operations)) {
      const other = isRepeat(journal, first, again) ? madeBy(journal, again) : undefined;
      if (other === undefined) continue;
      if (isAlmostEqual(one.amount, other.amount) || isReworded(journal, first, again)) {
        return [{ first, again, amounts: [one, other] }];
      }
    }
    return [];
  });
}

/** The refund or capture that a request made. */
function madeBy({ records }: JournalIndex, { committed, subject = '' }: StoredEntry) {
  const refund = records.refunds.get(subject);
  const made = refund ?? records.captures.get(subject);
  if (!committed || made === undefined || refund?.settlement === 'failed') return undefined;
  return { amount: made.amount, atMs: made.createdAtMs };
}

function isRepeat(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  return (
    again.seq > first.seq &&
    gapMs(first, again) <= sameIntentWindowMs &&
    isReplacement(journal, first, again) &&
    !isRecordReadBefore(journal, first, again)
  );
}

const compared: ReadonlySet<string> = new Set(['amount']);

/** Whether two requests for one amount differ, and only in fields that one of them left out. */
function isReworded(journal: JournalIndex, first: StoredEntry, again: StoredEntry): boolean {
  const [body, otherBody] = [first, again].map((entry) => journal.requestFieldsOf(entry));
  const [amount, otherAmount] = [body, otherBody].map((one) =>
    canonicalAmount(memberOf(one, 'amount')).join(' '),
  );
  const omitted = amount === otherAmount ? omittedFields(body, otherBody, compared) : undefined;
  return omitted !== undefined && omitted.length > 0;
}

function isAlmostEqual(one: Money, other: Money): boolean {
  const difference = Math.abs(one.minor - other.minor);
  return difference > 0 && difference <= one.minor * mostDrift;
}
