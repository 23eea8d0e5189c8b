/**
 * Was the client shown that the bank had taken the money of a sale back?
 *
 * A dispute or a reversal comes without a request, so only a later read or list can show it.
 */
import type { OperationName } from '../../contract/service/operations.ts';
import type { Sale } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { bySeq } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { isAnswerReceived } from './disclosure.ts';

const reads: ReadonlySet<OperationName> = new Set(['sale.get', 'payment.get']);

/** The first received answer that shows that the money of a sale went back; `undefined` if none does. */
export function firstAnswerShowingReversal(
  journal: JournalIndex,
  { id, paymentId }: Sale,
): StoredEntry | undefined {
  const takenBack = journal
    .transfersOf(paymentId)
    .findLast(
      ({ cause, subject }) => subject === id && (cause === 'chargeback' || cause === 'reversal'),
    );
  if (takenBack === undefined) return undefined;
  const shows = (entry: StoredEntry): boolean =>
    isAnswerReceived(entry) &&
    entry.atMs >= takenBack.atMs &&
    // A stale answer shows an earlier state. Only the beginning of a long answer is kept.
    (entry.responseIds !== undefined || entry.response?.includes('"reversed"') === true);
  const candidates = [
    journal.about(id, reads).find(shows),
    journal.about(paymentId, reads).find(shows),
    journal
      .of('payment.list', 'payment.create')
      .find((entry) => shows(entry) && entry.shownIds.some((shown) => restoreId(shown) === id)),
  ];
  const found = candidates.filter((entry) => entry !== undefined);
  return found.toSorted(bySeq)[0];
}
