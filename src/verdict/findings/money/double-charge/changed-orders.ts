/** Orders that were paid again with another card, amount or name. */
import { hideCardNumbers } from '../../../../redaction/hide-card-numbers.ts';
import type { StoredEntry } from '../../../../journal/stored-entry.ts';
import { findRenamedAfterLoss } from '../../../client-knowledge/changed-repeats/renamed-after-loss.ts';
import { findRewordedAfterLoss } from '../../../client-knowledge/changed-repeats/reworded-after-loss.ts';
import { findRepricedAfterRefusal } from '../../../client-knowledge/changed-repeats/repriced-after-refusal.ts';
import { findPaidInTwoCurrencies } from '../../../client-knowledge/changed-repeats/two-currencies.ts';
import { findRenamed } from '../../../client-knowledge/changed-repeats/renamed-invoice.ts';
import {
  findRepeatPurchases,
  type RepeatPurchase,
} from '../../../client-knowledge/changed-repeats/repeat-purchase.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import {
  capitalize,
  describePurchase,
  formatNumber,
  listAmounts,
  listWords,
} from '../../../phrases.ts';
import type { Detection } from '../../finding-rule.ts';
import { weights } from '../duplicates.ts';
import { describeAnswer } from '../explain-duplicate.ts';
import { amountsOf, describeCharges } from './describe-charges.ts';
import { entriesOf, keptPayments, keptTwice } from './kept-money.ts';

const stillPending = 'The first sale was still pending then.';

const awaitPending =
  'Pending is not failed. Read the sale until it is completed or denied, and pay again only after a denial.';

const differences = {
  invoice: () => 'The payments have different invoice numbers.',
  card: ({ cardCount, cardNameCount }: RepeatPurchase) =>
    cardCount === 1
      ? `The payments used one card, named in ${formatNumber(cardNameCount)} ways: by ids in the vault, or by its number.`
      : `The payments used ${formatNumber(cardCount)} different cards.`,
  amount: ({ isPending }: RepeatPurchase) =>
    `The payments have different amounts.${isPending ? ` ${stillPending}` : ''}`,
};

/** The same order, paid again with another card, invoice number or amount before the first payment was known. */
export function* findChangedOrders(evidence: Evidence): Generator<Detection> {
  for (const repeat of findRepeatPurchases(evidence)) {
    const { name, attempts, difference, isOneOrder, isShownFirst, isPending } = repeat;
    const [first] = attempts;
    const purchase = evidence.purchaseLookup.byPayment(first?.subject ?? '');
    if (purchase === undefined) continue;
    const payments = keptPayments(purchase, attempts);
    if (payments === undefined) continue;
    yield {
      // The record holds the client's own text, which can be a card number.
      what: () =>
        `${describeCharges(`purchase "${hideCardNumbers(name)}"`, purchase, attempts, payments)} ${differences[difference](repeat)}`,
      evidence: entriesOf([...payments.values()].flat()),
      purchase,
      // A client that was shown the first payment, and then takes another card or number, shares the price between both.
      ...weights[isOneOrder ? 'likely' : isShownFirst ? 'unlikely' : 'possible'],
      remedy: isPending
        ? awaitPending
        : 'Find out what became of the first payment before you offer another way to pay for the same order.',
      paidTwice: [[...payments.values()]],
    };
  }
}

/** The same order, paid again under an invoice number that the client had changed. */
export function* findRenamedInvoices(evidence: Evidence): Generator<Detection> {
  for (const renamed of findRenamed(evidence)) {
    const { first, again, invoice, otherInvoice, refusal, hasSameAmount } = renamed;
    const charges = keptTwice(evidence.chargesFrom(first), evidence.chargesFrom(again));
    if (charges === undefined) continue;
    const [why, remedy] =
      refusal === undefined
        ? [stillPending, awaitPending]
        : [
            `The service had refused ${invoice} before, because it was already used.`,
            'A refusal as a duplicate means that the invoice was paid before. Look that payment up, and do not change the invoice number.',
          ];
    yield {
      what: () =>
        `Invoice ${invoice} was charged twice: ${listAmounts(amountsOf(charges))}. The second payment had ${otherInvoice === undefined ? 'no invoice number' : `the invoice number ${otherInvoice}`}, with the same ${hasSameAmount ? 'card, amount' : 'card'} and description. ${why}`,
      evidence: refusal === undefined ? [first, again] : [first, refusal, again],
      purchase: evidence.purchaseLookup.byPayment(first.subject ?? ''),
      ...weights.likely,
      remedy,
      paidTwice: [charges],
    };
  }
}

