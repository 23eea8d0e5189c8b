import type { Money } from '../../../domain/money/money.ts';
import { authorizationState } from '../../../domain/payment/authorization.ts';
import type { Authorization } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { hideCardNumbers } from '../../../redaction/hide-card-numbers.ts';
import { redactText } from '../../../redaction/redact.ts';
import {
  duplicateConfidence,
  type DuplicateConfidence,
} from '../../client-knowledge/duplicate-confidence.ts';
import { findDriftedAmounts } from '../../client-knowledge/drifted-amount.ts';
import {
  noneParallel,
  parallelAttempts,
} from '../../client-knowledge/parallel/parallel-attempts.ts';
import { findPaidAfterLostCapture } from '../../client-knowledge/paid-after-lost-capture.ts';
import {
  findRepeatPurchases,
  type RepeatPurchase,
} from '../../client-knowledge/repeat-purchase.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, overlaps } from '../../evidence/exchange-order.ts';
import { createdIds } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { isNamedOrder } from '../../evidence/request-fields.ts';
import {
  capitalize,
  firstExamples,
  formatCount,
  formatDuration,
  listAmounts,
  listWords,
  formatMoney,
  formatNumber,
  describePurchase,
  formatTimes,
} from '../../phrases.ts';
import { duplicateSeverity, type AttemptGroup } from '../../purchases/attempts.ts';
import type { Charge } from '../../purchases/charge.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import { findRenamed } from '../../client-knowledge/renamed-invoice.ts';
import { findRenamedAfterLoss } from '../../client-knowledge/renamed-after-loss.ts';
import { findCapturesMadeAgain, findRepeatedBatches } from '../../purchases/repeated-batch.ts';
import type { Detection, FindingRule, PaidTwice } from '../finding-rule.ts';
import {
  adviseOnDuplicate,
  adviseOnSameId,
  adviseOnSecondRun,
  canBeDuplicate,
  describeAnswer,
  explainDuplicate,
  explainPartName,
  findMakers,
  fixedAmount,
  weights,
  type Makers,
} from './duplicates.ts';

/** Finds purchases for which the merchant keeps the money of more than one charge. */
export const doubleCharge: FindingRule = {
  id: 'double-charge',
  severity: 'critical',
  about:
    'One purchase was charged or put on hold more than once, and the extra money was not returned.',
  remedy:
    'Create one PayPal-Request-Id per order, store it before the first attempt, and send it with every retry.',
  find: findDoubleCharges,
};

function* findDoubleCharges(evidence: Evidence): Generator<Detection> {
  yield* findRepeatedRuns(evidence);
  yield* findRepeatedCaptureRuns(evidence);
  yield* findRepeatedPayments(evidence);
  yield* findRepeatedHolds(evidence);
  yield* findOrdersPaidAgain(evidence);
  yield* findPaidInPlaceOfCapture(evidence);
  yield* findRenamedInvoices(evidence);
  yield* findPaidUnderOtherName(evidence);
  yield* findRepeatedCaptures(evidence);
  yield* findDriftedCaptures(evidence);
}

/** The same payment, requested again. */
function* findRepeatedPayments(evidence: Evidence): Generator<Detection> {
  const paidInRun = paidAgainInRun(evidence);
  for (const group of evidence.attemptGroups) {
    const { operation, attempts } = group;
    if (operation !== 'payment.create' || !canBeDuplicate(attempts)) continue;
    if (attempts.some((entry) => paidInRun.has(entry))) continue;
    // Looked up last, because finding the purchase of a refund is slow.
    const { purchase } = group;
    if (purchase === undefined) continue;
    const payments = paymentsStillHeld(purchase, attempts);
    if (payments === undefined) continue;
    yield new RepeatedPayment(evidence, group, purchase, payments);
  }
}

/** One purchase that was paid by several payments. */
class RepeatedPayment implements Detection {
  readonly severity: Detection['severity'];
  readonly confidence: Detection['confidence'];
  readonly purchase: Purchase;
  readonly #sureness: DuplicateConfidence;
  readonly #payments: Payments;
  readonly #group: AttemptGroup;
  readonly #all: Evidence;

