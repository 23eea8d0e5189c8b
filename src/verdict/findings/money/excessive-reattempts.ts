import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../../shared/unknown-value.ts';
import { paidCardOf } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { areForcedApart } from '../../evidence/exchange-results.ts';
import { groupBy, groupRepeats } from '../../evidence/group-by.ts';
import { gapMs, sentAtMsOf } from '../../evidence/exchange-order.ts';
import { hasInvoiceNumber, isNamedOrder, orderNamesIn } from '../../evidence/orders/order-names.ts';
import { withoutOwnAttempt } from '../../evidence/orders/attempt-marks.ts';
import { namesOneOrder } from '../../evidence/orders/order-words.ts';
import { customerIn, textOf, transactionOf } from '../../evidence/request-fields.ts';
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

/** How often one amount may be tried. Visa allows 15 attempts in 30 days; Mastercard allows 35, but only 10 in a day. */
const limits = [
  { attempts: 10, days: 1 },
  { attempts: 15, days: 30 },
] as const;
const fewest = Math.min(...limits.map(({ attempts }) => attempts));

/** Errors by which an issuer, a processor or a risk engine says no to a card. Other refusals never reach the issuer. */
const declines: ReadonlySet<string | undefined> = new Set([
  'CREDIT_CARD_CVV_CHECK_FAILED',
  'CREDIT_CARD_REFUSED',
  'INSTRUMENT_DECLINED',
  'INSUFFICIENT_FUNDS',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'PAYMENT_DENIED',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_REFUSED',
  'TRANSACTION_REFUSED_BY_PAYPAL_RISK',
]);

const toTotal = stepsOf('transactions[0].amount.total');

function* findExcessiveReattempts(evidence: Evidence): Generator<Detection> {
  const declined = evidence
    .of('payment.create')
    .filter(({ concludes, problem }) => concludes === 'FAIL' && declines.has(problem));
  if (declined.length <= fewest) return;
  const byCard = groupRepeats(declined, fewest + 1, (entry) => buyersCardOf(evidence, entry));
  byCard.delete(undefined);
  const byCardAndAmount = [...byCard.values()].flatMap((ofCard) => [
    ...groupBy(ofCard, (entry) => memberAlong(evidence.requestFieldsOf(entry), toTotal)).values(),
  ]);
  for (const attempts of byCardAndAmount) {
    const excess = findExcess(attempts);
    if (excess === undefined) continue;
    yield {
      ...(isWithinDay(excess) && mayBeApart(evidence, attempts) && apart),
      what: `${describeCard(attempts)} was declined ${formatCount(attempts.length, 'time')} for the same amount. Card schemes allow 15 attempts in 30 days, and Mastercard allows 10 in a day.`,
      evidence: excess,
    };
  }
}

/** Whether all came within a day. A client that tries one order again each day may give it another name each time. */
function isWithinDay(attempts: readonly StoredEntry[]): boolean {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return first !== undefined && last !== undefined && gapMs(first, last) <= dayMs;
}

/** Whether each attempt may be for a purchase of its own. */
function mayBeApart(evidence: Evidence, attempts: readonly StoredEntry[]): boolean {
  return areForcedApart(attempts) || areOrdersOfTheirOwn(evidence, attempts);
}

/** Whether each attempt was for another order, as when a company buys for many, or tests decline one order each. */
function areOrdersOfTheirOwn(evidence: Evidence, attempts: readonly StoredEntry[]): boolean {
  const names = attempts.map((entry) => orderOf(evidence, entry));
  return !names.includes(undefined) && new Set(names).size === names.length;
}

/** What names the order of a request: its number, or else all its words without the attempt that they may count. */
function orderOf(evidence: Evidence, entry: StoredEntry): string | undefined {
  const { invoiceNumber, custom } = orderNamesIn(evidence, entry);
  if (invoiceNumber !== undefined) return invoiceNumber;
  if (custom !== undefined && namesOneOrder({ custom })) return custom;
  const description = textOf(memberOf(transactionOf(evidence, entry), 'description'));
  const words = [custom, description].filter((text) => text !== undefined).join(' ');
  return words === '' ? undefined : withoutOwnAttempt(words, sentAtMsOf(entry));
}

/** What differs then: no purchase was tried too often, but an issuer counts the attempts all the same. */
const apart = {
  severity: 'low',
  confidence: 'possible',
  remedy:
    'Each attempt may be for a purchase of its own. Issuers count them all the same: after a few declines of a card, stop, and ask the customer for another one.',
} as const;

/** The attempts up to the first one that exceeds a limit. */
function findExcess(attempts: readonly StoredEntry[]): readonly StoredEntry[] | undefined {
  for (const [at, entry] of attempts.entries()) {
    for (const limit of limits) {
      const first = attempts[at - limit.attempts];
      if (first !== undefined && gapMs(first, entry) <= limit.days * dayMs) {
        return attempts.slice(at - limit.attempts, at + 1);
      }
    }
  }
  return undefined;
}

/**
 * The card that a buyer paid with, as a key. A card that its customer stored again, or that one order sent again with its
 * number, is the same one for its issuer. Guests may all have the same test number.
 */
function buyersCardOf(evidence: Evidence, entry: StoredEntry): string | undefined {
  const card = paidCardOf(evidence, entry);
  const customer = customerIn(evidence, entry);
  if (card !== undefined && customer !== undefined) return JSON.stringify([card, customer]);
  if (card === undefined || entry.cardId !== undefined) return entry.cardId;
  const isNumbered = hasInvoiceNumber(evidence, entry) || isNamedOrder(evidence, entry);
  return isNumbered ? JSON.stringify([card, 'order', entry.intent]) : undefined;
}

function describeCard(attempts: readonly StoredEntry[]): string {
  const [id, ...others] = new Set(attempts.map(({ cardId }) => cardId));
  if (others.length > 0) return 'A card that was sent or stored again';
  return id === undefined ? 'A card that is not in the vault' : `Card ${id}`;
}
