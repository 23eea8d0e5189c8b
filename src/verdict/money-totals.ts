/** The totals of a verdict: what moved, and what the merchant keeps or returned too much. */
import type { z } from '@hono/zod-openapi';
import type { Verdict } from '../contract/control/verdict.ts';
import { turnoverOf, type Transfer } from '../domain/money/ledger.ts';
import { formatMinor, type Currency, type Money } from '../domain/money/money.ts';
import type { Findings } from './collect-findings.ts';
import type { Evidence } from './evidence/evidence.ts';
import { amountsOrdered } from './findings/money/double-charge/kept-money.ts';
import type { Charge } from './purchases/charge.ts';

type WireTotal = z.output<typeof Verdict>['totals'][number];

/** Amounts in minor units, by currency. */
export type Amounts = ReadonlyMap<Currency, number>;

/**
 * Totals by currency of everything that moved since the world began.
 *
 * Refunds of fixtures' sales count, because the merchant returns that money too. The part that belongs to sales which no
 * request of the journal made is also named by itself.
 */
export function totalsOf(evidence: Evidence, findings: Findings): WireTotal[] {
  const moved = evidence.movedTransfers;
  const others = new Map(
    turnoverOf(moved.filter((transfer) => isReturnOfOthers(evidence, transfer))).map((row) => [
      row.currency,
      -row.netMinor,
    ]),
  );
  const excess = excessOf(findings);
  const excessRefunded = excessRefundedOf(evidence, findings);
  return turnoverOf(moved).map(({ currency, chargedMinor, netMinor }) => {
    const format = (minor: number): string => formatMinor(minor, currency);
    const returnedOfOthers = others.get(currency) ?? 0;
    const excessMinor = excess.get(currency) ?? 0;
    const excessRefundedMinor = excessRefunded.get(currency) ?? 0;
    return {
      currency,
      charged: format(chargedMinor),
      returned: format(chargedMinor - netMinor),
      net: format(netMinor),
      ...(returnedOfOthers > 0 && { returnedOfOthers: format(returnedOfOthers) }),
      ...(excessMinor > 0 && { excess: format(excessMinor) }),
      ...(excessRefundedMinor > 0 && { excessRefunded: format(excessRefundedMinor) }),
    };
  });
}

/**
 * Whether a transfer returns money of a payment that no request in the journal made, or takes it back. Such payments come
 * from fixtures, a snapshot, an import or dropped entries.
 */
function isReturnOfOthers({ purchaseLookup }: Evidence, { cause, payment }: Transfer): boolean {
  return cause !== 'sale' && cause !== 'capture' && purchaseLookup.byPayment(payment) === undefined;
}

/** An order that was paid more than once. */
interface OverpaidOrder {
  /** What the buyer ordered. */
  readonly ordered: readonly Money[];
  readonly charges: Charge[];
}

/** What the merchant keeps beyond the amounts of the orders that were paid more than once. */
function excessOf({ paidTwice }: Findings): Amounts {
  const excess = new Map<Currency, number>();
  for (const { ordered, charges } of joinOrders(paidTwice)) {
    const ofOrder = new Map<Currency, number>();
    for (const { amount, retainedMinor } of charges)
      addAmount(ofOrder, amount.currency, retainedMinor);
    for (const { currency, minor } of ordered) addAmount(ofOrder, currency, -minor);
    // Of an order that was partly refunded and paid again in another currency, the first one has no excess.
    for (const [currency, minor] of ofOrder) addAmount(excess, currency, Math.max(0, minor));
  }
  return excess;
}

/** What refunds returned that was returned already: by an equal refund, or by the bank. Each refund counts once. */
function excessRefundedOf({ records }: Evidence, { excessRefunds, paidTwice }: Findings): Amounts {
  const excess = new Map<Currency, number>();
  if (excessRefunds.size === 0) return excess;
  // A refund of an order that was paid twice returns what was paid too much.
  const overpaid = new Set(paidTwice.flat(2).map(({ id }) => id));
  for (const id of excessRefunds) {
    const refund = records.refunds.get(id);
    if (refund === undefined || overpaid.has(refund.of.id)) continue;
    addAmount(excess, refund.amount.currency, refund.amount.minor);
  }
  return excess;
}

/** Joins what findings say of the same charges, so that each order counts once. */
function joinOrders(paidTwice: Findings['paidTwice']): ReadonlySet<OverpaidOrder> {
  const orders = new Map<Charge, OverpaidOrder>();
  for (const payments of paidTwice) {
    const charges = payments.flat();
    const known = charges.find((charge) => orders.has(charge));
    const order = (known && orders.get(known)) ?? {
      ordered: amountsOrdered(payments),
      charges: [],
    };
    for (const charge of charges) {
      const other = orders.get(charge);
      if (other === order) continue;
      for (const joined of other?.charges ?? [charge]) {
        orders.set(joined, order);
        order.charges.push(joined);
      }
    }
  }
  return new Set(orders.values());
}

export function addAmount(amounts: Map<Currency, number>, currency: Currency, minor: number): void {
  amounts.set(currency, (amounts.get(currency) ?? 0) + minor);
}
