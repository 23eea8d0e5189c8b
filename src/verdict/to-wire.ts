/** Purchases and totals as a verdict shows them. */
import type { z } from '@hono/zod-openapi';
import type { Belief, Verdict } from '../contract/control/verdict.ts';
import { operationNames, type OperationName } from '../contract/service/operations.ts';
import { formatMinor, type Currency, type Money } from '../domain/money/money.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Counts } from '../journal/counters.ts';
import type { Evidence } from './evidence/evidence.ts';
import { groupBy } from './evidence/group-by.ts';
import type { Charge } from './purchases/charge.ts';
import type { Purchase } from './purchases/purchase.ts';

export type WirePurchase = z.output<typeof Verdict>['purchases'][number];
type WireDisclosure = NonNullable<WirePurchase['charges'][number]['toldBy']>;
type WireTotal = z.output<typeof Verdict>['totals'][number];
type WireTriedOutcome = z.output<typeof Verdict>['tried'][number];

/** With all that was asked about it: tries to pay, and what was asked afterwards about what came of them. */
export function purchaseToWire(
  purchase: Purchase,
  belief: Belief | undefined,
  around: readonly StoredEntry[],
): WirePurchase {
  const { key, label, amount, attempts, charges } = purchase;
  const all = around.length === 0 ? attempts : [...attempts, ...around].sort(bySeq);
  const tries = endsOf(all);
  const taken = endsOf(charges);
  return {
    key,
    label,
    ...(amount !== undefined && { amount }),
    attempts: tries.shown.map(attemptToWire),
    ...(tries.leftOut > 0 && { attemptsLeftOut: tries.leftOut }),
    charges: taken.shown.map(chargeToWire),
    ...(taken.leftOut > 0 && { chargesLeftOut: taken.leftOut }),
    ...(belief !== undefined && { belief }),
  };
}

function bySeq(one: StoredEntry, other: StoredEntry): number {
  return one.seq - other.seq;
}

/** A client that tries without an end would make a verdict without one. */
const mostAtOneEnd = 100;

/** How something began and how it ended, and how much lies between. */
function endsOf<T>(all: readonly T[]): { readonly shown: readonly T[]; readonly leftOut: number } {
  const leftOut = Math.max(0, all.length - 2 * mostAtOneEnd);
  if (leftOut === 0) return { shown: all, leftOut };
  return { shown: [...all.slice(0, mostAtOneEnd), ...all.slice(-mostAtOneEnd)], leftOut };
}

/** Operations that name a payment, or what belongs to one, in their path. */
const aboutPayments: ReadonlySet<OperationName> = new Set(
  operationNames.filter((name) => !/^(?:token|card)\.|^payment\.create$/.test(name)),
);

/** What was asked about the payments of purchases and what came of them, apart from the tries to pay; and what told. */
export function followUps(
  evidence: Evidence,
  purchases: readonly Purchase[],
): ReadonlyMap<Purchase, readonly StoredEntry[]> {
  const { records } = evidence;
  return new Map(
    purchases.map((purchase) => {
      const ids = purchase.payments.flatMap((id) => [
        id,
        ...Array.from(records.payments.get(id)?.related ?? [], (one) => one.id),
      ]);
      // A list names no record in its path, and may be what told of one.
      const tellers = purchase.charges.flatMap(({ disclosedBy }) => disclosedBy?.entry ?? []);
      const around = new Set([
        ...tellers,
        ...ids.flatMap((id) => evidence.about(id, aboutPayments)),
      ]);
      for (const attempt of purchase.attempts) around.delete(attempt);
      return [purchase, [...around]];
    }),
  );
}

/** Money by currency, of the charges that requests in the journal made. */
export function totalsOf(charges: readonly Charge[]): WireTotal[] {
  const come = charges.filter(({ hasTakenMoney }) => hasTakenMoney);
  return [...groupBy(come, ({ amount }) => amount.currency)].map(([currency, ofOne]) => {
    let [charged, net] = [0, 0];
    for (const { amount, netMinor } of ofOne) {
      charged += amount.minor;
      net += netMinor;
    }
    const shown = (minor: number): string => formatMinor(minor, currency);
    return { currency, charged: shown(charged), givenBack: shown(charged - net), net: shown(net) };
  });
}

/** Outcomes that were forced, by operation. */
export function triedOutcomes({ tried }: Counts): WireTriedOutcome[] {
  return Object.entries(tried).flatMap(([operation, counts]) =>
    Object.entries(counts).map(([outcome, seen]) => ({ operation, outcome, seen })),
  );
}

function attemptToWire(entry: StoredEntry): WirePurchase['attempts'][number] {
  const { debugId, operation, method, path, atMs, requestId, status, problem } = entry;
  return {
    debugId,
    operation: operation ?? `${method} ${path}`,
    at: new Date(atMs).toISOString(),
    ...(requestId !== undefined && { requestId }),
    status,
    ...(problem !== undefined && { problem }),
    concludes: entry.concludes,
    committed: entry.committed,
    replayed: entry.replayed,
    outcomes: entry.outcomes.map(({ id }) => id),
    delivery: entry.delivery.state,
  };
}

function chargeToWire(charge: Charge): WirePurchase['charges'][number] {
  const { id, paymentId, atMs, entry, amount, refundedMinor, netMinor, state, known } = charge;
  return {
    id,
    paymentId,
    madeBy: entry.debugId,
    at: new Date(atMs).toISOString(),
    amount: moneyToWire(amount),
    refunded: moneyToWire({ minor: refundedMinor, currency: amount.currency }),
    state,
    net: moneyToWire({ minor: netMinor, currency: amount.currency }),
    known,
    ...(charge.disclosedBy !== undefined && { toldBy: disclosureToWire(charge.disclosedBy) }),
  };
}

function disclosureToWire({ entry, how }: NonNullable<Charge['disclosedBy']>): WireDisclosure {
  return { debugId: entry.debugId, at: new Date(entry.atMs).toISOString(), how };
}

function moneyToWire({ minor, currency }: Money): { total: string; currency: Currency } {
  return { total: formatMinor(minor, currency), currency };
}
