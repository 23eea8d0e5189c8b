/** Orders that were paid anew, otherwise than at first, while nobody could know that they were paid. */
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { firstDisclosures } from './disclosure.ts';
import { isKeyResentAfter } from './idempotency-keys.ts';
import { UnknownOutcomes } from './unknown-outcomes.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, type JournalIndex } from '../evidence/journal-index.ts';
import { sameIntentWindowMs } from '../purchases/series.ts';

/** Requests to pay that name one order in `custom`, and were sent while one of them was in doubt. */
export interface RepeatPurchase {
  readonly custom: string;
  /** Two or more, oldest first. */
  readonly attempts: readonly StoredEntry[];
  /** What tells them apart, so that neither the service nor a request id could have stopped the second one. */
  readonly difference: 'card' | 'invoice' | 'amount';
  /** How many cards they were paid with. */
  readonly cardCount: number;
  /** No other payment carries the `custom`, which so stands for one order; and nobody came to know of the first. */
  readonly isOneOrder: boolean;
}

/** Asked for again as it was, it is a repeat, which is judged by its request id. */
export const findRepeatPurchases = memoize((journal: JournalIndex): readonly RepeatPurchase[] => {
  const chains = chainsOf(journal);
  const told = firstDisclosures({ ids: idsOf(chains), includesCaptures: false }, journal);
  return chains.flatMap((chain) => toRepeatPurchase(journal, chain, told));
});

/** A request that made a payment, or repeats one that did. */
interface PaymentRequest {
  readonly entry: StoredEntry;
  readonly payment: Payment;
}

/** Requests of which each came while an earlier one was in doubt. */
interface Chain {
  readonly custom: string;
  readonly links: readonly PaymentRequest[];
  /** No other payment carries the `custom`. */
  readonly isOnlyName: boolean;
}

function chainsOf(journal: JournalIndex): Chain[] {
  const paymentOf = ({ subject = '' }: StoredEntry) => journal.records.payments.get(subject);
  const customOf = (entry: StoredEntry) => paymentOf(entry)?.transaction.custom;
  const tries = journal.of('payment.create');
  // Nearly all that is paid for is answered, and needs no further look.
  const inDoubt = new Set(tries.filter(mayBeUnknown).map(customOf));
  inDoubt.delete(undefined);
  if (inDoubt.size === 0) return [];
  const paid = tries.flatMap((entry): PaymentRequest[] => {
    const payment = paymentOf(entry);
    const isNamed = payment !== undefined && inDoubt.has(payment.transaction.custom);
    return isNamed ? [{ entry, payment }] : [];
  });
  const named = groupBy(paid, ({ payment }) => payment.transaction.custom ?? '');
  return [...named].flatMap(([custom, alike]) => chainsUnder(journal, custom, alike));
}

function chainsUnder(
  journal: JournalIndex,
  custom: string,
  named: readonly PaymentRequest[],
): Chain[] {
  const count = countPayments(named);
  const bySum = groupBy(named, amountOf);
  const [drifted] = bySum.size > 1 ? chainsIn(journal, named, isRepeatForOtherAmount) : [];
  if (drifted !== undefined && countPayments(drifted) === count) {
    return [{ custom, links: drifted, isOnlyName: true }];
  }
  return [...bySum.values()].flatMap((alike) => {
    const [first] = chainsIn(journal, alike, isRepeatWithin(Infinity));
    if (first === undefined) return [];
    const isOnlyName = countPayments(first) === count;
    // What others are called too is one order only while somebody tries to pay for it.
    const chains = isOnlyName
      ? [first]
      : chainsIn(journal, alike, isRepeatWithin(sameIntentWindowMs));
    return chains.map((links) => ({ custom, links, isOnlyName }));
  });
}

/** How many payments they made. */
function countPayments(all: readonly PaymentRequest[]): number {
  return all.reduce((sum, { entry }) => sum + createdIds(entry).length, 0);
}

/** What was answered as it came was done: a sale is pending only where an outcome made it so. */
function mayBeUnknown({ committed, concludes, outcomes }: StoredEntry): boolean {
  return committed && (concludes !== 'OK' || outcomes.length > 0);
}

function amountOf({ payment: { transaction } }: PaymentRequest): string {
  const { minor, currency } = transaction.amount;
  return `${minor} ${currency}`;
}

/** Whether a request pays anew for what one before it, in doubt, is for. */
type IsRepeat = (doubt: PaymentRequest, paid: PaymentRequest) => boolean;

function chainsIn(
  journal: JournalIndex,
  alike: readonly PaymentRequest[],
  isLink: IsRepeat,
): PaymentRequest[][] {
  const doubts = new UnknownOutcomes(journal);
  const byEntry = new Map<StoredEntry, PaymentRequest>();
  const chains = new Map<PaymentRequest, PaymentRequest[]>();
  for (const paid of alike) {
    const { entry } = paid;
    const latest = doubts.latestBefore(entry);
    const doubt = latest && byEntry.get(latest);
    if (doubt !== undefined && paid.entry.committed && isLink(doubt, paid)) {
      const chain = chains.get(doubt) ?? [doubt];
      chain.push(paid);
      chains.set(doubt, chain).set(paid, chain);
    }
    doubts.add(entry);
    if (entry.committed) byEntry.set(entry, paid);
  }
  return [...new Set(chains.values())];
}

