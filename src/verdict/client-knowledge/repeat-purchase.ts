/** Orders that were paid anew, otherwise than at first, while nobody could know that they were paid. */
import type { Payment } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { OpenDoubts } from './unknown-outcomes.ts';
import { groupedBy } from '../evidence/group-by.ts';
import { isSentAfter } from './idempotency-keys.ts';
import { madeBy } from '../evidence/created-ids.ts';
import { once } from '../evidence/memoize.ts';
import { windowMs } from '../purchases/series.ts';
import { toldOf } from './disclosure.ts';
import { gapMs, type Trail } from '../evidence/journal-index.ts';

/** Requests to pay that name one order in `custom`, and were sent while one of them was in doubt. */
export interface PaidAnew {
  readonly custom: string;
  /** Two or more, oldest first. */
  readonly attempts: readonly StoredEntry[];
  /** What tells them apart, so that neither the service nor a request id could have stopped the second one. */
  readonly by: 'card' | 'invoice' | 'amount';
  /** How many cards they were paid with. */
  readonly cardCount: number;
  /** No other payment carries the `custom`, which so stands for one order; and nobody came to know of the first. */
  readonly isOneOrder: boolean;
}

/** Asked for again as it was, it is a repeat, which is judged by its request id. */
export const paidAnew = once((trail: Trail): readonly PaidAnew[] => {
  const chains = chainsOf(trail);
  const told = toldOf({ ids: idsOf(chains), haveCaptures: false }, trail);
  return chains.flatMap((chain) => judged(trail, chain, told));
});

/** A request that made a payment, or repeats one that did. */
interface Paid {
  readonly entry: StoredEntry;
  readonly payment: Payment;
}

/** Requests of which each came while an earlier one was in doubt. */
interface Chain {
  readonly custom: string;
  readonly links: readonly Paid[];
  /** No other payment carries the `custom`. */
  readonly isOnlyName: boolean;
}

function chainsOf(trail: Trail): Chain[] {
  const paymentOf = ({ subject = '' }: StoredEntry) => trail.records.payments.get(subject);
  const customOf = (entry: StoredEntry) => paymentOf(entry)?.transaction.custom;
  const tries = trail.of('payment.create');
  // Nearly all that is paid for is answered, and needs no further look.
  const inDoubt = new Set(tries.filter(mayBeInDoubt).map(customOf));
  inDoubt.delete(undefined);
  if (inDoubt.size === 0) return [];
  const paid = tries.flatMap((entry): Paid[] => {
    const payment = paymentOf(entry);
    const isNamed = payment !== undefined && inDoubt.has(payment.transaction.custom);
    return isNamed ? [{ entry, payment }] : [];
  });
  const named = groupedBy(paid, ({ payment }) => payment.transaction.custom ?? '');
  return [...named].flatMap(([custom, alike]) => chainsUnder(trail, custom, alike));
}

function chainsUnder(trail: Trail, custom: string, named: readonly Paid[]): Chain[] {
  const count = paymentsOf(named);
  const bySum = groupedBy(named, sumOfPaid);
  const [drifted] = bySum.size > 1 ? linked(trail, named, isDrifted) : [];
  if (drifted !== undefined && paymentsOf(drifted) === count) {
    return [{ custom, links: drifted, isOnlyName: true }];
  }
  return [...bySum.values()].flatMap((alike) => {
    const [first] = linked(trail, alike, isAnew(Infinity));
    if (first === undefined) return [];
    const isOnlyName = paymentsOf(first) === count;
    // What others are called too is one order only while somebody tries to pay for it.
    const chains = isOnlyName ? [first] : linked(trail, alike, isAnew(windowMs));
    return chains.map((links) => ({ custom, links, isOnlyName }));
  });
}

/** How many payments they made. */
function paymentsOf(all: readonly Paid[]): number {
  return all.reduce((sum, { entry }) => sum + madeBy(entry).length, 0);
}

/** What was answered as it came was done: a sale is pending only where an outcome made it so. */
function mayBeInDoubt({ committed, concludes, outcomes }: StoredEntry): boolean {
  return committed && (concludes !== 'OK' || outcomes.length > 0);
}

function sumOfPaid({ payment: { transaction } }: Paid): string {
  const { minor, currency } = transaction.amount;
  return `${minor} ${currency}`;
}

/** Whether a request pays anew for what one before it, in doubt, is for. */
type IsAnew = (doubt: Paid, paid: Paid) => boolean;

