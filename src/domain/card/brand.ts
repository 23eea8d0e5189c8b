/** What a card number reveals by itself: brand, length, check digit. */

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'maestro';

export const brands: readonly Brand[] = ['visa', 'mastercard', 'amex', 'discover', 'maestro'];

/** The first six digits, from and to, both inclusive. */
type BinRange = readonly [from: number, to: number];

interface BrandRule {
  readonly lengths: readonly number[];
  readonly bins: readonly BinRange[];
  readonly cvvLength: number;
}

/**
 * Issuer ranges and lengths by brand. The seed shows only `visa`; contract.md §2.2 names the five
 * types.
 *
 * `Seed silent:` the ranges, which are those that the card schemes publish. Maestro's wide ranges
 * exclude those of Discover, so that each number has one brand.
 */
const rules: Readonly<Record<Brand, BrandRule>> = {
  visa: { lengths: [13, 16, 19], bins: [[400_000, 499_999]], cvvLength: 3 },
  mastercard: {
    lengths: [16],
    bins: [
      [510_000, 559_999],
      [222_100, 272_099],
    ],
    cvvLength: 3,
  },
  amex: {
    lengths: [15],
    bins: [
      [340_000, 349_999],
      [370_000, 379_999],
    ],
    cvvLength: 4,
  },
  discover: {
    lengths: [16, 17, 18, 19],
    bins: [
      [601_100, 601_199],
      [622_126, 622_925],
      [644_000, 659_999],
    ],
    cvvLength: 3,
  },
  maestro: {
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    bins: [
      [500_000, 509_999],
      [560_000, 601_099],
      [601_200, 622_125],
      [622_926, 643_999],
      [660_000, 699_999],
    ],
    cvvLength: 3,
  },
};

/** The brand that issues numbers like this one. */
export function brandOf(pan: string): Brand | undefined {
  return brandOfPrefix(Number(pan.slice(0, 6)), pan.length);
}

/** The brand that issues numbers with these first six digits and this length. */
export function brandOfPrefix(prefix: number, length: number): Brand | undefined {
  // Loops avoid creating a function for each range: this runs for every number in every text.
  for (const brand of brands) {
    if (!rules[brand].lengths.includes(length)) continue;
    for (const [from, to] of rules[brand].bins) if (from <= prefix && prefix <= to) return brand;
  }
  return undefined;
}

/** JCB and Diners Club. The service takes no card of theirs, but their numbers are card numbers all the same. */
const otherIssuers: readonly Pick<BrandRule, 'lengths' | 'bins'>[] = [
  { lengths: [16, 17, 18, 19], bins: [[352_800, 358_999]] },
  {
    lengths: [14, 16],
    bins: [
      [300_000, 305_999],
      [309_500, 309_599],
      [360_000, 369_999],
      [380_000, 399_999],
    ],
  },
];

/** Whether an issuer that is none of the brands has numbers with these first six digits and this length. */
export function isOfOtherIssuer(prefix: number, length: number): boolean {
  return otherIssuers.some(
    ({ lengths, bins }) =>
      lengths.includes(length) && bins.some(([from, to]) => from <= prefix && prefix <= to),
  );
}

/** Whether any brand issues numbers with this prefix and length. */
export function looksIssued(pan: string): boolean {
  return brandOf(pan) !== undefined;
}

/** The number of digits in this brand's card verification code. */
export function cvvLength(brand: Brand): number {
  return rules[brand].cvvLength;
}

/** Luhn's check: doubles every second digit from the right; the sum must end in zero. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** The digit that completes these digits to a number that passes Luhn's check. */
export function checkDigit(digits: string): string {
  for (let digit = 0; digit < 10; digit++) {
    if (passesLuhn(digits + digit)) return String(digit);
  }
  throw new Error('One of ten check digits always passes.');
}
