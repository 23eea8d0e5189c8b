/** Purchases and totals in the wire format of a verdict. */
import type { z } from '@hono/zod-openapi';
import type { Belief, Verdict } from '../contract/control/verdict.ts';
import type { OperationName } from '../contract/service/operation-name.ts';
import { operationNames } from '../contract/service/operations.ts';
import { formatMinor, type Currency, type Money } from '../domain/money/money.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Counts } from '../journal/counters.ts';
import type { Evidence } from './evidence/evidence.ts';
import { bySeq } from './evidence/exchange-order.ts';
import { idsWithRelated } from './evidence/records.ts';
import type { Charge } from './purchases/charge.ts';
import type { Purchase } from './purchases/purchase.ts';

export type WirePurchase = z.output<typeof Verdict>['purchases'][number];
type WireDisclosure = NonNullable<WirePurchase['charges'][number]['disclosedBy']>;
type WireTriedOutcome = z.output<typeof Verdict>['tried'][number];

/** A purchase with its attempts and with the later requests about its payments. */
export function purchaseToWire(
  purchase: Purchase,
  belief: Belief | undefined,
  followUps: readonly StoredEntry[],
): WirePurchase {
  const { key, label, amount, attempts, charges } = purchase;
  const requests = followUps.length === 0 ? attempts : [...attempts, ...followUps].sort(bySeq);
  const limitedAttempts = firstAndLast(requests);
  const limitedCharges = firstAndLast(charges);
  return {
    key,
    label,
    ...(amount !== undefined && { amount }),
    attempts: limitedAttempts.shown.map((entry) => attemptToWire(entry, limitedAttempts.shown)),
    ...(limitedAttempts.leftOut > 0 && { attemptsLeftOut: limitedAttempts.leftOut }),
    charges: limitedCharges.shown.map(chargeToWire),
    ...(limitedCharges.leftOut > 0 && { chargesLeftOut: limitedCharges.leftOut }),
    ...(belief !== undefined && { belief }),
  };
}

/** A client that never stops retrying must not make the verdict endless. */
const mostAtOneEnd = 100;

/** Keeps the first and last items of a long list, and counts the others. */
function firstAndLast<T>(all: readonly T[]): {
  readonly shown: readonly T[];
  readonly leftOut: number;
} {
  const leftOut = Math.max(0, all.length - 2 * mostAtOneEnd);
  if (leftOut === 0) return { shown: all, leftOut };
  return { shown: [...all.slice(0, mostAtOneEnd), ...all.slice(-mostAtOneEnd)], leftOut };
}

/** Operations whose path names a payment or a part of one. */
const aboutPayments: ReadonlySet<OperationName> = new Set(
  operationNames.filter((name) => !/^(?:token|card)\.|^payment\.create$/.test(name)),
);

/** Finds the requests about the payments of each purchase, and those that disclosed its charges. Attempts are left out. */
export function findFollowUps(
  evidence: Evidence,
  purchases: readonly Purchase[],
): ReadonlyMap<Purchase, readonly StoredEntry[]> {
  return new Map(
    purchases.map((purchase) => {
      const ids = purchase.payments.flatMap((id) => idsWithRelated(id, evidence.records));
      // A list names no record in its path, but it may disclose one.
      const disclosing = purchase.charges.flatMap(({ disclosedBy }) => disclosedBy?.entry ?? []);
      const followUps = new Set([
        ...disclosing,
        ...ids.flatMap((id) => evidence.about(id, aboutPayments)),
      ]);
      for (const attempt of purchase.attempts) followUps.delete(attempt);
      return [purchase, [...followUps]];
    }),
  );
}

/** The outcomes that were forced, by operation. */
export function triedOutcomes({ tried }: Counts): WireTriedOutcome[] {
  return Object.entries(tried).flatMap(([operation, counts]) =>
    Object.entries(counts).map(([outcome, seen]) => ({ operation, outcome, seen })),
  );
}

type WireAttempt = WirePurchase['attempts'][number];

function attemptToWire(entry: StoredEntry, requests: readonly StoredEntry[]): WireAttempt {
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
    ...(entry.holds.length > 0 && entry.overAtSeq !== 0 && { held: holdsToWire(entry, requests) }),
  };
}

function holdsToWire(
  { holds, overAtSeq, overAtMs, leftAtMs, debugId }: StoredEntry,
  requests: readonly StoredEntry[],
): WireAttempt['held'] {
  const last = requests.findLast(({ seq }) => seq < overAtSeq);
  return {
    holds,
    endedAt: new Date(overAtMs).toISOString(),
    after: last?.debugId ?? debugId,
    ...(leftAtMs !== undefined && { leftAt: new Date(leftAtMs).toISOString() }),
  };
}

function chargeToWire(charge: Charge): WirePurchase['charges'][number] {
  const { id, paymentId, atMs, entry, amount, refundedMinor, netMinor, state, known } = charge;
  return {
    id,
    paymentId,
    createdBy: entry.debugId,
    at: new Date(atMs).toISOString(),
    amount: moneyToWire(amount),
    refunded: moneyToWire({ minor: refundedMinor, currency: amount.currency }),
    state,
    net: moneyToWire({ minor: netMinor, currency: amount.currency }),
    known,
    ...(charge.disclosedBy !== undefined && { disclosedBy: disclosureToWire(charge.disclosedBy) }),
  };
}

function disclosureToWire({ entry, how }: NonNullable<Charge['disclosedBy']>): WireDisclosure {
  return { debugId: entry.debugId, at: new Date(entry.atMs).toISOString(), how };
}

export function moneyToWire({ minor, currency }: Money): { total: string; currency: Currency } {
  return { total: formatMinor(minor, currency), currency };
}