function linked(trail: Trail, alike: readonly Paid[], isLink: IsAnew): Paid[][] {
  const doubts = new OpenDoubts(trail);
  const byEntry = new Map<StoredEntry, Paid>();
  const chains = new Map<Paid, Paid[]>();
  for (const paid of alike) {
    const { entry } = paid;
    const latest = doubts.latestAt(entry);
    const doubt = latest && byEntry.get(latest);
    if (doubt !== undefined && paid.entry.committed && isLink(doubt, paid)) {
      const chain = chains.get(doubt) ?? [doubt];
      chain.push(paid);
      chains.set(doubt, chain).set(paid, chain);
    }
    doubts.see(entry);
    if (entry.committed) byEntry.set(entry, paid);
  }
  return [...new Set(chains.values())];
}

/** For the same sum, with another card or under another number. */
function isAnew(withinMs: number): IsAnew {
  return (doubt, { entry, payment }) => {
    const gap = gapMs(doubt.entry, entry);
    if (gap > withinMs) return false;
    const [one, other] = [doubt.payment, payment].map(customerOf);
    if (one !== undefined && other !== undefined && one !== other) return false;
    // Numbers of their own name things of their own, unless the one follows the other at once.
    return isNumberedAlike(doubt.payment, payment)
      ? cardOf(doubt.payment) !== cardOf(payment)
      : gap <= windowMs;
  };
}

/** At once, with the same card, for another sum: one that was worked out again, as of another rate or tax. */
function isDrifted(doubt: Paid, paid: Paid): boolean {
  return (
    gapMs(doubt.entry, paid.entry) <= windowMs &&
    cardOf(doubt.payment) === cardOf(paid.payment) &&
    sumOfPaid(doubt) !== sumOfPaid(paid)
  );
}

function isNumberedAlike(one: Payment, other: Payment): boolean {
  return one.transaction.invoiceNumber === other.transaction.invoiceNumber;
}

function judged(
  trail: Trail,
  { custom, links, isOnlyName }: Chain,
  told: ReadonlyMap<string, StoredEntry>,
): PaidAnew[] {
  const doubts = links.slice(0, -1);
  const last = links.at(-1);
  if (last === undefined) return [];
  const by = toldApartBy(doubts, last);
  const isKept = doubts.some(({ entry }) => isSentAfter(trail, entry, last.entry));
  // Buyers who pay the same under one word, each with a number, or a request id that is kept.
  if (by === 'invoice' ? isKept || !isOnlyName : isKept && !isOnlyName) return [];
  const isKnown = doubts.every((doubt) => isLookedUp(doubt, last, told));
  // Whoever knows of the one wants something else when it pays another sum.
  if (by === 'amount' && (isKept || doubts.every((doubt) => isToldBefore(doubt, last, told)))) {
    return [];
  }
  return [
    {
      custom,
      by,
      attempts: links.map(({ entry }) => entry),
      cardCount: new Set(links.map(({ payment }) => cardOf(payment))).size,
      isOneOrder: isOnlyName && !isKept && !isKnown,
    },
  ];
}

function toldApartBy(doubts: readonly Paid[], last: Paid): PaidAnew['by'] {
  if (doubts.some((doubt) => sumOfPaid(doubt) !== sumOfPaid(last))) return 'amount';
  const areNumberedAlike = doubts.every(({ payment }) => isNumberedAlike(payment, last.payment));
  return areNumberedAlike ? 'card' : 'invoice';
}

/** Whether the client looked before it asked anew; or, where these may be two buyers, soon after it was in doubt. */
function isLookedUp(doubt: Paid, last: Paid, told: ReadonlyMap<string, StoredEntry>): boolean {
  const { entry, payment } = doubt;
  // It was pending, and is not known to have come by being shown.
  if (entry.concludes === 'OK') return false;
  if (isToldBefore(doubt, last, told)) return true;
  const customer = customerOf(payment);
  if (customer !== undefined && customer === customerOf(last.payment)) return false;
  return tellersOf(doubt, told).some((teller) => gapMs(entry, teller) <= windowMs);
}

function isToldBefore(doubt: Paid, last: Paid, told: ReadonlyMap<string, StoredEntry>): boolean {
  return tellersOf(doubt, told).some(({ seq }) => seq < last.entry.seq);
}

/** Answers that told the client of it. */
function tellersOf({ payment }: Paid, told: ReadonlyMap<string, StoredEntry>): StoredEntry[] {
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
