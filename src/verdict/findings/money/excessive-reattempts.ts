import type { FindingRule, Detection } from '../finding-rule.ts';
import { dayMs } from '../../../domain/calendar.ts';
import { stepsOf, memberAlong } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupRepeats, groupBy } from '../../evidence/group-by.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { formatCount } from '../../phrases.ts';

/** A declined card was tried more often than the card schemes allow. */
export const excessiveReattempts: FindingRule = {
  id: 'excessive-reattempts',
  severity: 'high',
  about: 'A declined card was tried more often than the card schemes allow.',
  remedy: 'Space retries of a declined card out over days, and stop after a few.',
  find: findExcessiveReattempts,
};

/** Visa's rule; Mastercard's (35) is wider over a month and narrower over a day (10). */
const mostInMonth = 15;

const monthMs = 30 * dayMs;

const toTotal = stepsOf('transactions[0].amount.total');

function* findExcessiveReattempts(evidence: Evidence): Generator<Detection> {
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
