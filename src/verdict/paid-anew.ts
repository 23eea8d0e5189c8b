/** Orders that were paid anew, with another card or under another number, while nobody could know that they were paid. */
import type { Money } from '../domain/money.ts';
import type { Payment } from '../domain/records.ts';
import type { KeptEntry } from '../journal/kept-entry.ts';
import { OpenDoubts } from './doubt.ts';
import { groupedBy } from './grouped.ts';
import { isSentAfter } from './kept-ids.ts';
import { madeBy } from './made-by.ts';
import { once } from './once.ts';
import { windowMs } from './series.ts';
import { toldOf } from './told.ts';
import { gapMs, type Trail } from './trail.ts';

/** Requests to pay that name one order in `custom`, and were sent while one of them was in doubt. */
export interface PaidAnew {
  readonly custom: string;
  /** Two or more, oldest first. */
  readonly attempts: readonly KeptEntry[];
  /** What tells them apart, so that neither the service nor a request id could have stopped the second one. */
  readonly by: 'card' | 'invoice';
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
  readonly entry: KeptEntry;
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
  const paymentOf = ({ subject = '' }: KeptEntry) => trail.records.payments.get(subject);
  const customOf = (entry: KeptEntry) => paymentOf(entry)?.transaction.custom;
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
  const bySum = groupedBy(named, ({ payment: { transaction } }) => sumWords(transaction.amount));
  return [...bySum.values()].flatMap((alike) => {
    const [first] = linked(trail, alike, Infinity);
    if (first === undefined) return [];
    const isOnlyName = paymentsOf(first) === count;
    // What others are called too is one order only while somebody tries to pay for it.
    const chains = isOnlyName ? [first] : linked(trail, alike, windowMs);
    return chains.map((links) => ({ custom, links, isOnlyName }));
  });
}

/** How many payments they made. */
function paymentsOf(all: readonly Paid[]): number {
  return all.reduce((sum, { entry }) => sum + madeBy(entry).length, 0);
}

/** What was answered as it came was done: a sale is pending only where an outcome made it so. */
function mayBeInDoubt({ committed, concludes, outcomes }: KeptEntry): boolean {
  return committed && (concludes !== 'OK' || outcomes.length > 0);
}

function sumWords({ minor, currency }: Money): string {
  return `${minor} ${currency}`;
}

function linked(trail: Trail, alike: readonly Paid[], withinMs: number): Paid[][] {
  const doubts = new OpenDoubts(trail);
  const byEntry = new Map<KeptEntry, Paid>();
  const chains = new Map<Paid, Paid[]>();
  for (const paid of alike) {
    const { entry } = paid;
    const latest = doubts.latestAt(entry);
    const doubt = latest && byEntry.get(latest);
    if (doubt !== undefined && isAnew(doubt, paid, withinMs)) {
      const chain = chains.get(doubt) ?? [doubt];
      chain.push(paid);
      chains.set(doubt, chain).set(paid, chain);
    }
    doubts.see(entry);
    if (entry.committed) byEntry.set(entry, paid);
  }
  return [...new Set(chains.values())];
}

function isAnew(doubt: Paid, { entry, payment }: Paid, withinMs: number): boolean {
  const gap = gapMs(doubt.entry, entry);
  if (!entry.committed || gap > withinMs) return false;
  const [one, other] = [doubt.payment, payment].map(customerOf);
  if (one !== undefined && other !== undefined && one !== other) return false;
  // Numbers of their own name things of their own, unless the one follows the other at once.
  return isNumberedAlike(doubt.payment, payment)
    ? cardOf(doubt.payment) !== cardOf(payment)
    : gap <= windowMs;
}

function isNumberedAlike(one: Payment, other: Payment): boolean {
  return one.transaction.invoiceNumber === other.transaction.invoiceNumber;
}

function judged(
  trail: Trail,
  { custom, links, isOnlyName }: Chain,
  told: ReadonlyMap<string, KeptEntry>,
): PaidAnew[] {
  const doubts = links.slice(0, -1);
  const last = links.at(-1);
  if (last === undefined) return [];
  const by = doubts.every(({ payment }) => isNumberedAlike(payment, last.payment))
    ? 'card'
    : 'invoice';
  const isKept = doubts.some(({ entry }) => isSentAfter(trail, entry, last.entry));
  // Buyers who pay the same under one word, each with a number, or a request id that is kept.
  if (by === 'invoice' ? isKept || !isOnlyName : isKept && !isOnlyName) return [];
  const isKnown = doubts.every((doubt) => isLookedUp(doubt, last, told));
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

/** Whether the client looked before it asked anew; or, where these may be two buyers, soon after it was in doubt. */
function isLookedUp(
  { entry, payment }: Paid,
  last: Paid,
  told: ReadonlyMap<string, KeptEntry>,
): boolean {
  // It was pending, and is not known to have come by being shown.
  if (entry.concludes === 'OK') return false;
  const customer = customerOf(payment);
  const isOneBuyer = customer !== undefined && customer === customerOf(last.payment);
  return idsOfPayment(payment).some((id) => {
    const teller = told.get(id);
    if (teller === undefined) return false;
    return teller.seq < last.entry.seq || (!isOneBuyer && gapMs(entry, teller) <= windowMs);
  });
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
