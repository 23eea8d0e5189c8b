/** What a client was shown of a sale that was denied. */
import type { OperationName } from '../../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { memoize } from '../../../../shared/memoize.ts';
import { isAnswerReceived } from '../../../client-knowledge/disclosure.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { indexAfter } from '../../../evidence/exchange-order.ts';
import { saleStateIn } from '../../../evidence/exchange-results.ts';
import type { Charge } from '../../../purchases/charge.ts';

/** Operations whose answers show the state of one sale. */
export const saleReads: ReadonlySet<OperationName> = new Set(['payment.get', 'sale.get']);

/**
 * Whether the first answer that showed the client a sale showed its denial. A repeated answer shows the state that the first
 * one had.
 */
export function isShownDenied(evidence: Evidence, charge: Charge): boolean {
  const { state, disclosedBy } = charge;
  if (state !== 'denied' || disclosedBy === undefined) return false;
  const { entry: shown, how } = disclosedBy;
  return how === 'answer' || how === 'replay'
    ? saleStateIn(evidence.answerOf(shown)) === 'denied'
    : shown.atMs >= deniedAtMs(evidence, charge);
}

function deniedAtMs({ records }: Evidence, { id }: Charge): number {
  return records.sales.get(id)?.updatedAtMs ?? Number.POSITIVE_INFINITY;
}

/**
 * Whether the client read a denied sale, or listed payments, after the denial.
 *
 * @param before Only answers to requests before this one count.
 */
export function wasReadDenied(evidence: Evidence, charge: Charge, before?: StoredEntry): boolean {
  if (charge.state !== 'denied') return false;
  const deniedMs = deniedAtMs(evidence, charge);
  const beforeSeq = before?.seq ?? Number.POSITIVE_INFINITY;
  const showsDenial = (read: StoredEntry): boolean =>
    read.atMs >= deniedMs && read.seq < beforeSeq && isAnswerReceived(read);
  const { id, paymentId } = charge;
  const lists = receivedLists(evidence);
  const lastList = lists[indexAfter(lists, beforeSeq - 1) - 1];
  return (
    [id, paymentId].some((record) => evidence.about(record, saleReads).some(showsDenial)) ||
    (lastList !== undefined && lastList.atMs >= deniedMs)
  );
}

const receivedLists = memoize((evidence: Evidence): readonly StoredEntry[] =>
  evidence.of('payment.list').filter(isAnswerReceived),
);
