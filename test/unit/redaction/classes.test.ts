/** Every script, separator, encoding and name that docs/concepts/real-cards.md promises, each with each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCardNumbers } from '../../../src/redaction/card-numbers.ts';
import { redactText } from '../../../src/redaction/redact.ts';
import { secretNames } from '../../../src/redaction/secret-names.ts';
import { pan } from '../../properties/support/card-numbers.ts';
import { runs } from '../../support/vitest/runs.ts';

const number = '4929594729183741';
const amex = '378282246310005';

/** The first digit of every script that Unicode knows, and digits that only look different. */
const zeros = Array.from({ length: 0x1_fbfa }, (_, point) => point).filter(
  (point) => /\p{Nd}/u.test(String.fromCodePoint(point)) && isZero(point),
);

/** Digits of a script come in blocks of ten, and the mathematical ones come in five blocks. */
function isZero(point: number): boolean {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(point - 1 - before))) before++;
  return before % 10 === 0;
}

const inScript = (text: string, zero: number) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const styled: Readonly<Record<string, string>> = {
  superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹',
  subscript: '₀₁₂₃₄₅₆₇₈₉',
  circled: '⓪①②③④⑤⑥⑦⑧⑨',
  'circled twice': '⓪⓵⓶⓷⓸⓹⓺⓻⓼⓽',
  'circled, negative': '⓿❶❷❸❹❺❻❼❽❾',
  'with a full stop': '🄀⒈⒉⒊⒋⒌⒍⒎⒏⒐',
  'in brackets': '0⑴⑵⑶⑷⑸⑹⑺⑻⑼',
};
const inStyle = (text: string, style: string) =>
  text.replaceAll(/\d/g, (digit) => [...style][Number(digit)] ?? '');

const grouped = (by: string) => number.replaceAll(/(\d{4})(?=\d)/g, `$1${by}`);

/** Every character that is neither letter nor digit, as far as one block of each kind goes. */
const separators = [
  ...Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(0x80 + code)),
  ...'\u00a0·÷×¦§¬‐‑‒–—―‖•…‧‰′″⁃⁄⁻₋−∕∙⋅─│┃■●★☆、。・「」〜〰️﹘﹣－／．＿：｜～ー\uff70一ㅡǀꞏʼː',
  ...'🂠💳➖',
].filter((one) => !/^[\dA-Za-z]$/.test(one));

const invisible = [
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u202e',
  '\u2066',
  '\u00ad',
  '\u0301',
].concat(['\u20e3', '\ufe0f', '\u{e0101}', '\u180e', '\u115f', '\u0336']);

const spelledBytes = (text: string, mark: string) =>
  Buffer.from(text).reduce(
    (all, byte) => `${all}${mark}${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    '',
  );
const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const points = (text: string) => [...text].map((one) => one.codePointAt(0) ?? 0);

const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'in JSON': (text) => JSON.stringify({ note: text }),
  'in JSON within JSON': (text) => JSON.stringify({ a: JSON.stringify({ note: text }) }),
  'in JSON within JSON within JSON': (text) =>
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ note: text }) }) }),
  'URL-encoded': (text) => encodeURIComponent(text),
  'URL-encoded, every byte': (text) => spelledBytes(text, '%'),
  'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in a form': (text) => new URLSearchParams({ note: text }).toString(),
  'in JSON escapes': (text) =>
    units(text)
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  'in JSON escapes of code points': (text) =>
    points(text)
      .map((point) => `\\u{${point.toString(16)}}`)
      .join(''),
  'in decimal entities': (text) =>
    points(text)
      .map((point) => `&#${point};`)
      .join(''),
  'in hexadecimal entities': (text) =>
    points(text)
      .map((point) => `&#x${point.toString(16)};`)
      .join(''),
  'in JavaScript escapes of bytes': (text) =>
    [...text].map((one) => (one <= '\u007f' ? spelledBytes(one, '\\x') : one)).join(''),
  'in quoted-printable': (text) => spelledBytes(text, '='),
  'in quoted-printable, URL-encoded': (text) => encodeURIComponent(spelledBytes(text, '=')),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64, after a byte': (text) => Buffer.from(`a${text}`).toString('base64'),
  'in base64url, after two bytes': (text) => Buffer.from(`ab${text}`).toString('base64url'),
};

