/** Did the client get the money of an order in another way, while it could not know that a capture had succeeded? */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { gapMs, indexAfterSeq } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { orderContentOf } from '../../evidence/requested-payments.ts';
import { sameDayWindowMs } from '../../evidence/time-windows.ts';
import { isDisclosedByAnotherAnswer } from '../disclosure.ts';
import { isCaptureReadBefore } from '../reads/reads-by-id.ts';
import { firstWithKey, lastWithKey } from '../idempotency-keys.ts';
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
    const decisions = made
      .map((entry) => ({ entry, decided: firstWithKey(journal, entry) }))
      .sort((one, other) => one.decided.seq - other.decided.seq);
    const byOrder = groupBy(decisions, ({ entry }) => orderContentOf(journal, entry));
    return lost.flatMap((capture): PaidAfterLostCapture[] => {
      const { records } = journal;
      const authorization = records.authorizations.get(recordIdIn(capture) ?? '');
      const first = bySubject.get(authorization?.paymentId)?.[0];
      const order = first && orderContentOf(journal, first);
      const again =
        order === undefined ? undefined : findPaidAgain(journal, capture, byOrder.get(order) ?? []);
      return first === undefined || again === undefined ? [] : [{ first, capture, again }];
    });
  },
);

/** The first of these authorizations or payments of one order that was sent because a capture of another one was unknown. */
export function findLostCaptureBetween(
  journal: JournalIndex,
  requests: readonly StoredEntry[],
): PaidAfterLostCapture | undefined {
  const found = foundByAgain(journal);
  if (found.size === 0) return undefined;
  const all = new Set(requests);
  return requests.flatMap((again) => found.get(again) ?? []).find(({ first }) => all.has(first));
}

const foundByAgain = memoize((journal: JournalIndex) =>
  groupBy(findPaidAfterLostCapture(journal), ({ again }) => again),
);

/** A request to pay, and the first request with its id: what the client decided then, it carries out with each repeat. */
interface Decision {
  readonly entry: StoredEntry;
  readonly decided: StoredEntry;
}

/** @param decisions Requests for the same order, by the time of the decision. */
function findPaidAgain(
  journal: JournalIndex,
  capture: StoredEntry,
  decisions: readonly Decision[],
): StoredEntry | undefined {
  const lastTry = lastWithKey(journal, capture);
  const from = indexAfterSeq(decisions, capture.seq, ({ decided }) => decided.seq);
  for (let at = from; at < decisions.length; at++) {
    const { entry: again, decided } = decisions[at] ?? {};
    if (again === undefined || decided === undefined) break;
    // The client meant to repeat the capture itself.
    if (again.seq <= lastTry.seq) continue;
    // Whatever was decided later came too late as well, and the client knew of the capture then.
    const isTooLate =
      gapMs(capture, decided) >= sameDayWindowMs ||
      isDisclosedByAnotherAnswer(journal, capture, decided);
    if (isTooLate) break;
    if (isPaidAgain(journal, capture, again)) return again;
  }
  return undefined;
}

function isPaidAgain(journal: JournalIndex, capture: StoredEntry, again: StoredEntry): boolean {
  return (
    gapMs(capture, again) < sameDayWindowMs &&
    isReplacement(journal, capture, again) &&
    !isCaptureReadBefore(journal, capture, again)
  );
}