  constructor(all: Evidence, group: AttemptGroup, purchase: Purchase, payments: Payments) {
    const sureness = duplicateConfidence(all, group, payments);
    this.severity = weights[sureness].severity;
    this.confidence = weights[sureness].confidence;
    this.#sureness = sureness;
    this.purchase = purchase;
    this.#payments = payments;
    this.#group = group;
    this.#all = all;
  }

  get what(): string {
    const { attempts } = this.#group;
    const charges = { attempts, payments: this.#payments };
    const makers = this.#makers;
    return [
      describeCharges(describePurchase(this.purchase), this.purchase, charges),
      ' ',
      explainDuplicate(this.#all, makers, parallelAttempts(this.#all, this.#group)),
      explainOrderName(this.#all, makers.makers),
      explainLostCapture(this.#all, makers.makers),
      explainCopies(makers.makers),
    ].join('');
  }

  get evidence(): readonly StoredEntry[] {
    return entriesOf(this.#payments);
  }

  get remedy(): string | undefined {
    const makers = this.#makers;
    if (explainLostCapture(this.#all, makers.makers) !== '') return captureAgain;
    return haveCopies(makers.makers)
      ? storeOnce
      : adviseOnDuplicate(this.#all, makers, this.#sureness);
  }

  get paidTwice(): readonly PaidTwice[] {
    return [[...this.#payments.values()]];
  }

  get #makers(): Makers {
    return findMakers(this.#group.attempts, (id) => this.#payments.has(id));
  }
}

/** Why payments that were answered one after the other count as one: the words that name the order. */
function explainOrderName(evidence: Evidence, [first, second]: readonly StoredEntry[]): string {
  if (first?.concludes !== 'OK' || second === undefined || overlaps(first, second)) return '';
  const isNamed = [first, second].every((entry) => isNamedOrder(evidence, entry));
  return isNamed ? ' Both payments name the same order or month.' : '';
}

/** What the client did not know of the first payment when it authorized the order again. */
function explainLostCapture(evidence: Evidence, makers: readonly StoredEntry[]): string {
  const found = findPaidAfterLostCapture(evidence).find(
    ({ first, again }) => makers.includes(first) && makers.includes(again),
  );
  return found === undefined
    ? ''
    : ` ${describeAnswer(evidence, found.capture, found.again, 'answer to the capture in between')}.`;
}

/**
 * An order for which money was put on hold more than once, and not all of it was captured or released.
 *
 * Money on hold comes back by itself, so this is less severe than a second charge.
 */
function* findRepeatedHolds(evidence: Evidence): Generator<Detection> {
  const inRun = paidAgainInRun(evidence);
  for (const group of evidence.attemptGroups) {
    const { operation, attempts } = group;
    if (operation !== 'payment.create' || !canBeDuplicate(attempts)) continue;
    if (attempts.some((entry) => inRun.has(entry))) continue;
    const holds = attempts.flatMap((entry) => openHoldsFrom(evidence, entry));
    if (holds.length === 0) continue;
    const charges = attempts.flatMap((entry) => heldOf(evidence.chargesFrom(entry)));
    const charged = groupBy(charges, ({ paymentId }) => paymentId);
    // Two payments that took money are reported as such.
    if (charged.size > 1 || charged.size + holds.length < 2) continue;
    const ids = new Set([...charged.keys(), ...holds.map(({ paymentId }) => paymentId)]);
    const sureness = duplicateConfidence(evidence, group, ids);
    if (sureness === 'unlikely') continue;
    const makers = findMakers(attempts, (id) => ids.has(id));
    yield {
      what: () =>
        [
          `${capitalize(group.description)} was authorized ${formatTimes(ids.size)}, and ${describeOpenHolds(holds)} still on hold.`,
          `${explainDuplicate(evidence, makers, parallelAttempts(evidence, group))}${explainOrderName(evidence, makers.makers)}${explainLostCapture(evidence, makers.makers)}`,
        ].join(' '),
      evidence: firstExamples(makers.makers),
      purchase: group.purchase,
      ...weights[sureness],
      severity: sureness === 'possible' ? 'medium' : 'high',
      remedy:
        adviseOnDuplicate(evidence, makers, sureness) ??
        'Send one PayPal-Request-Id per order with every retry, and void each authorization that you do not capture.',
    };
  }
}

function describeOpenHolds(holds: readonly Authorization[]): string {
  const amounts = listAmounts(
    holds.map(({ amount, createdAtMs }) => ({ amount, atMs: createdAtMs })),
  );
  return holds.length === 1 ? `${amounts} is` : `${amounts} are`;
}

/** The authorizations of a request that still hold all of their money. */
function openHoldsFrom(
  { records: { payments, authorizations }, atMs }: Evidence,
  entry: StoredEntry,
): Authorization[] {
  return createdIds(entry).flatMap((id) => {
    const authorization = authorizations.get(payments.get(id)?.related.first?.id ?? '');
    return authorization !== undefined && authorizationState(authorization, atMs) === 'authorized'
      ? [authorization]
      : [];
  });
}

const captureAgain =
  'Repeat the capture with the same PayPal-Request-Id, or read the authorization, before you charge the order in another way.';

/** An order that was charged, although a capture for it had succeeded while its answer was lost. */
function* findPaidInPlaceOfCapture(evidence: Evidence): Generator<Detection> {
  const { purchaseLookup } = evidence;
  for (const { first, capture, again } of findPaidAfterLostCapture(evidence)) {
    const purchase = purchaseLookup.byPayment(first.subject ?? '');
    // Authorizations of one purchase are reported as such.
    if (purchase === undefined || purchase === purchaseLookup.byPayment(again.subject ?? ''))
      continue;
    const charges = [evidence.chargesBy(capture), evidence.chargesFrom(again)].map(heldOf);
    if (charges.some(({ length }) => length === 0) || isOneChargeLeft(charges)) continue;
    yield {
      what: () =>
        `${capitalize(describePurchase(purchase))} was charged twice: ${listAmounts(charges.flat().map(amountAndTime))}. ${describeAnswer(evidence, capture, again, 'answer to the capture')}, and the client then charged the card in another way.`,
      evidence: [first, capture, again],
      purchase,
      ...weights.likely,
      remedy: captureAgain,
      paidTwice: [charges],
    };
  }
}
/** Whether the payments used copies of one card. Other cards are other purchases. */
function haveCopies(makers: readonly StoredEntry[]): boolean {
  return makers.some(({ cardId }) => cardId !== makers[0]?.cardId);
}

function explainCopies(makers: readonly StoredEntry[]): string {
  if (!haveCopies(makers)) return '';
  const { size } = new Set(makers.map(({ cardId }) => cardId));
  return ` The payments used ${formatNumber(size)} copies of one card, each stored with the same number.`;
}

const storeOnce =
  'Lock the order before you store the card. Or make the PayPal-Request-Ids of the card and of the payment from the order, so that a second click repeats both.';

/** The payments of second runs, which are reported together. */
function paidAgainInRun(evidence: Evidence): ReadonlySet<StoredEntry> {
  return new Set(findRepeatedBatches(evidence).flatMap((batch) => batch.map(({ again }) => again)));
}

/** Several orders that were paid again as a group, as by a billing job that ran twice. */
function* findRepeatedRuns(evidence: Evidence): Generator<Detection> {
  for (const batch of findRepeatedBatches(evidence)) {
    const held = batch.flatMap(({ first, again, name }) => {
      const money = [first, again].map((entry) => moneyFrom(evidence, entry));
      const [one = [], two = []] = money;
      const [kept] = two;
      const isTwice = one.length > 0 && kept !== undefined && !isOneChargeLeft(money);
      if (!isTwice) return [];
      const paid = [first, again].map((entry) => heldOf(evidence.chargesFrom(entry)));
      return [{ first, again, name, amount: kept.amount, kinds: money.flat(), paid }];
    });
    const [begin] = held;
    if (begin === undefined) continue;
    yield {
      what: () => {
        // The record holds the client's own text.
        const names = listWords(
          new Set(held.map(({ name }) => name)),
          (name) => `"${hideCardNumbers(redactText(name))}"`,
        );
        const amounts = listWords(held, ({ amount }) => formatMoney(amount));
        const kinds = new Set(held.flatMap(({ kinds: ofPair }) => ofPair.map(({ kind }) => kind)));
        const done = kinds.has('sale') ? 'charged' : 'authorized';
        const taken = kinds.has('authorization')
          ? ', and money is still on hold'
          : kinds.has('sale')
            ? ''
            : ', and each authorization was captured';
        return `${formatCount(held.length, 'purchase')} (${names}) ${held.length === 1 ? 'was' : 'were'} ${done} again ${formatDuration(gapMs(begin.first, begin.again))} later${taken}. Names, cards and amounts are the same: ${amounts}. Together they look like one job that ran twice.`;
      },
      evidence: firstExamples(firstExamples(held).flatMap(({ first, again }) => [first, again])),
      purchase: evidence.purchaseLookup.byPayment(begin.again.subject ?? ''),
      severity: 'high',
      confidence: 'likely',
      remedy: adviseOnSecondRun(
        'Record each order of a run as paid before the next run, and derive the PayPal-Request-Id from the order and its period, so that a second run repeats it.',
        begin.first,
        begin.again,
      ),
      // What is on hold is not kept.
      paidTwice: held.map(({ paid }) => paid.filter(({ length }) => length > 0)),
    };
  }
}

/** Several authorizations that were captured again as a group, as by a shipping job that ran twice. */
function* findRepeatedCaptureRuns(evidence: Evidence): Generator<Detection> {
  const batches = findCapturesMadeAgain(evidence);
  if (batches.length === 0) return;
  for (const batch of batches) {
    const kept = batch.flatMap(({ first, again, name }) => {
      const paid = [first, again].map((entry) => heldOf(evidence.chargesBy(entry)));
      return paid.every(({ length }) => length > 0) ? [{ first, again, name, paid }] : [];
    });
    const [begin] = kept;
    if (begin === undefined) continue;
    yield {
      what: () => {
        const captures = kept.flatMap(({ again }) => evidence.chargesBy(again));
        const amounts = listWords(captures, ({ amount }) => formatMoney(amount));
        return `${formatCount(kept.length, 'capture')} ${kept.length === 1 ? 'was' : 'were'} made again ${formatDuration(gapMs(begin.first, begin.again))} later, for the same authorizations and amounts: ${amounts}. Together they look like one job that ran twice.`;
      },
      evidence: firstExamples(firstExamples(kept).flatMap(({ first, again }) => [first, again])),
      purchase: evidence.purchaseLookup.byRecord(begin.name),
      severity: 'high',
      confidence: 'likely',
      remedy: adviseOnSecondRun(
        'Give each part of an order an invoice_number of its own, and derive the PayPal-Request-Id from it, so that a second run repeats it. Or read the authorization before you capture again.',
        begin.first,
        begin.again,
      ),
      paidTwice: kept.map(({ paid }) => paid),
    };
  }
}

/** Money of a request that the merchant keeps, or that is still on hold. */
interface HeldMoney extends Taken {
  readonly kind: 'sale' | 'capture' | 'authorization';
}

function moneyFrom(evidence: Evidence, entry: StoredEntry): readonly HeldMoney[] {
  return [
    ...heldOf(evidence.chargesFrom(entry)).map(({ isCapture, amount, retainedMinor }) => ({
      kind: isCapture ? ('capture' as const) : ('sale' as const),
      amount,
      retainedMinor,
    })),
    ...openHoldsFrom(evidence, entry).map(({ amount }) => ({
      kind: 'authorization' as const,
      amount,
      retainedMinor: amount.minor,
    })),
  ];
}

/** The charges that still hold money. */
function heldOf(charges: readonly Charge[]): readonly Charge[] {
  return charges.filter(({ retainedMinor }) => retainedMinor > 0);
}

const differences = {
  invoice: () => 'The payments have different invoice numbers.',
  card: ({ cardCount, cardNameCount }: RepeatPurchase) =>
    cardCount === 1
      ? `The payments used one card, named in ${formatNumber(cardNameCount)} ways: by ids in the vault, or by its number.`
      : `The payments used ${formatNumber(cardCount)} different cards.`,
  amount: () => 'The payments have different amounts.',
};

/** The same order, paid again with another card, invoice number or amount before the first payment was known. */
function* findOrdersPaidAgain(evidence: Evidence): Generator<Detection> {
  for (const repeat of findRepeatPurchases(evidence)) {
    const { name, attempts, difference, isOneOrder, isShownFirst } = repeat;
    const [first] = attempts;
    const purchase = evidence.purchaseLookup.byPayment(first?.subject ?? '');
    if (purchase === undefined) continue;
    const payments = paymentsStillHeld(purchase, attempts);
    if (payments === undefined) continue;
    yield {
      // The record holds the client's own text, which can be a card number.
      what: () =>
        `${describeCharges(`purchase "${hideCardNumbers(name)}"`, purchase, { attempts, payments })} ${differences[difference](repeat)}`,
      evidence: entriesOf(payments),
      purchase,
      // A client that was shown the first payment, and then takes another card or number, shares the price between both.
      ...weights[isOneOrder ? 'likely' : isShownFirst ? 'unlikely' : 'possible'],
      remedy:
        'Find out what became of the first payment before you offer another way to pay for the same order.',
      paidTwice: [[...payments.values()]],
    };
  }
}

/** The same order, paid again under an invoice number that the client had changed. */
function* findRenamedInvoices(evidence: Evidence): Generator<Detection> {
  for (const { first, again, invoice, otherInvoice, refusal } of findRenamed(evidence)) {
    const charges = [first, again].map((entry) => heldOf(evidence.chargesFrom(entry)));
    if (charges.some(({ length }) => length === 0) || isOneChargeLeft(charges)) continue;
    const [why, remedy] =
      refusal === undefined
        ? [
            'The first sale was still pending then.',
            'Pending is not failed. Read the sale until it is completed or denied, and pay again only after a denial.',
          ]
        : [
            `The service had refused ${invoice} before, because it was already used.`,
            'A refusal as a duplicate means that the invoice was paid before. Look that payment up, and do not change the invoice number.',
          ];
    yield {
      what: () =>
        `Invoice ${invoice} was charged twice: ${listAmounts(charges.flatMap(([one]) => one ?? []).map(amountAndTime))}. The second payment had ${otherInvoice === undefined ? 'no invoice number' : `the invoice number ${otherInvoice}`}, with the same card, amount and description. ${why}`,
      evidence: refusal === undefined ? [first, again] : [first, refusal, again],
      purchase: evidence.purchaseLookup.byPayment(first.subject ?? ''),
      ...weights.likely,
      remedy,
      paidTwice: [charges],
    };
  }
}

/** The same order, paid again under a name that counts the attempts, after the answer to the first payment was lost. */
function* findPaidUnderOtherName(evidence: Evidence): Generator<Detection> {
  for (const { first, again, name, otherName, isInvoice } of findRenamedAfterLoss(evidence)) {
    const charges = [first, again].map((entry) => heldOf(evidence.chargesFrom(entry)));
    if (charges.some(({ length }) => length === 0) || isOneChargeLeft(charges)) continue;
    const shown = hideCardNumbers(name);
    const [what, field] = isInvoice
      ? [`Invoice ${shown}`, 'invoice number']
      : [`Purchase "${shown}"`, '`custom`'];
    const other =
      otherName === undefined ? `no ${field}` : `the ${field} ${hideCardNumbers(otherName)}`;
    yield {
      what: () =>
        `${what} was charged twice: ${listAmounts(charges.flatMap(([one]) => one ?? []).map(amountAndTime))}. The second payment had ${other}, with the same card, amount and description. ${describeAnswer(evidence, first, again)}.`,
      evidence: [first, again],
      purchase: evidence.purchaseLookup.byPayment(first.subject ?? ''),
      ...weights.likely,
      remedy:
        'Keep the name of the order and its PayPal-Request-Id for every attempt, so that a second request repeats the first.',
      paidTwice: [charges],
    };
  }
}

/**
 * One capture that was executed several times while the authorization had room for it.
 *
 * The service refuses a repeated invoice number, so a repeat with one is never another part of the order. Without an
 * invoice number, two parts may cost the same: the rule then reports only a capture that the client could not know of,
 * or one beyond the authorized amount.
 */
function* findRepeatedCaptures(evidence: Evidence): Generator<Detection> {
  const retriedGroups = evidence.retriedGroups.filter(
    ({ operation }) => operation === 'auth.capture',
  );
  for (const group of retriedGroups) {
    const captures = group.attempts.flatMap((entry) => evidence.chargesBy(entry));
    const unrefunded = captures.filter(({ retainedMinor }) => retainedMinor > 0);
    if (unrefunded.length < 2 || isOneChargeLeft(unrefunded.map((one) => [one]))) continue;
    const ids = new Set(unrefunded.map(({ id }) => id));
    const sureness = duplicateConfidence(evidence, group, ids);
    const excess = amountBeyondAuthorization(evidence, unrefunded);
    const isOpen = weights[sureness].confidence === 'possible';
    if (isOpen && excess === undefined) continue;
    const makers = findMakers(group.attempts, (id) => ids.has(id));
    const partName = explainPartName(evidence, makers.makers);
    yield {
      what: () =>
        [
          `${capitalize(group.description)} was executed ${formatTimes(unrefunded.length)}${group.isNamed ? ' for one invoice number' : ''}: ${listAmounts(unrefunded.map(amountAndTime))}.`,
          ...(excess === undefined
            ? []
            : [`${formatMoney(excess)} more than authorized was captured.`]),
          `${explainDuplicate(evidence, makers, parallelAttempts(evidence, group))}${partName}`,
          ...(sureness === 'certain' || partName !== ''
            ? []
            : ['The client may have intended both.']),
        ].join(' '),
      evidence: entriesOfCharges(unrefunded),
      purchase: group.purchase,
      ...weights[sureness],
      ...(!isOpen && { severity: duplicateSeverity[group.operation] }),
      remedy:
        adviseOnSameId(makers) ??
        'Create one PayPal-Request-Id per capture, store it before the first attempt, and send it with every retry. Read the authorization before you capture again.',
      paidTwice: [unrefunded.map((one) => [one])],
    };
  }
}

/** Captures that were made again with almost the same amount, after the answer to the first was lost. */
function* findDriftedCaptures(evidence: Evidence): Generator<Detection> {
  for (const { first, again, amounts } of findDriftedAmounts(evidence, 'auth.capture')) {
    const charges = [first, again].map((entry) => heldOf(evidence.chargesBy(entry)));
    if (charges.some(({ length }) => length === 0) || isOneChargeLeft(charges)) continue;
    const id = recordIdIn(first) ?? '';
    yield {
      what: () =>
        `Authorization ${id} was captured twice with almost the same amount: ${listAmounts(amounts)}. ${explainDuplicate(
          evidence,
          findMakers([first, again], () => true),
          noneParallel,
        )}`,
      evidence: [first, again],
      purchase: evidence.purchaseLookup.byRecord(id),
      ...weights.likely,
      remedy: fixedAmount,
    };
  }
}

/** What all captures of an authorization took beyond its amount. The service allows a little more than the amount. */
function amountBeyondAuthorization(
  { records, purchaseLookup }: Evidence,
  [one]: readonly Charge[],
): Money | undefined {
  const capture = records.captures.get(one?.id ?? '');
  const authorized = records.authorizations.get(capture?.authorizationId ?? '')?.amount;
  if (capture === undefined || authorized === undefined) return undefined;
  const { paymentId } = capture;
  const charges = purchaseLookup.byPayment(paymentId)?.charges ?? [];
  const minor = charges
    .filter((charge) => charge.paymentId === paymentId)
    .reduce((sum, { retainedMinor }) => sum + retainedMinor, -authorized.minor);
  return minor > 0 ? { ...authorized, minor } : undefined;
}

/** Charges by the id of their payment. Several captures of one authorization are parts of one payment. */
type Payments = ReadonlyMap<string, readonly Charge[]>;

/** Payments that still hold money, if together they hold more than one of them took. */
function paymentsStillHeld(
  purchase: Purchase,
  attempts: readonly StoredEntry[],
): Payments | undefined {
  const unrefunded = heldOf(purchase.chargesBy(attempts));
  if (unrefunded.length < 2) return undefined;
  const payments = groupBy(unrefunded, ({ paymentId }) => paymentId);
  return payments.size < 2 || isOneChargeLeft([...payments.values()]) ? undefined : payments;
}

/** What a payment took, and what is left of that. */
type Taken = Pick<Charge, 'amount' | 'retainedMinor'>;

/** Whether refunds left the merchant no more money than one of the payments took. */
function isOneChargeLeft(payments: readonly (readonly Taken[])[]): boolean {
  const currency = payments[0]?.[0]?.amount.currency;
  let keptMinor = 0;
  for (const payment of payments) {
    if (payment.some(({ amount }) => amount.currency !== currency)) return false;
    for (const { retainedMinor } of payment) keptMinor += retainedMinor;
  }
  return payments.some((payment) => keptMinor <= minorTakenBy(payment));
}

function minorTakenBy(charges: readonly Taken[]): number {
  return charges.reduce((sum, { amount }) => sum + amount.minor, 0);
}

interface Duplicates {
  readonly attempts: readonly StoredEntry[];
  /** Those that still hold money. */
  readonly payments: Payments;
}

/** Says how often a purchase was charged, when, and how much each time. */
function describeCharges(
  name: string,
  purchase: Purchase,
  { attempts, payments }: Duplicates,
): string {
  return `${capitalize(name)} was charged ${countCharges(purchase, attempts, payments)}: ${listAmounts(amountsOf(payments))}.`;
}

/** How often a purchase was charged, and how many of these charges are left. */
function countCharges(
  purchase: Purchase,
  attempts: readonly StoredEntry[],
  { size }: Payments,
): string {
  const charged = purchase.chargesBy(attempts).filter(({ hasTakenMoney }) => hasTakenMoney);
  const count = new Set(charged.map(({ paymentId }) => paymentId)).size;
  return count === size
    ? formatTimes(size)
    : `${formatTimes(count)}, and ${formatNumber(size)} of these charges are left`;
}

/** What each payment took, and when. */
function amountsOf(payments: Payments): AmountAndTime[] {
  return [...payments.values()].flatMap((charges) => {
    const [first] = charges;
    if (first === undefined) return [];
    const amount = { ...first.amount, minor: minorTakenBy(charges) };
    return [{ amount, atMs: first.atMs }];
  });
}

interface AmountAndTime {
  readonly amount: Money;
  readonly atMs: number;
}

function amountAndTime({ amount, atMs }: Charge): AmountAndTime {
  return { amount, atMs };
}

function entriesOf(payments: Payments): readonly StoredEntry[] {
  return entriesOfCharges([...payments.values()].flat());
}

function entriesOfCharges(charges: readonly Charge[]): readonly StoredEntry[] {
  return firstExamples(new Set(charges.map(({ entry }) => entry)));
}
