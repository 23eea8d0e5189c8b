import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withCharCodes, type Codes } from '../../../src/redaction/char-codes.ts';
import { findCredentials } from '../../../src/redaction/credentials.ts';
import { findNames } from '../../../src/redaction/name-finder.ts';
import { prefilter, type Sightings } from '../../../src/redaction/prefilter.ts';
import { secretNames } from '../../../src/redaction/secret-names.ts';
import { findSecretFields } from '../../../src/redaction/secret-fields.ts';
import type { Secret } from '../../../src/redaction/secret.ts';
import { runs } from '../../support/vitest/runs.ts';

const names = secretNames
  .filter(({ kind }) => kind !== 'scheme')
  .map(({ word }) => word)
  .concat('Card-Number', 'card_code', 'security code', 'verification\u200b value', 'C.V.V.2');
const values = ['4417119669820331', '"874"', '"/cvv2"', '"s3cret-token"', 'null', '{"a":1}'];
const encoded = [
  'Bearer A21AA.x_y',
  'basic+Y2xpZW50OnNlY3JldA==',
  Buffer.from('{"number":"4417119669820331"}').toString('base64'),
  Buffer.from('x4417119669820331').toString('base64url'),
  Buffer.from('4417 1196 6982 0331').toString('hex'),
];

const spelled = fc
  .tuple(fc.constantFrom(...names, 'path', 'value'), fc.infiniteStream(fc.boolean()))
  .map(([name, isLarge]) =>
    [...name]
      .map((one) => (isLarge.next().value === true ? one.toUpperCase() : one.toLowerCase()))
      .join(''),
  );
const part = fc.oneof(
  spelled,
  fc.constantFrom('"', '":', ' = ', '>', ',', '\r\n\r\n', '\\', '%20', '&amp;', '{', '}'),
  fc.constantFrom(...values),
  fc.constantFrom(...encoded),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

function found(text: string, seen: Sightings): Secret[] {
  const secrets: Secret[] = [];
  findSecretFields(text, seen, secrets);
  findCredentials(text, seen, secrets);
  return secrets;
}

it('reports whatever the complete search would find', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const seen = prefilter(text);
      const all = { ...seen, hasBase64: true, hasHex: true };
      expect(found(text, seen)).toEqual(found(text, all));
    }),
    { numRuns: runs(3_000) },
  );
});

it('reports the names in all fields', () => {
  const any = fc.oneof(
    texts,
    fc.string({ unit: fc.constantFrom(...'cvnumbersitk2-" '), maxLength: 60 }),
  );
  fc.assert(
    fc.property(any, (text) => {
      const all = withCharCodes(text, (codes, length) =>
        findNames(
          codes,
          length,
          Array.from({ length }, (_, at) => at),
        ),
      );
      expect(prefilter(text).names).toEqual(all);
    }),
    { numRuns: runs(3_000) },
  );
});

it.each(names)('reports a field called %s, in either case', (name) => {
  for (const spelling of [name, name.toUpperCase()]) {
    const text = `{"${spelling}":"874"}`;
    expect(found(text, prefilter(text)), text).toHaveLength(1);
  }
});

it('reports nothing in common texts', () => {
  for (const text of [
    '/v1/vault/credit-cards/CARD-1MD19612EW4364010KGFNJQI',
    '{"id":"CARD-1MD19612EW4364010KGFNJQI","state":"ok","create_time":"2026-11-24T12:00:00Z"}',
    '',
  ]) {
    const { names: ends, ...flags } = prefilter(text);
    expect(ends, text).toEqual([]);
    expect(Object.values(flags), text).not.toContain(true);
  }
});

it('reports only enough digits for a card number', () => {
  expect(prefilter('441711966982').hasManyDigits).toBe(true);
  expect(prefilter('4417-1196-698').hasManyDigits).toBe(false);
});

it('reads the character codes of any text', () => {
  const any = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('a', '\u00e9', '\u4417', '\ud83d'), maxLength: 40 }),
    // Longer than the shared buffer, in ASCII and another script.
    fc.constantFrom('a'.repeat(40_000), `${'a'.repeat(32_763)}\u00e9`, '\u20ac'.repeat(11_000)),
  );
  fc.assert(
    fc.property(any, (text) => {
      const other = withCharCodes(text, (codes, length) =>
        Array.from({ length }, (_, at) => at).find((at) => codes[at] !== text.charCodeAt(at)),
      );
      expect(other).toBeUndefined();
    }),
  );
});

it('reports any twelve digits in base64 at any offset', () => {
  const one = fc.constantFrom(...'0123456789');
  const digits = fc.oneof(
    fc.string({ unit: one, minLength: 12, maxLength: 19 }),
    one.map((digit) => digit.repeat(14)),
  );
  const before = fc.string({ unit: fc.constantFrom(...'"ab: '), maxLength: 3 });
  fc.assert(
    fc.property(before, digits, (start, number) => {
      const text = Buffer.from(start + number).toString('base64');
      expect(prefilter(text).hasBase64).toBe(true);
    }),
    { numRuns: runs(1_000) },
  );
});

it('leaves nothing of a text in the shared buffer', () => {
  for (const text of [
    '{"number":"4417119669820331"}',
    '{"name":"Zo\u00eb","number":"4417119669820331"}',
  ]) {
    const lent: Codes[] = [];
    withCharCodes('ascii', (codes) => lent.push(codes));
    expect(() =>
      withCharCodes(text, (codes) => {
        lent.push(codes);
        throw new Error('looked');
      }),
    ).toThrow('looked');
    const [room] = lent;
    expect(room?.every((code) => code === 0)).toBe(true);
  }
});
