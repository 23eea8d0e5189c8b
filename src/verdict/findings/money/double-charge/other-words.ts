/** Orders that were paid again by a payment that names them in other words. */
import type { Authorization } from '../../../../domain/records.ts';
import { hideCardNumbers } from '../../../../redaction/hide-card-numbers.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import type { Difference } from '../../../client-knowledge/changed-repeats/order-texts.ts';
import {
  findNamedInOtherWords,
  type NamedInOtherWords,
} from '../../../client-knowledge/changed-repeats/other-words.ts';
import { isInRepeatPurchase } from '../../../client-knowledge/changed-repeats/repeat-purchase.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { capitalize, describePurchase, listAmounts, listWords } from '../../../phrases.ts';
import {
  findRepeatedPaymentBatches,
  requestsMadeAgain,
} from '../../../purchases/repeated-batch.ts';
import type { Detection, PaidTwice } from '../../finding-rule.ts';
import { nameNoRun, oneIdPerOrder } from '../duplicate-advice.ts';
import { weights } from '../duplicates.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { amountsOf } from './describe-charges.ts';
import { describeHolds, moneyOfBoth, takenOf } from './held-money.ts';
import { isKeptTwice } from './kept-money.ts';

/**
 * One order, paid again by a payment that names it in other words.
 *
 * @param reported Exchanges that show an order which is reported for another reason.
 */
export function* findOrdersInOtherWords(
  evidence: Evidence,
  reported: ReadonlySet<StoredEntry>,
): Generator<Detection> {
  const inRun = requestsMadeAgain(findRepeatedPaymentBatches(evidence));
  for (const pair of findNamedInOtherWords(evidence)) {
    const { first, again } = pair;
    const purchase = evidence.purchaseLookup.byRequest(first);
    const isOnePurchase = evidence.purchaseLookup.byRequest(again) === purchase;
    if (purchase === undefined || isOnePurchase || inRun.has(again)) continue;
    const both = [first, again];
    if (both.every((entry) => reported.has(entry))) continue;
    if (both.every((entry) => isInRepeatPurchase(evidence, entry))) continue;
    const money = moneyOfBoth(evidence, first, again);
    if (!isKeptTwice(money.map(takenOf))) continue;
    const charges = money.map((one) => one.charges).filter(({ length }) => length > 0);
    const holds = money.flatMap((one) => one.holds);
    yield {
      what: () =>
        `${capitalize(describePurchase(purchase))} was ${describeTaken(evidence, charges, holds)}. ${explain(evidence, pair)}`,
      evidence: both,
      purchase,
      ...weights[pair.mayBeTwo ? 'possible' : 'likely'],
      remedy: adviseOn(pair),
      // What is on hold is not kept.
      paidTwice: [charges],
    };
  }
}

function describeTaken(
  evidence: Evidence,
  charges: PaidTwice,
  holds: readonly Authorization[],
): string {
  return holds.length === 0
    ? `charged twice: ${listAmounts(amountsOf(charges))}`
    : `authorized twice, and ${describeHolds(evidence, holds)}`;
}

function explain(evidence: Evidence, { first, again, differences }: NamedInOtherWords): string {
  const omitted = differences.filter(({ kind }) => kind === 'omitted');
  return [
    `${describeAnswer(evidence, first, again)}, and both payments name the same order, with the same card and amount.`,
    ...(omitted.length === 0
      ? []
      : [`Only one of them has ${listWords(omitted, ({ field }) => field)}.`]),
    ...differences.flatMap(describeDifference),
  ].join(' ');
}

function describeDifference({ field, kind, text = '' }: Difference): string | readonly [] {
  if (kind === 'omitted') return [];
  // Other texts may hold personal data.
  const shown = field === 'invoice_number' || field === 'custom';
  const words = shown ? ` is "${hideCardNumbers(text)}", which` : '';
  return `The ${field} of the second${words} ${endings[kind]}.`;
}

const endings = {
  'by-number': 'is the same: one request has its id in the vault, and the other one its number',
  respelled: 'differs only in capitals, spaces, signs, zeros or accents',
  escaped: 'says the same with other escapes',
  reordered: 'says the same in another order',
  'other-lines': 'has other lines for the same items',
  attempt: 'differs only in what it says of the attempt',
  run: 'differs only in the run of a job that it names',
  time: 'differs only in the time at which it was sent',
  'part-new': 'has a part that is new for each payment',
  new: 'is new for each payment',
};

function adviseOn({ differences, mayBeTwo }: NamedInOtherWords): string {
  if (differences.some(({ kind }) => kind === 'run' || kind === 'time')) return nameThePeriod;
  if (mayBeTwo) return sayWhichPart;
  const ofInvoice = differences.find(({ field }) => field === 'invoice_number');
  if (differences.length > 1 || ofInvoice === undefined) return oneBody;
  return ofInvoice.kind === 'new' || ofInvoice.kind === 'attempt'
    ? keepInvoice
    : ofInvoice.kind === 'respelled'
      ? spellAlike
      : oneBody;
}

const sayWhichPart =
  'If both were wanted, say in each description which part of the order it pays. If not, make the PayPal-Request-Id from the number of the order, so that a second request repeats the first.';

const nameThePeriod = `If both were wanted, say in each description what it pays for. If not, make the PayPal-Request-Id from the customer and the period. ${nameNoRun}`;

const oneBody = `${oneIdPerOrder} Build the body of a payment in one place, so that it names the order in one way.`;

const spellAlike =
  'Write an invoice number in one way everywhere, so that the service refuses a second payment for it.';

const keepInvoice =
  'Make the invoice number from the order, and send it with every attempt, so that the service refuses a second payment for it.';
