/** What a card number says about itself: brand, length, check digit. */

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'maestro';

export const brands: readonly Brand[] = ['visa', 'mastercard', 'amex', 'discover', 'maestro'];

interface BrandRule {
  readonly lengths: readonly number[];
  readonly prefix: RegExp;
  readonly cvvLength: number;
}

const discoverRanges = '(?:6011|64[4-9]|65|622(?:12[6-9]|1[3-9]|[2-8]|9[01]|92[0-5]))';

/**
 * Issuer ranges and lengths by brand. The seed shows only `visa`; contract.md §2.2 names the five types.
 * `Seed silent:` the ranges themselves; these are the published ones of the card schemes. Maestro is matched by
 * its wide ranges without those of Discover.
 */
const rules: Readonly<Record<Brand, BrandRule>> = {
  visa: { lengths: [13, 16, 19], prefix: /^4/, cvvLength: 3 },
  mastercard: {
    lengths: [16],
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    cvvLength: 3,
  },
  amex: { lengths: [15], prefix: /^3[47]/, cvvLength: 4 },
  discover: {
    lengths: [16, 17, 18, 19],
    prefix: new RegExp(`^${discoverRanges}`),
    cvvLength: 3,
  },
  maestro: {
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    prefix: new RegExp(`^(?!${discoverRanges})(?:50|5[6-9]|6)`),
    cvvLength: 3,
  },
};

/** Whether these digits can be a card of this brand: issuer range and length. */
export function fitsBrand(pan: string, brand: Brand): boolean {
  const rule = rules[brand];
  return rule.prefix.test(pan) && rule.lengths.includes(pan.length);
}

/** Whether any brand issues numbers of this length in this range. */
export function looksIssued(pan: string): boolean {
  return brands.some((brand) => fitsBrand(pan, brand));
}

/** How many digits the card verification code of this brand has. */
export function cvvLength(brand: Brand): number {
  return rules[brand].cvvLength;
}

/** Luhn's check: doubles every second digit from the right and wants a sum that ends in zero. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** The digit that, put behind these, makes them pass Luhn's check. */
export function checkDigit(digits: string): string {
  for (let digit = 0; digit < 10; digit++) {
    if (passesLuhn(digits + digit)) return String(digit);
  }
  throw new Error('Some digit always passes.');
}