/** For the same sum, with another card or under another number. */
function isRepeatWithin(withinMs: number): IsRepeat {
  return (doubt, { entry, payment }) => {
    const gap = gapMs(doubt.entry, entry);
    if (gap > withinMs) return false;
    const [one, other] = [doubt.payment, payment].map(customerOf);
    if (one !== undefined && other !== undefined && one !== other) return false;
    // Numbers of their own name things of their own, unless the one follows the other at once.
    return hasSameInvoiceNumber(doubt.payment, payment)
      ? cardOf(doubt.payment) !== cardOf(payment)
      : gap <= sameIntentWindowMs;
  };
}

/** At once, with the same card, for another sum: one that was worked out again, as of another rate or tax. */
function isRepeatForOtherAmount(doubt: PaymentRequest, paid: PaymentRequest): boolean {
  return (
    gapMs(doubt.entry, paid.entry) <= sameIntentWindowMs &&
    cardOf(doubt.payment) === cardOf(paid.payment) &&
    amountOf(doubt) !== amountOf(paid)
  );
}

function hasSameInvoiceNumber(one: Payment, other: Payment): boolean {
  return one.transaction.invoiceNumber === other.transaction.invoiceNumber;
}

function toRepeatPurchase(
  journal: JournalIndex,
  { custom, links, isOnlyName }: Chain,
  told: ReadonlyMap<string, StoredEntry>,
): RepeatPurchase[] {
  const doubts = links.slice(0, -1);
  const last = links.at(-1);
  if (last === undefined) return [];
  const difference = differenceBetween(doubts, last);
  const isKept = doubts.some(({ entry }) => isKeyResentAfter(journal, entry, last.entry));
  // Buyers who pay the same under one word, each with a number, or a request id that is kept.
  if (difference === 'invoice' ? isKept || !isOnlyName : isKept && !isOnlyName) return [];
  const isKnown = doubts.every((doubt) => isReconciled(doubt, last, told));
  // Whoever knows of the one wants something else when it pays another sum.
  if (
    difference === 'amount' &&
    (isKept || doubts.every((doubt) => isPaymentDisclosedBefore(doubt, last, told)))
  ) {
    return [];
  }
  return [
    {
      custom,
      difference,
      attempts: links.map(({ entry }) => entry),
      cardCount: new Set(links.map(({ payment }) => cardOf(payment))).size,
      isOneOrder: isOnlyName && !isKept && !isKnown,
    },
  ];
}

function differenceBetween(
  doubts: readonly PaymentRequest[],
  last: PaymentRequest,
): RepeatPurchase['difference'] {
  if (doubts.some((doubt) => amountOf(doubt) !== amountOf(last))) return 'amount';
  const areNumberedAlike = doubts.every(({ payment }) =>
    hasSameInvoiceNumber(payment, last.payment),
  );
  return areNumberedAlike ? 'card' : 'invoice';
}

/** Whether the client looked before it asked anew; or, where these may be two buyers, soon after it was in doubt. */
function isReconciled(
  doubt: PaymentRequest,
  last: PaymentRequest,
  told: ReadonlyMap<string, StoredEntry>,
): boolean {
  const { entry, payment } = doubt;
  // It was pending, and is not known to have come by being shown.
  if (entry.concludes === 'OK') return false;
  if (isPaymentDisclosedBefore(doubt, last, told)) return true;
  const customer = customerOf(payment);
  if (customer !== undefined && customer === customerOf(last.payment)) return false;
  return disclosuresOf(doubt, told).some((teller) => gapMs(entry, teller) <= sameIntentWindowMs);
}

function isPaymentDisclosedBefore(
  doubt: PaymentRequest,
  last: PaymentRequest,
  told: ReadonlyMap<string, StoredEntry>,
): boolean {
  return disclosuresOf(doubt, told).some(({ seq }) => seq < last.entry.seq);
}

/** Answers that told the client of it. */
function disclosuresOf(
  { payment }: PaymentRequest,
  told: ReadonlyMap<string, StoredEntry>,
): StoredEntry[] {
  return idsOfPayment(payment).flatMap((id) => told.get(id) ?? []);
}

function idsOf(chains: readonly Chain[]): ReadonlySet<string> {
  return new Set(
    chains.flatMap(({ links }) => links.flatMap(({ payment }) => idsOfPayment(payment))),
  );
}

function idsOfPayment({ id, related }: Payment): string[] {
  return [id, ...Array.from(related, (one) => one.id)];
}

function cardOf({ instrument }: Payment): string {
  if (instrument.kind === 'token') return instrument.cardId;
  const { brand, last4, panLength, expireMonth, expireYear } = instrument.face;
  return JSON.stringify([brand, last4, panLength, expireMonth, expireYear]);
}

/** Whose card it was, where the merchant says so. */
function customerOf({ instrument }: Payment): string | undefined {
  if (instrument.kind !== 'token') return undefined;
  return instrument.externalCustomerId ?? instrument.payerId;
}
