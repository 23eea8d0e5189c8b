/** Amounts keep every unit in the wire format, and Luhn's check detects typing mistakes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passesLuhn } from '../../../src/domain/card/brand.ts';
import { redactedNumber } from '../../../src/domain/card/card.ts';
import {
  currencyDecimals,
  formatMinor,
  parseMinor,
  parseSignedMinor,
  type Currency,
} from '../../../src/domain/money/money.ts';
import { pan } from '../support/card-numbers.ts';
import { runs } from '../../support/vitest/runs.ts';

// The keys of the table are the currencies; the library type of Object.keys loses that.
const currency = fc.constantFrom(...(Object.keys(currencyDecimals) as Currency[]));
const decimalsOf = (of: Currency) => currencyDecimals[of];

describe('an amount', () => {
  it('reads back as written, with or without a sign', () => {
    fc.assert(
      fc.property(currency, fc.integer({ min: 0, max: 999_999_999 }), (of, drawn) => {
        const minor = decimalsOf(of) === 0 ? Math.floor(drawn / 100) : drawn;
        expect(parseMinor(formatMinor(minor, of), of)).toBe(minor);
        expect(parseSignedMinor(formatMinor(-minor, of), of)).toBe(0 - minor);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is valid exactly with up to 7 digits and the decimals of its currency', () => {
    const looksLike = fc.oneof(
      fc.stringMatching(/^[0-9]{0,9}\.?[0-9]{0,3}$/),
      fc.stringMatching(/^[-+ 0-9.,eEx_١]{0,9}$/),
      fc.string(),
      fc.float().map(String),
    );
    fc.assert(
      fc.property(currency, looksLike, (of, text) => {
        const [whole = '', decimals] = text.split('.');
        const digitsOnly = [...whole, ...(decimals ?? '')].every((one) =>
          '0123456789'.includes(one),
        );
        const rightSize = whole.length >= 1 && whole.length <= 7;
        const rightDecimals =
          decimals === undefined || (decimals.length === 2 && decimalsOf(of) === 2);
        const dots = text.split('.').length - 1;
        const good = digitsOnly && rightSize && rightDecimals && dots <= 1;
        const minor = parseMinor(text, of);
        expect(minor !== undefined, JSON.stringify(text)).toBe(good);
        if (minor !== undefined) {
          expect(Number.isSafeInteger(minor)).toBe(true);
          expect(parseMinor(formatMinor(minor, of), of)).toBe(minor);
          expect(formatMinor(minor, of)).toMatch(decimalsOf(of) === 0 ? /^\d+$/ : /^\d+\.\d\d$/);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe("Luhn's check", () => {
  it('accepts a correct number and detects every single wrong digit', () => {
    fc.assert(
      fc.property(pan, fc.nat(), fc.integer({ min: 1, max: 9 }), ({ number }, at, by) => {
        expect(passesLuhn(number)).toBe(true);
        const digits = [...number].map(Number);
        const place = at % digits.length;
        digits[place] = ((digits[place] ?? 0) + by) % 10;
        expect(passesLuhn(digits.join(''))).toBe(false);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('detects swapped neighbours, except 0 and 9', () => {
    fc.assert(
      fc.property(pan, fc.nat(), ({ number }, at) => {
        const place = at % (number.length - 1);
        const [one, two] = [number.charAt(place), number.charAt(place + 1)];
        const swapped = number.slice(0, place) + two + one + number.slice(place + 2);
        const unnoticed = one === two || ['09', '90'].includes(one + two);
        expect(passesLuhn(swapped)).toBe(unnoticed);
      }),
      { numRuns: runs(1000) },
    );
  });
});

it('a redacted number has the length of the number and shows only its last four digits', () => {
  fc.assert(
    fc.property(pan, ({ number, brand }) => {
      const shown = redactedNumber({
        brand,
        last4: number.slice(-4),
        panLength: number.length,
        expireMonth: 1,
        expireYear: 2030,
        firstName: undefined,
        lastName: undefined,
        billingAddress: undefined,
        triggeredOutcome: undefined,
      });
      expect(shown).toHaveLength(number.length);
      expect(shown).toMatch(/^x{8,15}\d{4}$/);
      expect(shown.endsWith(number.slice(-4))).toBe(true);
    }),
  );
});
