import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brands,
  brandOf,
  cvvLength,
  looksIssued,
  passesLuhn,
  type Brand,
} from '../../../src/domain/card/brand.ts';

/** A number with this prefix and length. */
const number = (prefix: string, length = 16): string => prefix.padEnd(length, '0');

const ranges: readonly {
  readonly brand: Brand;
  readonly inside: readonly string[];
  readonly outside: readonly string[];
  readonly lengths: readonly number[];
}[] = [
  { brand: 'visa', inside: ['4'], outside: ['3', '5'], lengths: [13, 16, 19] },
  {
    brand: 'mastercard',
    inside: ['51', '55', '2221', '2229', '2230', '2300', '2699', '2700', '2719', '2720'],
    outside: ['50', '56', '2220', '2721', '28'],
    lengths: [16],
  },
  { brand: 'amex', inside: ['34', '37'], outside: ['35', '36', '38'], lengths: [15] },
  {
    brand: 'discover',
    inside: ['6011', '644', '649', '65', '622126', '622200', '622925'],
    outside: ['6010', '6012', '643', '66', '622125', '622926'],
    lengths: [16, 17, 18, 19],
  },
  {
    brand: 'maestro',
    inside: ['50', '56', '58', '6304', '6759', '6010', '643', '622125', '622926', '69'],
    outside: ['51', '55', '6011', '644', '65', '622126', '622925', '7'],
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  },
];

describe.each(ranges)('$brand', ({ brand, inside, outside, lengths }) => {
  const [usual = 0] = lengths.includes(16) ? [16] : lengths;

  it.each(inside)('issues numbers that begin with %s', (prefix) => {
    expect(brandOf(number(prefix, usual))).toBe(brand);
    expect(looksIssued(number(prefix, usual))).toBe(true);
  });

  it.each(outside)('does not issue numbers that begin with %s', (prefix) => {
    expect(brandOf(number(prefix, usual))).not.toBe(brand);
  });

  it(`accepts exactly ${lengths.join(', ')} digits`, () => {
    const [prefix = ''] = inside;
    const fitting = Array.from({ length: 20 }, (_, i) => i + 8).filter(
      (length) => brandOf(number(prefix, length)) === brand,
    );
    expect(fitting).toEqual(lengths);
  });
});

describe('all brands', () => {
  it('have a three-digit verification code, except four digits for American Express', () => {
    expect(brands.map((brand) => [brand, cvvLength(brand)])).toEqual([
      ['visa', 3],
      ['mastercard', 3],
      ['amex', 4],
      ['discover', 3],
      ['maestro', 3],
    ]);
  });

  it('issue no numbers outside their ranges', () => {
    expect(looksIssued('3530111333300000')).toBe(false);
    expect(looksIssued('0000000000000000')).toBe(false);
    expect(looksIssued('')).toBe(false);
  });
});

describe("Luhn's check", () => {
  it.each(['4417119669820331', '5555555555554444', '378282246310005', '4222222222222', '0', '18'])(
    'accepts %s',
    (digits) => {
      expect(passesLuhn(digits)).toBe(true);
    },
  );

  it.each(['4417119669820332', '378282246310006', '1', '81', ''])('refuses %j', (digits) => {
    expect(passesLuhn(digits)).toBe(false);
  });

  it('detects every single wrong digit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 15 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const digits = [...'4417119669820331'];
        digits[at] = String((Number(digits[at]) + by) % 10);
        expect(passesLuhn(digits.join(''))).toBe(false);
      }),
      { seed: 7 },
    );
  });
});
