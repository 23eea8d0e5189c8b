/** The building blocks of request schemas, with the issue texts that clients match on (contract.md §2.9, §3.4). */
import { z } from '@hono/zod-openapi';
import { codes as currencyCodes } from 'currency-codes';
import alpha3ByAlpha2 from 'countries-list/minimal/countries.2to3.min.json' with { type: 'json' };
import { amountFormatIssue } from '../../domain/payment/amount.ts';

/** A body whose structure is wrong is MALFORMED_REQUEST; one whose values are wrong is VALIDATION_ERROR. */
export const malformed = 'malformed';
export const requiredIssue = 'Required field missing';
export const invalidIssue = 'Value is invalid';
export const blankIssue = 'Must not be blank';

const hasNul = /\0/;

/** A text of at most `max` characters. NUL is refused: databases downstream choke on it. */
export const text = sameForSame((max: number) =>
  z
    .string()
    .max(max, `Value exceeds max length of ${max}`)
    .refine((value) => !hasNul.test(value), invalidIssue),
);

const notBlank = /\S/;

/** A text that does not consist of spaces alone. */
export const filledText = sameForSame((max: number) => text(max).regex(notBlank, blankIssue));

/** An id that the client chose, in a fixture too. Some clients send a number (contract.md §2.2). Empty means absent. */
export const callerId = sameForSame((max: number) =>
  z
    .union([text(max), z.int(malformed)])
    .transform((value) => (value === '' ? undefined : String(value)))
    .openapi({ type: 'string', maxLength: max }),
);

/**
 * The operations of a JSON Patch, 1 to 100. An issue names a place in the list: the first one if the list is empty,
 * or the first one too many.
 */
export function patchOf<T extends z.ZodType>(operation: T) {
  return z
    .array(operation)
    .refine((all) => all.length > 0, { error: 'Must hold at least one operation', path: [0] })
    .refine((all) => all.length <= mostOperations, {
      error: `Must hold at most ${mostOperations} operations`,
      path: [mostOperations],
    })
    .openapi({ minItems: 1, maxItems: mostOperations });
}

const mostOperations = 100;

/**
 * Wraps a factory so that it returns the same schema for the same argument. Making schemas again would slow every
 * start.
 */
export function sameForSame<Of, T>(make: (of: Of) => T): (of: Of) => T {
  const results = new Map<Of, T>();
  return (of) => {
    const earlier = results.get(of);
    if (earlier !== undefined) return earlier;
    const one = make(of);
    results.set(of, one);
    return one;
  };
}

/** One of the given words; `issue` is the text for any other word. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T, issue: string) {
  return z.enum(words, {
    error: ({ input }) =>
      input === undefined ? requiredIssue : typeof input === 'string' ? issue : malformed,
  });
}

/**
 * One of the given words in a query, in any case: clients write constants such as `DESC`. Words in a body must have the
 * documented case (contract.md §3.1).
 */
export function parameterOf<const T extends readonly [string, ...string[]]>(
  words: T,
  issue: string,
) {
  return z
    .string()
    .transform((word) => word.toLowerCase())
    .pipe(oneOf(words, issue))
    .openapi({ type: 'string', enum: [...words] });
}

/**
 * A whole number, sent as a number or as digits, with or without a leading zero. 0 counts as missing: two SDKs send it
 * for a field that was not set (contract.md §14.9).
 */
export function wholeNumber(min: number, max: number, issue: string) {
  return z.union([z.int(), text(20)]).transform((value, context) => {
    if (value === '' || value === 0 || value === '0') {
      context.addIssue(requiredIssue);
      return z.NEVER;
    }
    const digits = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
    if (typeof digits === 'string' || digits < min || digits > max) {
      context.addIssue(issue);
      return z.NEVER;
    }
    return digits;
  });
}

/**
 * The digits of a card verification code; one SDK sends a number. The brand decides the length. `Seed silent:` a number
 * has no leading zeros. They are not restored, because `12` could be `012` or a typing error. The code is refused as
 * too short, which shows that such a client fails for one card in ten.
 */
export const cvv = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((digits) => /^\d+$/.test(digits), 'Must be numeric');

const knownCountries = new Set([...Object.keys(alpha3ByAlpha2), 'C2']);

/** ISO 3166 alpha-2, and the service's own `C2` for China. The United Kingdom is `GB`, not `UK`. */
export const countryCode = z
  .string()
  .refine((code) => knownCountries.has(code), 'Must be a two-letter ISO 3166-1 country code')
  .openapi({ pattern: '^([A-Z]{2}|C2)$' });

const knownCurrencies = new Set(currencyCodes());

/** ISO 4217. The domain decides whether the service supports the currency. */
export const currencyCode = z
  .string()
  .refine((code) => knownCurrencies.has(code), 'Must be a three-letter ISO 4217 currency code')
  .openapi({ pattern: '^[A-Z]{3}$' });

/** An amount in a request. Its format depends on its currency, so the domain reads it. A JSON number is refused. */
export const amountText = z
  .string({
    error: ({ input }) =>
      input === undefined
        ? requiredIssue
        : typeof input === 'number'
          ? amountFormatIssue
          : malformed,
  })
  .openapi({ example: '30.11' });

/** The total of a payment, refund or capture: never negative, with two decimals or none. */
export const totalText = amountText.openapi({ pattern: String.raw`^\d{1,7}(\.\d{2})?$` });

const anything = z.unknown().optional();

/** Keys that clients may send and that the service ignores. No answer repeats them. */
export function ignored<const N extends string>(
  ...names: readonly N[]
): Record<N, z.ZodOptional<z.ZodUnknown>> {
  const shape: Partial<Record<N, z.ZodOptional<z.ZodUnknown>>> = {};
  for (const name of names) shape[name] = anything;
  // Every name has its schema now.
  return shape as Record<N, z.ZodOptional<z.ZodUnknown>>;
}

/** An optional text. */
export const maybeText = z.string().optional();

export function isBlank(value: string | undefined): boolean {
  return value === undefined || !notBlank.test(value);
}

/** Countries whose addresses require a `state` in the vault (contract.md §2.4). */
export const countriesWithState: ReadonlySet<string> = new Set([
  'AR',
  'BR',
  'CA',
  'IN',
  'IT',
  'JP',
  'MX',
  'TH',
  'US',
]);
