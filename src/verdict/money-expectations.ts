/** Compares the money that moved with the amounts that a scenario expects, in total and by purchase. */
import type { z } from '@hono/zod-openapi';
import type { Verdict } from '../contract/control/verdict.ts';
import { turnoverOf } from '../domain/money/ledger.ts';
import type { Currency, Money } from '../domain/money/money.ts';
import { heldMinor } from '../domain/payment/authorization.ts';
import {
  moneyKeys,
  readExpectedMoney,
  type ExpectedAmount,
  type MoneyKey,
} from '../scenarios/expected-money.ts';
import type { Expectations } from '../scenarios/expect.ts';
import { nearest } from '../shared/did-you-mean.ts';
import type { Evidence } from './evidence/evidence.ts';
import { addAmount, type Amounts } from './money-totals.ts';
import { formatMoney } from './phrases.ts';
import type { Purchase } from './purchases/purchase.ts';

type Row = z.output<typeof Verdict>['expectations'][number];

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
        const minor = heldMinor(authorization, atMs);
        if (minor > 0) addAmount(held, authorization.amount.currency, minor);
      }
    }
    return held;
  }
}
