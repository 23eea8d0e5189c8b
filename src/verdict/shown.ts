/** Purchases and totals as a verdict shows them. */
import type { z } from '@hono/zod-openapi';
import type { Belief, Verdict } from '../contract/control-verdict.ts';
import { formatMinor, type Currency, type Money } from '../domain/money.ts';
import type { Entry } from '../journal/entry.ts';
import type { Counts } from '../journal/tally.ts';
import type { Charge } from './charge.ts';
import type { Evidence } from './evidence.ts';
import { groupedBy } from './grouped.ts';
import type { Purchase } from './purchase.ts';

export type ShownPurchase = z.output<typeof Verdict>['purchases'][number];
type ShownTotal = z.output<typeof Verdict>['totals'][number];
type ShownTry = z.output<typeof Verdict>['tried'][number];

/** With all that was asked about it: tries to pay, and what was done with its sales afterwards. */
export function shownPurchase(
  purchase: Purchase,
  belief: Belief | undefined,
  around: readonly Entry[],
): ShownPurchase {
  const { key, label, amount, attempts, charges } = purchase;
  const all = [...attempts, ...around].toSorted((a, b) => a.seq - b.seq);
  return {
    key,
    label,
    ...(amount !== undefined && { amount }),
    attempts: all.map(shownAttempt),
    charges: charges.map(shownCharge),
    ...(belief !== undefined && { belief }),
  };
}

/** What was asked about the payments and sales of purchases, apart from the tries to pay. */
export function followUps(
  { entries }: Evidence,
  purchases: readonly Purchase[],
): ReadonlyMap<Purchase, readonly Entry[]> {
  const owners = new Map<string, Purchase>();
  for (const purchase of purchases) {
    for (const { id, paymentId } of purchase.charges) {
      owners.set(id, purchase).set(paymentId, purchase);
    }
  }
  const found = new Map<Purchase, Entry[]>();
  for (const entry of entries) {
    const id = /^\/v1\/payments\/[a-z]+\/([\w-]+)/.exec(entry.path)?.[1];
    const owner = id === undefined ? undefined : owners.get(id);
    if (owner === undefined) continue;
    const others = found.get(owner);
    if (others === undefined) found.set(owner, [entry]);
    else others.push(entry);
  }
  return found;
}

/** Money by currency, of the charges that requests in the journal made. */
export function totalsOf(charges: readonly Charge[]): ShownTotal[] {
  const paid = charges.filter(({ state }) => state !== 'pending' && state !== 'denied');
  return [...groupedBy(paid, ({ amount }) => amount.currency)].map(([currency, ofOne]) => {
    const charged = ofOne.reduce((sum, { amount }) => sum + amount.minor, 0);
    const net = ofOne.reduce((sum, { netMinor }) => sum + netMinor, 0);
    const shown = (minor: number): string => formatMinor(minor, currency);
    return { currency, charged: shown(charged), givenBack: shown(charged - net), net: shown(net) };
  });
}

/** Outcomes that were forced, by operation. */
export function triedOf({ tried }: Counts): ShownTry[] {
  return Object.entries(tried).flatMap(([operation, counts]) =>
    Object.entries(counts).map(([outcome, seen]) => ({ operation, outcome, seen })),
  );
}

function shownAttempt(entry: Entry): ShownPurchase['attempts'][number] {
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

function shownCharge(charge: Charge): ShownPurchase['charges'][number] {
  const { id, atMs, amount, refundedMinor, netMinor, state, known } = charge;
  return {
    id,
    at: new Date(atMs).toISOString(),
    amount: shownMoney(amount),
    refunded: shownMoney({ minor: refundedMinor, currency: amount.currency }),
    state,
    net: shownMoney({ minor: netMinor, currency: amount.currency }),
    known,
  };
}

function shownMoney({ minor, currency }: Money): { total: string; currency: Currency } {
  return { total: formatMinor(minor, currency), currency };
}