/** Base64 is recognized by three ASCII digits in a row. */
const readsAscii = (encoding: string) => encoding.includes('base64');

/** Whether the last four digits, or nothing, are all that is left. */
function expectMasked(text: string, what: string): void {
  const left = redactText(text);
  expect(left, what).toMatch(/x{12}3741|\[redacted\]/);
  expect(findCardNumbers(left), what).toEqual([]);
}

describe.each(Object.entries(encodings))('a card number %s', (encoding, encode) => {
  it('is masked with every separator between its groups', () => {
    for (const by of separators) {
      for (const gap of [by, ` ${by}`]) {
        const written = encode(grouped(gap));
        expectMasked(written, `${encoding} ${JSON.stringify(gap)}: ${written}`);
      }
    }
  });

  it('is masked with every invisible character inside', () => {
    for (const one of invisible) {
      const written = encode(grouped(one));
      expectMasked(written, `${encoding} ${JSON.stringify(one)}: ${written}`);
    }
  });
});

// The other encodings hold ASCII only.
describe.each(Object.entries(encodings).filter(([encoding]) => !readsAscii(encoding)))(
  'a card number %s',
  (encoding, encode) => {
    it('is masked in the digits of every script', () => {
      expect(zeros.length).toBeGreaterThan(60);
      for (const zero of zeros) {
        for (const by of ['', '-', '/', '\u00b7', '\u30fc']) {
          const written = encode(inScript(grouped(by), zero));
          expectMasked(written, `${encoding} ${zero.toString(16)} ${by}: ${written}`);
        }
      }
      for (const [name, style] of Object.entries(styled)) {
        expectMasked(encode(inStyle(number, style)), `${encoding} ${name}`);
      }
    });
  },
);

it('finds a card number in any groups', () => {
  const separator = fc.constantFrom(
    '',
    '',
    ' ',
    '-',
    '/',
    ' /',
    '. ',
    '\u30fc',
    '\u200b\u200b\u200b',
  );
  fc.assert(
    fc.property(pan, fc.infiniteStream(separator), ({ number: digits }, gaps) => {
      const written = [...digits].map((digit) => digit + (gaps.next().value ?? '')).join('');
      const { length } = findCardNumbers(`holder ${written} of it`);
      // Three groups can look like a telephone number or a date.
      const sizes = written
        .replaceAll('\u200b', '')
        .split(/\D+/)
        .map((group) => group.length);
      fc.pre(length > 0 || !/(?:^|,)(?:3,3,4|4,2,2|2,2,4)(?:,|$)/.test(sizes.join()));
      expect(length, written).toBeGreaterThan(0);
    }),
    { numRuns: runs(2_000) },
  );
});

it.each([
  ['between other numbers', `1754400000000 ${grouped(' ')} 2026 44`],
  ['before its expiry date', `${number}1131`],
  ['before its expiry date, separated', `${number}=3112101`],
  ['after another', `${grouped(' ')} 5555 5555 5555 4444`],
  ['overlapping another', `${number}${number}`],
  ['in a longer row of groups', `0000 0000 ${grouped(' ')} 0000 0000`],
  ['in groups of six and five', '3782/822463/10005'],
  ['split over a list', '["4929","5947","2918","3741"]'],
  ['before a date', `${grouped(' ')} 2026-11-24`],
])('finds a card number %s', (_where, text) => {
  const left = redactText(text);
  expect(left).toMatch(/x{12}\d{4}/);
  expect(left.replaceAll(/\D/g, '')).not.toContain(number.slice(0, 12));
  expect(left.replaceAll(/\D/g, '')).not.toContain(amex.slice(0, 11));
});

