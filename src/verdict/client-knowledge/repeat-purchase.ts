/**
 * Did the client pay one order again, with another card, number or amount, while it could not know that the first
 * payment had succeeded?
 *
 * An equal payment is a retry, which is judged by its request id. A different one gets past both the request id and the
 * invoice number, so only its name shows that it is for the same order: `custom`, or a text with the number of the order.
 */
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { paidCardOf } from '../evidence/cards.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, type JournalIndex } from '../evidence/journal-index.ts';
import { orderNameOf } from '../evidence/one-order-name.ts';
import { customerIdOf } from '../evidence/records.ts';
import { isNamedOrder } from '../evidence/request-fields.ts';
import { sameIntentWindowMs } from '../purchases/series.ts';
import { disclosuresOf, isShownBefore } from './disclosure.ts';
import { firstWithKey, isKeyResentAfter } from './idempotency-keys.ts';
import { isReaction } from './reaction.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';

/** Different payments under one name, each sent while the outcome of an earlier one was unknown. */
export interface RepeatPurchase {
  readonly name: string;
  /** Two or more, oldest first. */
  readonly attempts: readonly StoredEntry[];
  /** How the attempts differ, so that neither the service nor a request id could stop the second one. */
  readonly difference: 'card' | 'invoice' | 'amount';
  /** How many different cards the attempts used, as far as the journal shows. */
  readonly cardCount: number;
  /** In how many ways they named these cards: by ids in the vault, or by their numbers. */
  readonly cardNameCount: number;
  /** Whether the name certainly stands for one order: no other payment has it, and the first success stayed unknown. */
  readonly isOneOrder: boolean;
  /** Whether the client had been shown each earlier payment before it made the last one. */
  readonly isShownFirst: boolean;
}

/** Finds the orders that were paid again in another way. */
export const findRepeatPurchases = memoize((journal: JournalIndex): readonly RepeatPurchase[] => {
  const chains = findChains(journal);
  return chains.flatMap((chain) => toRepeatPurchase(chain, journal));
});

/** A request that created a payment, or repeats one that did. */
interface PaymentRequest {
  readonly entry: StoredEntry;
  readonly payment: Payment;
}

/** Requests of which each was sent while the outcome of an earlier one was unknown. */
interface Chain {
  readonly name: string;
  readonly links: readonly PaymentRequest[];
  /** Whether no other payment carries the name. */
  readonly hasOwnName: boolean;
}

function findChains(journal: JournalIndex): Chain[] {
  const entries = journal.of('payment.create');
  // Most payments are answered at once and need no further look.
  if (!entries.some(mayBeUnknown)) return [];
  const requests = entries.flatMap((entry): PaymentRequest[] => {
    const payment = journal.records.payments.get(entry.subject ?? '');
    return payment === undefined ? [] : [{ entry, payment }];
  });
  const byName = groupBy(requests, ({ payment }) => orderNameOf(payment.transaction));
  return [...byName].flatMap(([name, group]) =>
    name === undefined || areAllEqual(group) || !group.some(({ entry }) => mayBeUnknown(entry))
      ? []
      : findChainsUnder(journal, name, group),
  );
}

/** Whether all payments are of one card, amount and invoice number, so that none pays another way. */
function areAllEqual(requests: readonly PaymentRequest[]): boolean {
  return requests.every((one, at) => {
    const last = requests[at - 1] ?? one;
    return (
      hasSameAmount(last, one) &&
      hasSameInvoiceNumber(last.payment, one.payment) &&
      cardOf(last.payment) === cardOf(one.payment)
    );
  });
}

function findChainsUnder(
  journal: JournalIndex,
  name: string,
  requests: readonly PaymentRequest[],
): Chain[] {
  const count = countPayments(requests);
  const byAmount = groupBy(requests, amountOf);
  const [drifted] = byAmount.size > 1 ? linkRepeats(journal, requests, isForOtherAmount) : [];
  if (drifted !== undefined && countPayments(drifted) === count) {
    return [{ name, links: drifted, hasOwnName: true }];
  }
  return [...byAmount.values()].flatMap((sameAmount) => {
    const [first] = linkRepeats(journal, sameAmount, isOtherwiseEqualWithin(Infinity));
    if (first === undefined) return [];
    const hasOwnName = countPayments(first) === count;
    // A name that other payments share stands for one order only within a short time.
    const chains = hasOwnName
      ? [first]
      : linkRepeats(journal, sameAmount, isOtherwiseEqualWithin(sameIntentWindowMs));
    return chains.map((links) => ({ name, links, hasOwnName }));
  });
}

/** How many payments the requests created. */
function countPayments(requests: readonly PaymentRequest[]): number {
  return requests.reduce((sum, { entry }) => sum + createdIds(entry).length, 0);
}

/** Whether the outcome may have been unknown. A sale whose answer arrived is pending only if an outcome forced it. */
function mayBeUnknown({ committed, concludes, outcomes }: StoredEntry): boolean {
  return committed && (concludes !== 'OK' || outcomes.length > 0);
}

function amountOf({ payment: { transaction } }: PaymentRequest): string {
  const { minor, currency } = transaction.amount;
  return `${minor} ${currency}`;
}

function hasSameAmount(one: PaymentRequest, other: PaymentRequest): boolean {
  const { minor, currency } = one.payment.transaction.amount;
  const { amount } = other.payment.transaction;
  return minor === amount.minor && currency === amount.currency;
}

function descriptionOf({ payment }: PaymentRequest): string | undefined {
  return payment.transaction.description;
}

