import { dayMs } from '../../../domain/calendar.ts';
import { memberAlong, stepsOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy, groupRepeats } from '../../evidence/group-by.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds cards that were declined more often for one amount than card schemes allow. */
export const excessiveReattempts: FindingRule = {
  id: 'excessive-reattempts',
  severity: 'high',
  about: 'A declined card was retried more often than card schemes allow.',
  remedy: 'Spread retries of a declined card over days, and stop after a few.',
  find: findExcessiveReattempts,
};

/** Visa's limit. Mastercard allows 35 in 30 days, but only 10 in a day. */
const maxAttempts = 15;
const windowDays = 30;

const toTotal = stepsOf('transactions[0].amount.total');

function* findExcessiveReattempts(evidence: Evidence): Generator<Detection> {
  const declined = evidence
    .of('payment.create')
    .filter(
      ({ cardId, concludes, status }) =>
        cardId !== undefined && concludes === 'FAIL' && status === 400,
    );
  const byCard = groupRepeats(declined, maxAttempts + 1, ({ cardId }) => cardId);
  const byCardAndAmount = [...byCard.values()].flatMap((ofCard) => [
    ...groupBy(ofCard, (entry) => memberAlong(evidence.requestFieldsOf(entry), toTotal)).values(),
  ]);
  for (const attempts of byCardAndAmount) {
    const over = attempts.findIndex((entry, at) => {
      const before = attempts[at - maxAttempts];
      return before !== undefined && gapMs(before, entry) <= windowDays * dayMs;
    });
    if (over === -1) continue;
    yield {
      what: `Card ${attempts[over]?.cardId ?? ''} was declined ${formatCount(attempts.length, 'time')} for the same amount. Card schemes allow ${maxAttempts} attempts in ${windowDays} days.`,
      evidence: attempts.slice(over - maxAttempts, over + 1),
    };
  }
}
