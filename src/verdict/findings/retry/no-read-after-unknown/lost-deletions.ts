/** Requests to delete a card that were lost, and what the client did with the card then. */
import type { OperationName } from '../../../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { memoize } from '../../../../shared/memoize.ts';
import { isAnswerReceived } from '../../../client-knowledge/disclosure.ts';
import { firstWithKey } from '../../../client-knowledge/idempotency-keys.ts';
import { isReaction } from '../../../client-knowledge/reaction.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { indexAfter } from '../../../evidence/exchange-order.ts';
import { hasUnknownOutcome, lastUnknown } from '../../../evidence/exchange-results.ts';
import { groupBy } from '../../../evidence/group-by.ts';
import { recordIdIn } from '../../../evidence/journal-index.ts';
import { firstExamples, listAmounts } from '../../../phrases.ts';
import type { Charge } from '../../../purchases/charge.ts';
import type { Detection } from '../../finding-rule.ts';

/** Cards that were kept after a request to delete them, without a look whether they were gone. */
export function* findLostDeletions(evidence: Evidence): Generator<Detection> {
  const deletions = evidence.of('card.delete');
  if (!deletions.some(hasUnknownOutcome)) return;
  for (const [id, attempts] of groupBy(deletions, recordIdIn)) {
    const entry = lastUnknown(attempts);
    if (id === undefined || entry === undefined || entry.committed) continue;
    const readSeq = firstReadSeq(evidence, id, entry);
    const charges = chargesInDoubt(evidence, id, entry, readSeq);
    if (charges.length > 0) yield describeCharged(evidence, id, entry, charges);
    // Other rules check retries.
    else if (attempts.length === 1 && readSeq === Infinity && evidence.records.cards.get(id)) {
      yield describeKept(id, entry);
    }
  }
}

const cardReads: ReadonlySet<OperationName> = new Set(['card.get']);

/** `seq` of the first answer after a deletion that showed whether the card was gone; infinite if none did. */
function firstReadSeq(evidence: Evidence, cardId: string, deletion: StoredEntry): number {
  const reads = [
    receivedLists(evidence),
    evidence.about(cardId, cardReads).filter(isAnswerReceived),
  ];
  return Math.min(
    ...reads.map((received) => received[indexAfter(received, deletion.seq)]?.seq ?? Infinity),
  );
}

const receivedLists = memoize((evidence: Evidence) =>
  evidence.of('card.list').filter(isAnswerReceived),
);

const paymentsByCard = memoize((evidence: Evidence) =>
  groupBy(evidence.of('payment.create'), ({ cardId }) => cardId),
);

/** The charges that the client decided on after a deletion, before it looked whether the card was gone. */
function chargesInDoubt(
  evidence: Evidence,
  cardId: string,
  deletion: StoredEntry,
  readSeq: number,
): readonly Charge[] {
  return (paymentsByCard(evidence).get(cardId) ?? [])
    .filter((paying) => {
      const decided = firstWithKey(evidence, paying);
      return isReaction(deletion, decided) && decided.seq < readSeq;
    })
    .flatMap((paying) => evidence.chargesFrom(paying))
    .filter(({ retainedMinor }) => retainedMinor > 0);
}

function describeCharged(
  { purchaseLookup }: Evidence,
  id: string,
  deletion: StoredEntry,
  charges: readonly Charge[],
): Detection {
  return {
    what: `The client could not know whether the request to delete card ${id} had succeeded. It had not. The client did not read the card, and charged it later: ${listAmounts(charges, [deletion.atMs])}.`,
    evidence: firstExamples([deletion, ...charges.map(({ entry }) => entry)]),
    purchase: purchaseLookup.byPayment(charges[0]?.paymentId ?? ''),
    severity: 'high',
    confidence: 'likely',
    remedy:
      'Repeat a deletion without an answer until it is answered with 204 or 404, and do not charge the card before that.',
  };
}

function describeKept(id: string, deletion: StoredEntry): Detection {
  return {
    what: `The client could not know whether the request to delete card ${id} had succeeded, and it neither repeated it nor looked. The card is still in the vault.`,
    evidence: [deletion],
    confidence: 'likely',
    remedy: 'Repeat a deletion without an answer until it is answered with 204 or 404.',
  };
}
