import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currencyDecimals,
  formatMinor,
  isCurrency,
  parseMinor,
  parseSignedMinor,
  type Currency,
} from '../../../src/domain/money/money.ts';

const currencies = Object.keys(currencyDecimals).filter(isCurrency);
const currency = fc.constantFrom(...currencies);

describe('currencies', () => {
  it('have two decimals, except HUF, JPY and TWD, which have none', () => {
    expect(currencies.filter((code) => currencyDecimals[code] !== 2)).toEqual([
      'HUF',
      'JPY',
      'TWD',
    ] satisfies Currency[]);
  });

  it.each(['USD', 'EUR', 'TWD'])('include %s', (code) => {
    expect(isCurrency(code)).toBe(true);
  });

  it.each(['usd', 'XYZ', 'KWD', '', 'toString', '__proto__'])('do not include %j', (code) => {
    expect(isCurrency(code)).toBe(false);
  });
});

describe('parseMinor', () => {
  it.each([
    ['7', 'USD', 700],
    ['7.00', 'USD', 700],
    ['0.01', 'EUR', 1],
    ['0', 'EUR', 0],
    ['0000007', 'EUR', 700],
    ['9999999.99', 'USD', 999_999_999],
    ['7', 'JPY', 7],
    ['9999999', 'HUF', 9_999_999],
    ['1', 'TWD', 1],
  ] as const)('reads %s %s as %i', (text, code, minor) => {
    expect(parseMinor(text, code)).toBe(minor);
  });

  it.each([
    ['24.4', 'USD'],
    ['24,40', 'USD'],
    ['1,000.00', 'USD'],
    ['24.400', 'USD'],
    ['.50', 'USD'],
    ['24.', 'USD'],
    ['-1.00', 'USD'],
    ['+1.00', 'USD'],
    ['1e3', 'USD'],
    ['', 'USD'],
    [' 1.00', 'USD'],
    ['1.00\n', 'USD'],
    ['10000000.00', 'USD'],
    ['٣', 'USD'],
    ['7.00', 'JPY'],
    ['7.5', 'HUF'],
    ['10000000', 'TWD'],
  ] as const)('refuses %j %s', (text, code) => {
    expect(parseMinor(text, code)).toBeUndefined();
  });
});

describe('parseSignedMinor', () => {
  it.each([
    ['-2.00', 'USD', -200],
    ['-2', 'USD', -200],
    ['2.5', 'USD', 250],
    ['-2.5', 'USD', -250],
    ['-7', 'JPY', -7],
    ['-0', 'USD', 0],
  ] as const)('reads %s %s as %i', (text, code, minor) => {
    expect(parseSignedMinor(text, code)).toBe(minor);
  });

  it.each([
    ['--2', 'USD'],
    ['- 2', 'USD'],
    ['2.555', 'USD'],
    ['2.5', 'JPY'],
    ['-', 'USD'],
  ] as const)('refuses %j %s', (text, code) => {
    expect(parseSignedMinor(text, code)).toBeUndefined();
  });
});

describe('formatMinor', () => {
  it.each([
    [0, 'USD', '0.00'],
    [5, 'USD', '0.05'],
    [-5, 'USD', '-0.05'],
    [1990, 'EUR', '19.90'],
    [-1990, 'EUR', '-19.90'],
    [1990, 'JPY', '1990'],
    [-1990, 'HUF', '-1990'],
  ] as const)('writes %i %s as %s', (minor, code, text) => {
    expect(formatMinor(minor, code)).toBe(text);
  });

  it('writes amounts that read back unchanged', () => {
    fc.assert(
      fc.property(currency, fc.integer({ min: 0, max: 9_999_999 }), (code, minor) => {
        expect(parseMinor(formatMinor(minor, code), code)).toBe(minor);
        expect(parseSignedMinor(formatMinor(-minor, code), code)).toBe(0 - minor);
      }),
      { seed: 7 },
    );
  });
});
