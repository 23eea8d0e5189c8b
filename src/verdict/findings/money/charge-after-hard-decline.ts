import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { overlaps } from '../../evidence/exchange-order.ts';
import type { OperationName } from '../../../contract/service/operations.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { restoreId } from '../../../outcomes/effects/long-id-dialect.ts';

/** A card was tried again although its issuer had said never to. */
export const chargeAfterHardDecline: FindingRule = {
  id: 'charge-after-hard-decline',
  severity: 'high',
  about: 'A card was tried again although its issuer had said never to.',
  remedy:
    'Stop using a card once its issuer answers with advice code 03 or 21; ask for another one.',
  find: chargesAfterHardDecline,
};

const neverAgain: ReadonlySet<string | undefined> = new Set(['03', '21']);

function* chargesAfterHardDecline(evidence: Evidence): Generator<Detection> {
  if (!evidence.of('payment.create').some((entry) => neverAgain.has(adviceOf(entry)))) return;
  const attempts = evidence.of('payment.create', 'card.update');
  for (const [, ofCard] of groupBy(attempts, ({ cardId }) => cardId)) {
    let decline: StoredEntry | undefined;
    for (const entry of ofCard) {
      if (entry.cardId === undefined) break;
      if (entry.operation === 'card.update') {
        decline = undefined;
        continue;
      }
      if (decline !== undefined && isSeenRenewed(evidence, decline, entry)) decline = undefined;
      if (decline !== undefined && !entry.replayed && !overlaps(decline, entry)) {
        yield {
          what: `Card ${entry.cardId} was charged again after its issuer had said never to try it again.`,
          evidence: [decline, entry],
        };
        break;
      }
      if (neverAgain.has(adviceOf(entry))) decline = entry;
    }
  }
}

const readsOfCard: ReadonlySet<OperationName> = new Set(['card.get']);

/** Whether the issuer changed the card after it had declined, and the client read it so: it is another card now. */
function isSeenRenewed(
  evidence: Evidence,
  decline: StoredEntry,
  { cardId = '', seq }: StoredEntry,
): boolean {
  const changedMs = evidence.records.cards.get(cardId)?.updatedAtMs;
  if (changedMs === undefined || changedMs <= decline.atMs) return false;
  const shows = (read: StoredEntry): boolean =>
    read.seq < seq && read.atMs >= changedMs && isAnswerReceived(read);
  return (
    evidence.about(cardId, readsOfCard).some(shows) ||
    evidence
      .of('card.list')
      .some((list) => shows(list) && list.shownIds.some((id) => restoreId(id) === cardId))
  );
}

/** What the issuer told the client to do next: refusals only hold it, and one that was lost told nobody. */
function adviceOf({ problem, concludes, response }: StoredEntry): string | undefined {
  if (problem === undefined || concludes !== 'FAIL') return undefined;
  return response?.match(/"advice_code":"(\d+)/)?.[1];
}
