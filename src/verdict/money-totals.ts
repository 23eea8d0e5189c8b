/** The money that moved in a run: totals of the verdict, and amounts that a scenario expects. */
import type { z } from '@hono/zod-openapi';
import type { Verdict } from '../contract/control/verdict.ts';
import { turnoverOf, type Transfer } from '../domain/money/ledger.ts';
import { formatMinor, type Currency, type Money } from '../domain/money/money.ts';
import { authorizationState } from '../domain/payment/authorization.ts';
import {
  moneyKeys,
  readExpectedMoney,
  type ExpectedAmount,
  type MoneyKey,
} from '../scenarios/expected-money.ts';
import type { Expectations } from '../scenarios/expect.ts';
import { nearest } from '../shared/did-you-mean.ts';
import type { Findings } from './collect-findings.ts';
import type { Evidence } from './evidence/evidence.ts';
import { formatMoney } from './phrases.ts';
import type { Charge } from './purchases/charge.ts';
import type { Purchase } from './purchases/purchase.ts';

type Row = z.output<typeof Verdict>['expectations'][number];
type WireTotal = z.output<typeof Verdict>['totals'][number];
type Amounts = ReadonlyMap<Currency, number>;

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
  /** The first payment: what the buyer ordered. */
  readonly ordered: readonly Charge[];
  readonly charges: Charge[];
}

/** What the merchant keeps beyond the amounts of the orders that were paid more than once. */
function excessOf({ paidTwice }: Findings): Amounts {
  const excess = new Map<Currency, number>();
  for (const { ordered, charges } of joinOrders(paidTwice)) {
    const ofOrder = new Map<Currency, number>();
    for (const { amount, retainedMinor } of charges) add(ofOrder, amount.currency, retainedMinor);
    for (const { amount } of ordered) add(ofOrder, amount.currency, -amount.minor);
    // Of an order that was partly refunded and paid again in another currency, the first one has no excess.
    for (const [currency, minor] of ofOrder) add(excess, currency, Math.max(0, minor));
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
    add(excess, refund.amount.currency, refund.amount.minor);
  }
  return excess;
}

