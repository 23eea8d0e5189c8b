/** Orders that were paid again with another card, amount or name. */
import { hideCardNumbers } from '../../../../redaction/hide-card-numbers.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { memoize } from '../../../../shared/memoize.ts';
import { memberOf } from '../../../../shared/unknown-value.ts';
import { paidAmountOf } from '../../../client-knowledge/changed-repeats/amounts.ts';
import { findRenamedAfterLoss } from '../../../client-knowledge/changed-repeats/renamed-after-loss.ts';
import { findRewordedAfterLoss } from '../../../client-knowledge/changed-repeats/reworded-after-loss.ts';
import { findRepricedAfterRefusal } from '../../../client-knowledge/changed-repeats/repriced-after-refusal.ts';
import { findPaidInTwoCurrencies } from '../../../client-knowledge/changed-repeats/two-currencies.ts';
import { findRenamed } from '../../../client-knowledge/changed-repeats/renamed-invoice.ts';
import {
  findRepeatPurchases,
  isInRepeatPurchase,
  type RepeatPurchase,
} from '../../../client-knowledge/changed-repeats/repeat-purchase.ts';
import { duplicateConfidence } from '../../../client-knowledge/duplicate-confidence.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import { transactionOf } from '../../../evidence/request-fields.ts';
import { formatNumber, listWords, uncapitalize } from '../../../phrases.ts';
import type { AttemptGroup } from '../../../purchases/attempts.ts';
import type { Detection } from '../../finding-rule.ts';
import { awaitSale } from '../duplicate-advice.ts';
import { weights } from '../duplicates.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { describeCharges } from './describe-charges.ts';
import { entriesOf, keptPayments } from './kept-money.ts';
import { findPaymentGroups } from './payment-groups.ts';
import { reportPair } from './report-pair.ts';

const stillPending = 'The first sale was still pending then.';

const differences = {
  invoice: () => 'The payments have different invoice numbers.',
  card: ({ cardCount, attempts }: RepeatPurchase) =>
    cardCount === 1
      ? `The payments used one card, named by ${describeCardNames(attempts)}.`
      : `The payments used ${formatNumber(cardCount)} different cards.`,
  amount: ({ attempts }: RepeatPurchase, evidence: Evidence) => {
    const currencies = new Set(attempts.map((entry) => paidAmountOf(evidence, entry)?.currency));
    return `The payments have different ${currencies.size === 1 ? 'amounts' : 'currencies'}.`;
  },
};

/** How requests named one card. */
function describeCardNames(attempts: readonly StoredEntry[]): string {
  const { size } = new Set(attempts.flatMap(({ cardId }) => cardId ?? []));
  const ids = size === 1 ? 'its id in the vault' : `${formatNumber(size)} ids in the vault`;
  return attempts.every(({ cardId }) => cardId !== undefined) ? ids : `${ids} and by its number`;
}

/** What payments with equal details have in common: `card and amount`, and the description if there is one. */
function listAlike(
  evidence: Evidence,
  { first }: { readonly first: StoredEntry },
  ...alike: readonly (string | false)[]
): string {
  const isDescribed = memberOf(transactionOf(evidence, first), 'description') !== undefined;
  return listWords([...alike, isDescribed && 'description'].filter((word) => word !== false));
}

/** Why payments that differ count as one order. */
function explainOneOrder(evidence: Evidence, { attempts, difference }: RepeatPurchase): string {
  const [first, second] = attempts;
  if (first === undefined || second === undefined) return '';
  const alike =
    difference === 'amount' ? 'name and card' : listAlike(evidence, { first }, 'name', 'amount');
  const answer = describeAnswer(evidence, first, second);
  return `They count as one order because they have the same ${alike}, and ${uncapitalize(answer)}.`;
}

/** The same order, paid again with another card, invoice number or amount before the first payment was known. */
export function* findChangedOrders(evidence: Evidence): Generator<Detection> {
  for (const repeat of findRepeatPurchases(evidence)) {
    const { name, attempts, difference, isOneOrder, isShownFirst, isPending } = repeat;
    const [first] = attempts;
    const purchase = first && evidence.purchaseLookup.byRequest(first);
    const payments = purchase && keptPayments(purchase, attempts);
    if (purchase === undefined || payments === undefined) continue;
    if (isReportedAsCopies(evidence, repeat)) continue;
    yield {
      // The record holds the client's own text, which can be a card number.
      what: () =>
        `${describeCharges(`purchase "${hideCardNumbers(name)}"`, purchase, attempts, payments)} ${differences[difference](repeat, evidence)} ${explainOneOrder(evidence, repeat)}`,
      evidence: entriesOf([...payments.values()].flat()),
      purchase,
      // A client that was shown the first payment, and then takes another card or number, shares the price between both.
      ...weights[isOneOrder ? 'likely' : isShownFirst ? 'unlikely' : 'possible'],
      remedy: isPending
        ? awaitSale
        : 'Find out what became of the first payment before you offer another way to pay for the same order.',
      paidTwice: [[...payments.values()]],
    };
  }
}

/** Whether a finding about copies of one card says the same. */
function isReportedAsCopies(evidence: Evidence, { attempts, difference }: RepeatPurchase): boolean {
  if (difference !== 'card' || attempts.some(({ cardId }) => cardId === undefined)) return false;
  const [group, ...others] = new Set(attempts.map((entry) => groupsOfCopies(evidence).get(entry)));
  if (group?.purchase === undefined || others.length > 0) return false;
  const payments = keptPayments(group.purchase, group.attempts);
  if (payments === undefined) return false;
  return weights[duplicateConfidence(evidence, group, payments)].confidence !== 'possible';
}