it.each([
  ['JCB', '3530111333300000'],
  ['JCB, in groups', '3566 0020 2036 0505'],
  ['Diners Club', '30569309025904'],
  ['Diners Club, in groups', '3852-000002-3237'],
  ['Diners Club, 36', '36227206271667'],
])('finds a number of an issuer whose cards the service does not take: %s', (_issuer, text) => {
  expect(redactText(`of ${text}!`)).toMatch(/^of x{12}\d{4}!$/);
  expect(redactText(JSON.stringify({ [text]: text }))).not.toContain(text);
});

describe('an id that is no card number', () => {
  const two = fc.nat({ max: 99 }).map((value) => String(value).padStart(2, '0'));
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
  const time = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const ids: Readonly<Record<string, fc.Arbitrary<string>>> = {
    UUID: fc.uuid(),
    'North American telephone number': fc
      .tuple(digits(3), digits(3), digits(4), digits(9))
      .map(([area, office, line, id]) => `joe_shopper_${area}-${office}-${line}-${id}`),
    'international telephone number': fc
      .tuple(fc.constantFrom('49', '62', '44', '55', '52'), digits(3), digits(7))
      .map(([country, network, line]) => `+${country} ${network} ${line}`),
    'telephone number without spaces': digits(13).map((line) => `+${line}`),
    time,
    'time with spaces': time.map((text) => text.replace('T', ' ').replace('Z', '')),
    'order number with a date': fc
      .tuple(time, digits(6))
      .map(([at, id]) => `INV-${at.slice(0, 10)}-${id}`),
    'order number with a compact date': fc
      .tuple(time, digits(6))
      .map(([at, id]) => `INV-${at.slice(0, 10).replaceAll('-', '')}-${id}`),
    'time in milliseconds': fc
      .nat({ max: 99_999_999_999 })
      .map((ms) => String(1_700_000_000_000 + ms)),
    'date of a form': fc
      .tuple(two, two, time)
      .map(([day, month, at]) => `${day}/${month}/${at.slice(0, 4)}`),
  };
  it.each(Object.entries(ids))('stays as it is: %s', (_name, id) => {
    fc.assert(
      fc.property(id, (text) => {
        expect(redactText(text)).toBe(text);
        const body = JSON.stringify({ external_customer_id: text, total: '30.11' });
        expect(redactText(body)).toBe(body);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

const codeNames = secretNames.filter(({ kind }) => kind === 'code').map(({ word }) => word);
const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
const spellings: Readonly<Record<string, (name: string) => string>> = {
  plain: (name) => name,
  'in capitals': (name) => name.toUpperCase(),
  'with spaces around': (name) => ` ${name} `,
  'with signs': (name) => `${name}?`,
  'in full-width letters': wide,
  'with invisible characters': (name) => [...name].join('\u200b'),
  'with separators inside': (name) => [...name].join('_'),
  'in brackets': (name) => `card[${name}]`,
  'after an object': (name) => `card.${name}`,
};
const places: Readonly<Record<string, (key: string, code: string) => string>> = {
  'JSON string': (key, code) => JSON.stringify({ a: 'b', [key]: code, c: 'd' }),
  'JSON number': (key, code) => `{${JSON.stringify(key)}:${code},"c":"d"}`,
  'JSON list': (key, code) => JSON.stringify({ [key]: [code] }),
  'deep JSON': (key, code) => JSON.stringify({ a: [{ b: { [key]: code } }] }),
  'JSON within JSON': (key, code) => JSON.stringify({ a: JSON.stringify({ [key]: code }) }),
  query: (key, code) => `/v1/x?a=b&${new URLSearchParams({ [key]: code }).toString()}`,
  'URL-encoded query': (key, code) => `/v1/x?a=b&${encodeURIComponent(key)}=${code}`,
  pair: (key, code) => JSON.stringify({ a: [[key, code]] }),
  'flat list of pairs': (key, code) => JSON.stringify(['Host', 'x', key, code]),
  'named value': (key, code) => JSON.stringify({ fields: [{ name: key, value: code }] }),
  'value before its name': (key, code) => JSON.stringify([{ data: code, id: 7, field: key }]),
  'named value with members between': (key, code) =>
    JSON.stringify({ key, type: 'text', deep: { a: [1] }, value: code }),
  'multipart form': (key, code) =>
    `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${code}\r\n--x--`,
  'multipart form with a type': (key, code) =>
    `--x\r\nContent-Disposition: form-data; name="${key}"\r\nContent-Type: text/plain\r\n\r\n${code}\r\n--x--`,
  header: (key, code) => `X-Card: yes\r\n${key}: ${code}\r\n`,
  prose: (key, code) => `Called about ${key}: ${code}, again.`,
};

describe.each(Object.entries(places))('a verification code in a %s', (_place, write) => {
  it.each(Object.entries(spellings))('is removed under every name, %s', (_spelling, spell) => {
    for (const name of codeNames) {
      const text = write(spell(name), '987');
      expect(redactText(text), text).not.toContain('987');
    }
  });
});

it.each([
  ['<cvv2>987</cvv2>', '<cvv2>[redacted]</cvv2>'],
  ['<p:cvv2 type="x">987</p:cvv2><a>1</a>', '<p:cvv2 type="x">[redacted]</p:cvv2><a>1</a>'],
  ['<cvv2><![CDATA[987]]></cvv2>', '<cvv2><![CDATA[[redacted]]]></cvv2>'],
  ['<f value="987" name="cvv2"/>a', '<f value="[redacted]" name="cvv2"/>a'],
  ['<f name="cvv2">987</f>', '<f name="cvv2">[redacted]</f>'],
  ['CVV 987 was asked', 'CVV [redacted] was asked'],
  ['CVV987', 'CVV[redacted]'],
  ['cvv2987, again', 'cvv[redacted], again'],
  ['her cvv2 is 987', 'her cvv2 is [redacted]'],
  ['Security code 9876', 'Security code [redacted]'],
  ['The security code is 987.', 'The security code is [redacted].'],
  ['Prüfziffer 987', 'Prüfziffer [redacted]'],
  ['"cvv2"=>"987"', '"cvv2"=>"[redacted]"'],
  ['{"cvv\\u0032":"987"}', '{"cvv\\u0032":"[redacted]"}'],
  ['{"cvv2":"９８７"}', '{"cvv2":"[redacted]"}'],
  ['{"código de seguridad":"987"}', '{"código de seguridad":"[redacted]"}'],
  ['{"cardCid":"987"}', '{"cardCid":"[redacted]"}'],
])('removes the code from %s', (text, left) => {
  expect(redactText(text)).toBe(left);
});

it.each([
  '{"cvv_code":"M","cvv_result":"M","avs_code":"Y"}',
  '{"acid":"987","lucid_id":"987","placid":7,"rcvd":"987"}',
  '{"cvv2":null,"cvv":"","cvc":true}',
  '["name","cvv2","number"]',
  '{"name":"cvv2","type":"text"}',
  'The cvv2 is on the back, the card value is 100.',
  'card value 100, card code 1234',
  'CARD-1XCVV987',
  'cid987',
  'cvv98765',
  'cvv2 is island 987',
  '{"security":{"level":3}}',
])('keeps %s', (text) => {
  expect(redactText(text)).toBe(text);
});

describe('a search', () => {
  const adversarial = {
    digits: '4',
    'numbers with spaces': '4417 1196 6982 0331 ',
    separators: '- / ',
    'groups far apart': '4417 ---- ',
    'numbers of 12 digits': '630400000000 ',
    'invisible characters': '4\u200b',
  };
  it.each(Object.entries(adversarial))(
    'takes twice the steps for twice the text: %s',
    (_name, part) => {
      const stepsFor = (length: number): number => {
        const counter = { steps: 0 };
        findCardNumbers(part.repeat(length / part.length), counter);
        return counter.steps;
      };
      expect(stepsFor(120_000)).toBeLessThanOrEqual(2.1 * stepsFor(60_000) + 100);
    },
  );
});