/** Joins what findings say of the same charges, so that each order counts once. */
function joinOrders(paidTwice: Findings['paidTwice']): ReadonlySet<OverpaidOrder> {
  const orders = new Map<Charge, OverpaidOrder>();
  for (const payments of paidTwice) {
    const charges = payments.flat();
    const known = charges.find((charge) => orders.has(charge));
    const order = (known && orders.get(known)) ?? { ordered: payments[0] ?? [], charges: [] };
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

function add(amounts: Map<Currency, number>, currency: Currency, minor: number): void {
  amounts.set(currency, (amounts.get(currency) ?? 0) + minor);
}

/** One row for each amount that is expected: in total, and by purchase. */
export function moneyExpectations(expected: Expectations, evidence: Evidence): Row[] {
  return [
    ...amountRows('', expected, () => new MoneyOf(evidence)),
    ...Object.entries(expected.purchases ?? {}).flatMap(([name, amounts]) => {
      const place = `purchases.${name}.`;
      const purchases = purchasesNamed(name, evidence);
      const ids = new Set([
        ...purchases.flatMap(({ payments }) => payments),
        ...recordedPayments(name, evidence),
      ]);
      if (purchases.length > 0 || ids.size > 0) {
        return amountRows(place, amounts, () => new MoneyOf(evidence, ids));
      }
      const known = evidence.purchases.flatMap(({ invoiceNumber, custom }) =>
        [invoiceNumber, custom].filter((one) => one !== undefined),
      );
      const similar = nearest(name, known);
      const found = `no purchase with this name${similar === undefined ? '' : ` (similar: ${similar})`}`;
      return expectedKeys(amounts).map(([key, text]): Row => ({
        place: place + key,
        expected: text,
        found,
        ok: false,
      }));
    }),
  ];
}

/** Whether a row is about money, so that its reason compares amounts. */
export function isMoneyRow({ place }: Row): boolean {
  return (
    moneyKeys.some((key) => place === key || place.endsWith(`.${key}`)) &&
    (place.startsWith('purchases.') || !place.includes('.'))
  );
}

type Expected = Pick<Expectations, MoneyKey>;

function expectedKeys(expected: Expected): (readonly [MoneyKey, string])[] {
  return moneyKeys.flatMap((key) => {
    const text = expected[key];
    if (text === undefined) return [];
    return [[key, typeof text === 'string' ? text : text.join(' and ')] as const];
  });
}

function amountRows(place: string, expected: Expected, moneyOf: () => MoneyOf): Row[] {
  const keys = expectedKeys(expected);
  if (keys.length === 0) return [];
  const money = moneyOf();
  return keys.map(([key]): Row => {
    const amounts = readExpectedMoney(expected[key] ?? []);
    const actual = money.amountsOf(key);
    return {
      place: place + key,
      expected: amounts.length === 0 ? 'no money' : amounts.map(formatExpected).join(' and '),
      found: formatAmounts(actual, amounts),
      ok: isAsExpected(actual, amounts),
    };
  });
}

function formatExpected({ bound, minor, currency }: ExpectedAmount): string {
  return `${bound === '=' ? '' : bound}${formatMoney({ minor, currency })}`;
}

/** The amounts that are not zero, or zero in the expected currencies. */
function formatAmounts(actual: Amounts, expected: readonly ExpectedAmount[]): string {
  const amounts = [...actual].flatMap(([currency, minor]): Money[] =>
    minor === 0 ? [] : [{ minor, currency }],
  );
  const zeros = expected.map(({ currency }): Money => ({ minor: 0, currency }));
  const shown = amounts.length > 0 ? amounts : zeros;
  return shown.length === 0 ? 'no money' : shown.map(formatMoney).join(' and ');
}

function isAsExpected(actual: Amounts, expected: readonly ExpectedAmount[]): boolean {
  const named = new Set(expected.map(({ currency }) => currency));
  return (
    expected.every((amount) => isWithin(actual.get(amount.currency) ?? 0, amount)) &&
    [...actual].every(([currency, minor]) => minor === 0 || named.has(currency))
  );
}

function isWithin(actualMinor: number, { bound, minor }: ExpectedAmount): boolean {
  switch (bound) {
    case '=':
      return actualMinor === minor;
    case '<=':
      return actualMinor <= minor;
    case '>=':
      return actualMinor >= minor;
    case '<':
      return actualMinor < minor;
    case '>':
      return actualMinor > minor;
  }
}

function purchasesNamed(name: string, { purchases }: Evidence): Purchase[] {
  return purchases.filter(
    ({ invoiceNumber, custom, attempts }) =>
      invoiceNumber === name ||
      custom === name ||
      attempts.some(({ requestId }) => requestId === name),
  );
}

/** Payments that moved money and carry the name in their record. One may come from fixtures. */
function recordedPayments(name: string, { movedTransfers, records }: Evidence): string[] {
  return movedTransfers.flatMap(({ payment }) => {
    const { invoiceNumber, custom } = records.payments.get(payment)?.transaction ?? {};
    return payment === name || invoiceNumber === name || custom === name ? [payment] : [];
  });
}

/** The money of all payments, or of some, by currency. */
class MoneyOf {
  readonly #evidence: Evidence;
  readonly #payments: ReadonlySet<string> | undefined;

  constructor(evidence: Evidence, payments?: ReadonlySet<string>) {
    this.#evidence = evidence;
    this.#payments = payments;
  }

  amountsOf(key: MoneyKey): Amounts {
    if (key === 'authorized') return this.#authorized();
    const payments = this.#payments;
    const moved = this.#evidence.movedTransfers;
    const own = payments === undefined ? moved : moved.filter((one) => payments.has(one.payment));
    const columns = {
      charged: 'chargedMinor',
      refunded: 'refundedMinor',
      net: 'netMinor',
    } as const;
    return new Map(turnoverOf(own).map((row) => [row.currency, row[columns[key]]]));
  }

  #authorized(): Amounts {
    const { records, purchases, atMs } = this.#evidence;
    const held = new Map<Currency, number>();
    for (const id of this.#payments ?? purchases.flatMap(({ payments }) => payments)) {
      for (const part of records.payments.get(id)?.related ?? []) {
        const authorization = records.authorizations.get(part.id);
        if (authorization === undefined) continue;
        const state = authorizationState(authorization, atMs);
        if (state !== 'authorized' && state !== 'partially_captured') continue;
        const { amount, capturedMinor } = authorization;
        add(held, amount.currency, Math.max(0, amount.minor - capturedMinor));
      }
    }
    return held;
  }
}
