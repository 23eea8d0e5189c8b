/** Money as whole minor units of one currency. Decimal strings exist only in the wire format. */

/** An amount of money: `minor` counts the currency's smallest unit (cents for USD, yen for JPY). */
export interface Money {
  readonly minor: number;
  readonly currency: Currency;
}

/** A currency that the service supports. */
export type Currency =
  | 'AUD'
  | 'BRL'
  | 'CAD'
  | 'CHF'
  | 'CNY'
  | 'CZK'
  | 'DKK'
  | 'EUR'
  | 'GBP'
  | 'HKD'
  | 'HUF'
  | 'ILS'
  | 'INR'
  | 'JPY'
  | 'MXN'
  | 'MYR'
  | 'NOK'
  | 'NZD'
  | 'PHP'
  | 'PLN'
  | 'RUB'
  | 'SEK'
  | 'SGD'
  | 'THB'
  | 'TWD'
  | 'USD';

/**
 * Supported currencies with their number of decimals (contract.md §3.3). ISO 4217 gives HUF and TWD
 * decimals; the service accepts none for them.
 */
export const currencyDecimals = {
  AUD: 2,
  BRL: 2,
  CAD: 2,
  CHF: 2,
  CNY: 2,
  CZK: 2,
  DKK: 2,
  EUR: 2,
  GBP: 2,
  HKD: 2,
  HUF: 0,
  ILS: 2,
  INR: 2,
  JPY: 0,
  MXN: 2,
  MYR: 2,
  NOK: 2,
  NZD: 2,
  PHP: 2,
  PLN: 2,
  RUB: 2,
  SEK: 2,
  SGD: 2,
  THB: 2,
  TWD: 0,
  USD: 2,
} as const satisfies Record<Currency, 0 | 2>;

/** Whether the service supports this currency code. */
export function isCurrency(code: string): code is Currency {
  return Object.hasOwn(currencyDecimals, code);
}

const wholeUnits = /^\d{1,7}$/;
const withCents = /^(\d{1,7})(?:\.(\d{2}))?$/;

/**
 * Reads a non-negative amount in wire format; `undefined` if it is invalid.
 *
 * An amount has up to seven digits, then nothing or `.` and exactly two decimals. HUF, JPY and TWD
 * take no decimals (contract.md §3.1, §3.3).
 */
export function parseMinor(text: string, currency: Currency): number | undefined {
  if (currencyDecimals[currency] === 0) return wholeUnits.test(text) ? Number(text) : undefined;
  const match = withCents.exec(text);
  return match === null ? undefined : Number(match[1]) * 100 + Number(match[2] ?? '0');
}

/**
 * Reads an amount that may be negative and may have one decimal; `undefined` if it is invalid.
 *
 * This applies to item prices, taxes and the shipping discount (contract.md §3.1: "up to 2
 * decimals", a negative price was accepted).
 */
export function parseSignedMinor(text: string, currency: Currency): number | undefined {
  const negative = text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  const oneDecimal = currencyDecimals[currency] === 2 && /^\d{1,7}\.\d$/.test(digits);
  const minor = parseMinor(oneDecimal ? `${digits}0` : digits, currency);
  return minor === undefined || !negative ? minor : 0 - minor;
}

/** Writes minor units as a decimal string: `1990` EUR is `"19.90"`, `1990` JPY is `"1990"`. */
export function formatMinor(minor: number, currency: Currency): string {
  if (currencyDecimals[currency] === 0) return String(minor);
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
