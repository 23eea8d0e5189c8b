/** Findings about cards that were declined, and tried again. */
import type { OperationName } from '../../../contract/service/operations.ts';
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAlong, stepsOf } from '../../../shared/unknown-value.ts';
import { restoreId } from '../../../outcomes/effects/long-id-dialect.ts';
import { isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { groupBy, groupRepeats } from '../../evidence/group-by.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { formatCount } from '../../phrases.ts';

export const declineRules: readonly FindingRule[] = [
  {
    id: 'charge-after-hard-decline',
    severity: 'high',
    about: 'A card was tried again although its issuer had said never to.',
    remedy:
      'Stop using a card once its issuer answers with advice code 03 or 21; ask for another one.',
    find: chargesAfterHardDecline,
  },
  {
    id: 'excessive-reattempts',
    severity: 'high',
    about: 'A declined card was tried more often than the card schemes allow.',
    remedy: 'Space retries of a declined card out over days, and stop after a few.',
    find: excessiveReattempts,
  },
];

const neverAgain: ReadonlySet<string | undefined> = new Set(['03', '21']);

function* chargesAfterHardDecline(evidence: Evidence): Generator<Notice> {
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

/** Visa's rule; Mastercard's (35) is wider over a month and narrower over a day (10). */
const mostInMonth = 15;
const monthMs = 30 * dayMs;

const toTotal = stepsOf('transactions[0].amount.total');

function* excessiveReattempts(evidence: Evidence): Generator<Notice> {
  const declined = evidence
    .of('payment.create')
    .filter(
      ({ cardId, concludes, status }) =>
        cardId !== undefined && concludes === 'FAIL' && status === 400,
    );
  const ofCards = [...groupRepeats(declined, mostInMonth + 1, ({ cardId }) => cardId).values()];
  const tried = ofCards.flatMap((ofCard) => [
    ...groupBy(ofCard, (entry) => memberAlong(evidence.requestFieldsOf(entry), toTotal)).values(),
  ]);
  for (const tries of tried) {
    const over = tries.findIndex((entry, at) => {
      const before = tries[at - mostInMonth];
      return before !== undefined && gapMs(before, entry) <= monthMs;
    });
    if (over === -1) continue;
    yield {
      what: `Card ${tries[over]?.cardId ?? ''} was tried ${formatCount(tries.length, 'time')} for the same amount and declined each time; the schemes allow ${mostInMonth} in 30 days.`,
      evidence: tries.slice(over - mostInMonth, over + 1),
    };
  }
}