/** The same order, paid again for almost the same amount after the service had refused it as a duplicate. */
export function* findRepricedOrders(evidence: Evidence): Generator<Detection> {
  const inChain = new Set(findRepeatPurchases(evidence).flatMap(({ attempts }) => attempts));
  for (const { first, refusal, again } of findRepricedAfterRefusal(evidence)) {
    const purchase = evidence.purchaseLookup.byPayment(first.subject ?? '');
    const charges = keptTwice(evidence.chargesFrom(first), evidence.chargesFrom(again));
    if (purchase === undefined || charges === undefined || inChain.has(again)) continue;
    yield {
      what: () =>
        `${capitalize(describePurchase(purchase))} was charged twice: ${listAmounts(amountsOf(charges))}. The service had refused the first amount as a duplicate, and the client then sent another one.`,
      evidence: [first, refusal, again],
      purchase,
      ...weights.likely,
      remedy:
        'A refusal as a duplicate means that the order was paid before. Look that payment up, and do not change the amount.',
      paidTwice: [charges],
    };
  }
}

/** The same order, paid in two currencies. */
export function* findOrdersInTwoCurrencies(
  evidence: Evidence,
  reported: ReadonlySet<StoredEntry>,
): Generator<Detection> {
  const inChain = new Set(findRepeatPurchases(evidence).flatMap(({ attempts }) => attempts));
  for (const { first, again } of findPaidInTwoCurrencies(evidence)) {
    const purchase = evidence.purchaseLookup.byPayment(first.subject ?? '');
    const charges = keptTwice(evidence.chargesFrom(first), evidence.chargesFrom(again));
    if (purchase === undefined || charges === undefined) continue;
    if (inChain.has(again) || reported.has(again)) continue;
    yield {
      what: () =>
        `${capitalize(describePurchase(purchase))} was charged in two currencies: ${listAmounts(amountsOf(charges))}. ${describeAnswer(evidence, first, again)}, and both payments have the same card and description.`,
      evidence: [first, again],
      purchase,
      ...weights.possible,
      remedy:
        'Keep the currency of an order with its amount, and read its payment before you charge the order in another one. If it has two parts, name the part in each description.',
      paidTwice: [charges],
    };
  }
}

/** The same order, paid again under a name that counts the attempts, after the answer to the first payment was lost. */
export function* findRenamedOrders(evidence: Evidence): Generator<Detection> {
  for (const { first, again, name, otherName, isInvoice } of findRenamedAfterLoss(evidence)) {
    const charges = keptTwice(evidence.chargesFrom(first), evidence.chargesFrom(again));
    if (charges === undefined) continue;
    const shown = hideCardNumbers(name);
    const [what, field] = isInvoice
      ? [`Invoice ${shown}`, 'invoice number']
      : [`Purchase "${shown}"`, '`custom`'];
    const other =
      otherName === undefined ? `no ${field}` : `the ${field} ${hideCardNumbers(otherName)}`;
    yield {
      what: () =>
        `${what} was charged twice: ${listAmounts(amountsOf(charges))}. The second payment had ${other}, with the same card, amount and description. ${describeAnswer(evidence, first, again)}.`,
      evidence: [first, again],
      purchase: evidence.purchaseLookup.byPayment(first.subject ?? ''),
      ...weights.likely,
      remedy:
        'Keep the name of the order and its PayPal-Request-Id for every attempt, so that a second request repeats the first.',
      paidTwice: [charges],
    };
  }
}

/** The same order, paid again with more or fewer words about it, after the answer to the first payment was lost. */
export function* findRewordedOrders(evidence: Evidence): Generator<Detection> {
  for (const { first, again, fields } of findRewordedAfterLoss(evidence)) {
    const purchase = evidence.purchaseLookup.byPayment(first.subject ?? '');
    const charges = keptTwice(evidence.chargesFrom(first), evidence.chargesFrom(again));
    if (purchase === undefined || charges === undefined) continue;
    yield {
      what: () =>
        `${capitalize(describePurchase(purchase))} was charged twice: ${listAmounts(amountsOf(charges))}. ${describeAnswer(evidence, first, again)}, and the second payment has the same card and amount. Only one of them has ${listWords(fields)}.`,
      evidence: [first, again],
      purchase,
      ...weights.likely,
      remedy:
        'Build the body of a payment once, store it with its PayPal-Request-Id, and send both again with every retry.',
      paidTwice: [charges],
    };
  }
}
