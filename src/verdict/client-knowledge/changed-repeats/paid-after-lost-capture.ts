/** Did the client get the money of an order in another way, while it could not know that a capture had succeeded? */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { orderNameOf } from '../../evidence/one-order-name.ts';
import { customerIdOf } from '../../evidence/records.ts';
import { cardOf, paymentAsRequested } from '../../evidence/request-fields.ts';
import { sameDayWindowMs } from '../../evidence/time-windows.ts';
import { isShownBefore } from '../disclosure.ts';
import { isCaptureReadBefore } from '../reads.ts';
import { firstWithKey } from '../idempotency-keys.ts';
import { isReplacement } from '../reaction.ts';

export interface PaidAfterLostCapture {
  /** The request that authorized the money. */
  readonly first: StoredEntry;
  /** The capture whose answer did not arrive. */
  readonly capture: StoredEntry;
  /** The request that charged or authorized the same amount again. */
  readonly again: StoredEntry;
}

/** Finds orders that were paid again, by the same card and under the same name, while a capture was unknown. */
export const findPaidAfterLostCapture = memoize(
  (journal: JournalIndex): readonly PaidAfterLostCapture[] => {
    const lost = journal
      .of('auth.capture')
      .filter(({ committed, concludes }) => committed && concludes !== 'OK');
    if (lost.length === 0) return [];
    const made = journal.of('payment.create').filter(({ committed }) => committed);
    const bySubject = groupBy(made, ({ subject }) => subject);
    const byOrder = groupBy(made, (entry) => orderOf(journal, entry));
    return lost.flatMap((capture): PaidAfterLostCapture[] => {
      const { records } = journal;
      const authorization = records.authorizations.get(recordIdIn(capture) ?? '');
      const first = bySubject.get(authorization?.paymentId)?.[0];
      const order = first && orderOf(journal, first);
      const again = (order === undefined ? [] : (byOrder.get(order) ?? [])).find((entry) =>
        isPaidAgain(journal, capture, entry),
      );
      return first === undefined || again === undefined ? [] : [{ first, capture, again }];
    });
  },
);

/** What a request to pay asks for, as a key, whether it charges or authorizes; `undefined` without a name. */
export function orderOf(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const payment = paymentAsRequested(journal, entry);
  if (payment === undefined) return undefined;
  const { amount, description } = payment.transaction;
  const name = orderNameOf(payment.transaction);
  return name === undefined
    ? undefined
    : JSON.stringify([name, description, amount, customerIdOf(payment), cardOf(journal, entry)]);
}

function isPaidAgain(journal: JournalIndex, capture: StoredEntry, again: StoredEntry): boolean {
  return (
    again.seq > capture.seq &&
    gapMs(capture, again) < sameDayWindowMs &&
    isReplacement(journal, capture, again) &&
    !isShownBefore(journal, capture, firstWithKey(journal, again)) &&
    !isCaptureReadBefore(journal, capture, again)
  );
}
