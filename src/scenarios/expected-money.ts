/** Amounts that a scenario expects, such as `18.00 USD`, `<=20.00 USD`, or a list for several currencies. */
import { currencyDecimals, formatMinor, isCurrency, type Currency } from '../domain/money/money.ts';
import { didYouMean } from '../shared/did-you-mean.ts';

/** What an expectation can say about money, in the order of reports. */
export const moneyKeys = ['charged', 'refunded', 'net', 'authorized'] as const;
export type MoneyKey = (typeof moneyKeys)[number];

/** One amount, or a list with one amount for each currency. */
export type MoneyText = string | readonly string[];

/** An expected amount of one currency. */
export interface ExpectedAmount {
  readonly bound: '=' | '<=' | '>=' | '<' | '>';
  readonly minor: number;
  readonly currency: Currency;
}

export const moneyExample = '18.00 USD';

/** At most 12 digits before the decimals: sums of many payments. */
const form = /^(<=|>=|<|>)?\s*(-?)(\d{1,12})(?:\.(\d+))?\s+([A-Z]{3})$/;
const bounds = ['<=', '>=', '<', '>'] as const;

/** Reads an amount; `undefined` if `findAmountProblem` would report it. */
function readAmount(text: string): ExpectedAmount | undefined {
  const [, sign, minus, units = '', decimals = '', currency = ''] = form.exec(text.trim()) ?? [];
  if (!isCurrency(currency)) return undefined;
  const places = currencyDecimals[currency];
  // Whole units need no decimals: 18 USD is 18.00 USD.
  if (decimals.length !== 0 && decimals.length !== places) return undefined;
  const minor = Number(`${units}${decimals.padEnd(places, '0')}`);
  const bound = bounds.find((one) => one === sign) ?? '=';
  return { bound, minor: minus === '-' ? 0 - minor : minor, currency };
}

/** Reads what is expected. The schema and `findMoneyProblem` refuse other texts first. */
export function readExpectedMoney(text: MoneyText): ExpectedAmount[] {
  return listAmounts(text).flatMap((one) => readAmount(one) ?? []);
}

function listAmounts(text: MoneyText): readonly string[] {
  return typeof text === 'string' ? [text] : text;
}

/**
 * Explains what is wrong with an expected amount; `undefined` if nothing is.
 *
 * @param mayBeNegative Only what the merchant keeps can be below zero.
 */
export function findAmountProblem(text: string, mayBeNegative: boolean): string | undefined {
  const amount = readAmount(text);
  if (amount !== undefined) {
    return amount.minor < 0 && !mayBeNegative
      ? 'must not be negative. Only net can be: more went back than was charged.'
      : undefined;
  }
  const shown = text.slice(0, 40);
  const [word] = /[A-Za-z]{2,}/.exec(text) ?? [];
  const [digits] = /-?\d[\d.,' ]*/.exec(text) ?? [];
  if (digits === undefined) return `"${shown}" is no amount. Write ${moneyExample}.`;
  if (word === undefined) {
    return `"${shown}" has no currency. Write it after the amount, such as ${moneyExample}.`;
  }
  if (!isCurrency(word)) {
    const known = Object.keys(currencyDecimals);
    return `unknown currency "${word}".${didYouMean(word, known)} Known: ${known.join(', ')}.`;
  }
  return `"${shown}" is no amount of ${word}. ${describeForm(word, digits.trim())}`;
}

function describeForm(currency: Currency, digits: string): string {
  const units = Number(/\d+/.exec(digits)?.[0] ?? '0');
  const places = currencyDecimals[currency];
  const example = `${formatMinor(units * 10 ** places, currency)} ${currency}`;
  return places === 0
    ? `${currency} has no decimals: write ${example}.`
    : `Write units, a point and two decimals without separators, then the currency: ${example}.`;
}

/** The currency that a list names twice; `undefined` if there is none. */
export function findRepeatedCurrency(text: MoneyText): Currency | undefined {
  const seen = new Set<Currency>();
  for (const { currency } of readExpectedMoney(text)) {
    if (seen.has(currency)) return currency;
    seen.add(currency);
  }
  return undefined;
}
