/** Random card numbers, and the forms in which one could leak. */
import fc from 'fast-check';
import type { Brand } from '../../../src/domain/card/brand.ts';

export interface Pan {
  readonly number: string;
  readonly brand: Brand;
}

const forms: readonly { brand: Brand; prefix: string; lengths: readonly number[] }[] = [
  { brand: 'visa', prefix: '4', lengths: [13, 16, 19] },
  { brand: 'mastercard', prefix: '51', lengths: [16] },
  { brand: 'mastercard', prefix: '2345', lengths: [16] },
  { brand: 'amex', prefix: '37', lengths: [15] },
  { brand: 'discover', prefix: '6011', lengths: [16, 19] },
  { brand: 'maestro', prefix: '6304', lengths: [12, 16, 19] },
];

/**
 * Changes the fourth digit from the end, which Luhn's check counts once, so that the number is
 * valid.
 */
function completed(start: string, middle: readonly number[], last4: string): string {
  const room = middle.slice(0, middle.length - 1).join('');
  for (let digit = 0; ; digit++) {
    const number = start + room + digit + last4;
    if (canonicalAmount(number) % 10 === 0) return number;
  }
}

function canonicalAmount(number: string): number {
  return [...number].reverse().reduce((sum, digit, at) => {
    const weighed = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return sum + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
}

/** Two numbers with the same brand, length and last four digits that differ before. */
export const twins: fc.Arbitrary<{
  readonly one: Pan;
  readonly other: Pan;
  readonly last4: string;
}> = fc.constantFrom(...forms).chain(({ brand, prefix, lengths }) =>
  fc.constantFrom(...lengths).chain((length) => {
    const room = length - prefix.length - 4;
    const middle = fc.array(fc.nat({ max: 9 }), { minLength: room, maxLength: room });
    return fc
      .record({ last4: fc.stringMatching(/^\d{4}$/), middles: fc.tuple(middle, middle) })
      .map(({ last4, middles }) => ({
        one: { brand, number: completed(prefix, middles[0], last4) },
        other: { brand, number: completed(prefix, middles[1], last4) },
        last4,
      }));
  }),
);

/** Two numbers with the same brand and length that share nothing else. */
export const strangers: fc.Arbitrary<readonly [Pan, Pan]> = fc
  .tuple(twins, twins)
  .filter(
    ([{ one, last4 }, other]) =>
      one.brand === other.one.brand &&
      one.number.length === other.one.number.length &&
      last4 !== other.last4,
  )
  .map(([{ one }, { one: other }]) => [one, other]);

/** A number that passes Luhn's check and has a known brand. */
export const pan: fc.Arbitrary<Pan> = twins.map(({ one }) => one);

/** A verification code of the brand's length. A JSON number would lose a leading 0. */
export function cvvOf({ brand }: Pan): fc.Arbitrary<string> {
  return fc.stringMatching(brand === 'amex' ? /^[1-9]\d{3}$/ : /^[1-9]\d{2}$/);
}

/** Whether a number appears in a text: plain, split, URL-encoded, in base64 or in hexadecimal. */
export function appearsIn(text: string, number: string): boolean {
  const bytes = Buffer.from(number);
  // Base64 differs at each of three offsets, and its ends mix with neighbours, so they are cut.
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4)
      .replaceAll('=', ''),
  );
  const unescaped = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return (
    unescaped.replaceAll(/[-\s._/,x]/g, '').includes(number) ||
    inBase64.some((form) => text.includes(form)) ||
    text.toLowerCase().includes(bytes.toString('hex')) ||
    text.includes([...number].reverse().join('')) ||
    text.includes(Number(number).toString(16)) ||
    text.includes(Number(number).toString(36))
  );
}
