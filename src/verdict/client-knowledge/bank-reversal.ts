/**
 * Was the client shown that the bank had taken the money of a sale back?
 *
 * A dispute or a reversal comes without a request, so only a later read or list can show it.
 */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Transfer } from '../../domain/money/ledger.ts';
import type { Sale } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memoize } from '../../shared/memoize.ts';
import { bySeq } from '../evidence/exchange-order.ts';
import type { JournalIndex } from '../evidence/journal-index.ts';
import { isAnswerReceived } from './disclosure.ts';

const reads: ReadonlySet<OperationName> = new Set(['sale.get', 'payment.get']);

/** The first received answer that shows that the money of a sale went back; `undefined` if none does. */
export function firstAnswerShowingReversal(
  journal: JournalIndex,
  sale: Sale,
): StoredEntry | undefined {
  const answers = firstAnswers(journal);
  if (!answers.has(sale.id)) answers.set(sale.id, findFirstAnswer(journal, sale));
  return answers.get(sale.id);
}

/** Searched once for each sale, because one sale may be refunded in many parts. */
const firstAnswers = memoize(() => new Map<string, StoredEntry | undefined>());

function findFirstAnswer(journal: JournalIndex, { id, paymentId }: Sale): StoredEntry | undefined {
  const takenBack = returnsByBank(journal).get(id);
  if (takenBack === undefined) return undefined;
  const shows = (entry: StoredEntry): boolean =>
    // A stale answer shows an earlier state.
    entry.atMs >= takenBack.atMs && showsReversal(entry);
  const candidates = [
    journal.about(id, reads).find(shows),
    journal.about(paymentId, reads).find(shows),
    answersShowing(journal).get(id)?.find(shows),
  ];
  const found = candidates.filter((entry) => entry !== undefined);
  return found.toSorted(bySeq)[0];
}

/** The last transfer by which the bank took the money of each sale back, by its id. */
const returnsByBank = memoize((journal: JournalIndex): ReadonlyMap<string, Transfer> => {
  const returns = new Map<string, Transfer>();
  for (const paymentId of journal.paymentsWithTransfers) {
    for (const transfer of journal.transfersOf(paymentId)) {
      const { cause, subject } = transfer;
      if (cause === 'chargeback' || cause === 'reversal') returns.set(subject, transfer);
    }
  }
  return returns;
});

/** The answers that show several records, for each sale whose money the bank took back; oldest first. */
const answersShowing = memoize((journal: JournalIndex): ReadonlyMap<string, StoredEntry[]> => {
  const answers = new Map<string, StoredEntry[]>();
  for (const id of returnsByBank(journal).keys()) answers.set(id, []);
  for (const entry of journal.of('payment.list', 'payment.create').filter(showsReversal)) {
    for (const id of entry.shownIds) answers.get(restoreId(id))?.push(entry);
  }
  return answers;
});

/** Whether a received answer may show a reversed sale. Only the beginning of a long answer is kept. */
function showsReversal(entry: StoredEntry): boolean {
  return (
    isAnswerReceived(entry) &&
    (entry.responseIds !== undefined || entry.response?.includes('"reversed"') === true)
  );
}