/** The groups of equal payments, by request. Copies of one card are in one group if they belong to one customer. */
const groupsOfCopies = memoize(
  (evidence: Evidence): ReadonlyMap<StoredEntry, AttemptGroup> =>
    new Map(
      findPaymentGroups(evidence).flatMap((group) =>
        group.attempts.map((entry) => [entry, group] as const),
      ),
    ),
);

/** The same order, paid again under an invoice number that the client had changed. */
export function findRenamedInvoices(evidence: Evidence): Detection[] {
  return findRenamed(evidence).flatMap((renamed) => {
    const { first, again, invoice, otherInvoice, refusal, hasSameAmount } = renamed;
    const other =
      otherInvoice === undefined ? 'no invoice number' : `the invoice number ${otherInvoice}`;
    const [reason, remedy] =
      refusal === undefined
        ? [stillPending, awaitSale]
        : [
            `The service had refused ${invoice} before, because it was already used.`,
            'A refusal as a duplicate means that the invoice was paid before. Look that payment up, and do not change the invoice number.',
          ];
    return reportPair(evidence, first, again, {
      evidence: refusal === undefined ? [first, again] : [first, refusal, again],
      name: `Invoice ${invoice}`,
      why: () =>
        `The second payment had ${other}, with the same ${listAlike(evidence, renamed, 'card', hasSameAmount && 'amount')}. ${reason} So the second payment looks like a retry under another number.`,
      remedy,
    });
  });
}

/** The same order, paid again for almost the same amount after the service had refused it as a duplicate. */
export function findRepricedOrders(evidence: Evidence): Detection[] {
  return findRepricedAfterRefusal(evidence).flatMap((pair) => {
    const { first, refusal, again } = pair;
    return isInRepeatPurchase(evidence, again)
      ? []
      : reportPair(evidence, first, again, {
          evidence: [first, refusal, again],
          why: () =>
            `The service had refused the first amount as a duplicate, and the client then sent another one. They count as one order because they have the same ${listAlike(evidence, pair, 'name', 'card')}.`,
          remedy:
            'A refusal as a duplicate means that the order was paid before. Look that payment up, and do not change the amount.',
        });
  });
}

/**
 * The same order, paid in two currencies.
 *
 * @param reported Exchanges that show an order which is reported for another reason.
 */
export function findOrdersInTwoCurrencies(
  evidence: Evidence,
  reported: ReadonlySet<StoredEntry>,
): Detection[] {
  return findPaidInTwoCurrencies(evidence).flatMap((pair) => {
    const { first, again } = pair;
    return isInRepeatPurchase(evidence, again) || reported.has(again)
      ? []
      : reportPair(evidence, first, again, {
          evidence: [first, again],
          done: 'charged in two currencies',
          why: () =>
            `${describeAnswer(evidence, first, again)}, and both payments name the same order, with the same ${listAlike(evidence, pair, 'card')}.`,
          sureness: 'possible',
          remedy:
            'Keep the currency of an order with its amount, and read its payment before you charge the order in another one. If it has two parts, name the part in each description.',
        });
  });
}

/**
 * The same order, paid again under a name that counts the attempts, after the answer to the first payment was lost.
 *
 * @param reported Exchanges that show an order which is reported for another reason.
 */
export function findRenamedOrders(
  evidence: Evidence,
  reported: ReadonlySet<StoredEntry>,
): Detection[] {
  return findRenamedAfterLoss(evidence).flatMap((renamed) => {
    const { first, again, name, otherName, isInvoice, hasSameAmount } = renamed;
    if (reported.has(again)) return [];
    const field = isInvoice ? 'invoice number' : '`custom`';
    const shown = hideCardNumbers(name);
    const other =
      otherName === undefined ? `no ${field}` : `the ${field} ${hideCardNumbers(otherName)}`;
    return reportPair(evidence, first, again, {
      evidence: [first, again],
      name: isInvoice ? `Invoice ${shown}` : `Purchase "${shown}"`,
      why: () =>
        `The second payment had ${other}, with the same ${listAlike(evidence, renamed, 'card', hasSameAmount && 'amount')}. ${describeAnswer(evidence, first, again)}. So the second payment looks like a retry under another name.`,
      remedy:
        'Keep the name of the order and its PayPal-Request-Id for every attempt, so that a second request repeats the first.',
    });
  });
}

/**
 * The same order, paid again with more or fewer words about it, or in another form, after the answer to the first payment
 * was lost.
 *
 * @param reported Exchanges that show an order which is reported for another reason.
 */
export function findRewordedOrders(
  evidence: Evidence,
  reported: ReadonlySet<StoredEntry>,
): Detection[] {
  const { purchaseLookup } = evidence;
  return findRewordedAfterLoss(evidence).flatMap(({ first, again, omitted, rewritten, stamped }) =>
    reported.has(again) || purchaseLookup.byRequest(first) === purchaseLookup.byRequest(again)
      ? []
      : reportPair(evidence, first, again, {
          evidence: [first, again],
          why: () =>
            [
              `${describeAnswer(evidence, first, again)}, and the second payment has the same card and amount.`,
              ...(omitted.length === 0 ? [] : [`Only one of them has ${listWords(omitted)}.`]),
              ...(rewritten.length === 0
                ? []
                : [`Both say the same in ${listWords(rewritten)}, in another form.`]),
              ...(stamped.length === 0 ? [] : [`Only the time differs in ${listWords(stamped)}.`]),
              'So the second payment looks like a retry of the first.',
            ].join(' '),
          // The time may tell two purchases apart.
          sureness: stamped.length === 0 ? 'likely' : 'possible',
          remedy:
            'Build the body of a payment once, store it with its PayPal-Request-Id, and send both again with every retry.',
        }),
  );
}