/** Whether a request pays again for what an earlier one with an unknown outcome paid for. */
type IsRepeat = (earlier: PaymentRequest, later: PaymentRequest) => boolean;

function linkRepeats(
  journal: JournalIndex,
  requests: readonly PaymentRequest[],
  isRepeat: IsRepeat,
): PaymentRequest[][] {
  const unknown = new UnknownOutcomes(journal);
  const byEntry = new Map<StoredEntry, PaymentRequest>();
  const chains = new Map<PaymentRequest, PaymentRequest[]>();
  for (const request of requests) {
    const { entry } = request;
    const latest = unknown.latestBefore(entry, isNamedOrder(journal, entry));
    const earlier = latest && byEntry.get(latest);
    if (
      earlier !== undefined &&
      entry.committed &&
      isRepeat(earlier, request) &&
      isReaction(earlier.entry, firstWithKey(journal, entry))
    ) {
      const chain = chains.get(earlier) ?? [earlier];
      chain.push(request);
      chains.set(earlier, chain).set(request, chain);
    }
    unknown.add(entry);
    if (entry.committed) byEntry.set(entry, request);
  }
  return [...new Set(chains.values())];
}

/** A repeat for the same amount, with another card or another invoice number. */
function isOtherwiseEqualWithin(withinMs: number): IsRepeat {
  return (earlier, later) => {
    const gap = gapMs(earlier.entry, later.entry);
    if (gap > withinMs) return false;
    // A cart of several sellers, or a gift of several buyers, has parts with descriptions of their own.
    if (descriptionOf(earlier) !== descriptionOf(later)) return false;
    const [one, other] = [earlier.payment, later.payment].map(customerIdOf);
    if (one !== undefined && other !== undefined && one !== other) return false;
    // Different invoice numbers name different purchases, unless one follows the other within a short time.
    return hasSameInvoiceNumber(earlier.payment, later.payment)
      ? cardOf(earlier.payment) !== cardOf(later.payment)
      : gap <= sameIntentWindowMs;
  };
}

/** A repeat within a short time, with the same card, for an amount that was calculated again, as after a rate change. */
function isForOtherAmount(earlier: PaymentRequest, later: PaymentRequest): boolean {
  return (
    gapMs(earlier.entry, later.entry) <= sameIntentWindowMs &&
    cardOf(earlier.payment) === cardOf(later.payment) &&
    !hasSameAmount(earlier, later)
  );
}

function hasSameInvoiceNumber(one: Payment, other: Payment): boolean {
  return one.transaction.invoiceNumber === other.transaction.invoiceNumber;
}

function toRepeatPurchase(
  { name, links, hasOwnName }: Chain,
  journal: JournalIndex,
): RepeatPurchase[] {
  const earlier = links.slice(0, -1);
  const last = links.at(-1);
  if (last === undefined) return [];
  const difference = differenceBetween(earlier, last);
  const isKeyKept = earlier.some(({ entry }) => isKeyResentAfter(journal, entry, last.entry));
  // Several buyers may pay the same amount under one name. Then each has its own invoice number, or a request id
  // that is kept.
  if (difference === 'invoice' ? isKeyKept || !hasOwnName : isKeyKept && !hasOwnName) return [];
  // A client that knows of the first payment wants something else when it pays another amount.
  const isKnown = earlier.every((request) => isDisclosedBefore(request, last, journal));
  if (difference === 'amount' && (isKeyKept || isKnown)) return [];
  const isReconciledFirst = earlier.every((request) => isReconciled(request, last, journal));
  return [
    {
      name,
      difference,
      attempts: links.map(({ entry }) => entry),
      cardCount: new Set(
        links.map(({ entry, payment }) => paidCardOf(journal, entry) ?? cardOf(payment)),
      ).size,
      cardNameCount: new Set(links.map(({ payment }) => cardOf(payment))).size,
      isOneOrder: hasOwnName && !isKeyKept && !isReconciledFirst,
      isShownFirst: isKnown,
    },
  ];
}

function differenceBetween(
  earlier: readonly PaymentRequest[],
  last: PaymentRequest,
): RepeatPurchase['difference'] {
  if (earlier.some((request) => !hasSameAmount(request, last))) return 'amount';
  const isSameInvoice = earlier.every(({ payment }) => hasSameInvoiceNumber(payment, last.payment));
  return isSameInvoice ? 'card' : 'invoice';
}

/**
 * Whether the client read the payment before it paid again. If these may be two buyers, the read must come soon after
 * the lost answer.
 */
function isReconciled(
  earlier: PaymentRequest,
  last: PaymentRequest,
  journal: JournalIndex,
): boolean {
  const { entry, payment } = earlier;
  // Its sale was pending at first, so an answer with the payment does not disclose that the money arrived.
  if (entry.concludes === 'OK') return false;
  if (isDisclosedBefore(earlier, last, journal)) return true;
  const customer = customerIdOf(payment);
  if (customer !== undefined && customer === customerIdOf(last.payment)) return false;
  return disclosuresOf(journal, entry).some(
    (disclosing) => gapMs(entry, disclosing) <= sameIntentWindowMs,
  );
}

function isDisclosedBefore(
  earlier: PaymentRequest,
  last: PaymentRequest,
  journal: JournalIndex,
): boolean {
  return earlier.entry.concludes === 'OK' || isShownBefore(journal, earlier.entry, last.entry);
}

function cardOf({ instrument }: Payment): string {
  if (instrument.kind === 'token') return instrument.cardId;
  const { brand, last4, panLength, expireMonth, expireYear } = instrument.face;
  return JSON.stringify([brand, last4, panLength, expireMonth, expireYear]);
}
